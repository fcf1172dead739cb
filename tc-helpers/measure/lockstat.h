/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_MEASURE_LOCKSTAT_H
#define QBED_MEASURE_LOCKSTAT_H

struct diag;
struct lockstat;

/**
 * struct lockmeter - the kernel's lock statistics while they are ours
 * @fd: /proc/lock_stat
 * @before: kernel.lock_stat as it was found
 */
struct lockmeter {
	int fd;
	char before[16];
};

/*
 * Clears the statistics of the whole machine and switches counting on.
 * "Cannot" (exit 4) without CONFIG_LOCK_STAT, without the privilege, or when
 * lockdep has switched itself off since boot.
 */
int lockmeter_start(struct lockmeter *m, struct diag *d);

/*
 * Stops counting, reads what was counted into @ls (lockstat_free()) and puts
 * kernel.lock_stat back. Failed (exit 2) when lockdep switched itself off meanwhile.
 */
int lockmeter_stop(struct lockmeter *m, struct diag *d, struct lockstat *ls);

/* Puts kernel.lock_stat back without reading; for error paths. */
void lockmeter_abandon(struct lockmeter *m);

#endif

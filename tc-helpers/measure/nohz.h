/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NOHZ_H
#define QBED_NOHZ_H

struct diag;

/**
 * struct nohz - whether unpinned timers can move between CPUs at all
 * @timer_migration: kernel.timer_migration, 0 or 1
 * @cpus: CPUs whose tick can stop (nohz is active there)
 */
struct nohz {
	int timer_migration;
	unsigned int cpus;
};

/*
 * Reads it. "Cannot tell" (exit 4) when no tick of this kernel can stop: a
 * pinned and an unpinned timer then behave alike, and a zero would say nothing.
 */
int nohz_read(struct diag *d, struct nohz *n);

#endif

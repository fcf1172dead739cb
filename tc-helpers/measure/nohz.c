// SPDX-License-Identifier: GPL-2.0-or-later
/* Timer migration needs a tick that can stop: is there one? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure/clock.h"
#include "measure/nohz.h"
#include "pure/diag.h"

#define MIGRATION_FILE	"/proc/sys/kernel/timer_migration"
#define TIMERS_FILE	"/proc/timer_list"
#define YOUNG_NS	10000000000	/* since boot */

/*
 * kernel/time/timer_list.c, per CPU: ".nohz_mode : 2" (0 is inactive) up to
 * 6.8, ".nohz : 1" since.
 */
static int active_cpus(struct diag *d, unsigned int *cpus)
{
	FILE *f = fopen(TIMERS_FILE, "re");
	char line[512];

	if (!f)
		return diag_cannot(d, "%s: %s: whether NO_HZ is active can be read by root only",
				   TIMERS_FILE, strerror(errno));
	*cpus = 0;
	while (fgets(line, sizeof(line), f)) {
		unsigned int value;
		char name[16];

		if (sscanf(line, " .%15[a-z_] : %u", name, &value) != 2)
			continue;
		if ((!strcmp(name, "nohz_mode") || !strcmp(name, "nohz")) && value)
			++*cpus;
	}
	fclose(f);
	return 0;
}

/*
 * A kernel that has just booted calibrates its clocksource for a second or
 * two, and no tick can stop before that is done: wait for it, but only then.
 */
static int active_cpus_wait(struct diag *d, unsigned int *cpus)
{
	for (;;) {
		struct mono now = mono_now();
		int err = active_cpus(d, cpus);

		if (err || *cpus || now.ns > YOUNG_NS)
			return err;
		mono_sleep_until(mono_add(now, 50000000));
	}
}

int nohz_read(struct diag *d, struct nohz *n)
{
	FILE *f = fopen(MIGRATION_FILE, "re");
	int got;
	int err;

	memset(n, 0, sizeof(*n));
	if (!f)
		return diag_cannot(d, "kernel.timer_migration: cannot tell placed timers from others: this kernel was built without CONFIG_NO_HZ_IDLE or CONFIG_NO_HZ_FULL (CONFIG_NO_HZ), or without CONFIG_SMP");
	got = fscanf(f, "%d", &n->timer_migration);
	fclose(f);
	if (got != 1)
		return diag_failed(d, 0, "%s: not a number", MIGRATION_FILE);
	err = active_cpus_wait(d, &n->cpus);
	if (err)
		return err;
	if (!n->cpus)
		return diag_cannot(d, "NO_HZ: cannot tell placed timers from others: built in, but no CPU's tick can stop (nohz=off, or no high resolution timer): CONFIG_NO_HZ is inactive");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FIRED_H
#define QBED_FIRED_H

#include <stddef.h>
#include <stdint.h>

#include "measure/trace-instance.h"

struct diag;

/**
 * struct fired - counts how often a timer's callback runs, by CPU
 *
 * Timers of both kinds, hrtimers and those of the wheel: a callback has the same name in kernels
 * that differ in that. Nothing but the count is kept, so that any number of expiries can be counted.
 */
struct fired {
	struct trace_instance in;
};

/* Ready to count @function; fired_close() in either case. "Cannot" (exit 4) says what is missing. */
int fired_open(struct fired *f, struct diag *d, const char *function);
int fired_switch(struct fired *f, struct diag *d, bool on);
/* @counts: of CPUs 0 .. @ncpus - 1, since fired_open(). */
int fired_read(struct fired *f, struct diag *d, uint64_t *counts, size_t ncpus);
void fired_close(struct fired *f);

#endif

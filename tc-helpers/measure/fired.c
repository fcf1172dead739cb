// SPDX-License-Identifier: GPL-2.0-or-later
/* How often a timer's callback runs, by CPU. */
#include "measure/fired.h"
#include "measure/kfunction.h"
#include "pure/diag.h"

/* What is counted need not be kept: events that find no room are counted too. */
#define BUFFER_BYTES 16384

static const char *const events[] = { "hrtimer_expire_entry", "timer_expire_entry" };

int fired_open(struct fired *f, struct diag *d, const char *function)
{
	char filter[512];
	size_t i;
	int err;

	f->in = TRACE_INSTANCE_NONE;
	err = trace_instance_check(d);
	if (!err)
		err = kfunction_filter(d, function, filter, sizeof(filter));
	if (!err)
		err = trace_instance_make(&f->in, d);
	if (!err)
		err = trace_instance_buffer(&f->in, d, BUFFER_BYTES);
	for (i = 0; !err && i < sizeof(events) / sizeof(events[0]); i++)
		err = trace_instance_event(&f->in, d, "timer", events[i], filter);
	return err;
}

int fired_switch(struct fired *f, struct diag *d, bool on)
{
	return trace_instance_switch(&f->in, d, on);
}

int fired_read(struct fired *f, struct diag *d, uint64_t *counts, size_t ncpus)
{
	size_t cpu;

	for (cpu = 0; cpu < ncpus; cpu++) {
		uint64_t lost = 0;
		int err;

		counts[cpu] = 0;
		err = trace_instance_count(&f->in, d, (long)cpu, &counts[cpu], &lost);
		if (err)
			return err;
		counts[cpu] += lost;
	}
	return 0;
}

void fired_close(struct fired *f)
{
	trace_instance_remove(&f->in);
}

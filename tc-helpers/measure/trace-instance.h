/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TRACE_INSTANCE_H
#define QBED_TRACE_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct tracefs_instance;

/**
 * struct trace_instance - a tracefs instance of our own
 * @instance: of libtracefs, NULL for none
 * @on: tracing_on, held open: a busy instance cannot be removed by others
 */
struct trace_instance {
	struct tracefs_instance *instance;
	int on;
};

#define TRACE_INSTANCE_NONE ((struct trace_instance){ .on = -1 })

/* Is tracing possible? "Cannot" (exit 4) names the CONFIG_ option or the privilege. */
int trace_instance_check(struct diag *d);
/* Makes it, switched off, first removing those that a killed qbed left behind. */
int trace_instance_make(struct trace_instance *in, struct diag *d);
int trace_instance_write(struct trace_instance *in, struct diag *d, const char *file,
			 const char *value);
/* @bytes per CPU; what does not fit is counted, and lost. */
int trace_instance_buffer(struct trace_instance *in, struct diag *d, uint64_t bytes);
/* Enables an event. @filter: NULL for none. */
int trace_instance_event(struct trace_instance *in, struct diag *d, const char *system,
			 const char *event, const char *filter);
int trace_instance_switch(struct trace_instance *in, struct diag *d, bool on);
/* Adds what CPU @cpu has: events in the buffer, and events that did not fit. */
int trace_instance_count(struct trace_instance *in, struct diag *d, long cpu, uint64_t *entries,
			 uint64_t *lost);
/* Fine for TRACE_INSTANCE_NONE, and twice. */
void trace_instance_remove(struct trace_instance *in);

#endif

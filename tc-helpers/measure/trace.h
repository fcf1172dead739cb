/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TRACE_H
#define QBED_TRACE_H

#include <stddef.h>
#include <stdint.h>

struct diag;
struct expiry_event;

/**
 * struct trace_spec - what to trace
 * @function: callback of the hrtimers
 * @buffer_bytes: ring buffer per CPU
 */
struct trace_spec {
	const char *function;
	uint64_t buffer_bytes;
};

/**
 * struct trace - a tracefs instance of our own
 *
 * Events timer:hrtimer_start and timer:hrtimer_expire_entry of @function, and
 * qdisc:qdisc_enqueue; clock "mono". Nothing is read while it records.
 */
struct trace;

/*
 * Makes the instance, first removing those that a killed qbed left behind.
 * "Cannot" (exit 4) names the CONFIG_ option or the privilege.
 */
int trace_open(struct diag *d, const struct trace_spec *spec, struct trace **trace);
int trace_start(struct trace *t, struct diag *d);
int trace_stop(struct trace *t, struct diag *d);

/*
 * After trace_stop(): all events, malloc()ed, per CPU in order. Failed (exit 2) with the
 * number of lost events when the buffer was too small for a complete sample.
 */
int trace_read(struct trace *t, struct diag *d, struct expiry_event **events, size_t *n);

/* Removes the instance. NULL is fine. */
void trace_close(struct trace *t);

#endif

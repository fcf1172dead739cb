/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_EXPIRY_H
#define QBED_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pure/names.h"

struct diag;
struct hist;

enum expiry_kind {
	EXPIRY_ENQUEUE,		/* qdisc:qdisc_enqueue */
	EXPIRY_START,		/* timer:hrtimer_start */
	EXPIRY_FIRE,		/* timer:hrtimer_expire_entry */
};

/**
 * struct expiry_event - one trace event, its fields as the fold needs them
 * @ns: time of the event, CLOCK_MONOTONIC
 * @object: address of the Qdisc or of the hrtimer
 * @value: %EXPIRY_START: deadline; %EXPIRY_FIRE: the timer base's "now"; both ns
 * @cpu: where it happened
 * @kind: one of enum expiry_kind
 * @ifindex: %EXPIRY_ENQUEUE: of the device
 * @parent: %EXPIRY_ENQUEUE: the Qdisc's parent, its minor is the queue under mq
 * @handle: %EXPIRY_ENQUEUE: the Qdisc's handle
 */
struct expiry_event {
	int64_t ns;
	uint64_t object;
	int64_t value;
	uint32_t cpu;
	uint32_t kind;
	uint32_t ifindex;
	uint32_t parent;
	uint32_t handle;
};

/**
 * struct expiry_window - which expiries count
 * @begin_ns: first counted instant, CLOCK_MONOTONIC
 * @end_ns: last counted instant
 * @given: false: all of them count
 */
struct expiry_window {
	int64_t begin_ns;
	int64_t end_ns;
	bool given;
};

/**
 * struct expiry_queue - one Qdisc that packets were enqueued to
 * @object: its address; two Qdiscs may have all else in common when two namespaces
 *	have a device of one ifindex, or when one was replaced by its like
 * @first_ns: time of the first packet
 * @ifindex: of its device, in the device's namespace
 * @parent: see struct expiry_event
 * @handle: see struct expiry_event
 * @home: CPUs that enqueued to it
 * @enqueues: packets, within the window
 * @expiries: of its timer, within the window
 * @away: those on a CPU that is not in @home
 * @undated: those without a start in the trace before them, so without lateness
 * @lateness: "now" of the expiry minus the deadline it was started with
 * @any_home: CPUs that enqueued at any time: @home when there was none in the window
 */
struct expiry_queue {
	uint64_t object;
	int64_t first_ns;
	uint32_t ifindex;
	uint32_t parent;
	uint32_t handle;
	struct cpus home;
	uint64_t enqueues;
	uint64_t expiries;
	uint64_t away;
	uint64_t undated;
	struct hist *lateness;
	struct cpus any_home;
};

/**
 * struct expiry_cpu - expiries on one CPU
 * @expiries: of matched timers
 * @away: of those, on a CPU that is not their queue's
 * @unmatched: of timers without a Qdisc
 */
struct expiry_cpu {
	uint64_t expiries;
	uint64_t away;
	uint64_t unmatched;
};

#define EXPIRY_OFFSETS_MAX 16

/**
 * struct expiry - what a trace says
 * @queues: sorted by ifindex, parent, handle, first packet
 * @nqueues: length of @queues
 * @cpus: per CPU
 * @ncpus: length of @cpus: highest CPU seen + 1
 * @expiries: of matched timers
 * @away: of those
 * @lateness: of matched timers
 * @unmatched_timers: timers that belong to no Qdisc that was enqueued to
 * @unmatched_expiries: expiries of those
 * @offsets: hrtimer minus Qdisc, one per qdisc kind seen: a constant of the kernel build
 * @noffsets: length of @offsets
 * @twins: queues that have ifindex, parent and handle of the one before
 */
struct expiry {
	struct expiry_queue *queues;
	size_t nqueues;
	struct expiry_cpu *cpus;
	size_t ncpus;
	uint64_t expiries;
	uint64_t away;
	struct hist *lateness;
	uint64_t unmatched_timers;
	uint64_t unmatched_expiries;
	uint64_t offsets[EXPIRY_OFFSETS_MAX];
	size_t noffsets;
	size_t twins;
};

/**
 * expiry_fold() - who fired where, and how late
 * @d: gets the error
 * @events: in any order; sorted here by time (then CPU; equals keep their order)
 * @n: length of @events
 * @window: which expiries and home CPUs count
 * @ifindex: only queues of this device count, 0 for all
 * @x: result; expiry_free() after success
 *
 * A timer lies in the private data of its Qdisc. For all Qdiscs of one kind
 * the distance is the same, so it is the difference that makes the most timers
 * meet a Qdisc. It must also be seen at work at least once: a start of the timer whose last
 * enqueue before it, on the same CPU, was to that very Qdisc. What is still
 * ambiguous stays unmatched, and is counted.
 *
 * Return: 0 or -ENOMEM.
 */
int expiry_fold(struct diag *d, struct expiry_event *events, size_t n,
		const struct expiry_window *window, uint32_t ifindex, struct expiry *x);
void expiry_free(struct expiry *x);

#endif

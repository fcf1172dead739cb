/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_EXPIRY_MATCH_H
#define QBED_EXPIRY_MATCH_H

#include <stddef.h>
#include <stdint.h>

struct expiry_event;

/**
 * struct match_timer - a timer seen in the trace
 * @address: of the hrtimer
 * @qdisc: index of its Qdisc in struct match, -1 while there is none
 */
struct match_timer {
	uint64_t address;
	long qdisc;
};

/**
 * struct match - timers and the Qdiscs they belong to, both sorted by address
 * @offsets: distances in the order found: the one with the most timers first
 */
struct match {
	struct match_timer *timers;
	size_t ntimers;
	uint64_t *qdiscs;
	size_t nqdiscs;
	uint64_t *offsets;
	size_t noffsets;
};

/* @events sorted by time. 0 or -ENOMEM; match_free() in either case. */
int match_timers(struct match *m, const struct expiry_event *events, size_t n);
void match_free(struct match *m);

struct match_timer *match_timer_find(const struct match *m, uint64_t address);
long match_qdisc_find(const struct match *m, uint64_t address);	/* index, -1 for none */

#endif

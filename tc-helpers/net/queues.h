/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_QUEUES_H
#define QBED_QUEUES_H

#include <stdint.h>

#include "pure/names.h"

struct diag;

/**
 * struct queue_delay - the qdisc that a transmit queue's packets wait in
 * @kind: "netem", "tbf", ...; "" when the kernel shows none
 * @parent: where it hangs: the class of mq, or TC_H_ROOT
 * @delay_ns: netem's delay, 0 for any other kind
 * @jitter_ns: netem's jitter
 * @reorders: netem may let packets pass without delay
 */
struct queue_delay {
	char kind[32];
	uint32_t parent;
	int64_t delay_ns;
	int64_t jitter_ns;
	bool reorders;
};

/**
 * struct queues - transmit queues of a device
 * @n: real number of transmit queues
 * @of_cpu: queue that XPS gives to a CPU: -1 for none, or when it is not one alone
 * @delay: per queue
 */
struct queues {
	unsigned int n;
	int of_cpu[CPUS_MAX];
	struct queue_delay *delay;
};

/*
 * Reads XPS maps (sysfs) and qdiscs (a dump) of @end's device. What hangs
 * below a queue's own qdisc is not looked at. -errno with @d.
 */
int queues_read(struct diag *d, const struct link_end *end, struct queues *q);
void queues_free(struct queues *q);

/* The least delay that a packet through @qd can have: 4 jitters less (netem's tables end there). */
int64_t queue_earliest_ns(const struct queue_delay *qd);

/* The longest delay that a packet through any of the queues has by configuration. */
int64_t queues_latest_ns(const struct queues *q);

#endif

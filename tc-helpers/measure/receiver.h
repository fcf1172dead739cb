/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RECEIVER_H
#define QBED_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/clock.h"
#include "pure/probe.h"

struct diag;
struct hist;

#define RECV_FLOWS	2

/**
 * struct recv_flow - probes of one flow as they come out at the far end
 * @fd: bound UDP socket
 * @run: see struct probe
 * @flow: see struct probe
 * @configured_ns: subtracted from every delay
 * @earliest_ns: a probe with less delay cannot have been through the qdisc
 * @expected: probes that will come, set by receivers_finish()'s caller
 * @track: losses, duplicates, order
 * @beyond: histogram of delay - @configured_ns, first arrivals only
 * @early: first arrivals with a delay below @earliest_ns
 * @foreign: datagrams that are no probe of this run and flow
 */
struct recv_flow {
	int fd;
	uint64_t run;
	uint32_t flow;
	int64_t configured_ns;
	int64_t earliest_ns;
	uint64_t expected;
	struct track track;
	struct hist *beyond;
	uint64_t early;
	uint64_t foreign;
};

/**
 * struct receiver - a thread pinned to a CPU that takes the probes of its flows
 * @cpu: the CPU
 * @nflows: how many of @flow are used
 * @flow: see struct recv_flow
 */
struct receiver {
	unsigned int cpu;
	unsigned int nflows;
	struct recv_flow flow[RECV_FLOWS];
};

struct receivers;

/*
 * Starts a thread per receiver; a probe is stamped (CLOCK_MONOTONIC, user
 * space) right after the recv() that returned it. They sleep in poll().
 */
int receivers_start(struct diag *d, struct receiver *r, unsigned int n, struct receivers **rs);

/*
 * Ends them: each one once all it expects has come, or at @until. Waits for
 * all; afterwards the flows belong to the caller again. @rs may be NULL.
 */
void receivers_finish(struct receivers *rs, struct mono until);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SENDER_H
#define QBED_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/clock.h"
#include "measure/stop.h"

struct diag;

#define SEND_PATHS	2

/**
 * struct send_path - a way that a sender's packets go, and what became of them
 * @fd: connected UDP socket with IP_RECVERR, so that a qdisc's drop is told
 * @flow: number of the flow, for the payload
 * @planned: packets to send; of no meaning when saturated
 * @sent: packets that the kernel took
 * @dropped: ENOBUFS, the qdisc (or the device) refused the packet
 * @full: EAGAIN, the socket's send buffer had no room
 * @refused: ICMP errors that a packet of an earlier run brought; ours was sent after all
 * @errors: any other failure
 * @first_errno: of the first of @errors, positive
 */
struct send_path {
	int fd;
	uint32_t flow;
	uint64_t planned;
	uint64_t sent;
	uint64_t dropped;
	uint64_t full;
	uint64_t refused;
	uint64_t errors;
	int first_errno;
};

/**
 * struct sender - a thread pinned to a CPU
 * @cpu: the CPU
 * @phase_ns: first deadline after the common start
 * @npaths: paths that it takes in turn, evenly spread over the period
 * @path: see struct send_path
 * @late: bursts that began after the next one's deadline
 * @late_max_ns: longest time that a burst began after its deadline
 * @begin: just before the first send
 * @end: just after the last one
 */
struct sender {
	unsigned int cpu;
	int64_t phase_ns;
	unsigned int npaths;
	struct send_path path[SEND_PATHS];
	uint64_t late;
	int64_t late_max_ns;
	struct mono begin;
	struct mono end;
};

/**
 * struct send_plan - one run
 * @sender: the senders
 * @n: how many
 * @rate_pps: packets per second of each path of each sender; 0 saturates
 * @burst: packets that are sent back to back; the rate stays
 * @duration_ns: time from the common start to the end
 * @payload: bytes after the UDP header, >= PROBE_BYTES
 * @run: names this run in the payload
 * @lock_memory: lock all memory once every thread is there
 * @memory_locked: whether that worked
 * @start: common start, set by senders_run()
 * @interrupted: a signal ended the run early
 */
struct send_plan {
	struct sender *sender;
	unsigned int n;
	uint64_t rate_pps;
	uint32_t burst;
	int64_t duration_ns;
	size_t payload;
	uint64_t run;
	bool lock_memory;
	bool memory_locked;
	struct mono start;
	bool interrupted;
};

/* Packets of one path in @duration_ns at @rate_pps, rounded down. */
uint64_t send_planned(uint64_t rate_pps, int64_t duration_ns);
/* Time between two bursts of one path, rounded down. */
uint64_t send_period_ns(uint64_t rate_pps, uint32_t burst);

/*
 * Starts the senders, waits until all are done or @stop got a signal. Senders
 * sleep to absolute deadlines, never poll, and end at the latest one period and
 * a second after @duration_ns, whatever is unsent. 0, or -errno with @d when threads or
 * memory cannot be had.
 */
int senders_run(struct diag *d, struct send_plan *plan, struct stop *stop);

/*
 * From when all senders ran to when the first one stopped; false when there
 * was no such time.
 */
bool senders_window(const struct send_plan *plan, struct mono *begin, struct mono *end);

#endif

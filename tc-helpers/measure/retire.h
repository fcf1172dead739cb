/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RETIRE_H
#define QBED_RETIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/ring.h"
#include "measure/stop.h"

struct diag;
struct hist;

/* Ethernet type of the probes: "local experimental" of IEEE 802, so nobody else's packet is in the ring. */
#define RETIRE_PROTOCOL	0x88b5

/**
 * struct retire_plan - paced packets into a ring, and when they come out
 * @tx: packet socket of the sending end's namespace, protocol 0
 * @tx_ifindex: of the sending device
 * @source: its hardware address
 * @destination: hardware address of the device with the ring
 * @ring: open ring of the receiving device
 * @bytes: of a frame, Ethernet header included
 * @interval_ns: between two packets
 * @packets: how many
 * @phase_ns: of the first packet, after the common start
 * @tov_ns: retire timeout; packets are waited for two of it and a second more
 * @run: names this run in the payload
 * @sender_cpu: CPU of the sending thread
 */
struct retire_plan {
	int tx;
	int tx_ifindex;
	uint8_t source[6];
	uint8_t destination[6];
	struct ring *ring;
	size_t bytes;
	int64_t interval_ns;
	uint64_t packets;
	int64_t phase_ns;
	int64_t tov_ns;
	uint64_t run;
	unsigned int sender_cpu;
};

/**
 * struct retire_result - what came out
 * @sent: packets that the kernel took
 * @send_errors: packets that it refused
 * @send_errno: of the first of them, positive
 * @late: packets sent more than an interval after their time
 * @late_max_ns: longest time that a packet was sent after its time
 * @received: different probes of this run
 * @duplicates: probes that had come before
 * @inversions: probes that came after a later one
 * @foreign: packets that are no probe of this run
 * @blocks: blocks with packets
 * @empty_blocks: blocks without; in no other figure
 * @retired_by_timeout: of @blocks
 * @retired_early: of these, seen in user space before the timeout had passed since the first packet was sent
 * @packet_delay: block seen in user space minus packet sent, ns
 * @block_gap: between two blocks with packets, as seen in user space, ns
 * @block_age: of blocks by timeout: seen in user space minus the first packet sent, ns
 * @totals: the socket's own statistics
 */
struct retire_result {
	uint64_t sent;
	uint64_t send_errors;
	int send_errno;
	uint64_t late;
	int64_t late_max_ns;
	uint64_t received;
	uint64_t duplicates;
	uint64_t inversions;
	uint64_t foreign;
	uint64_t blocks;
	uint64_t empty_blocks;
	uint64_t retired_by_timeout;
	uint64_t retired_early;
	struct hist *packet_delay;
	struct hist *block_gap;
	struct hist *block_age;
	struct ring_totals totals;
};

/*
 * Sends from a thread of its own while the caller's thread, which should be
 * pinned, polls the ring. Ends when all is received, when nothing more can come, or
 * by @stop. 0 or -errno in @d; retire_result_free() in either case.
 */
int retire_run(struct diag *d, const struct retire_plan *plan, struct stop *stop,
	       struct retire_result *res);
void retire_result_free(struct retire_result *res);

#endif

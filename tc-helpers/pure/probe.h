/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PROBE_H
#define QBED_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct probe - what a packet of ours says about itself
 * @run: tells this run's packets from those of another one
 * @flow: index of the sender within the run
 * @cpu: CPU the sender is pinned to
 * @seq: counts from 0 within the flow
 * @sent_ns: CLOCK_MONOTONIC just before the send call
 *
 * On the wire, PROBE_BYTES long, big endian:
 *	 0  8  magic "qbedprb1"
 *	 8  8  run
 *	16  4  flow
 *	20  4  cpu
 *	24  8  seq
 *	32  8  sent_ns
 * The rest of the payload is zero.
 */
struct probe {
	uint64_t run;
	uint32_t flow;
	uint32_t cpu;
	uint64_t seq;
	int64_t sent_ns;
};

#define PROBE_BYTES	40

void probe_put(uint8_t buf[PROBE_BYTES], const struct probe *p);
/* False for anything that is no probe (too short, other magic). */
bool probe_get(const void *buf, size_t len, struct probe *p);

/**
 * struct track - the fate of one flow's probes
 * @planned: sequence numbers are below this
 * @received: different sequence numbers that came
 * @duplicates: probes that had come before
 * @inversions: first arrivals with a sequence number below one that had come
 * @alien: sequence numbers >= @planned
 * @next: highest sequence number seen + 1
 * @seen: a bit per sequence number
 */
struct track {
	uint64_t planned;
	uint64_t received;
	uint64_t duplicates;
	uint64_t inversions;
	uint64_t alien;
	uint64_t next;
	uint64_t *seen;
};

int track_init(struct track *t, uint64_t planned);	/* 0 or -ENOMEM */
void track_free(struct track *t);
/* Counts @seq; true when it came for the first time, and its delay is a sample. */
bool track_see(struct track *t, uint64_t seq);

#endif

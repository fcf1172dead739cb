/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RETIRE_DOC_H
#define QBED_RETIRE_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/retire.h"
#include "pure/names.h"

struct doc;

/**
 * struct retire_cfg - options of qbed retire
 * @from: end that sends
 * @to: end with the ring
 * @ring: see struct ring_spec
 * @bytes: of a packet, Ethernet header included
 * @interval_ns: between two packets
 * @duration_ns: time of sending
 * @seed: of the first packet's phase
 * @sender_cpu: CPU of the sending thread
 * @poller_cpu: CPU that makes and polls the ring
 * @idle_rings: rings to be made that no packet comes to
 * @has_from: --from was given
 * @has_to: --to was given
 * @has_tov: --tov was given
 * @has_idle: --idle-rings was given
 * @has_size: --size was given
 * @has_interval: --interval was given
 * @has_seed: --seed was given
 * @has_sender: --sender-cpu was given
 * @has_block_size: --block-size was given
 * @has_block_count: --block-count was given
 */
struct retire_cfg {
	struct link_end from;
	struct link_end to;
	struct ring_spec ring;
	uint64_t bytes;
	int64_t interval_ns;
	int64_t duration_ns;
	uint64_t seed;
	uint64_t sender_cpu;
	uint64_t poller_cpu;
	uint64_t idle_rings;
	bool has_from;
	bool has_to;
	bool has_tov;
	bool has_idle;
	bool has_size;
	bool has_interval;
	bool has_seed;
	bool has_sender;
	bool has_block_size;
	bool has_block_count;
};

/* The timeout in force; @tov_ms as below. */
void retire_tov_doc(struct doc *doc, const struct retire_cfg *cfg, const uint32_t *tov_ms);

/*
 * Puts what a run gave into @doc. @tov_ms: the timeout that was read back, NULL
 * when the kernel does not tell.
 */
void retire_doc(struct doc *doc, const struct retire_cfg *cfg, const struct ring *ring,
		const uint32_t *tov_ms, const struct retire_plan *plan,
		const struct retire_result *res);

#endif

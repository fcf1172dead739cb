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
 * @has_from: --from was given
 * @has_to: --to was given
 * @has_tov: --tov was given
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
	bool has_from;
	bool has_to;
	bool has_tov;
};

/*
 * Puts what a run gave into @doc. @tov_ms: the timeout that was read back, NULL
 * when the kernel does not tell.
 */
void retire_doc(struct doc *doc, const struct retire_cfg *cfg, const struct ring *ring,
		const uint32_t *tov_ms, const struct retire_plan *plan,
		const struct retire_result *res);

#endif

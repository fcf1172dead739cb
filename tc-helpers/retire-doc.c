// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of qbed retire. */
#include <inttypes.h>
#include <net/if.h>

#include "net/ends.h"
#include "pure/doc.h"
#include "pure/hist.h"
#include "pure/stats.h"
#include "pure/units.h"
#include "retire-doc.h"

static void hist_row(struct doc *doc, const char *name, const struct hist *h)
{
	static const uint32_t columns[] = { HIST_MIN, HIST_P50, HIST_P90, HIST_P99, HIST_MAX };
	size_t i;

	doc_text(doc, "%-14s %8" PRIu64, name, h->n);
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		char us[32];

		doc_text(doc, " %10s", stats_us(us, sizeof(us), h, columns[i]));
	}
	doc_text(doc, "\n");
}

static void parameters_doc(struct doc *doc, const struct retire_cfg *cfg, const struct ring *ring)
{
	char name[NETNS_NAME_MAX + IFNAMSIZ + 2];
	char interval[32], duration[32];

	time_format(interval, sizeof(interval), cfg->interval_ns);
	time_format(duration, sizeof(duration), cfg->duration_ns);
	doc_open_object(doc, "parameters");
	doc_str(doc, "from", "%s", link_end_format(name, sizeof(name), &cfg->from));
	doc_str(doc, "to", " to %s", link_end_format(name, sizeof(name), &cfg->to));
	doc_i64(doc, "tov_ns", NULL, (int64_t)cfg->ring.tov_ms * 1000000);
	doc_u64(doc, "block_size_bytes", ", %" PRIu64, ring->block_size);
	doc_u64(doc, "block_count", " bytes x %" PRIu64 " blocks", ring->block_count);
	doc_u64(doc, "frame_size_bytes", NULL, cfg->ring.frame_size);
	doc_u64(doc, "size_bytes", "\n%" PRIu64 "-byte packets", cfg->bytes);
	doc_i64(doc, "interval_ns", NULL, cfg->interval_ns);
	doc_i64(doc, "duration_ns", NULL, cfg->duration_ns);
	doc_text(doc, " every %s for %s", interval, duration);
	doc_u64(doc, "seed", ", seed %" PRIu64, cfg->seed);
	doc_u64(doc, "sender_cpu", ", CPU %" PRIu64, cfg->sender_cpu);
	doc_u64(doc, "poller_cpu", " to CPU %" PRIu64 "\n", cfg->poller_cpu);
	doc_close_object(doc);
}

void retire_tov_doc(struct doc *doc, const struct retire_cfg *cfg, const uint32_t *tov_ms)
{
	doc_text(doc, "tov %" PRIu32 " ms%s\n\n", tov_ms ? *tov_ms : cfg->ring.tov_ms,
		 !tov_ms ? " (not verified)" : cfg->ring.tov_ms ? "" : " (derived)");
	if (tov_ms)
		doc_i64(doc, "effective_tov_ns", NULL, (int64_t)*tov_ms * 1000000);
	else
		doc_null(doc, "effective_tov_ns");
}

static void counts_doc(struct doc *doc, const struct retire_result *res)
{
	doc_u64(doc, "blocks", "\n%" PRIu64 " blocks", res->blocks);
	doc_u64(doc, "retired_by_timeout", ", %" PRIu64 " of them by timeout",
		res->retired_by_timeout);
	doc_u64(doc, "retired_early", " (%" PRIu64 " early)", res->retired_early);
	doc_u64(doc, "empty_blocks", ", and %" PRIu64 " empty ones\n", res->empty_blocks);
	doc_u64(doc, "sent", "%" PRIu64 " packets sent", res->sent);
	doc_u64(doc, "received", ", %" PRIu64 " received", res->received);
	doc_u64(doc, "lost", ", %" PRIu64 " lost",
		res->sent > res->received ? res->sent - res->received : 0);
	doc_u64(doc, "send_errors", ", %" PRIu64 " refused", res->send_errors);
	doc_u64(doc, "duplicates", NULL, res->duplicates);
	doc_u64(doc, "inversions", ", %" PRIu64 " out of order", res->inversions);
	doc_u64(doc, "foreign", NULL, res->foreign);
	doc_u64(doc, "drops", "; ring: %" PRIu64 " drops", res->totals.drops);
	doc_u64(doc, "freezes", ", %" PRIu64 " freezes\n", res->totals.freezes);
	doc_u64(doc, "late_sends", NULL, res->late);
	doc_i64(doc, "late_send_max_ns", NULL, res->late_max_ns);
}

void retire_doc(struct doc *doc, const struct retire_cfg *cfg, const struct ring *ring,
		const uint32_t *tov_ms, const struct retire_plan *plan,
		const struct retire_result *res)
{
	doc_str(doc, "schema", NULL, "qbed-retire-1");
	parameters_doc(doc, cfg, ring);
	doc_str(doc, "clock", NULL, "CLOCK_MONOTONIC");
	retire_tov_doc(doc, cfg, tov_ms);
	doc_i64(doc, "phase_ns", NULL, plan->phase_ns);
	doc_text(doc, "%-14s %8s %10s %10s %10s %10s %10s\n", "", "count", "min us", "p50 us",
		 "p90 us", "p99 us", "max us");
	stats_doc(doc, "packet_delay", res->packet_delay);
	hist_row(doc, "packet delay", res->packet_delay);
	stats_doc(doc, "block_gap", res->block_gap);
	hist_row(doc, "block gap", res->block_gap);
	stats_doc(doc, "block_age", res->block_age);
	hist_row(doc, "block age", res->block_age);
	counts_doc(doc, res);
}

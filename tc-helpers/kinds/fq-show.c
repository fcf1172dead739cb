// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stddef.h>

#include "kinds/fq.h"
#include "kinds/show.h"
#include "kinds/uapi-compat.h"
#include "pure/doc.h"
#include "wire/attr.h"

#define FQ_ATTR_MAX TCA_FQ_OFFLOAD_HORIZON

static void show_queue(struct doc *doc, struct nlattr **tb)
{
	uint32_t v;

	if (attr_u32(tb, TCA_FQ_PLIMIT, &v))
		doc_u64(doc, "limit", " limit %" PRIu64 "p", v);
	if (attr_u32(tb, TCA_FQ_FLOW_PLIMIT, &v))
		doc_u64(doc, "flow_limit", " flow_limit %" PRIu64 "p", v);
	if (attr_u32(tb, TCA_FQ_BUCKETS_LOG, &v) && v < 32)
		show_count(doc, "buckets", 1u << v);
	if (attr_u32(tb, TCA_FQ_ORPHAN_MASK, &v))
		show_count(doc, "orphan_mask", v);
	if (attr_u32(tb, TCA_FQ_RATE_ENABLE, &v) && !v) {
		doc_bool(doc, "pacing", NULL, false);
		doc_text(doc, " nopacing");
	}
}

static void show_bands(struct doc *doc, struct nlattr **tb)
{
	struct tc_prio_qopt bands;
	uint32_t weights[FQ_BANDS];

	if (attr_read(tb, TCA_FQ_PRIOMAP, &bands, sizeof(bands))) {
		doc_i64(doc, "bands", " bands %" PRId64, bands.bands);
		doc_open_array(doc, "priomap");
		doc_text(doc, " priomap");
		for (int i = 0; i <= TC_PRIO_MAX; i++)
			doc_u64(doc, "", " %" PRIu64, bands.priomap[i]);
		doc_close_array(doc);
	}
	if (attr_read(tb, TCA_FQ_WEIGHTS, weights, sizeof(weights))) {
		doc_open_array(doc, "weights");
		doc_text(doc, " weights");
		for (int i = 0; i < FQ_BANDS; i++)
			doc_u64(doc, "", " %" PRIu64, weights[i]);
		doc_close_array(doc);
	}
}

static void show_rates(struct doc *doc, struct nlattr **tb)
{
	uint32_t v;

	if (attr_u32(tb, TCA_FQ_QUANTUM, &v))
		show_size(doc, "quantum", v);
	if (attr_u32(tb, TCA_FQ_INITIAL_QUANTUM, &v))
		show_size(doc, "initial_quantum", v);
	if (attr_u32(tb, TCA_FQ_FLOW_MAX_RATE, &v) && v != UINT32_MAX)
		show_rate(doc, "maxrate", v);
	if (attr_u32(tb, TCA_FQ_FLOW_DEFAULT_RATE, &v) && v)
		show_rate(doc, "defrate", v);
	if (attr_u32(tb, TCA_FQ_LOW_RATE_THRESHOLD, &v) && v)
		show_rate(doc, "low_rate_threshold", v);
}

static void show_times(struct doc *doc, struct nlattr **tb)
{
	uint8_t drop;
	uint32_t v;

	if (attr_u32(tb, TCA_FQ_FLOW_REFILL_DELAY, &v))
		show_us(doc, "refill_delay", v);
	if (attr_u32(tb, TCA_FQ_CE_THRESHOLD, &v) && v != UINT32_MAX)
		show_us(doc, "ce_threshold", v);
	if (attr_u32(tb, TCA_FQ_TIMER_SLACK, &v))
		show_ns(doc, "timer_slack", v);
	if (attr_u32(tb, TCA_FQ_HORIZON, &v))
		show_us(doc, "horizon", v);
	if (attr_read(tb, TCA_FQ_HORIZON_DROP, &drop, sizeof(drop))) {
		doc_null(doc, drop ? "horizon_drop" : "horizon_cap");
		doc_text(doc, drop ? " horizon_drop" : " horizon_cap");
	}
	if (attr_u32(tb, TCA_FQ_OFFLOAD_HORIZON, &v))
		show_us(doc, "offload_horizon", v);
}

void fq_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[FQ_ATTR_MAX + 1];

	if (!opts || nla_parse_nested(tb, FQ_ATTR_MAX, opts, NULL) < 0)
		return;
	show_queue(doc, tb);
	show_bands(doc, tb);
	show_rates(doc, tb);
	show_times(doc, tb);
}

static void xstats_drops(struct doc *doc, const struct fq_stats *st)
{
	static const char *const bands[FQ_BANDS] = { "band0_drops", "band1_drops", "band2_drops" };

	if (!st->pkts_too_long && !st->allocation_errors && !st->horizon_drops &&
	    !st->horizon_caps && !st->band_drops[0] && !st->band_drops[1] && !st->band_drops[2])
		return;
	doc_text(doc, "\n ");
	show_count_if(doc, "pkts_too_long", st->pkts_too_long);
	show_count_if(doc, "alloc_errors", st->allocation_errors);
	show_count_if(doc, "horizon_drops", st->horizon_drops);
	show_count_if(doc, "horizon_caps", st->horizon_caps);
	for (int i = 0; i < FQ_BANDS; i++)
		show_count_if(doc, bands[i], st->band_drops[i]);
}

void fq_xstats(struct doc *doc, struct nlattr *app)
{
	static const char *const bands[FQ_BANDS] = { "band0_pkts", "band1_pkts", "band2_pkts" };
	struct fq_stats st = { 0 };
	size_t len = (size_t)nla_len(app);

	memcpy(&st, nla_data(app), len < sizeof(st) ? len : sizeof(st));
	doc_u64(doc, "flows", "\n  flows %" PRIu64, st.flows);
	doc_u64(doc, "inactive", " (inactive %" PRIu64, st.inactive_flows);
	doc_text(doc, " throttled %u)", st.throttled_flows);
	if (len >= sizeof(st))
		for (int i = 0; i < FQ_BANDS; i++)
			show_count(doc, bands[i], st.band_pkt_count[i]);
	if (st.time_next_delayed_flow > 0)
		show_ns(doc, "next_packet_delay", (uint64_t)st.time_next_delayed_flow);
	doc_u64(doc, "gc", "\n  gc %" PRIu64, st.gc_flows);
	show_count(doc, "highprio", st.highprio_packets);
	show_count_if(doc, "fastpath", st.fastpath_packets);
	show_count_if(doc, "retrans", st.tcp_retrans);
	/* tc's text has two of that name and so has its JSON, where the last one counts */
	show_count(doc, "throttled", st.throttled);
	if (st.unthrottle_latency_ns)
		show_ns(doc, "latency", st.unthrottle_latency_ns);
	show_count_if(doc, "ce_mark", st.ce_mark);
	show_count_if(doc, "flows_plimit", st.flows_plimit);
	xstats_drops(doc, &st);
}

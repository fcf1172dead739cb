// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters of a cake: of the whole, and of each of its tins as a column; or of one flow. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <stddef.h>

#include "kinds/cake.h"
#include "kinds/show.h"
#include "kinds/uapi-compat.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr.h"

#define STATS_MAX TCA_CAKE_STATS_ACTIVE_QUEUES

enum column_type {
	COLUMN_COUNT,
	COLUMN_COUNT64,
	COLUMN_RATE64,
	COLUMN_US,
	COLUMN_SIZE,
};

/**
 * struct column - a counter of a tin
 * @attr: TCA_CAKE_TIN_STATS_*
 * @key: as in tc -j; the order is that of its JSON
 */
struct column {
	int attr;
	const char *key;
	enum column_type type;
};

static const struct column json_columns[] = {
	{ TCA_CAKE_TIN_STATS_THRESHOLD_RATE64, "threshold_rate", COLUMN_RATE64 },
	{ TCA_CAKE_TIN_STATS_SENT_BYTES64, "sent_bytes", COLUMN_COUNT64 },
	{ TCA_CAKE_TIN_STATS_BACKLOG_BYTES, "backlog_bytes", COLUMN_SIZE },
	{ TCA_CAKE_TIN_STATS_TARGET_US, "target_us", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_INTERVAL_US, "interval_us", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_PEAK_DELAY_US, "peak_delay_us", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_AVG_DELAY_US, "avg_delay_us", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_BASE_DELAY_US, "base_delay_us", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_SENT_PACKETS, "sent_packets", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_WAY_INDIRECT_HITS, "way_indirect_hits", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_WAY_MISSES, "way_misses", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_WAY_COLLISIONS, "way_collisions", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_DROPPED_PACKETS, "drops", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_ECN_MARKED_PACKETS, "ecn_mark", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_ACKS_DROPPED_PACKETS, "ack_drops", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_SPARSE_FLOWS, "sparse_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_BULK_FLOWS, "bulk_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_UNRESPONSIVE_FLOWS, "unresponsive_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_MAX_SKBLEN, "max_pkt_len", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_FLOW_QUANTUM, "flow_quantum", COLUMN_COUNT },
};

/* The rows of the text: @key is what stands before them. */
static const struct column text_rows[] = {
	{ TCA_CAKE_TIN_STATS_THRESHOLD_RATE64, "thresh", COLUMN_RATE64 },
	{ TCA_CAKE_TIN_STATS_TARGET_US, "target", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_INTERVAL_US, "interval", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_PEAK_DELAY_US, "pk_delay", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_AVG_DELAY_US, "av_delay", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_BASE_DELAY_US, "sp_delay", COLUMN_US },
	{ TCA_CAKE_TIN_STATS_BACKLOG_BYTES, "backlog", COLUMN_SIZE },
	{ TCA_CAKE_TIN_STATS_SENT_PACKETS, "pkts", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_SENT_BYTES64, "bytes", COLUMN_COUNT64 },
	{ TCA_CAKE_TIN_STATS_WAY_INDIRECT_HITS, "way_inds", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_WAY_MISSES, "way_miss", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_WAY_COLLISIONS, "way_cols", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_DROPPED_PACKETS, "drops", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_ECN_MARKED_PACKETS, "marks", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_ACKS_DROPPED_PACKETS, "ack_drop", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_SPARSE_FLOWS, "sp_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_BULK_FLOWS, "bk_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_UNRESPONSIVE_FLOWS, "un_flows", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_MAX_SKBLEN, "max_len", COLUMN_COUNT },
	{ TCA_CAKE_TIN_STATS_FLOW_QUANTUM, "quantum", COLUMN_COUNT },
};

/* The attributes of up to TC_CAKE_MAX_TINS tins */
struct tins {
	int n;
	struct nlattr *tb[TC_CAKE_MAX_TINS][TCA_CAKE_TIN_STATS_MAX + 1];
};

static bool column_read(struct nlattr **tb, const struct column *col, uint64_t *v)
{
	uint32_t v32;

	if (col->type == COLUMN_COUNT64 || col->type == COLUMN_RATE64)
		return attr_read(tb, col->attr, v, sizeof(*v));
	if (!attr_u32(tb, col->attr, &v32))
		return false;
	*v = v32;
	return true;
}

static void cell(struct doc *doc, enum column_type type, uint64_t v)
{
	char text[32];

	if (type == COLUMN_RATE64)
		doc_text(doc, " %12s", rate_format(text, sizeof(text), v * 8));
	else if (type == COLUMN_US)
		doc_text(doc, " %12s", v ? time_format(text, sizeof(text), (int64_t)v * 1000) : "0us");
	else if (type == COLUMN_SIZE)
		doc_text(doc, " %12s", size_format(text, sizeof(text), v));
	else
		doc_text(doc, " %12" PRIu64, v);
}

static void show_heads(struct doc *doc, int n)
{
	static const char *const heads[] = { "Bulk", "Best Effort", "Video", "Voice" };

	doc_text(doc, "\n          ");
	for (int i = 0; i < n; i++) {
		if (n == 4)
			doc_text(doc, " %12s", heads[i]);
		else if (n == 3)
			doc_text(doc, " %12s", heads[i == 2 ? 3 : i]);
		else
			doc_text(doc, "        Tin %d", i);
	}
}

static void show_table(struct doc *doc, struct tins *tins)
{
	show_heads(doc, tins->n);
	for (size_t r = 0; r < sizeof(text_rows) / sizeof(text_rows[0]); r++) {
		uint64_t v;

		if (!column_read(tins->tb[0], &text_rows[r], &v))
			continue;
		doc_text(doc, "\n  %-8s", text_rows[r].key);
		for (int i = 0; i < tins->n; i++) {
			v = 0;
			column_read(tins->tb[i], &text_rows[r], &v);
			cell(doc, text_rows[r].type, v);
		}
	}
}

static void show_tins(struct doc *doc, struct nlattr *nest)
{
	struct nlattr *tb[TC_CAKE_MAX_TINS + 1];
	struct tins tins = { 0 };

	if (nla_parse_nested(tb, TC_CAKE_MAX_TINS, nest, NULL) < 0)
		return;
	while (tins.n < TC_CAKE_MAX_TINS && tb[tins.n + 1] &&
	       nla_parse_nested(tins.tb[tins.n], TCA_CAKE_TIN_STATS_MAX, tb[tins.n + 1], NULL) >= 0)
		tins.n++;
	if (!tins.n)
		return;
	doc_open_array(doc, "tins");
	for (int i = 0; i < tins.n; i++) {
		doc_open_object(doc, "");
		for (size_t c = 0; c < sizeof(json_columns) / sizeof(json_columns[0]); c++) {
			uint64_t v;

			if (column_read(tins.tb[i], &json_columns[c], &v))
				doc_u64(doc, json_columns[c].key, NULL, v);
		}
		doc_close_object(doc);
	}
	doc_close_array(doc);
	show_table(doc, &tins);
}

static void show_sizes(struct doc *doc, struct nlattr **tb)
{
	uint32_t a, b;

	if (attr_u32(tb, TCA_CAKE_STATS_MIN_NETLEN, &a) &&
	    attr_u32(tb, TCA_CAKE_STATS_MAX_NETLEN, &b)) {
		doc_u64(doc, "min_network_size", "\n min/max network layer size: %12" PRIu64, a);
		doc_u64(doc, "max_network_size", " /%8" PRIu64, b);
	}
	if (attr_u32(tb, TCA_CAKE_STATS_MIN_ADJLEN, &a) &&
	    attr_u32(tb, TCA_CAKE_STATS_MAX_ADJLEN, &b)) {
		doc_u64(doc, "min_adj_size", "\n min/max overhead-adjusted size: %8" PRIu64, a);
		doc_u64(doc, "max_adj_size", " /%8" PRIu64, b);
	}
	if (attr_u32(tb, TCA_CAKE_STATS_ACTIVE_QUEUES, &a))
		doc_u64(doc, "active_queues", "\n active queues: %25" PRIu64, a);
	if (attr_u32(tb, TCA_CAKE_STATS_AVG_NETOFF, &a))
		doc_u64(doc, "avg_hdr_offset", "\n average network hdr offset: %12" PRIu64 "\n", a);
}

static void show_whole(struct doc *doc, struct nlattr **tb)
{
	uint32_t used, limit;
	uint64_t rate;
	char text[32];

	if (attr_u32(tb, TCA_CAKE_STATS_MEMORY_USED, &used) &&
	    attr_u32(tb, TCA_CAKE_STATS_MEMORY_LIMIT, &limit)) {
		doc_u64(doc, "memory_used", NULL, used);
		doc_u64(doc, "memory_limit", NULL, limit);
		doc_text(doc, "\n memory used: %s", size_format(text, sizeof(text), used));
		doc_text(doc, " of %s", size_format(text, sizeof(text), limit));
	}
	if (attr_read(tb, TCA_CAKE_STATS_CAPACITY_ESTIMATE64, &rate, sizeof(rate))) {
		doc_u64(doc, "capacity_estimate", NULL, rate);
		doc_text(doc, "\n capacity estimate: %s", rate_format(text, sizeof(text), rate * 8));
	}
	show_sizes(doc, tb);
}

/* Of one flow: the state of its queue */
static void show_flow(struct doc *doc, struct nlattr **tb)
{
	int32_t us;
	uint32_t v;

	if (attr_read(tb, TCA_CAKE_STATS_DEFICIT, &us, sizeof(us)))
		doc_i64(doc, "deficit", "\n  deficit %" PRId64, us);
	if (attr_u32(tb, TCA_CAKE_STATS_COBALT_COUNT, &v))
		show_count(doc, "count", v);
	if (attr_u32(tb, TCA_CAKE_STATS_DROPPING, &v) && v) {
		doc_bool(doc, "dropping", " dropping", true);
		if (attr_read(tb, TCA_CAKE_STATS_DROP_NEXT_US, &us, sizeof(us)))
			show_us(doc, "drop_next", us);
	}
	if (attr_u32(tb, TCA_CAKE_STATS_P_DROP, &v)) {
		show_count(doc, "blue_prob", v);
		if (attr_read(tb, TCA_CAKE_STATS_BLUE_TIMER_US, &us, sizeof(us)))
			show_us(doc, "blue_timer", us);
	}
}

void cake_xstats(struct doc *doc, struct nlattr *app)
{
	struct nlattr *tb[STATS_MAX + 1];

	if (nla_parse_nested(tb, STATS_MAX, app, NULL) < 0)
		return;
	show_whole(doc, tb);
	show_flow(doc, tb);
	if (tb[TCA_CAKE_STATS_TIN_STATS])
		show_tins(doc, tb[TCA_CAKE_STATS_TIN_STATS]);
}

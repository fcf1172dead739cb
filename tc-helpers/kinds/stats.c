// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters that every qdisc, class and action has. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include <linux/gen_stats.h>
#include <netlink/attr.h>

#include "kinds/stats.h"
#include "pure/doc.h"
#include "pure/units.h"

/* Copies attribute @type into @out; false if it is not there or too short. */
static bool stat_get(struct nlattr **tb, int type, void *out, int len)
{
	if (!tb[type] || nla_len(tb[type]) < len)
		return false;
	memcpy(out, nla_data(tb[type]), (size_t)len);
	return true;
}

void stats_show(struct doc *doc, struct nlattr *stats2, const char *lead)
{
	struct nlattr *tb[TCA_STATS_MAX + 1];
	struct gnet_stats_basic basic = { 0 };
	struct gnet_stats_queue queue = { 0 };
	struct gnet_stats_rate_est64 est64;
	struct gnet_stats_rate_est est;
	uint64_t packets;
	char text[32];
	bool rated;

	if (!stats2 || nla_parse_nested(tb, TCA_STATS_MAX, stats2, NULL) < 0)
		return;
	stat_get(tb, TCA_STATS_BASIC, &basic, sizeof(basic));
	packets = basic.packets;
	stat_get(tb, TCA_STATS_PKT64, &packets, sizeof(packets));
	stat_get(tb, TCA_STATS_QUEUE, &queue, sizeof(queue));
	doc_text(doc, "%s", lead);
	doc_u64(doc, "bytes", "Sent %" PRIu64 " bytes", basic.bytes);
	doc_u64(doc, "packets", " %" PRIu64 " pkt", packets);
	doc_u64(doc, "drops", " (dropped %" PRIu64, queue.drops);
	doc_u64(doc, "overlimits", ", overlimits %" PRIu64, queue.overlimits);
	doc_u64(doc, "requeues", " requeues %" PRIu64 ")\n", queue.requeues);
	rated = stat_get(tb, TCA_STATS_RATE_EST, &est, sizeof(est));
	est64 = (struct gnet_stats_rate_est64) { rated ? est.bps : 0, rated ? est.pps : 0 };
	if (stat_get(tb, TCA_STATS_RATE_EST64, &est64, sizeof(est64)) || rated) {
		doc_u64(doc, "rate", NULL, est64.bps);
		doc_text(doc, "%srate %s", lead, rate_format(text, sizeof(text), est64.bps * 8));
		doc_u64(doc, "pps", " %" PRIu64 "pps", est64.pps);
		lead = " ";
	}
	doc_u64(doc, "backlog", NULL, queue.backlog);
	doc_text(doc, "%sbacklog %s", lead, size_format(text, sizeof(text), queue.backlog));
	doc_u64(doc, "qlen", " %" PRIu64 "p", queue.qlen);
	doc_text(doc, " requeues %u", queue.requeues);
}

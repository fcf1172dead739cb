// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/netem.h"
#include "pure/doc.h"
#include "pure/units.h"

/* Copies attribute @type into @out, zeroes if it is not there or too short. */
static void attr_get(struct nlattr **tb, int type, void *out, int len)
{
	memset(out, 0, (size_t)len);
	if (tb[type] && nla_len(tb[type]) >= len)
		memcpy(out, nla_data(tb[type]), (size_t)len);
}

static double share(uint32_t v)
{
	return (double)v / UINT32_MAX;
}

/* { key: share, "correlation": share } and " key 25% 50%" */
static void show_share(struct doc *doc, const char *object, const char *key, uint32_t v,
		       uint32_t corr)
{
	if (!v)
		return;
	doc_open_object(doc, object);
	doc_real(doc, key, NULL, share(v));
	doc_real(doc, "correlation", NULL, share(corr));
	doc_text(doc, " %s %g%%", key, share(v) * 100);
	if (corr)
		doc_text(doc, " %g%%", share(corr) * 100);
	doc_close_object(doc);
}

static void show_delay(struct doc *doc, int64_t delay, int64_t jitter, uint32_t corr)
{
	char text[32];

	if (!delay && !jitter)
		return;
	doc_open_object(doc, "delay");
	doc_real(doc, "delay", NULL, (double)delay / 1e9);
	doc_real(doc, "jitter", NULL, (double)jitter / 1e9);
	doc_real(doc, "correlation", NULL, share(corr));
	doc_text(doc, " delay %s", time_format(text, sizeof(text), delay));
	if (jitter)
		doc_text(doc, "  %s", time_format(text, sizeof(text), jitter));
	if (jitter && corr)
		doc_text(doc, " %g%%", share(corr) * 100);
	doc_close_object(doc);
}

static void show_rate(struct doc *doc, struct nlattr **tb)
{
	struct tc_netem_rate rate;
	uint64_t bytes;
	char text[32];

	attr_get(tb, TCA_NETEM_RATE, &rate, sizeof(rate));
	attr_get(tb, TCA_NETEM_RATE64, &bytes, sizeof(bytes));
	if (!bytes)
		bytes = rate.rate;
	if (!bytes)
		return;
	doc_open_object(doc, "rate");
	doc_u64(doc, "rate", NULL, bytes);
	doc_i64(doc, "packetoverhead", NULL, rate.packet_overhead);
	doc_u64(doc, "cellsize", NULL, rate.cell_size);
	doc_i64(doc, "celloverhead", NULL, rate.cell_overhead);
	doc_text(doc, " rate %s", rate_format(text, sizeof(text), bytes * 8));
	if (rate.packet_overhead)
		doc_text(doc, " packetoverhead %d", rate.packet_overhead);
	if (rate.cell_size)
		doc_text(doc, " cellsize %u", rate.cell_size);
	if (rate.cell_overhead)
		doc_text(doc, " celloverhead %d", rate.cell_overhead);
	doc_close_object(doc);
}

/* Attributes stand behind the fixed part of TCA_OPTIONS. */
void netem_show(struct doc *doc, struct nlattr *opts)
{
	size_t fixed = NLA_ALIGN(sizeof(struct tc_netem_qopt));
	struct nlattr *tb[TCA_NETEM_MAX + 1] = { NULL };
	struct tc_netem_reorder reorder;
	struct tc_netem_corrupt corrupt;
	struct tc_netem_corr corr;
	struct tc_netem_qopt opt;
	int64_t delay, jitter;
	uint32_t ecn;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	if (nla_len(opts) > (int)fixed)
		nla_parse(tb, TCA_NETEM_MAX, (struct nlattr *)((char *)nla_data(opts) + fixed),
			  nla_len(opts) - (int)fixed, NULL);
	attr_get(tb, TCA_NETEM_CORR, &corr, sizeof(corr));
	attr_get(tb, TCA_NETEM_REORDER, &reorder, sizeof(reorder));
	attr_get(tb, TCA_NETEM_CORRUPT, &corrupt, sizeof(corrupt));
	attr_get(tb, TCA_NETEM_ECN, &ecn, sizeof(ecn));
	attr_get(tb, TCA_NETEM_LATENCY64, &delay, sizeof(delay));
	attr_get(tb, TCA_NETEM_JITTER64, &jitter, sizeof(jitter));
	if (!tb[TCA_NETEM_LATENCY64])	/* a kernel before 4.16 */
		delay = (int64_t)opt.latency * PSCHED_TICK_NS;
	if (!tb[TCA_NETEM_JITTER64])
		jitter = (int64_t)opt.jitter * PSCHED_TICK_NS;

	doc_u64(doc, "limit", " limit %" PRIu64, opt.limit);
	show_delay(doc, delay, jitter, corr.delay_corr);
	show_share(doc, "loss-random", "loss", opt.loss, corr.loss_corr);
	show_share(doc, "duplicate", "duplicate", opt.duplicate, corr.dup_corr);
	show_share(doc, "reorder", "reorder", reorder.probability, reorder.correlation);
	show_share(doc, "corrupt", "corrupt", corrupt.probability, corrupt.correlation);
	show_rate(doc, tb);
	doc_bool(doc, "ecn", " ecn", ecn);
	doc_u64(doc, "gap", NULL, opt.gap);
	if (opt.gap)
		doc_text(doc, " gap %u", opt.gap);
}

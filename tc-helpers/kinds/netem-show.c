// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>
#include <stdbool.h>
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

/* "p31": share and " p31 75%" */
static void show_part(struct doc *doc, const char *key, uint32_t v)
{
	doc_real(doc, key, NULL, share(v));
	doc_text(doc, " %s %g%%", key, share(v) * 100);
}

static void show_loss_model(struct doc *doc, struct nlattr *attr)
{
	struct nlattr *tb[NETEM_LOSS_MAX + 1];
	struct tc_netem_gimodel gi;
	struct tc_netem_gemodel ge;

	if (!attr || nla_parse_nested(tb, NETEM_LOSS_MAX, attr, NULL) < 0)
		return;
	if (tb[NETEM_LOSS_GI]) {
		attr_get(tb, NETEM_LOSS_GI, &gi, sizeof(gi));
		doc_open_object(doc, "loss-state");
		doc_text(doc, " loss state");
		show_part(doc, "p13", gi.p13);
		show_part(doc, "p31", gi.p31);
		show_part(doc, "p32", gi.p32);
		show_part(doc, "p23", gi.p23);
		show_part(doc, "p14", gi.p14);
		doc_close_object(doc);
	}
	if (tb[NETEM_LOSS_GE]) {
		attr_get(tb, NETEM_LOSS_GE, &ge, sizeof(ge));
		doc_open_object(doc, "loss-gemodel");
		doc_text(doc, " loss gemodel");
		show_part(doc, "p", ge.p);
		show_part(doc, "r", ge.r);
		show_part(doc, "1-h", UINT32_MAX - ge.h);
		show_part(doc, "1-k", ge.k1);
		doc_close_object(doc);
	}
}

/* "min-delay": seconds and " 1ms" behind @lead */
static void show_slot_time(struct doc *doc, const char *key, const char *lead, int64_t ns)
{
	char text[32];

	doc_real(doc, key, NULL, (double)ns / 1e9);
	doc_text(doc, "%s %s", lead, time_format(text, sizeof(text), ns));
}

static void show_slot(struct doc *doc, struct nlattr **tb)
{
	struct tc_netem_slot slot;

	if (!tb[TCA_NETEM_SLOT])
		return;
	attr_get(tb, TCA_NETEM_SLOT, &slot, sizeof(slot));
	doc_open_object(doc, "slot");
	if (slot.dist_jitter > 0) {
		show_slot_time(doc, "distribution", " slot distribution", slot.dist_delay);
		show_slot_time(doc, "jitter", "", slot.dist_jitter);
	} else {
		show_slot_time(doc, "min-delay", " slot", slot.min_delay);
		show_slot_time(doc, "max-delay", "", slot.max_delay);
	}
	doc_i64(doc, "packets", slot.max_packets ? " packets %" PRId64 : NULL, slot.max_packets);
	doc_i64(doc, "bytes", slot.max_bytes ? " bytes %" PRId64 : NULL, slot.max_bytes);
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
bool netem_opts_read(struct nlattr *opts, struct netem_opts *o)
{
	int fixed = NLA_ALIGN(sizeof(*o->opt));

	memset(o, 0, sizeof(*o));
	if (!opts || nla_len(opts) < (int)sizeof(*o->opt))
		return false;
	o->opt = nla_data(opts);
	if (nla_len(opts) > fixed)
		nla_parse(o->tb, NETEM_ATTR_MAX, (struct nlattr *)((char *)o->opt + fixed),
			  nla_len(opts) - fixed, NULL);
	return true;
}

static void show_last(struct doc *doc, struct nlattr **tb, uint32_t gap)
{
	uint64_t seed;
	uint32_t ecn;

	attr_get(tb, TCA_NETEM_ECN, &ecn, sizeof(ecn));
	attr_get(tb, NETEM_PRNG_SEED, &seed, sizeof(seed));
	if (tb[NETEM_PRNG_SEED])
		doc_u64(doc, "seed", " seed %" PRIu64, seed);
	doc_bool(doc, "ecn", gap ? " ecn " : " ecn", ecn);	/* as tc has it */
	doc_u64(doc, "gap", gap ? " gap %" PRIu64 : NULL, gap);
}

void netem_show(struct doc *doc, struct nlattr *opts)
{
	struct tc_netem_reorder reorder;
	struct tc_netem_corrupt corrupt;
	struct tc_netem_corr corr;
	int64_t delay, jitter;
	struct netem_opts o;

	if (!netem_opts_read(opts, &o))
		return;
	attr_get(o.tb, TCA_NETEM_CORR, &corr, sizeof(corr));
	attr_get(o.tb, TCA_NETEM_REORDER, &reorder, sizeof(reorder));
	attr_get(o.tb, TCA_NETEM_CORRUPT, &corrupt, sizeof(corrupt));
	attr_get(o.tb, TCA_NETEM_LATENCY64, &delay, sizeof(delay));
	attr_get(o.tb, TCA_NETEM_JITTER64, &jitter, sizeof(jitter));
	if (!o.tb[TCA_NETEM_LATENCY64])	/* a kernel before 4.16 */
		delay = (int64_t)o.opt->latency * PSCHED_TICK_NS;
	if (!o.tb[TCA_NETEM_JITTER64])
		jitter = (int64_t)o.opt->jitter * PSCHED_TICK_NS;

	doc_u64(doc, "limit", " limit %" PRIu64, o.opt->limit);
	show_delay(doc, delay, jitter, corr.delay_corr);
	show_share(doc, "loss-random", "loss", o.opt->loss, corr.loss_corr);
	show_loss_model(doc, o.tb[TCA_NETEM_LOSS]);
	show_share(doc, "duplicate", "duplicate", o.opt->duplicate, corr.dup_corr);
	show_share(doc, "reorder", "reorder", reorder.probability, reorder.correlation);
	show_share(doc, "corrupt", "corrupt", corrupt.probability, corrupt.correlation);
	show_rate(doc, o.tb);
	show_slot(doc, o.tb);
	show_last(doc, o.tb, o.opt->gap);
}

/* struct tc_netem_xstats, of kernels that count what netem did; all are packets. */
void netem_xstats(struct doc *doc, struct nlattr *app)
{
	static const struct {
		const char *key;
		const char *fmt;
	} counters[] = {
		{ "delayed", "\n  delayed %" PRIu64 },
		{ "dropped", " dropped %" PRIu64 },
		{ "corrupted", " corrupted %" PRIu64 },
		{ "duplicated", " duplicated %" PRIu64 },
		{ "reordered", " reordered %" PRIu64 },
		{ "ecn_marked", " ecn_marked %" PRIu64 },
		{ "alloc_errors", " alloc_errors %" PRIu64 },
	};
	uint64_t v[sizeof(counters) / sizeof(counters[0])] = { 0 };
	size_t last = sizeof(v) / sizeof(v[0]) - 1;
	size_t len = (size_t)nla_len(app);

	memcpy(v, nla_data(app), len < sizeof(v) ? len : sizeof(v));
	for (size_t i = 0; i <= last; i++)
		if (i < last || v[i])
			doc_u64(doc, counters[i].key, counters[i].fmt, v[i]);
}

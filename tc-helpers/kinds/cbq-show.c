// SPDX-License-Identifier: GPL-2.0-or-later
/* cbq as the kernel tells it. tc has no JSON for it: the keys are those of its text. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <stdio.h>
#include <string.h>

#include "kinds/cbq.h"
#include "kinds/kinds.h"
#include "kinds/rate.h"
#include "kinds/show.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "pure/units.h"
#include "wire/attr.h"

static void show_spec(struct doc *doc, const struct tc_ratespec *spec, bool details)
{
	unsigned int layer = spec->linklayer & TC_LINKLAYER_MASK;

	show_rate(doc, "rate", spec->rate);
	if (details || layer > TC_LINKLAYER_ETHERNET)
		doc_str(doc, "linklayer", " linklayer %s", linklayer_name(layer));
	if (!details)
		return;
	doc_u64(doc, "cell", " cell %" PRIu64 "b", 1u << (spec->cell_log & 31));
	if (spec->mpu)
		doc_u64(doc, "mpu", " mpu %" PRIu64 "b", spec->mpu);
	if (spec->overhead)
		doc_u64(doc, "overhead", " overhead %" PRIu64 "b", spec->overhead);
}

static void show_flags(struct doc *doc, unsigned int flags)
{
	bool both = flags & CBQ_BOUNDED && flags & CBQ_ISOLATED;

	if (!flags)
		return;
	doc_text(doc, " (");
	doc_bool(doc, flags & CBQ_BOUNDED ? "bounded" : NULL, "bounded", flags & CBQ_BOUNDED);
	if (both)
		doc_text(doc, ",");
	doc_bool(doc, flags & CBQ_ISOLATED ? "isolated" : NULL, "isolated", flags & CBQ_ISOLATED);
	doc_text(doc, ")");
}

static void show_turns(struct doc *doc, const struct cbq_wrropt *wrr, bool details)
{
	if (wrr->priority == CBQ_PRIO_MAX)
		doc_str(doc, "prio", " prio %s", "no-transmit");
	else
		show_count(doc, "prio", wrr->priority);
	if (!details)
		return;
	doc_u64(doc, "cprio", "/%" PRIu64, wrr->cpriority);
	if (wrr->weight != 1)
		show_rate(doc, "weight", wrr->weight);
	if (wrr->allot)
		doc_u64(doc, "allot", " allot %" PRIu64 "b", wrr->allot);
}

static void show_ticks(struct doc *doc, const char *word, const char *key, uint32_t ticks)
{
	int64_t ns = (int64_t)ticks * PSCHED_TICK_NS;
	char text[32];

	doc_i64(doc, key, NULL, ns);
	doc_text(doc, " %s %s", word, time_format(text, sizeof(text), ns));
}

static void show_sharing(struct doc *doc, const struct cbq_lssopt *lss)
{
	unsigned int log = lss->ewma_log & 31;

	doc_u64(doc, "level", "\nlevel %" PRIu64, lss->level);
	show_count(doc, "ewma", lss->ewma_log);
	doc_u64(doc, "avpkt", " avpkt %" PRIu64 "b", lss->avpkt);
	if (lss->maxidle)
		show_ticks(doc, "maxidle", "maxidle_ns", lss->maxidle >> log);
	if (lss->minidle != CBQ_MINIDLE_NONE)
		show_ticks(doc, "minidle", "minidle_ns", lss->minidle >> log);
	if (lss->offtime)
		show_ticks(doc, "offtime", "offtime_ns", lss->offtime);
}

static void show_split(struct doc *doc, const struct cbq_fopt *fopt)
{
	char text[16];

	doc_str(doc, "split", "\nsplit %s", handle_format(text, fopt->split));
	if (!fopt->defmap)
		return;
	snprintf(text, sizeof(text), "%08x", fopt->defmap);
	doc_str(doc, "defmap", " defmap %s", text);
}

void cbq_class_show(struct doc *doc, struct nlattr *opts, bool details)
{
	struct nlattr *tb[CBQ_MAX + 1];
	struct tc_ratespec spec;
	struct cbq_lssopt lss;
	struct cbq_wrropt wrr;
	struct cbq_fopt fopt;
	bool shares;

	if (!opts || nla_parse_nested(tb, CBQ_MAX, opts, NULL) < 0)
		return;
	if (attr_read(tb, CBQ_RATE, &spec, sizeof(spec)))
		show_spec(doc, &spec, details);
	shares = attr_read(tb, CBQ_LSSOPT, &lss, sizeof(lss));
	if (shares)
		show_flags(doc, lss.flags);
	if (attr_read(tb, CBQ_WRROPT, &wrr, sizeof(wrr)))
		show_turns(doc, &wrr, details);
	if (details && shares)
		show_sharing(doc, &lss);
	if (details && attr_read(tb, CBQ_FOPT, &fopt, sizeof(fopt)))
		show_split(doc, &fopt);
}

void cbq_show(struct doc *doc, struct nlattr *opts)
{
	cbq_class_show(doc, opts, false);
}

void cbq_xstats(struct doc *doc, struct nlattr *app)
{
	struct cbq_xstats st;

	if (nla_len(app) < (int)sizeof(st))
		return;
	memcpy(&st, nla_data(app), sizeof(st));
	doc_u64(doc, "borrowed", "\n  borrowed %" PRIu64, st.borrows);
	doc_u64(doc, "overactions", " overactions %" PRIu64, st.overactions);
	doc_i64(doc, "avgidle", " avgidle %" PRId64, st.avgidle);
	doc_i64(doc, "undertime", " undertime %" PRId64, st.undertime);
}

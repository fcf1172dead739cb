// SPDX-License-Identifier: GPL-2.0-or-later
/* netem: delay (with jitter) as a qdisc. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/nlb.h"

#define NETEM_LIMIT_DEFAULT 1000	/* tc-netem(8) */

enum { NETEM_LIMIT, NETEM_DELAY };

#define F(name) offsetof(struct netem_cfg, name)

static const struct keyword netem_words[] = {
	{ "limit", NETEM_LIMIT, 1, { { KW_U32, F(limit) } }, .min = 1 },
	{ "delay", NETEM_DELAY, 1, { { KW_TIME, F(delay_ns) }, { KW_TIME, F(jitter_ns) } } },
	{ "latency", NETEM_DELAY, 1, { { KW_TIME, F(delay_ns) }, { KW_TIME, F(jitter_ns) } } },
	{ NULL }
};

static int netem_parse(struct diag *d, char **words, int n, union kind_cfg *cfg)
{
	struct netem_cfg *c = &cfg->netem;
	int err;

	c->limit = NETEM_LIMIT_DEFAULT;
	err = keywords_parse(d, netem_words, words, n, c, &c->given);
	if (err)
		return err;
	if (c->jitter_ns > c->delay_ns)
		diag_warn(d, "netem: the jitter is larger than the delay: samples below zero become zero, so the mean delay is not the one asked for");
	return 0;
}

/*
 * The old field of the message, for kernels that do not know the 64-bit
 * attributes (before 4.16). It holds 274 s at most; the attribute beside it
 * is exact and wins.
 */
static uint32_t ticks(int64_t ns)
{
	int64_t t = ns / PSCHED_TICK_NS;

	return t > UINT32_MAX ? UINT32_MAX : (uint32_t)t;
}

static void netem_fill(struct nlb *nlb, const union kind_cfg *cfg)
{
	const struct netem_cfg *c = &cfg->netem;
	struct tc_netem_qopt opt = {
		.latency = ticks(c->delay_ns),
		.jitter = ticks(c->jitter_ns),
		.limit = c->limit,
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	nlb_raw(nlb, &opt, sizeof(opt));
	nlb_put_i64(nlb, TCA_NETEM_LATENCY64, c->delay_ns);
	nlb_put_i64(nlb, TCA_NETEM_JITTER64, c->jitter_ns);
	nlb_nest_end(nlb, nest);
}

/* Attributes stand behind the fixed part of TCA_OPTIONS. */
static int64_t attr_i64(struct nlattr *opts, int type, int64_t otherwise)
{
	size_t fixed = NLA_ALIGN(sizeof(struct tc_netem_qopt));
	struct nlattr *attr;
	int64_t v;

	attr = nla_find((struct nlattr *)((char *)nla_data(opts) + fixed),
			nla_len(opts) - (int)fixed, type);
	if (!attr || nla_len(attr) < (int)sizeof(v))
		return otherwise;
	memcpy(&v, nla_data(attr), sizeof(v));
	return v;
}

static void netem_show(struct doc *doc, struct nlattr *opts)
{
	struct tc_netem_qopt opt;
	int64_t delay, jitter;
	char text[32];

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	delay = attr_i64(opts, TCA_NETEM_LATENCY64, (int64_t)opt.latency * PSCHED_TICK_NS);
	jitter = attr_i64(opts, TCA_NETEM_JITTER64, (int64_t)opt.jitter * PSCHED_TICK_NS);
	doc_u64(doc, "limit", " limit %" PRIu64, opt.limit);
	if (delay || jitter) {
		doc_open_object(doc, "delay");
		doc_real(doc, "delay", NULL, (double)delay / 1e9);
		doc_real(doc, "jitter", NULL, (double)jitter / 1e9);
		doc_text(doc, " delay %s", time_format(text, sizeof(text), delay));
		if (jitter)
			doc_text(doc, "  %s", time_format(text, sizeof(text), jitter));
		doc_close_object(doc);
	}
}

static int netem_step(struct diag *d, union kind_cfg *cfg, int64_t ns)
{
	if (!(cfg->netem.given & 1u << NETEM_DELAY))
		return diag_usage(d, -1, "netem: a step needs a delay to add to");
	if (__builtin_add_overflow(cfg->netem.delay_ns, ns, &cfg->netem.delay_ns))
		return diag_usage(d, -1, "netem: the stepped delay is too large");
	return 0;
}

const struct kind kind_netem = {
	.name = "netem",
	.config = "CONFIG_NET_SCH_NETEM",
	.words = netem_words,
	.parse = netem_parse,
	.fill = netem_fill,
	.show = netem_show,
	.step = netem_step,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* netem: delay, loss, duplication, corruption, reordering and a rate as a qdisc. Shown in netem-show.c. */
#include <inttypes.h>
#include <limits.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/netem.h"
#include "pure/diag.h"
#include "wire/nlb.h"

#define NETEM_LIMIT_DEFAULT 1000	/* tc-netem(8) */
#define NETEM_JITTER_MAX INT_MAX	/* ns; more is cut by netem_change() without a word */

enum {
	NETEM_LIMIT, NETEM_DELAY, NETEM_LOSS, NETEM_DUPLICATE, NETEM_CORRUPT, NETEM_REORDER,
	NETEM_GAP, NETEM_RATE, NETEM_ECN,
};

#define F(name) offsetof(struct netem_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

/* Shares (loss and the like, and correlations) are of UINT32_MAX. */
struct netem_cfg {
	uint32_t given;
	uint32_t limit;		/* packets */
	int64_t delay_ns;
	int64_t jitter_ns;
	uint64_t rate_bps;
	uint32_t delay_corr;
	uint32_t loss, loss_corr;
	uint32_t duplicate, duplicate_corr;
	uint32_t corrupt, corrupt_corr;
	uint32_t reorder, reorder_corr;
	uint32_t gap;		/* packets */
};

#define DELAY_VALUES { { KW_TIME, F(delay_ns) }, { KW_TIME, F(jitter_ns) }, \
		       { KW_PERCENT, F(delay_corr) } }

static const struct keyword netem_words[] = {
	{ "limit", NETEM_LIMIT, 1, { { KW_U32, F(limit) } }, .min = 1 },
	{ "delay", NETEM_DELAY, 1, DELAY_VALUES },
	{ "latency", NETEM_DELAY, 1, DELAY_VALUES },
	{ "loss", NETEM_LOSS, 1, { { KW_PERCENT, F(loss) }, { KW_PERCENT, F(loss_corr) } } },
	{ "drop", NETEM_LOSS, 1, { { KW_PERCENT, F(loss) }, { KW_PERCENT, F(loss_corr) } } },
	{ "duplicate", NETEM_DUPLICATE, 1,
	  { { KW_PERCENT, F(duplicate) }, { KW_PERCENT, F(duplicate_corr) } } },
	{ "corrupt", NETEM_CORRUPT, 1,
	  { { KW_PERCENT, F(corrupt) }, { KW_PERCENT, F(corrupt_corr) } } },
	{ "reorder", NETEM_REORDER, 1,
	  { { KW_PERCENT, F(reorder) }, { KW_PERCENT, F(reorder_corr) } } },
	{ "gap", NETEM_GAP, 1, { { KW_U32, F(gap) } } },
	{ "rate", NETEM_RATE, 1, { { KW_RATE, F(rate_bps) } } },
	{ "ecn", NETEM_ECN },
	{ NULL }
};

/* What makes no sense together, each with its reason. */
static int netem_check(struct diag *d, struct netem_cfg *c)
{
	if (c->jitter_ns > NETEM_JITTER_MAX)
		return diag_usage(d, -1, "delay: the kernel holds a jitter of at most 2.147483647 s");
	if (c->reorder && !c->delay_ns)
		return diag_usage(d, -1, "reorder: without a delay there is nothing to overtake");
	if (c->gap && !c->reorder)
		return diag_usage(d, -1, "gap: without reorder it does nothing");
	if (GIVEN(c, NETEM_ECN) && !c->loss)
		return diag_usage(d, -1, "ecn: without loss there is nothing to mark");
	if (GIVEN(c, NETEM_RATE) && c->rate_bps < 8)
		return diag_usage(d, -1, "rate: at least 8 bit/s");
	if (c->rate_bps % 8)
		diag_warn(d, "netem: rate is cut to %" PRIu64 " bit/s: the kernel counts bytes",
			  c->rate_bps - c->rate_bps % 8);
	if (c->reorder && !c->gap)
		c->gap = 1;
	if (c->jitter_ns > c->delay_ns)
		diag_warn(d, "netem: the jitter is larger than the delay: samples below zero become zero, so the mean delay is not the one asked for");
	return 0;
}

static int netem_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct netem_cfg *c = cfg;
	int err;

	c->limit = NETEM_LIMIT_DEFAULT;
	err = keywords_parse(d, netem_words, words, n, c, &c->given);
	return err ? err : netem_check(d, c);
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

/* Only what was asked for: what is absent is kept by a change, as with tc. */
static void fill_optional(struct nlb *nlb, const struct netem_cfg *c)
{
	struct tc_netem_corr corr = { c->delay_corr, c->loss_corr, c->duplicate_corr };
	struct tc_netem_reorder reorder = { c->reorder, c->reorder_corr };
	struct tc_netem_corrupt corrupt = { c->corrupt, c->corrupt_corr };
	uint64_t bytes = c->rate_bps / 8;
	struct tc_netem_rate rate = { .rate = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes };

	if (corr.delay_corr || corr.loss_corr || corr.dup_corr)
		nlb_put(nlb, TCA_NETEM_CORR, &corr, sizeof(corr));
	if (GIVEN(c, NETEM_REORDER))
		nlb_put(nlb, TCA_NETEM_REORDER, &reorder, sizeof(reorder));
	if (GIVEN(c, NETEM_CORRUPT))
		nlb_put(nlb, TCA_NETEM_CORRUPT, &corrupt, sizeof(corrupt));
	if (GIVEN(c, NETEM_ECN))
		nlb_put_u32(nlb, TCA_NETEM_ECN, 1);
	if (GIVEN(c, NETEM_RATE) && bytes > UINT32_MAX)
		nlb_put_u64(nlb, TCA_NETEM_RATE64, bytes);
	if (GIVEN(c, NETEM_RATE))
		nlb_put(nlb, TCA_NETEM_RATE, &rate, sizeof(rate));
}

static void netem_fill(struct nlb *nlb, const void *cfg)
{
	const struct netem_cfg *c = cfg;
	struct tc_netem_qopt opt = {
		.latency = ticks(c->delay_ns),
		.jitter = ticks(c->jitter_ns),
		.limit = c->limit,
		.loss = c->loss,
		.duplicate = c->duplicate,
		.gap = c->gap,
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	nlb_raw(nlb, &opt, sizeof(opt));
	nlb_put_i64(nlb, TCA_NETEM_LATENCY64, c->delay_ns);
	nlb_put_i64(nlb, TCA_NETEM_JITTER64, c->jitter_ns);
	fill_optional(nlb, c);
	nlb_nest_end(nlb, nest);
}

/* At its full rate and with the largest frames, what is on its way must fit the limit. */
static void netem_advise(struct diag *d, const void *cfg, unsigned int frame)
{
	const struct netem_cfg *c = cfg;
	double packets;

	if (!c->rate_bps || !frame)
		return;
	packets = (double)c->rate_bps / 8 * (double)c->delay_ns / 1e9 / frame;
	if (packets > c->limit)
		diag_warn(d, "netem: limit %u drops packets at the full rate: %.0f of the largest are under way in that delay",
			  c->limit, packets + 1);
}

const struct kind kind_netem = {
	.name = "netem",
	.config = "CONFIG_NET_SCH_NETEM",
	.words = netem_words,
	.cfg_size = sizeof(struct netem_cfg),
	.parse = netem_parse,
	.fill = netem_fill,
	.show = netem_show,
	.advise = netem_advise,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* fq: fair queueing with pacing. Shown in fq-show.c. */
#include <inttypes.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>

#include "kinds/fq.h"
#include "kinds/kinds.h"
#include "kinds/uapi-compat.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

#define FQ_BUCKETS_MAX (256 * 1024)	/* fq_change() */
#define FQ_QUANTUM_MAX (1 << 20)	/* fq_change() */

enum {
	FQ_LIMIT, FQ_FLOW_LIMIT, FQ_QUANTUM, FQ_INITIAL_QUANTUM, FQ_PACING, FQ_MAXRATE,
	FQ_DEFRATE, FQ_BUCKETS, FQ_REFILL_DELAY, FQ_ORPHAN_MASK, FQ_LOW_RATE, FQ_CE_THRESHOLD,
	FQ_TIMER_SLACK, FQ_HORIZON, FQ_HORIZON_DROP, FQ_BANDS_, FQ_PRIOMAP, FQ_WEIGHTS,
	FQ_OFFLOAD_HORIZON,
};

#define F(name) offsetof(struct fq_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

struct fq_cfg {
	uint32_t given;
	uint32_t limit, flow_limit;		/* packets */
	uint32_t quantum, initial_quantum;	/* bytes */
	uint32_t buckets, buckets_log;
	uint32_t pacing;
	uint64_t maxrate_bps, defrate_bps, low_rate_bps;
	uint32_t refill_delay_us, ce_threshold_us, horizon_us, offload_horizon_us;
	int64_t timer_slack_ns;
	uint32_t horizon_drop;
	uint32_t orphan_mask;
	uint32_t weights[FQ_BANDS];
	struct tc_prio_qopt bands;
};

static int band_parse(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	uint64_t v;
	int err = u64_parse(d, words, i, 0, FQ_BANDS - 1, &v);

	if (!err)
		((uint8_t *)array)[k] = (uint8_t)v;
	return err;
}

static int priomap_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			void *cfg)
{
	struct fq_cfg *c = cfg;
	int k = keyword_list(d, words, n, i, TC_PRIO_MAX + 1, TC_PRIO_MAX + 1, like_a_number,
			     band_parse, c->bands.priomap);

	return k < 0 ? k : i + 1 + k;
}

static const struct keyword fq_words[] = {
	{ "limit", FQ_LIMIT, 1, { { KW_U32, F(limit) } }, .min = 1 },
	{ "flow_limit", FQ_FLOW_LIMIT, 1, { { KW_U32, F(flow_limit) } }, .min = 1 },
	{ "quantum", FQ_QUANTUM, 1, { { KW_SIZE, F(quantum) } }, .min = 1, .max = FQ_QUANTUM_MAX },
	{ "initial_quantum", FQ_INITIAL_QUANTUM, 1, { { KW_SIZE, F(initial_quantum) } },
	  .max = INT32_MAX },
	KW_CHOICE("pacing", FQ_PACING, F(pacing), 1),
	KW_CHOICE("nopacing", FQ_PACING, F(pacing), 0),
	{ "maxrate", FQ_MAXRATE, 1, { { KW_RATE, F(maxrate_bps) } } },
	{ "defrate", FQ_DEFRATE, 1, { { KW_RATE, F(defrate_bps) } } },
	{ "buckets", FQ_BUCKETS, 1, { { KW_U32, F(buckets) } }, .min = 2, .max = FQ_BUCKETS_MAX },
	{ "refill_delay", FQ_REFILL_DELAY, 1, { { KW_TIME_US, F(refill_delay_us) } } },
	{ "orphan_mask", FQ_ORPHAN_MASK, 1, { { KW_U32, F(orphan_mask) } } },
	{ "low_rate_threshold", FQ_LOW_RATE, 1, { { KW_RATE, F(low_rate_bps) } } },
	{ "ce_threshold", FQ_CE_THRESHOLD, 1, { { KW_TIME_US, F(ce_threshold_us) } } },
	{ "timer_slack", FQ_TIMER_SLACK, 1, { { KW_TIME_NS, F(timer_slack_ns) } } },
	{ "horizon", FQ_HORIZON, 1, { { KW_TIME_US, F(horizon_us) } } },
	KW_CHOICE("horizon_cap", FQ_HORIZON_DROP, F(horizon_drop), 0),
	KW_CHOICE("horizon_drop", FQ_HORIZON_DROP, F(horizon_drop), 1),
	{ "bands", FQ_BANDS_, 1, { { KW_U32, F(bands.bands) } }, .min = FQ_BANDS, .max = FQ_BANDS },
	{ "priomap", FQ_PRIOMAP, .take = priomap_take },
	{ "weights", FQ_WEIGHTS, FQ_BANDS, { { KW_U32, F(weights[0]) }, { KW_U32, F(weights[1]) },
	  { KW_U32, F(weights[2]) } }, .min = FQ_MIN_WEIGHT, .max = INT32_MAX },
	{ "offload_horizon", FQ_OFFLOAD_HORIZON, 1, { { KW_TIME_US, F(offload_horizon_us) } } },
	{ NULL }
};

/* The kernel holds 32 bits of whole bytes per second; all ones mean no limit. */
static int check_rate(struct diag *d, const char *word, uint64_t bps, uint64_t min)
{
	if (bps < min)
		return diag_usage(d, -1, "%s: at least %" PRIu64 " bit/s", word, min);
	if (bps / 8 >= UINT32_MAX)
		return diag_usage(d, -1, "%s: the kernel holds at most %" PRIu64 " bit/s", word,
				  (uint64_t)(UINT32_MAX - 1) * 8);
	if (bps % 8)
		diag_warn(d, "fq: %s is cut to %" PRIu64 " bit/s: the kernel counts bytes", word,
			  bps - bps % 8);
	return 0;
}

static int check_rates(struct diag *d, const struct fq_cfg *c)
{
	int err = 0;

	if (GIVEN(c, FQ_MAXRATE))
		err = check_rate(d, "maxrate", c->maxrate_bps, 8);
	if (!err && GIVEN(c, FQ_DEFRATE))
		err = check_rate(d, "defrate", c->defrate_bps, 0);
	if (!err && GIVEN(c, FQ_LOW_RATE))
		err = check_rate(d, "low_rate_threshold", c->low_rate_bps, 0);
	return err;
}

static void advise_words(struct diag *d, const struct fq_cfg *c)
{
	if (GIVEN(c, FQ_DEFRATE))
		diag_warn(d, "fq: defrate is obsolete, the kernel does nothing with it");
	if (GIVEN(c, FQ_BUCKETS) && c->buckets != 1u << c->buckets_log)
		diag_warn(d, "fq: buckets %u becomes %u, the next power of two", c->buckets,
			  1u << c->buckets_log);
	if (GIVEN(c, FQ_MAXRATE) && GIVEN(c, FQ_PACING) && !c->pacing)
		diag_warn(d, "fq: maxrate does nothing with nopacing");
	if (GIVEN(c, FQ_LIMIT) && GIVEN(c, FQ_FLOW_LIMIT) && c->flow_limit > c->limit)
		diag_warn(d, "fq: flow_limit %u is above limit %u, which holds for all flows together",
			  c->flow_limit, c->limit);
}

static int fq_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct fq_cfg *c = cfg;
	int err = keywords_parse(d, fq_words, words, n, c, &c->given);

	if (!err)
		err = check_rates(d, c);
	if (err)
		return err;
	if (!GIVEN(c, FQ_BANDS_) != !GIVEN(c, FQ_PRIOMAP))
		return diag_usage(d, -1, "\"bands\" and \"priomap\" go together");
	if (c->timer_slack_ns > UINT32_MAX)
		return diag_usage(d, -1, "timer_slack: the kernel holds at most 4.294967295 s");
	while (1u << c->buckets_log < c->buckets)
		c->buckets_log++;
	advise_words(d, c);
	return 0;
}

/* Only what was asked for: the rest is the kernel's choice, or stays in a change. */
static void put_u32(struct nlb *nlb, const struct fq_cfg *c, int word, uint16_t type, uint64_t v)
{
	if (GIVEN(c, word))
		nlb_put_u32(nlb, type, (uint32_t)v);
}

static void fill_bands(struct nlb *nlb, const struct fq_cfg *c)
{
	if (GIVEN(c, FQ_PRIOMAP))
		nlb_put(nlb, TCA_FQ_PRIOMAP, &c->bands, sizeof(c->bands));
	if (GIVEN(c, FQ_WEIGHTS))
		nlb_put(nlb, TCA_FQ_WEIGHTS, c->weights, sizeof(c->weights));
	put_u32(nlb, c, FQ_OFFLOAD_HORIZON, TCA_FQ_OFFLOAD_HORIZON, c->offload_horizon_us);
}

static void fq_fill(struct nlb *nlb, const void *cfg)
{
	const struct fq_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);
	uint8_t drop = (uint8_t)c->horizon_drop;

	put_u32(nlb, c, FQ_BUCKETS, TCA_FQ_BUCKETS_LOG, c->buckets_log);
	put_u32(nlb, c, FQ_LIMIT, TCA_FQ_PLIMIT, c->limit);
	put_u32(nlb, c, FQ_FLOW_LIMIT, TCA_FQ_FLOW_PLIMIT, c->flow_limit);
	put_u32(nlb, c, FQ_QUANTUM, TCA_FQ_QUANTUM, c->quantum);
	put_u32(nlb, c, FQ_INITIAL_QUANTUM, TCA_FQ_INITIAL_QUANTUM, c->initial_quantum);
	put_u32(nlb, c, FQ_PACING, TCA_FQ_RATE_ENABLE, c->pacing);
	put_u32(nlb, c, FQ_MAXRATE, TCA_FQ_FLOW_MAX_RATE, c->maxrate_bps / 8);
	put_u32(nlb, c, FQ_LOW_RATE, TCA_FQ_LOW_RATE_THRESHOLD, c->low_rate_bps / 8);
	put_u32(nlb, c, FQ_DEFRATE, TCA_FQ_FLOW_DEFAULT_RATE, c->defrate_bps / 8);
	put_u32(nlb, c, FQ_REFILL_DELAY, TCA_FQ_FLOW_REFILL_DELAY, c->refill_delay_us);
	put_u32(nlb, c, FQ_ORPHAN_MASK, TCA_FQ_ORPHAN_MASK, c->orphan_mask);
	put_u32(nlb, c, FQ_CE_THRESHOLD, TCA_FQ_CE_THRESHOLD, c->ce_threshold_us);
	put_u32(nlb, c, FQ_TIMER_SLACK, TCA_FQ_TIMER_SLACK, (uint64_t)c->timer_slack_ns);
	put_u32(nlb, c, FQ_HORIZON, TCA_FQ_HORIZON, c->horizon_us);
	if (GIVEN(c, FQ_HORIZON_DROP))
		nlb_put(nlb, TCA_FQ_HORIZON_DROP, &drop, sizeof(drop));
	fill_bands(nlb, c);
	nlb_nest_end(nlb, nest);
}

static const char *fq_lost(const void *cfg, struct nlattr *opts)
{
	static const struct {
		int word;
		int attr;
		const char *name;
	} newer[] = {
		{ FQ_PRIOMAP, TCA_FQ_PRIOMAP, "priomap" },
		{ FQ_WEIGHTS, TCA_FQ_WEIGHTS, "weights" },
		{ FQ_OFFLOAD_HORIZON, TCA_FQ_OFFLOAD_HORIZON, "offload_horizon" },
	};
	const struct fq_cfg *c = cfg;

	for (size_t i = 0; i < sizeof(newer) / sizeof(newer[0]); i++)
		if (GIVEN(c, newer[i].word) &&
		    (!opts || !nla_find(nla_data(opts), nla_len(opts), newer[i].attr)))
			return newer[i].name;
	return NULL;
}

static const struct attr_desc fq_attrs[] = {
	ATTR(TCA_FQ_PLIMIT, "u32"),
	ATTR(TCA_FQ_FLOW_PLIMIT, "u32"),
	ATTR(TCA_FQ_QUANTUM, "bytes32"),
	ATTR(TCA_FQ_INITIAL_QUANTUM, "bytes32"),
	ATTR(TCA_FQ_RATE_ENABLE, "u32"),
	ATTR(TCA_FQ_FLOW_DEFAULT_RATE, "Bps32"),
	ATTR(TCA_FQ_FLOW_MAX_RATE, "Bps32"),
	ATTR(TCA_FQ_BUCKETS_LOG, "u32"),
	ATTR(TCA_FQ_FLOW_REFILL_DELAY, "us32"),
	ATTR(TCA_FQ_ORPHAN_MASK, "u32"),
	ATTR(TCA_FQ_LOW_RATE_THRESHOLD, "Bps32"),
	ATTR(TCA_FQ_CE_THRESHOLD, "us32"),
	ATTR(TCA_FQ_TIMER_SLACK, "ns32"),
	ATTR(TCA_FQ_HORIZON, "us32"),
	ATTR(TCA_FQ_HORIZON_DROP, "u8"),
	ATTR(TCA_FQ_PRIOMAP, "bands=s32 priomap=u8*16"),
	ATTR(TCA_FQ_WEIGHTS, "weight=s32*"),
	ATTR(TCA_FQ_OFFLOAD_HORIZON, "us32"),
	ATTR_END
};

const struct kind kind_fq = {
	.name = "fq",
	.config = "CONFIG_NET_SCH_FQ",
	.words = fq_words,
	.cfg_size = sizeof(struct fq_cfg),
	.parse = fq_parse,
	.fill = fq_fill,
	.options = ATTR_OPTIONS("+", fq_attrs),
	.show = fq_show,
	.xstats = fq_xstats,
	.lost = fq_lost,
};

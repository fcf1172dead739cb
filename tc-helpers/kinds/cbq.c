// SPDX-License-Identifier: GPL-2.0-or-later
/* cbq: class based queueing, which left the kernel in 6.3 and 6.1.80. Shown in cbq-show.c. */
#include <errno.h>
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/cbq.h"
#include "kinds/kinds.h"
#include "kinds/rate.h"
#include "kinds/rtab.h"
#include "pure/diag.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

#define CBQ_TABLE_MTU 2047	/* bytes that a table covers when no allot says otherwise */
#define CBQ_SIZE_MAX (1u << 30)	/* of allot and avpkt, which are multiplied by 3 */
#define GIVEN(c, word) ((c)->given & 1u << (word))

enum {
	CBQ_BANDWIDTH_, CBQ_RATE_, CBQ_AVPKT, CBQ_MPU, CBQ_CELL, CBQ_EWMA, CBQ_ALLOT, CBQ_OVERHEAD,
	CBQ_LINKLAYER, CBQ_MAXBURST, CBQ_MINBURST, CBQ_MINIDLE, CBQ_BOUNDED_, CBQ_BORROW,
	CBQ_ISOLATED_, CBQ_SHARING, CBQ_PRIO, CBQ_WEIGHT, CBQ_SPLIT, CBQ_DEFMAP,
};

/* One for the qdisc and its classes: they share most words. */
struct cbq_cfg {
	uint32_t given;
	uint64_t bandwidth_bps, rate_bps;
	uint32_t bandwidth;	/* bytes/s */
	uint32_t mpu, overhead, linklayer, cell;
	uint32_t ewma;
	uint32_t maxburst, minburst;	/* packets */
	uint32_t minidle;
	uint32_t prio;
	struct tc_ratespec spec;
	struct cbq_lssopt lss;
	struct cbq_wrropt wrr;
	struct cbq_fopt fopt;
};

#define F(name) offsetof(struct cbq_cfg, name)
#define AVPKT_WORD { "avpkt", CBQ_AVPKT, 1, { { KW_SIZE, F(lss.avpkt) } }, .min = 1, .max = CBQ_SIZE_MAX }
#define ALLOT_WORD { "allot", CBQ_ALLOT, 1, { { KW_SIZE, F(wrr.allot) } }, .min = 1, .max = CBQ_SIZE_MAX }
#define TABLE_WORDS \
	{ "mpu", CBQ_MPU, 1, { { KW_SIZE, F(mpu) } }, .max = UINT16_MAX }, \
	{ "cell", CBQ_CELL, 1, { { KW_OTHER, F(cell) } }, .parse = cell_parse }, \
	{ "ewma", CBQ_EWMA, 1, { { KW_U32, F(ewma) } }, .max = 31 }, \
	{ "overhead", CBQ_OVERHEAD, 1, { { KW_SIZE, F(overhead) } }, .max = UINT16_MAX }, \
	{ "linklayer", CBQ_LINKLAYER, 1, { { KW_OTHER, F(linklayer) } }, .parse = linklayer_parse }

/* "MASK[/CHANGE]", in hex */
static int defmap_parse(struct diag *d, char **words, int i, void *field)
{
	struct cbq_fopt *fopt = field;
	const char *slash = strchr(words[i], '/');
	const char *change = slash ? slash + 1 : "ffffffff";
	size_t mask_len = slash ? (size_t)(slash - words[i]) : strlen(words[i]);
	static const char hex[] = "0123456789abcdefABCDEF";

	if (!mask_len || mask_len > 8 || strspn(words[i], hex) != mask_len || !*change ||
	    strlen(change) > 8 || change[strspn(change, hex)])
		return diag_usage(d, i, "\"%s\": MASK or MASK/CHANGE, each up to ffffffff (hex)",
				  words[i]);
	fopt->defmap = (uint32_t)strtoul(words[i], NULL, 16);
	fopt->defchange = (uint32_t)strtoul(change, NULL, 16);
	return 0;
}

static const struct keyword cbq_words[] = {
	{ "bandwidth", CBQ_RATE_, 1, { { KW_RATE, F(rate_bps) } } },
	{ "rate", CBQ_RATE_, 1, { { KW_RATE, F(rate_bps) } } },
	AVPKT_WORD,
	ALLOT_WORD,
	TABLE_WORDS,
	{ NULL }
};

static const struct keyword cbq_class_words[] = {
	{ "bandwidth", CBQ_BANDWIDTH_, 1, { { KW_RATE, F(bandwidth_bps) } } },
	{ "rate", CBQ_RATE_, 1, { { KW_RATE, F(rate_bps) } } },
	{ "maxburst", CBQ_MAXBURST, 1, { { KW_U32, F(maxburst) } } },
	{ "minburst", CBQ_MINBURST, 1, { { KW_U32, F(minburst) } } },
	{ "minidle", CBQ_MINIDLE, 1, { { KW_U32, F(minidle) } } },
	{ "bounded", CBQ_BOUNDED_ },
	{ "borrow", CBQ_BORROW },
	{ "isolated", CBQ_ISOLATED_ },
	{ "sharing", CBQ_SHARING },
	{ "prio", CBQ_PRIO, 1, { { KW_U32, F(prio) } }, .max = CBQ_PRIO_MAX },
	{ "weight", CBQ_WEIGHT, 1, { { KW_SIZE, F(wrr.weight) } }, .min = 1 },
	{ "split", CBQ_SPLIT, 1, { { KW_OTHER, F(fopt.split) } }, .parse = classid_other_parse },
	{ "defmap", CBQ_DEFMAP, 1, { { KW_OTHER, F(fopt) } }, .parse = defmap_parse },
	AVPKT_WORD,
	ALLOT_WORD,
	TABLE_WORDS,
	{ NULL }
};

static int common_parse(struct diag *d, const struct keyword *table, char **words, int n,
			struct cbq_cfg *c)
{
	uint64_t bytes = 0;
	int err;

	c->ewma = CBQ_EWMA_DEFAULT;
	c->linklayer = TC_LINKLAYER_ETHERNET;
	err = keywords_parse(d, table, words, n, c, &c->given);
	c->lss.ewma_log = (uint8_t)c->ewma;
	if (!err && GIVEN(c, CBQ_RATE_))
		err = rate_bytes(d, "cbq", "rate", c->rate_bps, UINT32_MAX, &bytes);
	c->spec.rate = (uint32_t)bytes;
	return err;
}

/* The table covers packets of @mtu bytes, in 256 steps unless the cell is given. */
static void spec_finish(struct cbq_cfg *c, uint32_t mtu)
{
	c->spec.cell_log = (uint8_t)(GIVEN(c, CBQ_CELL) ? cell_log(c->cell) :
				     rtab_cell_log(mtu ? mtu : CBQ_TABLE_MTU));
	c->spec.linklayer = (uint8_t)c->linklayer;
	c->spec.overhead = (uint16_t)c->overhead;
	c->spec.cell_align = -1;
	c->spec.mpu = (uint16_t)c->mpu;
}

/* tc's least allot: one and a half packets */
static uint32_t least_allot(const struct cbq_cfg *c)
{
	return c->lss.avpkt * 3 / 2;
}

static int cbq_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct cbq_cfg *c = cfg;
	int err = common_parse(d, cbq_words, words, n, c);

	if (err)
		return err;
	if (!GIVEN(c, CBQ_RATE_) || !GIVEN(c, CBQ_AVPKT))
		return diag_usage(d, -1, "\"bandwidth\" and \"avpkt\" are needed");
	spec_finish(c, c->wrr.allot > least_allot(c) ? c->wrr.allot : least_allot(c));
	c->lss.change = CBQ_CHANGE_MAXIDLE | CBQ_CHANGE_EWMA | CBQ_CHANGE_AVPKT;
	if (!rtab_ticks(1000000 * ((double)c->lss.avpkt / (double)c->spec.rate), &c->lss.maxidle))
		return diag_usage(d, -1, "avpkt: more than 274 s at that bandwidth");
	return 0;
}

/*
 * tc's estimates of how long a class may idle and must pause, for bursts of so
 * many packets: the weighted mean of its idle time moves by 2^-ewma a packet.
 */
static double maxidle_us(const struct cbq_cfg *c)
{
	double scale = ldexp(1, (int)c->ewma);
	double g = 1.0 - 1.0 / scale;
	double packet = (double)c->lss.avpkt / c->bandwidth;
	double idle = packet * (1 - g);

	if (c->bandwidth != c->spec.rate && c->maxburst) {
		double burst = (double)c->lss.avpkt / c->spec.rate - packet;

		burst *= pow(g, -(double)c->maxburst) - 1;
		if (burst > idle)
			idle = burst;
	}
	return idle * scale * 1000000;
}

static double offtime_us(const struct cbq_cfg *c)
{
	double g = 1.0 - 1.0 / ldexp(1, (int)c->ewma);
	double off = (double)c->lss.avpkt / c->spec.rate - (double)c->lss.avpkt / c->bandwidth;

	if (!c->minburst)
		return 0;
	if (c->minburst == 1)
		off *= pow(g, -(double)c->minburst) - 1;
	else
		off *= 1 + (pow(g, -(double)(c->minburst - 1)) - 1) / (1 - g);
	return off * 1000000;
}

static int bursts(struct diag *d, struct cbq_cfg *c)
{
	struct cbq_lssopt *lss = &c->lss;
	uint64_t bytes = 0;

	if (GIVEN(c, CBQ_BANDWIDTH_) &&
	    rate_bytes(d, "cbq", "bandwidth", c->bandwidth_bps, UINT32_MAX, &bytes))
		return -EINVAL;
	c->bandwidth = (uint32_t)bytes;
	if (!GIVEN(c, CBQ_MAXBURST) && !GIVEN(c, CBQ_MINBURST))
		return 0;
	if (!lss->avpkt || !c->bandwidth || !c->spec.rate)
		return diag_usage(d, -1, "maxburst and minburst need \"avpkt\", \"bandwidth\" and \"rate\"");
	lss->change |= CBQ_CHANGE_EWMA | CBQ_CHANGE_AVPKT;
	if (GIVEN(c, CBQ_MAXBURST)) {
		lss->change |= CBQ_CHANGE_MAXIDLE;
		if (!rtab_ticks(maxidle_us(c), &lss->maxidle))
			return diag_usage(d, -1, "maxburst %u: such idle time is more than the kernel holds, 274 s",
					  c->maxburst);
	}
	if (GIVEN(c, CBQ_MINBURST)) {
		lss->change |= CBQ_CHANGE_OFFTIME;
		if (!rtab_ticks(offtime_us(c), &lss->offtime))
			return diag_usage(d, -1, "minburst %u: no pause from 0 to 274 s fits: is \"rate\" above \"bandwidth\"?",
					  c->minburst);
	}
	return 0;
}

static int flags(struct diag *d, struct cbq_cfg *c)
{
	if (GIVEN(c, CBQ_BOUNDED_) && GIVEN(c, CBQ_BORROW))
		return diag_usage(d, -1, "either \"bounded\" or \"borrow\"");
	if (GIVEN(c, CBQ_ISOLATED_) && GIVEN(c, CBQ_SHARING))
		return diag_usage(d, -1, "either \"isolated\" or \"sharing\"");
	if (GIVEN(c, CBQ_BOUNDED_))
		c->lss.flags |= CBQ_BOUNDED;
	if (GIVEN(c, CBQ_ISOLATED_))
		c->lss.flags |= CBQ_ISOLATED;
	if (GIVEN(c, CBQ_BOUNDED_) || GIVEN(c, CBQ_BORROW) || GIVEN(c, CBQ_ISOLATED_) ||
	    GIVEN(c, CBQ_SHARING))
		c->lss.change |= CBQ_CHANGE_FLAGS;
	if (GIVEN(c, CBQ_EWMA))
		c->lss.change |= CBQ_CHANGE_EWMA;
	if (GIVEN(c, CBQ_AVPKT))
		c->lss.change |= CBQ_CHANGE_AVPKT;
	return 0;
}

/* Turns: a new class without a priority is served last, with tc's weights. */
static int turns(struct diag *d, bool fresh, struct cbq_cfg *c)
{
	struct cbq_wrropt *wrr = &c->wrr;

	wrr->priority = (uint8_t)c->prio;
	if (!wrr->priority && fresh) {
		wrr->priority = CBQ_PRIO_MAX;
		if (!wrr->allot)
			wrr->allot = least_allot(c);
	} else if (!GIVEN(c, CBQ_PRIO) && !GIVEN(c, CBQ_WEIGHT)) {
		return 0;
	}
	if (!wrr->weight)
		wrr->weight = wrr->priority == CBQ_PRIO_MAX ? 1 : c->spec.rate;
	if (!wrr->allot)
		return diag_usage(d, -1, "\"allot\" is needed, or \"avpkt\" with \"rate\"");
	c->given |= 1u << CBQ_PRIO;	/* cbq_class_fill() sends them */
	return 0;
}

static int cbq_class_parse(struct diag *d, char **words, int n, bool fresh, void *cfg)
{
	struct cbq_cfg *c = cfg;
	int err = common_parse(d, cbq_class_words, words, n, c);

	if (err)
		return err;
	if (c->spec.rate) {
		spec_finish(c, c->wrr.allot);
		if (c->wrr.allot < least_allot(c))
			c->wrr.allot = least_allot(c);
	}
	err = flags(d, c);
	if (!err)
		err = bursts(d, c);
	if (!err)
		err = turns(d, fresh, c);
	if (!err && GIVEN(c, CBQ_MINIDLE)) {
		c->lss.minidle = c->minidle << c->ewma;
		if (c->lss.minidle >> c->ewma != c->minidle)
			return diag_usage(d, -1, "minidle %u: too large for an ewma of %u", c->minidle,
					  c->ewma);
		c->lss.change |= CBQ_CHANGE_MINIDLE | CBQ_CHANGE_EWMA;
	}
	if (c->lss.change)
		c->lss.change |= CBQ_CHANGE_FLAGS;
	return err;
}

static void fill_rate(struct nlb *nlb, const struct cbq_cfg *c)
{
	uint32_t rtab[RTAB_LEN];

	if (!c->spec.rate)
		return;
	rtab_fill(&c->spec, rtab);
	nlb_put(nlb, CBQ_RATE, &c->spec, sizeof(c->spec));
	nlb_put(nlb, CBQ_RTAB, rtab, sizeof(rtab));
}

static void cbq_fill(struct nlb *nlb, const void *cfg)
{
	const struct cbq_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	nlb_put(nlb, CBQ_LSSOPT, &c->lss, sizeof(c->lss));
	fill_rate(nlb, c);
	nlb_nest_end(nlb, nest);
}

static void cbq_class_fill(struct nlb *nlb, const void *cfg)
{
	const struct cbq_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (c->lss.change)
		nlb_put(nlb, CBQ_LSSOPT, &c->lss, sizeof(c->lss));
	if (GIVEN(c, CBQ_PRIO))
		nlb_put(nlb, CBQ_WRROPT, &c->wrr, sizeof(c->wrr));
	if (GIVEN(c, CBQ_SPLIT) || GIVEN(c, CBQ_DEFMAP))
		nlb_put(nlb, CBQ_FOPT, &c->fopt, sizeof(c->fopt));
	fill_rate(nlb, c);
	nlb_nest_end(nlb, nest);
}

/* Under the names that the kernel's header had. */
#define CBQ_ATTR(_name, _value) { .type = CBQ_##_name, .name = "TCA_CBQ_" #_name, .value = (_value) }

static const struct attr_desc cbq_attrs[] = {
	CBQ_ATTR(LSSOPT, "change=x8 flags=x8 ewma_log=u8 level=u8 maxidle=u32 minidle=u32 offtime=u32 avpkt=u32"),
	CBQ_ATTR(WRROPT, "flags=x8 priority=u8 cpriority=u8 .reserved=u8 allot=u32 weight=u32"),
	CBQ_ATTR(FOPT, "split=handle defmap=x32 defchange=x32"),
	CBQ_ATTR(OVL_STRATEGY, "strategy=u8 priority2=u8 .pad=u16 penalty=u32"),
	CBQ_ATTR(RATE, ATTR_RATESPEC("rate")),
	CBQ_ATTR(RTAB, "ticks*"),
	CBQ_ATTR(POLICE, "police=u8 .res1=u8 .res2=u16"),
	ATTR_END
};

static const struct kind_class cbq_class = {
	.words = cbq_class_words,
	.cfg_size = sizeof(struct cbq_cfg),
	.numbered = true,
	.parse = cbq_class_parse,
	.fill = cbq_class_fill,
	.options = ATTR_OPTIONS("+", cbq_attrs),
	.show = cbq_class_show,
	.xstats = cbq_xstats,
};

const struct kind kind_cbq = {
	.name = "cbq",
	.config = "CONFIG_NET_SCH_CBQ",
	.words = cbq_words,
	.cfg_size = sizeof(struct cbq_cfg),
	.parse = cbq_parse,
	.fill = cbq_fill,
	.options = ATTR_OPTIONS("+", cbq_attrs),
	.show = cbq_show,
	.xstats = cbq_xstats,
	.class = &cbq_class,
};

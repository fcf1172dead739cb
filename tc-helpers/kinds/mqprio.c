// SPDX-License-Identifier: GPL-2.0-or-later
/* mqprio: a root that gives each traffic class a range of transmit queues. Shown in mqprio-show.c. */
#include <inttypes.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/mqprio.h"
#include "kinds/tcmap.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

enum {
	MQP_NUM_TC, MQP_MAP, MQP_QUEUES, MQP_FP, MQP_HW, MQP_MODE, MQP_SHAPER, MQP_MIN_RATE,
	MQP_MAX_RATE,
};

#define F(name) offsetof(struct mqprio_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

struct mqprio_cfg {
	struct tcmap m;		/* first: tcmap_map_take() and its like */
	uint32_t given;
	uint32_t hw;
	uint32_t mode;
	uint32_t shaper;
	uint64_t min_bps[TC_QOPT_MAX_QUEUE], max_bps[TC_QOPT_MAX_QUEUE];
	uint32_t nmin, nmax;
};

struct choice {
	const char *word;
	uint32_t value;
};

static int choose(struct diag *d, char **words, int i, const struct choice *choices, uint32_t *field)
{
	for (int k = 0; k < 2; k++) {
		if (strcmp(words[i], choices[k].word))
			continue;
		*field = choices[k].value;
		return 0;
	}
	return diag_usage(d, i, "\"%s\": %s or %s", words[i], choices[0].word, choices[1].word);
}

static int mode_parse(struct diag *d, char **words, int i, void *field)
{
	static const struct choice modes[] = {
		{ "dcb", TC_MQPRIO_MODE_DCB }, { "channel", TC_MQPRIO_MODE_CHANNEL },
	};

	return choose(d, words, i, modes, field);
}

static int shaper_parse(struct diag *d, char **words, int i, void *field)
{
	static const struct choice shapers[] = {
		{ "dcb", TC_MQPRIO_SHAPER_DCB }, { "bw_rlimit", TC_MQPRIO_SHAPER_BW_RATE },
	};

	return choose(d, words, i, shapers, field);
}

static int one_rate(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	return rate_parse(d, words, i, (uint64_t *)array + k);
}

static int rates_take(struct diag *d, char **words, int n, int i, uint64_t *rates, uint32_t *count)
{
	int k = keyword_list(d, words, n, i, 1, TC_QOPT_MAX_QUEUE, like_a_number, one_rate, rates);

	if (k < 0)
		return k;
	*count = (uint32_t)k;
	return i + 1 + k;
}

static int min_rate_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			 void *cfg)
{
	struct mqprio_cfg *c = cfg;

	return rates_take(d, words, n, i, c->min_bps, &c->nmin);
}

static int max_rate_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			 void *cfg)
{
	struct mqprio_cfg *c = cfg;

	return rates_take(d, words, n, i, c->max_bps, &c->nmax);
}

static const struct keyword mqprio_words[] = {
	{ "num_tc", MQP_NUM_TC, 1, { { KW_U32, F(m.num_tc) } }, .min = 1, .max = TC_QOPT_MAX_QUEUE },
	{ "map", MQP_MAP, .take = tcmap_map_take },
	{ "queues", MQP_QUEUES, .take = tcmap_queues_take },
	{ "fp", MQP_FP, .take = tcmap_fp_take },
	{ "hw", MQP_HW, 1, { { KW_U32, F(hw) } }, .max = 1 },
	{ "mode", MQP_MODE, 1, { { KW_OTHER, F(mode) } }, .parse = mode_parse },
	{ "shaper", MQP_SHAPER, 1, { { KW_OTHER, F(shaper) } }, .parse = shaper_parse },
	{ "min_rate", MQP_MIN_RATE, .take = min_rate_take },
	{ "max_rate", MQP_MAX_RATE, .take = max_rate_take },
	{ NULL }
};

static int check_hw(struct diag *d, const struct mqprio_cfg *c)
{
	static const struct {
		int word;
		const char *name;
	} only[] = {
		{ MQP_MODE, "mode" }, { MQP_SHAPER, "shaper" }, { MQP_FP, "fp" },
		{ MQP_MIN_RATE, "min_rate" }, { MQP_MAX_RATE, "max_rate" },
	};

	for (size_t i = 0; !c->hw && i < sizeof(only) / sizeof(only[0]); i++)
		if (GIVEN(c, only[i].word))
			return diag_usage(d, -1, "%s: only where the device does the work, hw 1",
					  only[i].name);
	return 0;
}

static int check_rates(struct diag *d, const struct mqprio_cfg *c)
{
	const char *word = c->nmin ? "min_rate" : "max_rate";

	if (!c->nmin && !c->nmax)
		return c->shaper == TC_MQPRIO_SHAPER_BW_RATE && c->mode != TC_MQPRIO_MODE_CHANNEL ?
		       diag_usage(d, -1, "shaper bw_rlimit: only with mode channel") : 0;
	if (c->shaper != TC_MQPRIO_SHAPER_BW_RATE)
		return diag_usage(d, -1, "%s: only with shaper bw_rlimit", word);
	if (c->mode != TC_MQPRIO_MODE_CHANNEL)
		return diag_usage(d, -1, "shaper bw_rlimit: only with mode channel");
	if (c->nmin && c->nmin != c->m.num_tc)
		return diag_usage(d, -1, "min_rate: %u rates for %u traffic classes", c->nmin,
				  c->m.num_tc);
	if (c->nmax && c->nmax != c->m.num_tc)
		return diag_usage(d, -1, "max_rate: %u rates for %u traffic classes", c->nmax,
				  c->m.num_tc);
	for (uint32_t i = 0; c->nmin && c->nmax && i < c->m.num_tc; i++)
		if (c->max_bps[i] && c->min_bps[i] > c->max_bps[i])
			return diag_usage(d, -1, "min_rate: that of traffic class %u is above its max_rate",
					  i);
	return 0;
}

static int mqprio_parse(struct diag *d, char **words, int n, void *cfg)
{
	static const uint8_t map[TC_QOPT_MAX_QUEUE] = {	/* tc-mqprio(8) */
		0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 1, 1, 3, 3, 3, 3
	};
	struct mqprio_cfg *c = cfg;
	int err;

	c->m.num_tc = 8;
	c->hw = 1;
	memcpy(c->m.opt.prio_tc_map, map, sizeof(map));
	err = keywords_parse(d, mqprio_words, words, n, c, &c->given);
	if (!err)
		err = check_hw(d, c);
	if (!err)
		err = tcmap_check(d, &c->m, !c->hw, c->hw);
	return err ? err : check_rates(d, c);
}

static void fill_u16(struct nlb *nlb, uint16_t type, uint32_t v)
{
	uint16_t v16 = (uint16_t)v;

	if (v)
		nlb_put(nlb, type, &v16, sizeof(v16));
}

static void fill_rates(struct nlb *nlb, uint16_t type, const uint64_t *bps)
{
	size_t nest = nlb_nest(nlb, type | NLA_F_NESTED);

	for (int i = 0; i < TC_QOPT_MAX_QUEUE; i++)
		nlb_put_u64(nlb, type, bps[i] / 8);
	nlb_nest_end(nlb, nest);
}

static void mqprio_fill(struct nlb *nlb, const void *cfg)
{
	const struct mqprio_cfg *c = cfg;
	struct tc_mqprio_qopt opt = c->m.opt;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	opt.num_tc = (uint8_t)c->m.num_tc;
	opt.hw = (uint8_t)c->hw;
	nlb_raw(nlb, &opt, sizeof(opt));
	fill_u16(nlb, TCA_MQPRIO_MODE, c->mode);
	fill_u16(nlb, TCA_MQPRIO_SHAPER, c->shaper);
	for (uint32_t tc = 0; tc < c->m.nfp; tc++) {
		size_t entry = nlb_nest(nlb, TCA_MQPRIO_TC_ENTRY | NLA_F_NESTED);

		nlb_put_u32(nlb, TCA_MQPRIO_TC_ENTRY_INDEX, tc);
		nlb_put_u32(nlb, TCA_MQPRIO_TC_ENTRY_FP, c->m.fp[tc]);
		nlb_nest_end(nlb, entry);
	}
	if (c->nmin)
		fill_rates(nlb, TCA_MQPRIO_MIN_RATE64, c->min_bps);
	if (c->nmax)
		fill_rates(nlb, TCA_MQPRIO_MAX_RATE64, c->max_bps);
	nlb_nest_end(nlb, nest);
}

static int mqprio_judge(struct diag *d, const void *cfg, unsigned int queues)
{
	const struct mqprio_cfg *c = cfg;

	return tcmap_judge(d, &c->m, queues);
}

static const char *mqprio_lost(const void *cfg, struct nlattr *opts)
{
	const struct mqprio_cfg *c = cfg;
	int fixed = NLA_ALIGN(sizeof(struct tc_mqprio_qopt));

	if (!c->m.nfp || (opts && nla_len(opts) > fixed &&
			  nla_find((struct nlattr *)((char *)nla_data(opts) + fixed),
				   nla_len(opts) - fixed, TCA_MQPRIO_TC_ENTRY)))
		return NULL;
	return "fp";
}

static const struct attr_desc min_rate_attrs[] = { ATTR(TCA_MQPRIO_MIN_RATE64, "Bps64"), ATTR_END };
static const struct attr_desc max_rate_attrs[] = { ATTR(TCA_MQPRIO_MAX_RATE64, "Bps64"), ATTR_END };

static const struct attr_desc tc_entry_attrs[] = {
	ATTR(TCA_MQPRIO_TC_ENTRY_INDEX, "u32"),
	ATTR(TCA_MQPRIO_TC_ENTRY_FP, "u32"),
	ATTR_END
};

static const struct attr_desc mqprio_attrs[] = {
	ATTR(TCA_MQPRIO_MODE, "u16"),
	ATTR(TCA_MQPRIO_SHAPER, "u16"),
	ATTR_NEST(TCA_MQPRIO_MIN_RATE64, min_rate_attrs),
	ATTR_NEST(TCA_MQPRIO_MAX_RATE64, max_rate_attrs),
	ATTR_NEST(TCA_MQPRIO_TC_ENTRY, tc_entry_attrs),
	ATTR_END
};

const struct kind kind_mqprio = {
	.name = "mqprio",
	.config = "CONFIG_NET_SCH_MQPRIO",
	.words = mqprio_words,
	.multiqueue = true,
	.no_est = true,
	.cfg_size = sizeof(struct mqprio_cfg),
	.parse = mqprio_parse,
	.fill = mqprio_fill,
	.options = ATTR_OPTIONS(ATTR_MQPRIO_QOPT " +", mqprio_attrs),
	.show = mqprio_show,
	.judge = mqprio_judge,
	.hint = "with hw 1, which is the default, the device must do the work, and not all can (hw 0: the kernel does it); kernels before 6.3 want the queues in ascending order",
	.lost = mqprio_lost,
};

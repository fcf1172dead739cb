// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netem: delay, loss, duplication, corruption, reordering, a rate and slots as
 * a qdisc. Its words are read here, made bytes in netem-fill.c and shown in
 * netem-show.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/env.h"
#include "kinds/kinds.h"
#include "kinds/netem.h"
#include "pure/diag.h"

#define NETEM_LIMIT_DEFAULT 1000	/* tc-netem(8) */
#define NETEM_JITTER_MAX INT_MAX	/* ns; more is cut by netem_change() without a word */
#define NETEM_TABLES_MAX 32000		/* values of both tables together: an attribute holds 64 KiB */
#define NETEM_PPS_SLOW 10000		/* a limit that lets fewer packets per second through is warned of */

#define F(name) offsetof(struct netem_cfg, name)
#define COUNT(name) (offsetof(struct netem_cfg, name) + 1)
#define GIVEN(c, word) NETEM_GIVEN(c, word)

#define DELAY_VALUES 1, { { KW_TIME_NETEM, F(delay_ns) }, { KW_TIME_NETEM, F(jitter_ns) }, \
			  { KW_PERCENT, F(delay_corr) } }, .count = COUNT(delay_n)
#define RANDOM_VALUES 1, { { KW_PERCENT, F(loss) }, { KW_PERCENT, F(loss_corr) } }, \
		      .count = COUNT(loss_n)

static const struct keyword loss_words[] = {
	{ "random", NETEM_RANDOM, RANDOM_VALUES },
	{ "state", NETEM_STATE, 1, { { KW_SHARE, F(p13) }, { KW_PERCENT, F(p31) },
				     { KW_PERCENT, F(p32) }, { KW_PERCENT, F(p23) },
				     { KW_PERCENT, F(p14) } }, .count = COUNT(state_n) },
	{ "gemodel", NETEM_GEMODEL, 1, { { KW_SHARE, F(ge_p) }, { KW_PERCENT, F(ge_r) },
					 { KW_PERCENT, F(ge_1h) }, { KW_PERCENT, F(ge_1k) } },
	  .count = COUNT(ge_n) },
	{ NULL }
};

static const struct keyword slot_words[] = {
	{ "distribution", NETEM_SLOT_DIST, 3, { { KW_WORD, F(slot_dist_word) },
						{ KW_TIME_NS, F(slot_delay_ns) },
						{ KW_TIME_NS, F(slot_jitter_ns) } } },
	{ NULL }
};

static const struct keyword netem_words[] = {
	{ "limit", NETEM_LIMIT, 1, { { KW_COUNT, F(limit) } }, .min = 1 },
	{ "delay", NETEM_DELAY, DELAY_VALUES },
	{ "latency", NETEM_DELAY, DELAY_VALUES },
	{ "distribution", NETEM_DIST, 1, { { KW_WORD, F(dist_word) } } },
	{ "loss", NETEM_LOSS, RANDOM_VALUES, .sub = loss_words },
	{ "drop", NETEM_LOSS, RANDOM_VALUES, .sub = loss_words },
	{ "ecn", NETEM_ECN },
	{ "duplicate", NETEM_DUPLICATE, 1,
	  { { KW_PERCENT, F(duplicate) }, { KW_PERCENT, F(duplicate_corr) } },
	  .count = COUNT(duplicate_n) },
	{ "corrupt", NETEM_CORRUPT, 1,
	  { { KW_PERCENT, F(corrupt) }, { KW_PERCENT, F(corrupt_corr) } }, .count = COUNT(corrupt_n) },
	{ "reorder", NETEM_REORDER, 1,
	  { { KW_PERCENT, F(reorder) }, { KW_PERCENT, F(reorder_corr) } }, .count = COUNT(reorder_n) },
	{ "gap", NETEM_GAP, 1, { { KW_U32, F(gap) } } },
	{ "rate", NETEM_RATE, 1, { { KW_RATE, F(rate_bps) }, { KW_S32, F(packet_overhead) },
				   { KW_U32, F(cell_size) }, { KW_S32, F(cell_overhead) } } },
	{ "slot", NETEM_SLOT, 1, { { KW_TIME_NS, F(slot_min_ns) }, { KW_TIME_NS, F(slot_max_ns) } },
	  .count = COUNT(slot_n), .sub = slot_words },
	{ "packets", NETEM_PACKETS, 1, { { KW_U32, F(slot_packets) } }, .max = INT_MAX },
	{ "bytes", NETEM_BYTES, 1, { { KW_SIZE, F(slot_bytes) } }, .max = INT_MAX },
	{ "seed", NETEM_SEED, 1, { { KW_U64, F(seed) } } },
	{ NULL }
};

static int check_rate(struct diag *d, const struct netem_cfg *c)
{
	if (!c->rate_bps)	/* as in tc: none, for a change that is to end one */
		return 0;
	if (c->rate_bps < 8)
		return diag_usage(d, -1, "rate: at least 8 bit/s");
	if (c->rate_bps % 8)
		diag_warn(d, "netem: rate is cut to %" PRIu64 " bit/s: the kernel counts bytes",
			  c->rate_bps - c->rate_bps % 8);
	/* packet_time_ns() would go below zero and hold such a packet for ever */
	if ((int64_t)c->cell_size + c->cell_overhead < 0)
		return diag_usage(d, -1, "rate: a cell overhead below the cell's own size");
	return 0;
}

static int check_slot(struct diag *d, struct netem_cfg *c)
{
	if (!GIVEN(c, NETEM_SLOT)) {
		if (GIVEN(c, NETEM_PACKETS) || GIVEN(c, NETEM_BYTES))
			return diag_usage(d, -1, "packets, bytes: without slot there is nothing to count in");
		return 0;
	}
	if (GIVEN(c, NETEM_SLOT_DIST)) {
		if (!c->slot_jitter_ns)
			return diag_usage(d, -1, "slot: a distribution needs a jitter");
		if (c->slot_jitter_ns > NETEM_JITTER_MAX)
			return diag_usage(d, -1, "slot: the kernel holds a jitter of at most 2.147483647 s");
		return 0;
	}
	if (c->slot_n < 2)
		c->slot_max_ns = c->slot_min_ns;
	if (c->slot_max_ns < c->slot_min_ns)
		return diag_usage(d, -1, "slot: the longest is shorter than the shortest");
	return 0;
}

static int check_loss(struct diag *d, struct netem_cfg *c)
{
	if (c->state_n && c->state_n < 2)
		c->p31 = c->p13.rest;
	if (c->state_n < 4)
		c->p23 = UINT32_MAX;
	if (c->ge_n && c->ge_n < 2)
		c->ge_r = c->ge_p.rest;
	if (c->ge_n < 3)
		c->ge_1h = UINT32_MAX;
	if (GIVEN(c, NETEM_ECN) && !c->loss && !c->state_n && !c->ge_n)
		return diag_usage(d, -1, "ecn: without loss there is nothing to mark");
	return 0;
}

/* What makes no sense together, each with its reason. */
static int netem_check(struct diag *d, struct netem_cfg *c)
{
	if (c->jitter_ns > NETEM_JITTER_MAX)
		return diag_usage(d, -1, "delay: the kernel holds a jitter of at most 2.147483647 s");
	if (GIVEN(c, NETEM_DIST) && (!c->delay_ns || !c->jitter_ns))
		return diag_usage(d, -1, "distribution: without a delay and a jitter there is nothing to distribute");
	if (c->reorder && !c->delay_ns)
		return diag_usage(d, -1, "reorder: without a delay there is nothing to overtake");
	if (c->gap && !c->reorder)
		return diag_usage(d, -1, "gap: without reorder it does nothing");
	if (c->reorder && !c->gap)
		c->gap = 1;
	if (check_loss(d, c) || check_rate(d, c) || check_slot(d, c))
		return -EINVAL;
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

static int load_table(struct diag *d, char **words, int n, const char *word,
		      const struct tc_env *env, struct dist *dist)
{
	char *text = NULL;
	size_t len;
	int i = 0;
	int err;

	if (!strcmp(word, "uniform"))
		return dist_uniform(d, dist);
	while (i < n && words[i] != word)
		i++;
	if (!env->table)
		return diag_usage(d, i, "\"%s\": tables cannot be read here", word);
	err = env->table(d, words, i, &text, &len);
	if (!err)
		err = dist_parse(d, word, text, len, dist);
	free(text);
	if (err)
		d->word = i;
	return err;
}

/* Before the kernel is touched: a table that is missing or wrong must not become uniform jitter. */
static int netem_load(struct diag *d, char **words, int n, void *cfg, const struct tc_env *env)
{
	struct netem_cfg *c = cfg;
	int err = 0;

	if (GIVEN(c, NETEM_DIST))
		err = load_table(d, words, n, c->dist_word, env, &c->dist);
	if (!err && GIVEN(c, NETEM_SLOT_DIST))
		err = load_table(d, words, n, c->slot_dist_word, env, &c->slot_dist);
	if (!err && c->dist.n + c->slot_dist.n > NETEM_TABLES_MAX)
		err = diag_usage(d, -1, "distribution: two tables of %zu and %zu values do not fit into one message (%d together do)",
				 c->dist.n, c->slot_dist.n, NETEM_TABLES_MAX);
	if (err)
		diag_context(d, 0, "distribution");
	return err;
}

static void netem_drop(void *cfg)
{
	struct netem_cfg *c = cfg;

	dist_free(&c->dist);
	dist_free(&c->slot_dist);
}

/*
 * What is on its way must fit the limit: at the configured rate with the
 * largest frames; without one, a limit that passes few packets is named.
 */
static void netem_advise(struct diag *d, const void *cfg, unsigned int frame)
{
	const struct netem_cfg *c = cfg;
	double seconds = (double)(c->delay_ns + c->jitter_ns) / 1e9;
	double packets = NETEM_PPS_SLOW * seconds;

	if (!c->limit || !seconds)
		return;
	if (!c->rate_bps) {
		if (packets > c->limit)
			diag_warn(d, "netem: limit %u lets no more than %.0f packets per second through with that delay and drops the rest: limit %.0f is for %d",
				  c->limit, floor(c->limit / seconds), ceil(packets), NETEM_PPS_SLOW);
		return;
	}
	packets = frame ? (double)c->rate_bps / 8 * seconds / frame : 0;
	if (packets > c->limit)
		diag_warn(d, "netem: limit %u drops packets at the full rate: %.0f of the largest are under way in that delay: limit %.0f or more holds them",
			  c->limit, packets + 1, packets + 1);
}

/* A limit beyond netem's own is not meant to count frames. */
static const char *netem_per_frame(const void *cfg)
{
	static const struct {
		enum netem_word word;
		const char *name;
	} words[] = {
		{ NETEM_LOSS, "loss" }, { NETEM_DUPLICATE, "duplicate" }, { NETEM_CORRUPT, "corrupt" },
		{ NETEM_REORDER, "reorder" }, { NETEM_RATE, "rate" }, { NETEM_SLOT, "slot" },
	};
	const struct netem_cfg *c = cfg;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (GIVEN(c, words[i].word))
			return words[i].name;
	return c->limit < NETEM_LIMIT_DEFAULT ? "limit" : NULL;
}

static const char *netem_lost(const void *cfg, struct nlattr *opts)
{
	const struct netem_cfg *c = cfg;
	struct netem_opts o;

	if (!GIVEN(c, NETEM_SEED))
		return NULL;
	return netem_opts_read(opts, &o) && o.tb[NETEM_PRNG_SEED] ? NULL : "seed";
}

const struct kind kind_netem = {
	.name = "netem",
	.config = "CONFIG_NET_SCH_NETEM",
	.words = netem_words,
	.cfg_size = sizeof(struct netem_cfg),
	.parse = netem_parse,
	.load = netem_load,
	.drop = netem_drop,
	.fill = netem_fill,
	.options = &netem_options,
	.show = netem_show,
	.xstats = netem_xstats,
	.advise = netem_advise,
	.per_frame = netem_per_frame,
	.lost = netem_lost,
	.rehearse = netem_rehearse,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the words of a netem become on the wire. */
#include <errno.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>

#include "kinds/kinds.h"
#include "kinds/netem.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

#define GIVEN(c, word) NETEM_GIVEN(c, word)

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

/*
 * Sent with any correlation, as tc does: an absent one is 0 then. tc forgets a
 * duplicate's when it is the only one; here it counts like the others.
 */
static void fill_correlations(struct nlb *nlb, const struct netem_cfg *c)
{
	struct tc_netem_corr corr = { c->delay_corr, c->loss_corr, c->duplicate_corr };

	if (c->delay_n > 2 || c->loss_n > 1 || c->duplicate_n > 1 || c->reorder_n > 1 ||
	    c->corrupt_n > 1)
		nlb_put(nlb, TCA_NETEM_CORR, &corr, sizeof(corr));
}

static void fill_loss_model(struct nlb *nlb, const struct netem_cfg *c)
{
	struct tc_netem_gimodel gi = {
		.p13 = c->p13.part, .p31 = c->p31, .p32 = c->p32, .p14 = c->p14, .p23 = c->p23,
	};
	/* tc's words have the loss in the bad state, the kernel what gets through */
	struct tc_netem_gemodel ge = {
		.p = c->ge_p.part, .r = c->ge_r, .h = UINT32_MAX - c->ge_1h, .k1 = c->ge_1k,
	};
	size_t nest;

	if (!c->state_n && !c->ge_n)
		return;
	nest = nlb_nest(nlb, TCA_NETEM_LOSS | NLA_F_NESTED);
	if (c->state_n)
		nlb_put(nlb, NETEM_LOSS_GI, &gi, sizeof(gi));
	else
		nlb_put(nlb, NETEM_LOSS_GE, &ge, sizeof(ge));
	nlb_nest_end(nlb, nest);
}

static void fill_rate(struct nlb *nlb, const struct netem_cfg *c)
{
	uint64_t bytes = c->rate_bps / 8;
	struct tc_netem_rate rate = {
		.rate = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes,
		.packet_overhead = c->packet_overhead,
		.cell_size = c->cell_size,
		.cell_overhead = c->cell_overhead,
	};

	if (!GIVEN(c, NETEM_RATE))
		return;
	if (bytes > UINT32_MAX)
		nlb_put_u64(nlb, TCA_NETEM_RATE64, bytes);
	nlb_put(nlb, TCA_NETEM_RATE, &rate, sizeof(rate));
}

static void fill_slot(struct nlb *nlb, const struct netem_cfg *c)
{
	struct tc_netem_slot slot = {
		.min_delay = c->slot_min_ns,
		.max_delay = c->slot_max_ns,
		.max_packets = (int32_t)c->slot_packets,
		.max_bytes = (int32_t)c->slot_bytes,
		.dist_delay = c->slot_delay_ns,
		.dist_jitter = c->slot_jitter_ns,
	};

	if (GIVEN(c, NETEM_SLOT))
		nlb_put(nlb, TCA_NETEM_SLOT, &slot, sizeof(slot));
}

/* A table that was asked for and not loaded is an error, never a message without it. */
static void fill_table(struct nlb *nlb, bool wanted, uint16_t type, const struct dist *dist)
{
	if (!wanted)
		return;
	if (!dist->n && !nlb->err)
		nlb->err = -ENODATA;
	nlb_put(nlb, type, dist->value, dist->n * sizeof(*dist->value));
}

/* Only what was asked for: what is absent is kept by a change, as with tc. */
static void fill_optional(struct nlb *nlb, const struct netem_cfg *c)
{
	struct tc_netem_reorder reorder = { c->reorder, c->reorder_corr };
	struct tc_netem_corrupt corrupt = { c->corrupt, c->corrupt_corr };

	fill_correlations(nlb, c);
	if (GIVEN(c, NETEM_REORDER))
		nlb_put(nlb, TCA_NETEM_REORDER, &reorder, sizeof(reorder));
	if (GIVEN(c, NETEM_ECN))
		nlb_put_u32(nlb, TCA_NETEM_ECN, 1);
	if (GIVEN(c, NETEM_CORRUPT))
		nlb_put(nlb, TCA_NETEM_CORRUPT, &corrupt, sizeof(corrupt));
	fill_slot(nlb, c);
	fill_loss_model(nlb, c);
	fill_rate(nlb, c);
	if (GIVEN(c, NETEM_SEED))
		nlb_put_u64(nlb, NETEM_PRNG_SEED, c->seed);
	fill_table(nlb, GIVEN(c, NETEM_DIST), TCA_NETEM_DELAY_DIST, &c->dist);
	fill_table(nlb, GIVEN(c, NETEM_SLOT_DIST), TCA_NETEM_SLOT_DIST, &c->slot_dist);
}

void netem_fill(struct nlb *nlb, const void *cfg)
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

static const struct attr_desc loss_attrs[] = {
	ATTR(NETEM_LOSS_GI, "p13=share p31=share p32=share p14=share p23=share"),
	ATTR(NETEM_LOSS_GE, "p=share r=share h=share k1=share"),
	ATTR_END
};

static const struct attr_desc netem_attrs[] = {
	ATTR(TCA_NETEM_CORR, "delay=share loss=share duplicate=share"),
	ATTR(TCA_NETEM_DELAY_DIST, "s16*"),
	ATTR(TCA_NETEM_REORDER, "probability=share correlation=share"),
	ATTR(TCA_NETEM_CORRUPT, "probability=share correlation=share"),
	ATTR_NEST(TCA_NETEM_LOSS, loss_attrs),
	ATTR(TCA_NETEM_RATE, "rate=Bps32 packet_overhead=s32 cell_size=u32 cell_overhead=s32"),
	ATTR(TCA_NETEM_ECN, "u32"),
	ATTR(TCA_NETEM_RATE64, "Bps64"),
	ATTR(TCA_NETEM_PAD, "hex"),
	ATTR(TCA_NETEM_LATENCY64, "ns64"),
	ATTR(TCA_NETEM_JITTER64, "ns64"),
	ATTR(TCA_NETEM_SLOT, "min_delay=ns64 max_delay=ns64 max_packets=s32 max_bytes=s32 dist_delay=ns64 dist_jitter=ns64"),
	ATTR(TCA_NETEM_SLOT_DIST, "s16*"),
	{ .type = NETEM_PRNG_SEED, .name = "TCA_NETEM_PRNG_SEED", .value = "u64" },
	ATTR_END
};

const struct attr_desc netem_options = {
	.value = "latency=ticks limit=u32 loss=share gap=u32 duplicate=share jitter=ticks +",
	.sub = netem_attrs,
};

/* Of what is not sent, a change keeps all but the fixed part, the 64-bit times and the loss model. */
bool netem_rehearse(struct nlb *nlb, const void *cfg, struct nlattr *old)
{
	static const uint16_t again[] = {
		TCA_NETEM_LATENCY64, TCA_NETEM_JITTER64, TCA_NETEM_REORDER, TCA_NETEM_LOSS,
	};
	const struct netem_cfg *c = cfg;
	struct tc_netem_qopt opt;
	struct netem_opts o;
	size_t nest;

	if (!c->duplicate || !old)
		return c->duplicate;
	if (!netem_opts_read(old, &o) || o.opt->duplicate)
		return false;
	opt = *o.opt;
	opt.duplicate = c->duplicate;
	nest = nlb_nest(nlb, TCA_OPTIONS);
	nlb_raw(nlb, &opt, sizeof(opt));
	for (size_t i = 0; i < sizeof(again) / sizeof(again[0]); i++)
		if (o.tb[again[i]])
			nlb_put(nlb, again[i], nla_data(o.tb[again[i]]),
				(size_t)nla_len(o.tb[again[i]]));
	nlb_nest_end(nlb, nest);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cake and cake_mq: a shaper with fair queueing; cake_mq is one for each transmit queue, with the
 * same words. Shown in cake-show.c, counters in cake-stats.c.
 */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <string.h>

#include "kinds/cake.h"
#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

/* tc-cake(8), "Manual Overhead Specification" */
#define OVERHEAD_MIN (-64)
#define OVERHEAD_MAX 256
#define MPU_MAX 256

enum {
	CAKE_RATE, CAKE_AUTORATE, CAKE_RTT, CAKE_DIFFSERV, CAKE_WASH, CAKE_GSO, CAKE_FLOW, CAKE_NAT,
	CAKE_ATM, CAKE_FRAMING, CAKE_VIA, CAKE_VLAN, CAKE_OVERHEAD, CAKE_MPU, CAKE_INGRESS,
	CAKE_ACK, CAKE_MEMORY, CAKE_FWMARK,
};

#define F(name) offsetof(struct cake_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

/* @overhead, @mpu and @atm are made by words in their order, as tc has it. */
struct cake_cfg {
	uint32_t given;
	uint64_t rate_bps;
	uint32_t unlimited;
	uint32_t rtt_us, target_us;
	uint32_t diffserv, flow, ack;
	uint32_t wash, gso, nat, ingress;
	uint32_t memory;		/* bytes */
	uint32_t fwmark;
	int32_t overhead;		/* bytes per packet */
	uint32_t mpu;			/* bytes, the least that a packet counts */
	uint32_t atm;
	bool set_overhead, set_mpu, set_atm, raw;
};

/**
 * struct framing - what a link puts around a packet, tc-cake(8)
 * @word: its name
 * @overhead: bytes added to those so far
 * @mpu: 0: as it was
 * @atm: CAKE_ATM_*, -1: as it was
 */
struct framing {
	const char *word;
	int overhead;
	int mpu;
	int atm;
};

static const struct framing framings[] = {
	{ "ipoa-vcmux", 8, 0, CAKE_ATM_ATM },
	{ "ipoa-llcsnap", 16, 0, CAKE_ATM_ATM },
	{ "bridged-vcmux", 24, 0, CAKE_ATM_ATM },
	{ "bridged-llcsnap", 32, 0, CAKE_ATM_ATM },
	{ "pppoa-vcmux", 10, 0, CAKE_ATM_ATM },
	{ "pppoa-llc", 14, 0, CAKE_ATM_ATM },
	{ "pppoe-vcmux", 32, 0, CAKE_ATM_ATM },
	{ "pppoe-llcsnap", 40, 0, CAKE_ATM_ATM },
	{ "pppoe-ptm", 30, 0, CAKE_ATM_PTM },
	{ "bridged-ptm", 22, 0, CAKE_ATM_PTM },
	{ "ethernet", 38, 84, -1 },
	{ "ether-vlan", 4, 0, -1 },
	{ "docsis", 18, 64, CAKE_ATM_NONE },
};

static int framing_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			void *cfg)
{
	struct cake_cfg *c = cfg;
	const struct framing *f = framings;

	while (strcmp(f->word, kw->word))
		f++;
	c->overhead += f->overhead;
	c->set_overhead = true;
	if (f->mpu) {
		c->mpu = (uint32_t)f->mpu;
		c->set_mpu = true;
	}
	if (f->atm >= 0) {
		c->atm = (uint32_t)f->atm;
		c->set_atm = true;
	}
	return i + 1;
}

static int atm_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct cake_cfg *c = cfg;

	c->atm = (uint32_t)kw->max;
	c->set_atm = true;
	return i + 1;
}

/* raw: packets count as the kernel has them; conservative: a whole cell is added. */
static int whole_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct cake_cfg *c = cfg;

	c->raw = !strcmp(kw->word, "raw");
	c->overhead = c->raw ? 0 : 48;
	c->atm = c->raw ? CAKE_ATM_NONE : CAKE_ATM_ATM;
	c->set_overhead = true;
	c->set_atm = true;
	return i + 1;
}

static int overhead_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			 void *cfg)
{
	struct cake_cfg *c = cfg;
	int64_t v;

	if (i + 1 >= n)
		return diag_usage(d, i, "\"%s\" needs a value", words[i]);
	if (i64_parse(d, words, i + 1, OVERHEAD_MIN, OVERHEAD_MAX, &v))
		return diag_context(d, 0, "%s", kw->word);
	c->overhead = (int32_t)v;
	c->set_overhead = true;
	return i + 2;
}

static int mpu_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct cake_cfg *c = cfg;
	uint64_t v;

	if (i + 1 >= n)
		return diag_usage(d, i, "\"%s\" needs a value", words[i]);
	if (u64_parse(d, words, i + 1, 0, MPU_MAX, &v))
		return diag_context(d, 0, "%s", kw->word);
	c->mpu = (uint32_t)v;
	c->set_mpu = true;
	return i + 2;
}

/* Round trips by name: the time in us, and what a queue may delay */
static int preset_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
		       void *cfg)
{
	struct cake_cfg *c = cfg;

	c->rtt_us = (uint32_t)kw->max;
	c->target_us = (uint32_t)kw->min;
	return i + 1;
}

#define PRESET(_word, _target, _rtt) \
	{ (_word), CAKE_RTT, .min = (_target), .max = (_rtt), .take = preset_take }
#define FRAMING(_word) { (_word), CAKE_FRAMING, .take = framing_take }
#define ATM(_word, _value) { (_word), CAKE_ATM, .max = (_value), .take = atm_take }

static const struct keyword cake_words[] = {
	{ "bandwidth", CAKE_RATE, 1, { { KW_RATE, F(rate_bps) } } },
	KW_CHOICE("unlimited", CAKE_RATE, F(unlimited), 1),
	{ "autorate-ingress", CAKE_AUTORATE },
	{ "rtt", CAKE_RTT, 1, { { KW_TIME_US, F(rtt_us) } }, .min = 1 },
	PRESET("datacentre", 5, 100),
	PRESET("lan", 50, 1000),
	PRESET("metro", 500, 10000),
	PRESET("regional", 1500, 30000),
	PRESET("internet", 5000, 100000),
	PRESET("oceanic", 15000, 300000),
	PRESET("satellite", 50000, 1000000),
	PRESET("interplanetary", 50000000, 1000000000),
	KW_CHOICE("besteffort", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_BESTEFFORT),
	KW_CHOICE("precedence", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_PRECEDENCE),
	KW_CHOICE("diffserv3", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_DIFFSERV3),
	KW_CHOICE("diffserv4", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_DIFFSERV4),
	KW_CHOICE("diffserv", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_DIFFSERV4),
	KW_CHOICE("diffserv8", CAKE_DIFFSERV, F(diffserv), CAKE_DIFFSERV_DIFFSERV8),
	KW_CHOICE("wash", CAKE_WASH, F(wash), 1),
	KW_CHOICE("nowash", CAKE_WASH, F(wash), 0),
	KW_CHOICE("split-gso", CAKE_GSO, F(gso), 1),
	KW_CHOICE("no-split-gso", CAKE_GSO, F(gso), 0),
	KW_CHOICE("flowblind", CAKE_FLOW, F(flow), CAKE_FLOW_NONE),
	KW_CHOICE("srchost", CAKE_FLOW, F(flow), CAKE_FLOW_SRC_IP),
	KW_CHOICE("dsthost", CAKE_FLOW, F(flow), CAKE_FLOW_DST_IP),
	KW_CHOICE("hosts", CAKE_FLOW, F(flow), CAKE_FLOW_HOSTS),
	KW_CHOICE("flows", CAKE_FLOW, F(flow), CAKE_FLOW_FLOWS),
	KW_CHOICE("dual-srchost", CAKE_FLOW, F(flow), CAKE_FLOW_DUAL_SRC),
	KW_CHOICE("dual-dsthost", CAKE_FLOW, F(flow), CAKE_FLOW_DUAL_DST),
	KW_CHOICE("triple-isolate", CAKE_FLOW, F(flow), CAKE_FLOW_TRIPLE),
	KW_CHOICE("nat", CAKE_NAT, F(nat), 1),
	KW_CHOICE("nonat", CAKE_NAT, F(nat), 0),
	ATM("ptm", CAKE_ATM_PTM),
	ATM("atm", CAKE_ATM_ATM),
	ATM("noatm", CAKE_ATM_NONE),
	{ "raw", CAKE_FRAMING, .take = whole_take },
	{ "conservative", CAKE_FRAMING, .take = whole_take },
	FRAMING("ipoa-vcmux"), FRAMING("ipoa-llcsnap"), FRAMING("bridged-vcmux"),
	FRAMING("bridged-llcsnap"), FRAMING("pppoa-vcmux"), FRAMING("pppoa-llc"),
	FRAMING("pppoe-vcmux"), FRAMING("pppoe-llcsnap"), FRAMING("pppoe-ptm"),
	FRAMING("bridged-ptm"), FRAMING("ethernet"), FRAMING("docsis"),
	{ "via-ethernet", CAKE_VIA },	/* does nothing since cake finds that out by itself */
	{ "ether-vlan", CAKE_VLAN, .again = true, .take = framing_take },
	{ "overhead", CAKE_OVERHEAD, .take = overhead_take },
	{ "mpu", CAKE_MPU, .take = mpu_take },
	KW_CHOICE("ingress", CAKE_INGRESS, F(ingress), 1),
	KW_CHOICE("egress", CAKE_INGRESS, F(ingress), 0),
	KW_CHOICE("no-ack-filter", CAKE_ACK, F(ack), CAKE_ACK_NONE),
	KW_CHOICE("ack-filter", CAKE_ACK, F(ack), CAKE_ACK_FILTER),
	KW_CHOICE("ack-filter-aggressive", CAKE_ACK, F(ack), CAKE_ACK_AGGRESSIVE),
	{ "memlimit", CAKE_MEMORY, 1, { { KW_SIZE, F(memory) } } },
	{ "fwmark", CAKE_FWMARK, 1, { { KW_U32, F(fwmark) } } },
	{ NULL }
};

static int cake_check(struct diag *d, struct cake_cfg *c)
{
	if (GIVEN(c, CAKE_RATE) && !c->unlimited && c->rate_bps < 8)
		return diag_usage(d, -1, "bandwidth: at least 8 bit/s; without any it is \"unlimited\"");
	if (c->overhead < OVERHEAD_MIN || c->overhead > OVERHEAD_MAX)
		return diag_usage(d, -1, "overhead: the words are %d bytes together; %d to %d make sense",
				  c->overhead, OVERHEAD_MIN, OVERHEAD_MAX);
	if (c->rate_bps % 8)
		diag_warn(d, "cake: bandwidth is cut to %" PRIu64 " bit/s: the kernel counts bytes",
			  c->rate_bps - c->rate_bps % 8);
	if (GIVEN(c, CAKE_VIA))
		diag_warn(d, "cake: via-ethernet does nothing: cake finds that out by itself");
	return 0;
}

static int cake_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct cake_cfg *c = cfg;
	int err = keywords_parse(d, cake_words, words, n, c, &c->given);

	if (!err)
		err = cake_check(d, c);
	if (!c->target_us && c->rtt_us)
		c->target_us = c->rtt_us < 20 ? 1 : c->rtt_us / 20;
	return err;
}

static void put_u32(struct nlb *nlb, bool given, uint16_t type, uint32_t v)
{
	if (given)
		nlb_put_u32(nlb, type, v);
}

static void fill_framing(struct nlb *nlb, const struct cake_cfg *c)
{
	put_u32(nlb, c->set_overhead, TCA_CAKE_OVERHEAD, (uint32_t)c->overhead);
	put_u32(nlb, c->raw, TCA_CAKE_RAW, 0);
	put_u32(nlb, c->set_mpu, TCA_CAKE_MPU, c->mpu);
}

/* A shaper of a given rate is none that finds its rate, unless both were asked for. */
static void fill_rate(struct nlb *nlb, const struct cake_cfg *c)
{
	if (GIVEN(c, CAKE_AUTORATE) || GIVEN(c, CAKE_RATE))
		nlb_put_u32(nlb, TCA_CAKE_AUTORATE, !!GIVEN(c, CAKE_AUTORATE));
}

static void cake_fill(struct nlb *nlb, const void *cfg)
{
	const struct cake_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (GIVEN(c, CAKE_RATE))
		nlb_put_u64(nlb, TCA_CAKE_BASE_RATE64, c->rate_bps / 8);
	put_u32(nlb, GIVEN(c, CAKE_DIFFSERV), TCA_CAKE_DIFFSERV_MODE, c->diffserv);
	put_u32(nlb, c->set_atm, TCA_CAKE_ATM, c->atm);
	put_u32(nlb, GIVEN(c, CAKE_FLOW), TCA_CAKE_FLOW_MODE, c->flow);
	fill_framing(nlb, c);
	put_u32(nlb, c->rtt_us, TCA_CAKE_RTT, c->rtt_us);
	put_u32(nlb, c->rtt_us, TCA_CAKE_TARGET, c->target_us);
	fill_rate(nlb, c);
	put_u32(nlb, GIVEN(c, CAKE_MEMORY), TCA_CAKE_MEMORY, c->memory);
	put_u32(nlb, GIVEN(c, CAKE_FWMARK), TCA_CAKE_FWMARK, c->fwmark);
	put_u32(nlb, GIVEN(c, CAKE_NAT), TCA_CAKE_NAT, c->nat);
	put_u32(nlb, GIVEN(c, CAKE_WASH), TCA_CAKE_WASH, c->wash);
	put_u32(nlb, GIVEN(c, CAKE_GSO), TCA_CAKE_SPLIT_GSO, c->gso);
	put_u32(nlb, GIVEN(c, CAKE_INGRESS), TCA_CAKE_INGRESS, c->ingress);
	put_u32(nlb, GIVEN(c, CAKE_ACK), TCA_CAKE_ACK_FILTER, c->ack);
	nlb_nest_end(nlb, nest);
}

/* The kernel shows the flows that have packets as classes. */
static const struct kind_class cake_class = {
	.xstats = cake_xstats,
};

const struct kind kind_cake = {
	.name = "cake",
	.config = "CONFIG_NET_SCH_CAKE",
	.words = cake_words,
	.cfg_size = sizeof(struct cake_cfg),
	.parse = cake_parse,
	.fill = cake_fill,
	.options = &cake_options,
	.show = cake_show,
	.xstats = cake_xstats,
	.class = &cake_class,
};

const struct kind kind_cake_mq = {
	.name = "cake_mq",
	.config = "CONFIG_NET_SCH_CAKE (of a kernel from 7.0 on)",
	.words = cake_words,
	.multiqueue = true,
	.no_est = true,
	.cfg_size = sizeof(struct cake_cfg),
	.parse = cake_parse,
	.fill = cake_fill,
	.options = &cake_options,
	.show = cake_show,
	.xstats = cake_xstats,
};

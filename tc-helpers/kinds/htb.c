// SPDX-License-Identifier: GPL-2.0-or-later
/* htb: a hierarchy of token buckets. Each class has a rate of its own and may borrow up to its ceil. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/rate.h"
#include "kinds/show.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

#define HTB_VERSION 3		/* TC_HTB_PROTOVER; htb_init() refuses others */
#define HTB_R2Q_DEFAULT 10	/* tc-htb(8) */
#define HTB_MTU_DEFAULT 1600	/* tc-htb(8) */
#define HTB_QUANTUM_MIN 1000	/* htb_change_class() */
#define HTB_QUANTUM_MAX 200000
#define HTB_HZ 1000000000	/* of high resolution timers, fourth word of /proc/net/psched */

#define GIVEN(c, word) ((c)->given & 1u << (word))

enum { HTB_DEFAULT, HTB_R2Q, HTB_DIRECT_QLEN, HTB_OFFLOAD };

struct htb_cfg {
	uint32_t given;
	uint32_t defcls;	/* minor number of a class */
	uint32_t r2q;
	uint32_t direct_qlen;	/* packets */
};

#define F(name) offsetof(struct htb_cfg, name)

static const struct keyword htb_words[] = {
	{ "default", HTB_DEFAULT, 1, { { KW_OTHER, F(defcls) } }, .parse = minor_parse },
	{ "r2q", HTB_R2Q, 1, { { KW_U32, F(r2q) } }, .min = 1 },
	{ "direct_qlen", HTB_DIRECT_QLEN, 1, { { KW_U32, F(direct_qlen) } }, .max = UINT32_MAX - 1 },
	{ "offload", HTB_OFFLOAD },
	{ NULL }
};

static int htb_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct htb_cfg *c = cfg;

	c->r2q = HTB_R2Q_DEFAULT;
	return keywords_parse(d, htb_words, words, n, c, &c->given);
}

static void htb_fill(struct nlb *nlb, const void *cfg)
{
	const struct htb_cfg *c = cfg;
	struct tc_htb_glob glob = {
		.version = HTB_VERSION,
		.rate2quantum = c->r2q,
		.defcls = c->defcls,
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	nlb_put(nlb, TCA_HTB_INIT, &glob, sizeof(glob));
	if (GIVEN(c, HTB_DIRECT_QLEN))
		nlb_put_u32(nlb, TCA_HTB_DIRECT_QLEN, c->direct_qlen);
	if (GIVEN(c, HTB_OFFLOAD))
		nlb_put(nlb, TCA_HTB_OFFLOAD, NULL, 0);
	nlb_nest_end(nlb, nest);
}

static uint32_t htb_default_class(const void *cfg)
{
	return ((const struct htb_cfg *)cfg)->defcls;
}

/* False without options, or when what is there is too short. */
static bool glob_get(struct nlattr *opts, struct nlattr **tb, struct tc_htb_glob *glob)
{
	return opts && nla_parse_nested(tb, TCA_HTB_MAX, opts, NULL) >= 0 &&
	       attr_read(tb, TCA_HTB_INIT, glob, sizeof(*glob));
}

static void htb_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_HTB_MAX + 1];
	struct tc_htb_glob glob;
	uint32_t qlen;
	char hex[16];

	if (!glob_get(opts, tb, &glob))
		return;
	snprintf(hex, sizeof(hex), "%#x", glob.defcls);
	show_count(doc, "r2q", glob.rate2quantum);
	doc_str(doc, "default", " default %s", hex);
	show_count(doc, "direct_packets_stat", glob.direct_pkts);
	if (attr_u32(tb, TCA_HTB_DIRECT_QLEN, &qlen))
		show_count(doc, "direct_qlen", qlen);
	if (tb[TCA_HTB_OFFLOAD]) {
		doc_null(doc, "offload");
		doc_text(doc, " offload");
	}
}

enum {
	CLASS_RATE, CLASS_CEIL, CLASS_BURST, CLASS_CBURST, CLASS_PRIO, CLASS_QUANTUM, CLASS_MTU,
	CLASS_MPU, CLASS_OVERHEAD, CLASS_LINKLAYER,
};

/* Rates are bit/s as read, bytes/s once htb_class_parse() is through. */
struct htb_class_cfg {
	uint32_t given;
	uint64_t rate, ceil;
	struct size_cell burst, cburst;
	uint32_t buffer, cbuffer;	/* ticks that they last */
	uint32_t prio;
	uint32_t quantum;		/* bytes; 0: the kernel takes rate / r2q */
	uint32_t mtu, mpu, overhead;	/* bytes */
	uint32_t linklayer;
};

#undef F
#define F(name) offsetof(struct htb_class_cfg, name)
#define BURST_VALUE { { KW_OTHER, F(burst) } }, .parse = size_cell_parse
#define CBURST_VALUE { { KW_OTHER, F(cburst) } }, .parse = size_cell_parse

static const struct keyword htb_class_words[] = {
	{ "rate", CLASS_RATE, 1, { { KW_RATE, F(rate) } } },
	{ "ceil", CLASS_CEIL, 1, { { KW_RATE, F(ceil) } } },
	{ "burst", CLASS_BURST, 1, BURST_VALUE },
	{ "buffer", CLASS_BURST, 1, BURST_VALUE },
	{ "maxburst", CLASS_BURST, 1, BURST_VALUE },
	{ "cburst", CLASS_CBURST, 1, CBURST_VALUE },
	{ "cbuffer", CLASS_CBURST, 1, CBURST_VALUE },
	{ "cmaxburst", CLASS_CBURST, 1, CBURST_VALUE },
	{ "prio", CLASS_PRIO, 1, { { KW_U32, F(prio) } } },
	{ "quantum", CLASS_QUANTUM, 1, { { KW_SIZE, F(quantum) } }, .min = 1 },
	{ "mtu", CLASS_MTU, 1, { { KW_SIZE, F(mtu) } }, .min = 1 },
	{ "mpu", CLASS_MPU, 1, { { KW_SIZE, F(mpu) } }, .max = UINT16_MAX },
	{ "overhead", CLASS_OVERHEAD, 1, { { KW_SIZE, F(overhead) } }, .max = UINT16_MAX },
	{ "linklayer", CLASS_LINKLAYER, 1, { { KW_OTHER, F(linklayer) } },
	  .parse = linklayer_parse },
	{ NULL }
};

/*
 * A bucket that is not given holds what comes in within a tick of the clock,
 * and a packet. Its depth is sent as the time that it lasts.
 */
static int bucket(struct diag *d, const char *word, const struct htb_class_cfg *c, uint64_t rate,
		  struct size_cell *burst, uint32_t *ticks)
{
	uint64_t size = burst->size ? burst->size : rate / HTB_HZ + c->mtu;

	if (!psched_ticks(rate, size, ticks))
		return diag_usage(d, -1, "%s of %" PRIu64 " bytes at %" PRIu64 " bit/s: the kernel holds at most %" PRIu64 " bytes at that rate (274 s)",
				  word, size, rate * 8, psched_bytes(rate, UINT32_MAX));
	burst->size = (uint32_t)size;
	return 0;
}

static int htb_class_parse(struct diag *d, char **words, int n, bool fresh, void *cfg)
{
	struct htb_class_cfg *c = cfg;
	int err;

	c->mtu = HTB_MTU_DEFAULT;
	c->linklayer = TC_LINKLAYER_ETHERNET;
	err = keywords_parse(d, htb_class_words, words, n, c, &c->given);
	if (err)
		return err;
	if (!GIVEN(c, CLASS_RATE))
		return diag_usage(d, -1, "\"rate\" is needed");
	err = rate_bytes(d, "htb", "rate", c->rate, UINT64_MAX / 8, &c->rate);
	if (!err && GIVEN(c, CLASS_CEIL))
		err = rate_bytes(d, "htb", "ceil", c->ceil, UINT64_MAX / 8, &c->ceil);
	else
		c->ceil = c->rate;
	if (!err && c->ceil < c->rate)
		diag_warn(d, "htb: ceil is below rate: the class never gets its rate");
	if (!err)
		err = bucket(d, "burst", c, c->rate, &c->burst, &c->buffer);
	if (!err)
		err = bucket(d, "cburst", c, c->ceil, &c->cburst, &c->cbuffer);
	if (!err && c->prio >= TC_HTB_NUMPRIO)
		diag_warn(d, "htb: prio %u counts as %u: the kernel has %u of them", c->prio,
			  TC_HTB_NUMPRIO - 1, TC_HTB_NUMPRIO);
	return err;
}

static struct tc_ratespec spec_of(const struct htb_class_cfg *c, uint64_t rate,
				  const struct size_cell *burst)
{
	return (struct tc_ratespec) {
		.cell_log = (uint8_t)(burst->cell ? cell_log(burst->cell) : rtab_cell_log(c->mtu)),
		.linklayer = (uint8_t)c->linklayer,
		.overhead = (uint16_t)c->overhead,
		.cell_align = -1,
		.mpu = (uint16_t)c->mpu,
		.rate = rate_narrow(rate),
	};
}

/*
 * The link layer is named, so the kernel has no use for rate tables
 * (htb_change_class(), TC_LINKLAYER_UNAWARE) and none are sent.
 */
static void htb_class_fill(struct nlb *nlb, const void *cfg)
{
	const struct htb_class_cfg *c = cfg;
	struct tc_htb_opt opt = {
		.rate = spec_of(c, c->rate, &c->burst),
		.ceil = spec_of(c, c->ceil, &c->cburst),
		.buffer = c->buffer,
		.cbuffer = c->cbuffer,
		.quantum = c->quantum,
		.prio = c->prio,
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (c->rate > UINT32_MAX)
		nlb_put_u64(nlb, TCA_HTB_RATE64, c->rate);
	if (c->ceil > UINT32_MAX)
		nlb_put_u64(nlb, TCA_HTB_CEIL64, c->ceil);
	nlb_put(nlb, TCA_HTB_PARMS, &opt, sizeof(opt));
	nlb_nest_end(nlb, nest);
}

static void show_burst(struct doc *doc, const char *word, const char *cell, const char *mpu,
		       uint64_t rate, uint32_t ticks, const struct tc_ratespec *spec, bool details)
{
	char text[32];

	show_size(doc, word, psched_bytes(rate, ticks));
	if (!details)
		return;
	doc_u64(doc, cell, "/%" PRIu64, 1u << (spec->cell_log & 31));
	doc_u64(doc, mpu, NULL, spec->mpu);
	doc_text(doc, " mpu %s", size_format(text, sizeof(text), spec->mpu));
}

static void htb_class_show(struct doc *doc, struct nlattr *opts, bool details)
{
	struct nlattr *tb[TCA_HTB_MAX + 1];
	struct tc_htb_opt opt;
	unsigned int layer;
	uint64_t rate, ceil;

	if (!opts || nla_parse_nested(tb, TCA_HTB_MAX, opts, NULL) < 0 ||
	    !attr_read(tb, TCA_HTB_PARMS, &opt, sizeof(opt)))
		return;
	rate = rate_wide(tb[TCA_HTB_RATE64], opt.rate.rate);
	ceil = rate_wide(tb[TCA_HTB_CEIL64], opt.ceil.rate);
	layer = opt.rate.linklayer & TC_LINKLAYER_MASK;
	if (!opt.level) {	/* inner classes have no turn of their own */
		show_count(doc, "prio", opt.prio);
		if (details)
			show_count(doc, "quantum", opt.quantum);
	}
	show_rate(doc, "rate", rate);
	show_count_if(doc, "overhead", opt.rate.overhead);
	show_rate(doc, "ceil", ceil);
	if (details || layer > TC_LINKLAYER_ETHERNET)
		doc_str(doc, "linklayer", " linklayer %s", linklayer_name(layer));
	show_burst(doc, "burst", "burst_cell", "mpu_rate", rate, opt.buffer, &opt.rate, details);
	show_burst(doc, "cburst", "cburst_cell", "mpu_ceil", ceil, opt.cbuffer, &opt.ceil, details);
	if (details)
		show_count(doc, "level", opt.level);
}

static void htb_class_xstats(struct doc *doc, struct nlattr *app)
{
	struct tc_htb_xstats st;

	if (nla_len(app) < (int)sizeof(st))
		return;
	memcpy(&st, nla_data(app), sizeof(st));
	doc_u64(doc, "lended", "\n lended: %" PRIu64, st.lends);
	doc_u64(doc, "borrowed", " borrowed: %" PRIu64, st.borrows);
	doc_u64(doc, "giants", " giants: %" PRIu64, st.giants);
	doc_i64(doc, "tokens", "\n tokens: %" PRId64, st.tokens);
	doc_i64(doc, "ctokens", " ctokens: %" PRId64 "\n", st.ctokens);
}

/* A class sends once its bucket is not in debt, so a frame that is larger passes, late. */
static void advise_burst(struct diag *d, const char *name, const char *word, uint32_t bytes,
			 unsigned int frame)
{
	if (bytes < frame)
		diag_warn(d, "htb: class %s: %s %u is below the device's largest frame, %u bytes (MTU + 14): the class falls behind its rate",
			  name, word, bytes, frame);
}

/* What htb_change_class() writes to the kernel's log. */
static void advise_quantum(struct diag *d, const char *name, uint64_t rate, struct nlattr *qdisc)
{
	struct nlattr *tb[TCA_HTB_MAX + 1];
	struct tc_htb_glob glob;
	uint64_t quantum;

	if (!glob_get(qdisc, tb, &glob) || !glob.rate2quantum)
		return;
	quantum = rate / glob.rate2quantum;
	if (quantum < HTB_QUANTUM_MIN)
		diag_warn(d, "htb: the quantum of class %s is small: rate / r2q %u is %" PRIu64 " bytes and the kernel takes %u: give \"quantum\", or the qdisc a smaller r2q",
			  name, glob.rate2quantum, quantum, HTB_QUANTUM_MIN);
	else if (quantum > HTB_QUANTUM_MAX)
		diag_warn(d, "htb: the quantum of class %s is big: rate / r2q %u is %" PRIu64 " bytes and the kernel takes %u: give \"quantum\", or the qdisc a larger r2q",
			  name, glob.rate2quantum, quantum, HTB_QUANTUM_MAX);
}

static void htb_class_advise(struct diag *d, const void *cfg, const struct class_place *at)
{
	const struct htb_class_cfg *c = cfg;
	char name[12];

	handle_format(name, at->classid);
	advise_burst(d, name, "burst", c->burst.size, at->frame);
	advise_burst(d, name, "cburst", c->cburst.size, at->frame);
	if (!c->quantum && !at->inner && !strstr(at->told, "quantum of class"))
		advise_quantum(d, name, c->rate, at->qdisc);
}

static const struct attr_desc htb_attrs[] = {
	ATTR(TCA_HTB_PARMS, ATTR_RATESPEC("rate") " " ATTR_RATESPEC("ceil")
	     " buffer=ticks cbuffer=ticks quantum=u32 level=u32 prio=u32"),
	ATTR(TCA_HTB_INIT, "version=u32 rate2quantum=u32 defcls=x32 debug=u32 direct_pkts=u32"),
	ATTR(TCA_HTB_CTAB, "ticks*"),
	ATTR(TCA_HTB_RTAB, "ticks*"),
	ATTR(TCA_HTB_DIRECT_QLEN, "u32"),
	ATTR(TCA_HTB_RATE64, "Bps64"),
	ATTR(TCA_HTB_CEIL64, "Bps64"),
	ATTR(TCA_HTB_PAD, "hex"),
	ATTR(TCA_HTB_OFFLOAD, "flag"),
	ATTR_END
};

static const struct kind_class htb_class = {
	.words = htb_class_words,
	.cfg_size = sizeof(struct htb_class_cfg),
	.parse = htb_class_parse,
	.fill = htb_class_fill,
	.options = ATTR_OPTIONS("+", htb_attrs),
	.show = htb_class_show,
	.xstats = htb_class_xstats,
	.advise = htb_class_advise,
	.hint = "classes can be 8 levels deep",	/* TC_HTB_MAXDEPTH */
};

const struct kind kind_htb = {
	.name = "htb",
	.config = "CONFIG_NET_SCH_HTB",
	.words = htb_words,
	.cfg_size = sizeof(struct htb_cfg),
	.parse = htb_parse,
	.fill = htb_fill,
	.options = ATTR_OPTIONS("+", htb_attrs),
	.show = htb_show,
	.default_class = htb_default_class,
	.unclaimed = "goes out at once, past all classes",
	.class = &htb_class,
};

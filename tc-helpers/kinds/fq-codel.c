// SPDX-License-Identifier: GPL-2.0-or-later
/* fq_codel: a codel for each flow, and turns among them. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <string.h>

#include "kinds/codel.h"
#include "kinds/kinds.h"
#include "kinds/show.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

/* fq_codel_change() */
#define FLOWS_MAX 65536
#define QUANTUM_MIN 256
#define QUANTUM_MAX (1 << 20)
#define MEMORY_MAX (1u << 31)

enum {
	FQC_LIMIT, FQC_FLOWS, FQC_QUANTUM, FQC_DROP_BATCH, FQC_TARGET, FQC_CE, FQC_SELECTOR,
	FQC_MEMORY, FQC_INTERVAL, FQC_ECN,
};

#define F(name) offsetof(struct fq_codel_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

struct fq_codel_cfg {
	uint32_t given;
	uint32_t limit;		/* packets */
	uint32_t flows;
	uint32_t quantum;	/* bytes */
	uint32_t drop_batch;	/* packets */
	uint32_t memory;	/* bytes */
	uint32_t ecn;
	uint8_t selector, mask;	/* of the DS field of packets that are marked */
	struct codel_times t;
};

/* VALUE/MASK, a byte each */
static int selector_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			 void *cfg)
{
	struct fq_codel_cfg *c = cfg;
	char text[16], *half[2] = { text, NULL };
	uint64_t v[2];
	int err = 0;

	if (i + 1 >= n)
		return diag_usage(d, i, "\"%s\" needs a value", words[i]);
	snprintf(text, sizeof(text), "%s", words[i + 1]);
	half[1] = strchr(text, '/');
	if (strlen(words[i + 1]) >= sizeof(text) || !half[1])
		return diag_usage(d, i + 1, "%s: \"%s\": not VALUE/MASK", kw->word, words[i + 1]);
	*half[1]++ = '\0';
	for (int k = 0; k < 2 && !err; k++)
		err = u64_parse(d, half, k, 0, UINT8_MAX, &v[k]);
	if (err) {
		d->word = i + 1;
		return diag_context(d, 0, "%s", kw->word);
	}
	c->selector = (uint8_t)v[0];
	c->mask = (uint8_t)v[1];
	return i + 2;
}

static const struct keyword fq_codel_words[] = {
	{ "limit", FQC_LIMIT, 1, { { KW_U32, F(limit) } }, .min = 1 },
	{ "flows", FQC_FLOWS, 1, { { KW_U32, F(flows) } }, .min = 1, .max = FLOWS_MAX },
	{ "quantum", FQC_QUANTUM, 1, { { KW_SIZE, F(quantum) } }, .min = 1, .max = QUANTUM_MAX },
	{ "drop_batch", FQC_DROP_BATCH, 1, { { KW_U32, F(drop_batch) } }, .min = 1 },
	{ "target", FQC_TARGET, 1, { { KW_TIME_US, F(t.target_us) } }, .min = 1 },
	{ "ce_threshold", FQC_CE, 1, { { KW_TIME_US, F(t.ce_threshold_us) } },
	  .max = UINT32_MAX - 1 },
	{ "ce_threshold_selector", FQC_SELECTOR, .take = selector_take },
	{ "memory_limit", FQC_MEMORY, 1, { { KW_SIZE, F(memory) } }, .max = MEMORY_MAX },
	{ "interval", FQC_INTERVAL, 1, { { KW_TIME_US, F(t.interval_us) } }, .min = 1 },
	KW_CHOICE("ecn", FQC_ECN, F(ecn), 1),
	KW_CHOICE("noecn", FQC_ECN, F(ecn), 0),
	{ NULL }
};

static int fq_codel_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct fq_codel_cfg *c = cfg;
	int err = keywords_parse(d, fq_codel_words, words, n, c, &c->given);

	if (err)
		return err;
	codel_advise(d, "fq_codel", &c->t, GIVEN(c, FQC_CE));
	if (GIVEN(c, FQC_QUANTUM) && c->quantum < QUANTUM_MIN)
		diag_warn(d, "fq_codel: quantum %u becomes %u, the least that the kernel takes",
			  c->quantum, QUANTUM_MIN);
	if (GIVEN(c, FQC_SELECTOR) && !GIVEN(c, FQC_CE))
		diag_warn(d, "fq_codel: ce_threshold_selector chooses among packets above ce_threshold, which is not there");
	return 0;
}

static void put_u32(struct nlb *nlb, const struct fq_codel_cfg *c, int word, uint16_t type,
		    uint32_t v)
{
	if (GIVEN(c, word))
		nlb_put_u32(nlb, type, v);
}

static void fq_codel_fill(struct nlb *nlb, const void *cfg)
{
	const struct fq_codel_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	put_u32(nlb, c, FQC_LIMIT, TCA_FQ_CODEL_LIMIT, c->limit);
	put_u32(nlb, c, FQC_FLOWS, TCA_FQ_CODEL_FLOWS, c->flows);
	put_u32(nlb, c, FQC_QUANTUM, TCA_FQ_CODEL_QUANTUM, c->quantum);
	put_u32(nlb, c, FQC_INTERVAL, TCA_FQ_CODEL_INTERVAL, c->t.interval_us);
	put_u32(nlb, c, FQC_TARGET, TCA_FQ_CODEL_TARGET, c->t.target_us);
	put_u32(nlb, c, FQC_ECN, TCA_FQ_CODEL_ECN, c->ecn);
	put_u32(nlb, c, FQC_CE, TCA_FQ_CODEL_CE_THRESHOLD, c->t.ce_threshold_us);
	if (GIVEN(c, FQC_SELECTOR)) {
		nlb_put(nlb, TCA_FQ_CODEL_CE_THRESHOLD_MASK, &c->mask, sizeof(c->mask));
		nlb_put(nlb, TCA_FQ_CODEL_CE_THRESHOLD_SELECTOR, &c->selector, sizeof(c->selector));
	}
	put_u32(nlb, c, FQC_MEMORY, TCA_FQ_CODEL_MEMORY_LIMIT, c->memory);
	put_u32(nlb, c, FQC_DROP_BATCH, TCA_FQ_CODEL_DROP_BATCH_SIZE, c->drop_batch);
	nlb_nest_end(nlb, nest);
}

static void show_ce(struct doc *doc, struct nlattr **tb)
{
	uint8_t selector = 0, mask = 0;
	uint32_t v;

	if (attr_u32(tb, TCA_FQ_CODEL_CE_THRESHOLD, &v))
		show_us(doc, "ce_threshold", v);
	attr_read(tb, TCA_FQ_CODEL_CE_THRESHOLD_SELECTOR, &selector, sizeof(selector));
	attr_read(tb, TCA_FQ_CODEL_CE_THRESHOLD_MASK, &mask, sizeof(mask));
	if (!selector && !mask)
		return;
	doc_u64(doc, "ce_threshold_selector", NULL, selector);
	doc_u64(doc, "ce_threshold_mask", NULL, mask);
	doc_text(doc, " ce_threshold_selector %#x/%#x", selector, mask);
}

static void fq_codel_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_FQ_CODEL_MAX + 1];
	uint32_t v;

	if (!opts || nla_parse_nested(tb, TCA_FQ_CODEL_MAX, opts, NULL) < 0)
		return;
	if (attr_u32(tb, TCA_FQ_CODEL_LIMIT, &v))
		doc_u64(doc, "limit", " limit %" PRIu64 "p", v);
	if (attr_u32(tb, TCA_FQ_CODEL_FLOWS, &v))
		show_count(doc, "flows", v);
	if (attr_u32(tb, TCA_FQ_CODEL_QUANTUM, &v))
		show_count(doc, "quantum", v);
	if (attr_u32(tb, TCA_FQ_CODEL_TARGET, &v))
		show_us(doc, "target", v);
	show_ce(doc, tb);
	if (attr_u32(tb, TCA_FQ_CODEL_INTERVAL, &v))
		show_us(doc, "interval", v);
	if (attr_u32(tb, TCA_FQ_CODEL_MEMORY_LIMIT, &v))
		show_size(doc, "memory_limit", v);
	if (attr_u32(tb, TCA_FQ_CODEL_ECN, &v) && v)
		doc_bool(doc, "ecn", " ecn", true);
	if (attr_u32(tb, TCA_FQ_CODEL_DROP_BATCH_SIZE, &v))
		show_count_if(doc, "drop_batch", v);
}

static void xstats_qdisc(struct doc *doc, const struct tc_fq_codel_qd_stats *st)
{
	doc_u64(doc, "maxpacket", "\n  maxpacket %" PRIu64, st->maxpacket);
	show_count(doc, "drop_overlimit", st->drop_overlimit);
	show_count(doc, "new_flow_count", st->new_flow_count);
	show_count(doc, "ecn_mark", st->ecn_mark);
	show_count_if(doc, "ce_mark", st->ce_mark);
	show_count_if(doc, "memory_used", st->memory_usage);
	show_count_if(doc, "drop_overmemory", st->drop_overmemory);
	doc_u64(doc, "new_flows_len", "\n  new_flows_len %" PRIu64, st->new_flows_len);
	show_count(doc, "old_flows_len", st->old_flows_len);
}

static void xstats_class(struct doc *doc, const struct tc_fq_codel_cl_stats *st)
{
	doc_i64(doc, "deficit", "\n  deficit %" PRId64, st->deficit);
	show_count(doc, "count", st->count);
	show_count(doc, "lastcount", st->lastcount);
	show_us(doc, "ldelay", st->ldelay);
	if (!st->dropping)
		return;
	doc_bool(doc, "dropping", " dropping", true);
	show_us(doc, "drop_next", st->drop_next);
}

static void fq_codel_xstats(struct doc *doc, struct nlattr *app)
{
	struct tc_fq_codel_xstats st;
	size_t len = (size_t)nla_len(app);

	memset(&st, 0, sizeof(st));
	memcpy(&st, nla_data(app), len < sizeof(st) ? len : sizeof(st));
	if (len < sizeof(st.type))
		return;
	if (st.type == TCA_FQ_CODEL_XSTATS_QDISC)
		xstats_qdisc(doc, &st.qdisc_stats);
	if (st.type == TCA_FQ_CODEL_XSTATS_CLASS)
		xstats_class(doc, &st.class_stats);
}

/* The kernel shows the flows that have packets as classes. */
static const struct attr_desc fq_codel_attrs[] = {
	ATTR(TCA_FQ_CODEL_TARGET, "us32"),
	ATTR(TCA_FQ_CODEL_LIMIT, "u32"),
	ATTR(TCA_FQ_CODEL_INTERVAL, "us32"),
	ATTR(TCA_FQ_CODEL_ECN, "u32"),
	ATTR(TCA_FQ_CODEL_FLOWS, "u32"),
	ATTR(TCA_FQ_CODEL_QUANTUM, "bytes32"),
	ATTR(TCA_FQ_CODEL_CE_THRESHOLD, "us32"),
	ATTR(TCA_FQ_CODEL_DROP_BATCH_SIZE, "u32"),
	ATTR(TCA_FQ_CODEL_MEMORY_LIMIT, "bytes32"),
	ATTR(TCA_FQ_CODEL_CE_THRESHOLD_SELECTOR, "x8"),
	ATTR(TCA_FQ_CODEL_CE_THRESHOLD_MASK, "x8"),
	ATTR_END
};

static const struct kind_class fq_codel_class = {
	.xstats = fq_codel_xstats,
};

const struct kind kind_fq_codel = {
	.name = "fq_codel",
	.config = "CONFIG_NET_SCH_FQ_CODEL",
	.words = fq_codel_words,
	.cfg_size = sizeof(struct fq_codel_cfg),
	.parse = fq_codel_parse,
	.fill = fq_codel_fill,
	.options = ATTR_OPTIONS("+", fq_codel_attrs),
	.show = fq_codel_show,
	.xstats = fq_codel_xstats,
	.hint = "flows is chosen when it is made and cannot be changed",
	.class = &fq_codel_class,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* codel: one queue with controlled delay. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>

#include "kinds/codel.h"
#include "kinds/kinds.h"
#include "kinds/show.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

enum { CODEL_LIMIT, CODEL_TARGET, CODEL_INTERVAL, CODEL_ECN, CODEL_CE };

#define F(name) offsetof(struct codel_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

struct codel_cfg {
	uint32_t given;
	uint32_t limit;		/* packets */
	uint32_t ecn;
	struct codel_times t;
};

static const struct keyword codel_words[] = {
	{ "limit", CODEL_LIMIT, 1, { { KW_U32, F(limit) } }, .min = 1 },
	{ "target", CODEL_TARGET, 1, { { KW_TIME_US, F(t.target_us) } }, .min = 1 },
	{ "interval", CODEL_INTERVAL, 1, { { KW_TIME_US, F(t.interval_us) } }, .min = 1 },
	KW_CHOICE("ecn", CODEL_ECN, F(ecn), 1),
	KW_CHOICE("noecn", CODEL_ECN, F(ecn), 0),
	{ "ce_threshold", CODEL_CE, 1, { { KW_TIME_US, F(t.ce_threshold_us) } },
	  .max = UINT32_MAX - 1 },
	{ NULL }
};

static void warn_of_zero(struct diag *d, const char *kind, const char *word, uint32_t us)
{
	if (us == 1)
		diag_warn(d, "%s: %s 1us becomes 0: the kernel counts in steps of 1.024 us", kind, word);
}

void codel_advise(struct diag *d, const char *kind, const struct codel_times *t, bool given)
{
	warn_of_zero(d, kind, "target", t->target_us);
	warn_of_zero(d, kind, "interval", t->interval_us);
	if (given)
		warn_of_zero(d, kind, "ce_threshold", t->ce_threshold_us);
	if (t->target_us && t->interval_us && t->target_us >= t->interval_us)
		diag_warn(d, "%s: the target is not below the interval: there is no time to tell a lasting queue from a burst",
			  kind);
}

static int codel_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct codel_cfg *c = cfg;
	int err = keywords_parse(d, codel_words, words, n, c, &c->given);

	if (!err)
		codel_advise(d, "codel", &c->t, GIVEN(c, CODEL_CE));
	return err;
}

static void put_u32(struct nlb *nlb, const struct codel_cfg *c, int word, uint16_t type, uint32_t v)
{
	if (GIVEN(c, word))
		nlb_put_u32(nlb, type, v);
}

static void codel_fill(struct nlb *nlb, const void *cfg)
{
	const struct codel_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	put_u32(nlb, c, CODEL_LIMIT, TCA_CODEL_LIMIT, c->limit);
	put_u32(nlb, c, CODEL_INTERVAL, TCA_CODEL_INTERVAL, c->t.interval_us);
	put_u32(nlb, c, CODEL_TARGET, TCA_CODEL_TARGET, c->t.target_us);
	put_u32(nlb, c, CODEL_ECN, TCA_CODEL_ECN, c->ecn);
	put_u32(nlb, c, CODEL_CE, TCA_CODEL_CE_THRESHOLD, c->t.ce_threshold_us);
	nlb_nest_end(nlb, nest);
}

static void codel_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_CODEL_MAX + 1];
	uint32_t v;

	if (!opts || nla_parse_nested(tb, TCA_CODEL_MAX, opts, NULL) < 0)
		return;
	if (attr_u32(tb, TCA_CODEL_LIMIT, &v))
		doc_u64(doc, "limit", " limit %" PRIu64 "p", v);
	if (attr_u32(tb, TCA_CODEL_TARGET, &v))
		show_us(doc, "target", v);
	if (attr_u32(tb, TCA_CODEL_CE_THRESHOLD, &v))
		show_us(doc, "ce_threshold", v);
	if (attr_u32(tb, TCA_CODEL_INTERVAL, &v))
		show_us(doc, "interval", v);
	if (attr_u32(tb, TCA_CODEL_ECN, &v) && v)
		doc_bool(doc, "ecn", " ecn", true);
}

static void codel_xstats(struct doc *doc, struct nlattr *app)
{
	struct tc_codel_xstats st = { 0 };
	size_t len = (size_t)nla_len(app);

	memcpy(&st, nla_data(app), len < sizeof(st) ? len : sizeof(st));
	doc_u64(doc, "count", "\n  count %" PRIu64, st.count);
	show_count(doc, "lastcount", st.lastcount);
	show_us(doc, "ldelay", st.ldelay);
	if (st.dropping)
		doc_bool(doc, "dropping", " dropping", true);
	show_us(doc, "drop_next", st.drop_next);
	doc_u64(doc, "maxpacket", "\n  maxpacket %" PRIu64, st.maxpacket);
	show_count(doc, "ecn_mark", st.ecn_mark);
	show_count(doc, "drop_overlimit", st.drop_overlimit);
	show_count_if(doc, "ce_mark", st.ce_mark);
}

static const struct attr_desc codel_attrs[] = {
	ATTR(TCA_CODEL_TARGET, "us32"),
	ATTR(TCA_CODEL_LIMIT, "u32"),
	ATTR(TCA_CODEL_INTERVAL, "us32"),
	ATTR(TCA_CODEL_ECN, "u32"),
	ATTR(TCA_CODEL_CE_THRESHOLD, "us32"),
	ATTR_END
};

const struct kind kind_codel = {
	.name = "codel",
	.config = "CONFIG_NET_SCH_CODEL",
	.words = codel_words,
	.cfg_size = sizeof(struct codel_cfg),
	.parse = codel_parse,
	.fill = codel_fill,
	.options = ATTR_OPTIONS("+", codel_attrs),
	.show = codel_show,
	.xstats = codel_xstats,
};

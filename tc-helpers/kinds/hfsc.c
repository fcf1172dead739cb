// SPDX-License-Identifier: GPL-2.0-or-later
/* hfsc: classes with service curves of two slopes, for what is guaranteed, shared and capped. */
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
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

__extension__ typedef unsigned __int128 u128;

struct hfsc_cfg {
	uint32_t given;
	uint32_t defcls;	/* minor number of a class */
};

static const struct keyword hfsc_words[] = {
	{ "default", 0, 1, { { KW_OTHER, offsetof(struct hfsc_cfg, defcls) } },
	  .parse = minor_parse },
	{ NULL }
};

static int hfsc_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct hfsc_cfg *c = cfg;

	return keywords_parse(d, hfsc_words, words, n, c, &c->given);
}

static void hfsc_fill(struct nlb *nlb, const void *cfg)
{
	const struct hfsc_cfg *c = cfg;
	struct tc_hfsc_qopt opt = { .defcls = (uint16_t)c->defcls };

	nlb_put(nlb, TCA_OPTIONS, &opt, sizeof(opt));
}

static uint32_t hfsc_default_class(const void *cfg)
{
	return ((const struct hfsc_cfg *)cfg)->defcls;
}

static void hfsc_show(struct doc *doc, struct nlattr *opts)
{
	struct tc_hfsc_qopt opt;
	char hex[16];

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	if (!opt.defcls)
		return;
	snprintf(hex, sizeof(hex), "%#x", opt.defcls);
	doc_str(doc, "default", NULL, hex);
	doc_text(doc, " default %s", hex + 2);
}

enum { CURVE_M1, CURVE_D, CURVE_M2, CURVE_UMAX, CURVE_DMAX, CURVE_RATE };

#define CURVE_SLOPES (1u << CURVE_M1 | 1u << CURVE_D | 1u << CURVE_M2)
#define CURVE_WORK (1u << CURVE_UMAX | 1u << CURVE_DMAX | 1u << CURVE_RATE)

/* A curve as it is written, in one of the two forms. */
struct curve_words {
	uint32_t given;
	uint32_t umax;		/* bytes */
	uint64_t m1_bps, m2_bps, rate_bps;
	int64_t d_ns, dmax_ns;
};

/* Which curves a class has: real time, link share, upper limit. "sc" is the first two alike. */
enum { RSC, FSC, USC, CURVES };

struct hfsc_class_cfg {
	bool has[CURVES];
	struct tc_service_curve curve[CURVES];
};

#define F(name) offsetof(struct curve_words, name)

#define CURVE_ROWS(_again) \
	{ "m1", CURVE_M1, 1, { { KW_RATE, F(m1_bps) } }, .again = (_again) }, \
	{ "d", CURVE_D, 1, { { KW_TIME, F(d_ns) } }, .again = (_again) }, \
	{ "m2", CURVE_M2, 1, { { KW_RATE, F(m2_bps) } }, .again = (_again) }, \
	{ "umax", CURVE_UMAX, 1, { { KW_SIZE, F(umax) } }, .again = (_again) }, \
	{ "dmax", CURVE_DMAX, 1, { { KW_TIME, F(dmax_ns) } }, .again = (_again) }, \
	{ "rate", CURVE_RATE, 1, { { KW_RATE, F(rate_bps) } }, .again = (_again) }

/* What follows the name of a curve */
static const struct keyword curve_words[] = {
	CURVE_ROWS(false),
	{ NULL }
};

/* All words, for who only looks at them: hfsc_class_parse() takes them curve by curve. */
static const struct keyword hfsc_class_words[] = {
	{ "sc", .again = true }, { "rt", .again = true }, { "ls", .again = true },
	{ "ul", .again = true },
	CURVE_ROWS(true),
	{ NULL }
};

#define CURVE_KINDS 4	/* the first of those */

/* Of a slope, which may be 0. */
static int slope(struct diag *d, const char *word, uint64_t bps, uint32_t *out)
{
	uint64_t bytes = 0;
	int err = bps ? rate_bytes(d, "hfsc", word, bps, UINT32_MAX, &bytes) : 0;

	*out = (uint32_t)bytes;
	return err;
}

/* The kernel counts a curve's times in us. */
static int micros(struct diag *d, const char *word, int64_t ns, uint32_t *us)
{
	if (ns / 1000 > UINT32_MAX)
		return diag_usage(d, -1, "%s: hfsc holds at most 4294.967295 s", word);
	if (ns % 1000)
		diag_warn(d, "hfsc: %s is cut to %" PRId64 " us: the kernel counts no finer", word,
			  ns / 1000);
	*us = (uint32_t)(ns / 1000);
	return 0;
}

static int curve_from_slopes(struct diag *d, const struct curve_words *w,
			     struct tc_service_curve *sc)
{
	int err;

	if (!(w->given & 1u << CURVE_M2))
		return diag_usage(d, -1, "\"m2\" is needed");
	err = slope(d, "m1", w->m1_bps, &sc->m1);
	if (!err)
		err = micros(d, "d", w->d_ns, &sc->d);
	if (!err)
		err = slope(d, "m2", w->m2_bps, &sc->m2);
	if (!err && !sc->m1 && !sc->m2)
		err = diag_usage(d, -1, "both slopes are 0");
	return err;
}

/*
 * tc-hfsc(7): @umax bytes are served within @dmax, whatever the rate. If that
 * is steeper than the rate, the first slope leads there; if it is not, nothing
 * is served until the rate alone gets there.
 */
static int curve_from_work(struct diag *d, const struct curve_words *w,
			   struct tc_service_curve *sc)
{
	u128 m1 = 0;
	int err;

	if (!(w->given & 1u << CURVE_RATE))
		return diag_usage(d, -1, "\"rate\" is needed");
	if (w->umax && !w->dmax_ns)
		return diag_usage(d, -1, "\"umax\" without \"dmax\": how long may it take?");
	err = rate_bytes(d, "hfsc", "rate", w->rate_bps, UINT32_MAX, &(uint64_t){ 0 });
	if (!err)
		err = micros(d, "dmax", w->dmax_ns, &sc->d);
	if (err)
		return err;
	sc->m2 = (uint32_t)(w->rate_bps / 8);
	if (sc->d)
		m1 = ((u128)w->umax * 1000000 + sc->d - 1) / sc->d;
	if (m1 > UINT32_MAX)
		return diag_usage(d, -1, "umax %u within dmax is more than hfsc holds, 34359738360 bit/s",
				  w->umax);
	if (m1 > sc->m2)
		sc->m1 = (uint32_t)m1;
	else
		sc->d -= (uint32_t)((uint64_t)w->umax * 1000000 / sc->m2);
	return 0;
}

static bool in_curve(const char *word)
{
	for (const struct keyword *kw = curve_words; kw->word; kw++)
		if (!strcmp(kw->word, word))
			return true;
	return false;
}

/* Reads the curve behind @words[@i]; returns the number of its words. */
static int curve_parse(struct diag *d, char **words, int i, int n, struct tc_service_curve *sc)
{
	struct curve_words w = { 0 };
	int len = 0;
	int err;

	/* word, value, word, value ... */
	while (i + 1 + len < n && in_curve(words[i + 1 + len]))
		len += i + 2 + len < n ? 2 : 1;
	if (!len)
		return diag_usage(d, i, "\"%s\" needs a curve: m1, d and m2, or umax, dmax and rate",
				  words[i]);
	err = keywords_parse(d, curve_words, words + i + 1, len, &w, &w.given);
	if (err)
		return diag_context(d, i + 1, "%s", words[i]);
	if (w.given & CURVE_SLOPES && w.given & CURVE_WORK)
		err = diag_usage(d, -1, "either m1, d and m2 or umax, dmax and rate");
	else if (w.given & CURVE_WORK)
		err = curve_from_work(d, &w, sc);
	else
		err = curve_from_slopes(d, &w, sc);
	if (err) {
		d->word = i;
		return diag_context(d, 0, "%s", words[i]);
	}
	return len;
}

static int hfsc_class_parse(struct diag *d, char **words, int n, bool fresh, void *cfg)
{
	static const unsigned int takes[CURVE_KINDS] = {
		1u << RSC | 1u << FSC, 1u << RSC, 1u << FSC, 1u << USC,
	};
	struct hfsc_class_cfg *c = cfg;
	int len;

	for (int i = 0; i < n; i += 1 + len) {
		struct tc_service_curve sc = { 0 };
		int k = 0;

		while (k < CURVE_KINDS && strcmp(words[i], hfsc_class_words[k].word))
			k++;
		if (k == CURVE_KINDS)
			return diag_usage(d, i, "unknown word \"%s\": a curve is rt, ls, sc or ul", words[i]);
		len = curve_parse(d, words, i, n, &sc);
		if (len < 0)
			return len;
		for (int j = 0; j < CURVES; j++) {
			if (!(takes[k] & 1u << j))
				continue;
			if (c->has[j])
				return diag_usage(d, i, "\"%s\": that curve is there twice", words[i]);
			c->has[j] = true;
			c->curve[j] = sc;
		}
	}
	if (c->has[USC] && !c->has[FSC])
		return diag_usage(d, -1, "\"ul\" caps what is shared: \"ls\" or \"sc\" is needed");
	if (!c->has[RSC] && !c->has[FSC])
		return diag_usage(d, -1, "\"rt\", \"ls\" or \"sc\" is needed");
	return 0;
}

static void hfsc_class_fill(struct nlb *nlb, const void *cfg)
{
	static const uint16_t types[CURVES] = { TCA_HFSC_RSC, TCA_HFSC_FSC, TCA_HFSC_USC };
	const struct hfsc_class_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	for (int j = 0; j < CURVES; j++)
		if (c->has[j])
			nlb_put(nlb, types[j], &c->curve[j], sizeof(c->curve[j]));
	nlb_nest_end(nlb, nest);
}

static void show_curve(struct doc *doc, const char *name, const struct tc_service_curve *sc)
{
	doc_open_object(doc, name);
	doc_text(doc, " %s", name);
	show_rate(doc, "m1", sc->m1);
	show_us(doc, "d", sc->d);
	show_rate(doc, "m2", sc->m2);
	doc_close_object(doc);
}

static void hfsc_class_show(struct doc *doc, struct nlattr *opts, bool details)
{
	struct tc_service_curve rsc, fsc, usc;
	struct nlattr *tb[TCA_HFSC_MAX + 1];
	bool has_rsc, has_fsc;

	if (!opts || nla_parse_nested(tb, TCA_HFSC_MAX, opts, NULL) < 0)
		return;
	has_rsc = attr_read(tb, TCA_HFSC_RSC, &rsc, sizeof(rsc));
	has_fsc = attr_read(tb, TCA_HFSC_FSC, &fsc, sizeof(fsc));
	if (has_rsc && has_fsc && !memcmp(&rsc, &fsc, sizeof(rsc))) {
		show_curve(doc, "sc", &rsc);
	} else {
		if (has_rsc)
			show_curve(doc, "rt", &rsc);
		if (has_fsc)
			show_curve(doc, "ls", &fsc);
	}
	if (attr_read(tb, TCA_HFSC_USC, &usc, sizeof(usc)))
		show_curve(doc, "ul", &usc);
}

static void hfsc_class_xstats(struct doc *doc, struct nlattr *app)
{
	struct tc_hfsc_stats st;

	if (nla_len(app) < (int)sizeof(st))
		return;
	memcpy(&st, nla_data(app), sizeof(st));
	doc_u64(doc, "period", "\n period %" PRIu64, st.period);
	if (st.work)
		doc_u64(doc, "work", " work %" PRIu64 " bytes", st.work);
	if (st.rtwork)
		doc_u64(doc, "rtwork", " rtwork %" PRIu64 " bytes", st.rtwork);
	doc_u64(doc, "level", " level %" PRIu64 "\n", st.level);
}

static const struct attr_desc hfsc_class_attrs[] = {
	ATTR(TCA_HFSC_RSC, "m1=Bps32 d=us32 m2=Bps32"),
	ATTR(TCA_HFSC_FSC, "m1=Bps32 d=us32 m2=Bps32"),
	ATTR(TCA_HFSC_USC, "m1=Bps32 d=us32 m2=Bps32"),
	ATTR_END
};

static const struct kind_class hfsc_class = {
	.words = hfsc_class_words,
	.cfg_size = sizeof(struct hfsc_class_cfg),
	.parse = hfsc_class_parse,
	.fill = hfsc_class_fill,
	.options = ATTR_OPTIONS("+", hfsc_class_attrs),
	.show = hfsc_class_show,
	.xstats = hfsc_class_xstats,
	.hint = "a class keeps its parent",
};

const struct kind kind_hfsc = {
	.name = "hfsc",
	.config = "CONFIG_NET_SCH_HFSC",
	.words = hfsc_words,
	.cfg_size = sizeof(struct hfsc_cfg),
	.parse = hfsc_parse,
	.fill = hfsc_fill,
	.options = ATTR_OPTIONS("defcls=x16", NULL),
	.show = hfsc_show,
	.default_class = hfsc_default_class,
	.unclaimed = "is dropped",
	.class = &hfsc_class,
};

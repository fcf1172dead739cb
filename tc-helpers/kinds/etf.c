// SPDX-License-Identifier: GPL-2.0-or-later
/* etf: packets leave at the time that they carry. */
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>

#include "kinds/clock.h"
#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

enum { ETF_CLOCKID, ETF_DELTA, ETF_OFFLOAD, ETF_DEADLINE, ETF_SKIP };

#define F(name) offsetof(struct etf_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

struct etf_cfg {
	uint32_t given;
	int32_t clockid;
	int64_t delta_ns;
};

static const struct keyword etf_words[] = {
	{ "clockid", ETF_CLOCKID, 1, { { KW_OTHER, F(clockid) } }, .parse = clockid_parse },
	{ "delta", ETF_DELTA, 1, { { KW_OTHER, F(delta_ns) } }, .parse = nanos31_parse },
	{ "offload", ETF_OFFLOAD },
	{ "deadline_mode", ETF_DEADLINE },
	{ "skip_sock_check", ETF_SKIP },
	{ NULL }
};

static int etf_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct etf_cfg *c = cfg;
	int err = keywords_parse(d, etf_words, words, n, c, &c->given);

	if (!err && !GIVEN(c, ETF_CLOCKID))
		err = diag_usage(d, -1, "\"clockid\" is needed: the clock of the packets' times, CLOCK_TAI");
	return err;
}

static void etf_fill(struct nlb *nlb, const void *cfg)
{
	const struct etf_cfg *c = cfg;
	struct tc_etf_qopt opt = { .delta = (int32_t)c->delta_ns, .clockid = c->clockid };
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (GIVEN(c, ETF_DEADLINE))
		opt.flags |= TC_ETF_DEADLINE_MODE_ON;
	if (GIVEN(c, ETF_OFFLOAD))
		opt.flags |= TC_ETF_OFFLOAD_ON;
	if (GIVEN(c, ETF_SKIP))
		opt.flags |= TC_ETF_SKIP_SOCK_CHECK;
	nlb_put(nlb, TCA_ETF_PARMS, &opt, sizeof(opt));
	nlb_nest_end(nlb, nest);
}

static void show_flag(struct doc *doc, const char *key, uint32_t set)
{
	doc_str(doc, key, NULL, set ? "on" : "off");
	doc_text(doc, " %s %s", key, set ? "on" : "off");
}

static void etf_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_ETF_MAX + 1];
	struct tc_etf_qopt opt;

	if (!opts || nla_parse_nested(tb, TCA_ETF_MAX, opts, NULL) < 0 ||
	    !attr_read(tb, TCA_ETF_PARMS, &opt, sizeof(opt)))
		return;
	doc_str(doc, "clockid", " clockid %s", clockid_name(opt.clockid));
	doc_i64(doc, "delta", NULL, opt.delta);
	doc_text(doc, " delta %d", opt.delta);
	show_flag(doc, "offload", opt.flags & TC_ETF_OFFLOAD_ON);
	show_flag(doc, "deadline_mode", opt.flags & TC_ETF_DEADLINE_MODE_ON);
	show_flag(doc, "skip_sock_check", opt.flags & TC_ETF_SKIP_SOCK_CHECK);
}

static const struct attr_desc etf_attrs[] = {
	ATTR(TCA_ETF_PARMS, "delta=s32 clockid=s32 flags=x32"),
	ATTR_END
};

const struct kind kind_etf = {
	.name = "etf",
	.config = "CONFIG_NET_SCH_ETF",
	.words = etf_words,
	.cfg_size = sizeof(struct etf_cfg),
	.parse = etf_parse,
	.fill = etf_fill,
	.options = ATTR_OPTIONS("+", etf_attrs),
	.show = etf_show,
};

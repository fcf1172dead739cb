// SPDX-License-Identifier: GPL-2.0-or-later
/* gact: nothing but what becomes of the packet. "action drop" is short for "action gact drop". */
#include <inttypes.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_gact.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

static int gact_parse(struct diag *d, char **words, int i, int n, struct filter_action *act)
{
	int next = control_parse(d, words, i, n, &act->control);

	if (next < 0)
		return next;
	if (next == i && (i >= n || strcmp(words[i], "index")))
		return diag_usage(d, i < n ? i : i - 1,
				  "gact: pass, drop, continue, reclassify, pipe, goto chain N or jump N is needed after \"%s\"",
				  words[i - 1]);
	return index_parse(d, words, next, n, &act->index);
}

static void gact_fill(struct nlb *nlb, const struct filter_action *act)
{
	struct tc_gact parms = { .index = act->index, .action = act->control };

	nlb_put(nlb, TCA_GACT_PARMS, &parms, sizeof(parms));
}

static const char *random_name(unsigned int type)
{
	switch (type) {
	case PGACT_NONE:
		return "none";
	case PGACT_NETRAND:
		return "netrand";
	case PGACT_DETERM:
		return "determ";
	}
	return "unknown";
}

static void gact_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_GACT_MAX + 1];
	struct tc_gact_p prob = { 0 };
	struct tc_gact p;

	if (nla_parse_nested(tb, TCA_GACT_MAX, opts, NULL) < 0 || !tb[TCA_GACT_PARMS] ||
	    nla_len(tb[TCA_GACT_PARMS]) < (int)sizeof(p))
		return;
	memcpy(&p, nla_data(tb[TCA_GACT_PARMS]), sizeof(p));
	if (tb[TCA_GACT_PROB] && nla_len(tb[TCA_GACT_PROB]) >= (int)sizeof(prob))
		memcpy(&prob, nla_data(tb[TCA_GACT_PROB]), sizeof(prob));
	doc_text(doc, " action ");
	control_show(doc, p.action);
	doc_open_object(doc, "prob");
	doc_str(doc, "random_type", "\n\t random type %s ", random_name(prob.ptype));
	control_show(doc, prob.paction);
	doc_u64(doc, "val", " val %" PRIu64, prob.pval);
	doc_close_object(doc);
	index_show(doc, "\t ", p.index, p.refcnt, p.bindcnt, tb[TCA_GACT_TM], view);
}

static const struct attr_desc gact_attrs[] = {
	ATTR(TCA_GACT_TM, ATTR_TCF_T),
	ATTR(TCA_GACT_PARMS, ATTR_TC_GEN),
	ATTR(TCA_GACT_PROB, "ptype=u16 pval=u16 paction=s32"),
	ATTR(TCA_GACT_PAD, "hex"),
	ATTR_END
};

const struct action action_gact = {
	.name = "gact",
	.config = "CONFIG_NET_ACT_GACT",
	.words = control_words,
	.parse = gact_parse,
	.fill = gact_fill,
	.options = ATTR_OPTIONS("+", gact_attrs),
	.show = gact_show,
};

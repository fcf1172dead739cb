// SPDX-License-Identifier: GPL-2.0-or-later
/* matchall: every packet. */
#include <inttypes.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <netlink/attr.h>

#include "filters/filter-spec.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"

static const struct filter_word matchall_words[] = { { NULL } };

/* The kernel says no more than EINVAL here. */
static int matchall_check(struct diag *d, const struct filter_spec *spec)
{
	return spec->has_options ? 0 : diag_usage(d, -1, "\"classid H\" or \"action ...\" is needed");
}

static void matchall_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_MATCHALL_MAX + 1];
	struct tc_matchall_pcnt hits;

	if (nla_parse_nested(tb, TCA_MATCHALL_MAX, opts, NULL) < 0)
		return;
	if (view->handle) {
		doc_text(doc, " handle 0x%x", view->handle);
		doc_u64(doc, "handle", NULL, view->handle);
	}
	filter_classid_show(doc, tb[TCA_MATCHALL_CLASSID], "flowid", " ");
	filter_flags_show(doc, tb[TCA_MATCHALL_FLAGS], "\n  ");
	if (view->statistics && tb[TCA_MATCHALL_PCNT] &&
	    nla_len(tb[TCA_MATCHALL_PCNT]) >= (int)sizeof(hits)) {
		memcpy(&hits, nla_data(tb[TCA_MATCHALL_PCNT]), sizeof(hits));
		doc_u64(doc, "rule_hit", " (rule hit %" PRIu64 ")", hits.rhit);
	}
	actions_show(doc, tb[TCA_MATCHALL_ACT], view);
}

static const struct attr_desc matchall_attrs[] = {
	ATTR(TCA_MATCHALL_CLASSID, "handle"),
	ATTR_NEST(TCA_MATCHALL_ACT, actions_attrs),
	ATTR(TCA_MATCHALL_FLAGS, "x32"),
	ATTR(TCA_MATCHALL_PCNT, "rhit=u64"),
	ATTR(TCA_MATCHALL_PAD, "hex"),
	ATTR_END
};

const struct classifier classifier_matchall = {
	.name = "matchall",
	.config = "CONFIG_NET_CLS_MATCHALL",
	.words = matchall_words,
	.check = matchall_check,
	.options = ATTR_OPTIONS("+", matchall_attrs),
	.show = matchall_show,
	.classid_attr = TCA_MATCHALL_CLASSID,
	.flags_attr = TCA_MATCHALL_FLAGS,
	.act_attr = TCA_MATCHALL_ACT,
};

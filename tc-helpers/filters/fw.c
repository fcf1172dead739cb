// SPDX-License-Identifier: GPL-2.0-or-later
/* fw: packets by their mark, which is the handle. */
#include <string.h>

#include <linux/pkt_cls.h>
#include <net/if.h>
#include <netlink/attr.h>

#include "filters/filter-spec.h"
#include "filters/masked.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

enum { FW_INDEV = FILTER_OWN };

struct fw_cfg {
	bool masked;
	uint32_t mask;
	char indev[IFNAMSIZ];
};

static int indev_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	struct fw_cfg *c = spec->cfg;
	int err;

	if (i >= n)
		return diag_usage(d, i - 1, "needs a value");
	err = dev_name_check(d, i, words[i]);
	if (err)
		return err;
	strcpy(c->indev, words[i]);
	return i + 1;
}

static const struct filter_word fw_words[] = {
	{ "indev", FW_INDEV, .take = indev_take },
	{ NULL }
};

static int fw_handle(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	struct fw_cfg *c = spec->cfg;

	c->masked = strchr(words[i], '/');
	return masked_u32_parse(d, words, i, &spec->handle, &c->mask);
}

static void fw_fill(struct nlb *nlb, const struct filter_spec *spec)
{
	const struct fw_cfg *c = spec->cfg;

	if (c->masked)
		nlb_put_u32(nlb, TCA_FW_MASK, c->mask);
	if (c->indev[0])
		nlb_put_str(nlb, TCA_FW_INDEV, c->indev);
}

/* tc 6.1 prints text into its JSON here, so that there are no keys of its to follow. */
static void fw_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_FW_MAX + 1];
	uint32_t mask = UINT32_MAX;

	if (nla_parse_nested(tb, TCA_FW_MAX, opts, NULL) < 0)
		return;
	if (tb[TCA_FW_MASK] && nla_len(tb[TCA_FW_MASK]) >= 4)
		mask = nla_get_u32(tb[TCA_FW_MASK]);
	if (view->handle || tb[TCA_FW_MASK]) {
		doc_text(doc, " handle 0x%x", view->handle);
		doc_u64(doc, "handle", NULL, view->handle);
		if (mask != UINT32_MAX) {
			doc_text(doc, "/0x%x", mask);
			doc_u64(doc, "mask", NULL, mask);
		}
	}
	filter_classid_show(doc, tb[TCA_FW_CLASSID], "classid", " ");
	if (tb[TCA_FW_INDEV])
		doc_str(doc, "indev", " input dev %s", nla_get_string(tb[TCA_FW_INDEV]));
	if (tb[TCA_FW_ACT])
		doc_text(doc, "\n");
	actions_show(doc, tb[TCA_FW_ACT], view);
}

static const struct attr_desc fw_attrs[] = {
	ATTR(TCA_FW_CLASSID, "handle"),
	ATTR(TCA_FW_POLICE, "hex"),
	ATTR(TCA_FW_INDEV, "str"),
	ATTR_NEST(TCA_FW_ACT, actions_attrs),
	ATTR(TCA_FW_MASK, "x32"),
	ATTR_END
};

const struct classifier classifier_fw = {
	.name = "fw",
	.config = "CONFIG_NET_CLS_FW",
	.words = fw_words,
	.cfg_size = sizeof(struct fw_cfg),
	.handle = fw_handle,
	.fill = fw_fill,
	.options = ATTR_OPTIONS("+", fw_attrs),
	.show = fw_show,
	.classid_attr = TCA_FW_CLASSID,
	.act_attr = TCA_FW_ACT,
};

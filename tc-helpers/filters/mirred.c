// SPDX-License-Identifier: GPL-2.0-or-later
/* mirred: sends a packet, or a copy of it, out of another device or into it. */
#include <string.h>

#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_mirred.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

struct mirred_cfg {
	int eaction;	/* TCA_EGRESS_REDIR ... */
};

static const char *const mirred_words[] = {
	"egress", "ingress", "redirect", "mirror", "dev", "index", NULL
};

/* TCA_EGRESS_REDIR, TCA_EGRESS_MIRROR, TCA_INGRESS_REDIR, TCA_INGRESS_MIRROR are 1 to 4. */
static const struct {
	const char *direction;
	const char *what;
	const char *text;
} ways[] = {
	[TCA_EGRESS_REDIR] = { "egress", "redirect", "Egress Redirect" },
	[TCA_EGRESS_MIRROR] = { "egress", "mirror", "Egress Mirror" },
	[TCA_INGRESS_REDIR] = { "ingress", "redirect", "Ingress Redirect" },
	[TCA_INGRESS_MIRROR] = { "ingress", "mirror", "Ingress Mirror" },
};

static int way_find(const char *direction, const char *what)
{
	for (int way = TCA_EGRESS_REDIR; way <= TCA_INGRESS_MIRROR; way++)
		if (!strcmp(ways[way].direction, direction) && (!what || !strcmp(ways[way].what, what)))
			return way;
	return 0;
}

static int mirred_parse(struct diag *d, char **words, int i, int n, struct filter_action *act)
{
	struct mirred_cfg *c = act->cfg;
	int err;

	if (i < n && !strcmp(words[i], "index"))	/* one that is there already */
		return index_parse(d, words, i, n, &act->index);
	if (i >= n)
		return diag_usage(d, i - 1, "\"egress\" or \"ingress\" is needed");
	if (!way_find(words[i], NULL))
		return diag_usage(d, i, "\"%s\": \"egress\" or \"ingress\" is needed", words[i]);
	if (i + 1 >= n)
		return diag_usage(d, i, "\"redirect\" or \"mirror\" is needed");
	c->eaction = way_find(words[i], words[i + 1]);
	if (!c->eaction)
		return diag_usage(d, i + 1, "\"%s\": \"redirect\" or \"mirror\" is needed", words[i + 1]);
	i = index_parse(d, words, i + 2, n, &act->index);
	if (i < 0)
		return i;
	if (i >= n || strcmp(words[i], "dev"))
		return diag_usage(d, i < n ? i : i - 1, "\"dev D\" is needed after \"%s\"", words[i - 1]);
	if (i + 1 >= n)
		return diag_usage(d, i, "\"dev\" needs a value");
	err = dev_name_check(d, i + 1, words[i + 1]);
	if (err)
		return err;
	strcpy(act->dev, words[i + 1]);
	i += 2;
	act->control = TC_ACT_STOLEN;
	if (!strcmp(ways[c->eaction].what, "mirror")) {
		act->control = TC_ACT_PIPE;
		i = control_parse(d, words, i, n, &act->control);
	}
	return i < 0 || act->index ? i : index_parse(d, words, i, n, &act->index);
}

static void mirred_fill(struct nlb *nlb, const struct filter_action *act)
{
	const struct mirred_cfg *c = act->cfg;
	struct tc_mirred parms = {
		.index = act->index,
		.action = act->control,
		.eaction = c->eaction,
		.ifindex = (uint32_t)act->ifindex,
	};

	nlb_put(nlb, TCA_MIRRED_PARMS, &parms, sizeof(parms));
}

static void mirred_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_MIRRED_MAX + 1];
	struct tc_mirred p;

	if (nla_parse_nested(tb, TCA_MIRRED_MAX, opts, NULL) < 0 || !tb[TCA_MIRRED_PARMS] ||
	    nla_len(tb[TCA_MIRRED_PARMS]) < (int)sizeof(p))
		return;
	memcpy(&p, nla_data(tb[TCA_MIRRED_PARMS]), sizeof(p));
	if (p.eaction >= TCA_EGRESS_REDIR && p.eaction <= TCA_INGRESS_MIRROR) {
		doc_text(doc, " (%s", ways[p.eaction].text);
		doc_str(doc, "mirred_action", NULL, ways[p.eaction].what);
		doc_str(doc, "direction", NULL, ways[p.eaction].direction);
	} else {
		doc_text(doc, " (unknown");
		doc_str(doc, "mirred_action", NULL, "unknown");
		doc_str(doc, "direction", NULL, "unknown");
	}
	doc_str(doc, "to_dev", " to device %s) ", view->ifname(view->arg, (int)p.ifindex));
	control_show(doc, p.action);
	index_show(doc, "\t", p.index, p.refcnt, p.bindcnt, tb[TCA_MIRRED_TM], view);
}

static const struct attr_desc mirred_attrs[] = {
	ATTR(TCA_MIRRED_TM, ATTR_TCF_T),
	ATTR(TCA_MIRRED_PARMS, ATTR_TC_GEN " eaction=s32 ifindex=u32"),
	ATTR(TCA_MIRRED_PAD, "hex"),
	ATTR_END
};

const struct action action_mirred = {
	.name = "mirred",
	.config = "CONFIG_NET_ACT_MIRRED",
	.words = mirred_words,
	.cfg_size = sizeof(struct mirred_cfg),
	.parse = mirred_parse,
	.fill = mirred_fill,
	.options = ATTR_OPTIONS("+", mirred_attrs),
	.show = mirred_show,
};

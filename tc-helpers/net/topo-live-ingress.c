// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters that stand at the ingress of a device, and where they send frames. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_mirred.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/snap.h"
#include "net/topo-live.h"
#include "pure/diag.h"
#include "pure/doc.h"

/* @to: ifindex of the device that a redirect names, 0 for none */
struct filter {
	char kind[16];
	uint32_t info;
	int to;
};

struct hunt {
	struct filter *filters;
	size_t n;
};

/* The target of the first action, when that is a mirred. */
static int target(struct nlattr *acts)
{
	struct nlattr *act[2], *tb[TCA_ACT_MAX + 1], *parms[TCA_MIRRED_MAX + 1];
	struct tc_mirred mirred;

	if (!acts || nla_parse_nested(act, 1, acts, NULL) || !act[1] ||
	    nla_parse_nested(tb, TCA_ACT_MAX, act[1], NULL) || !tb[TCA_ACT_KIND] ||
	    strcmp(nla_get_string(tb[TCA_ACT_KIND]), "mirred") != 0 || !tb[TCA_ACT_OPTIONS] ||
	    nla_parse_nested(parms, TCA_MIRRED_MAX, tb[TCA_ACT_OPTIONS], NULL) ||
	    !parms[TCA_MIRRED_PARMS] || nla_len(parms[TCA_MIRRED_PARMS]) < (int)sizeof(mirred))
		return 0;
	memcpy(&mirred, nla_data(parms[TCA_MIRRED_PARMS]), sizeof(mirred));
	return mirred.eaction == TCA_EGRESS_REDIR ? (int)mirred.ifindex : 0;
}

/* u32 shows its hash table as one more object, without keys. */
static bool is_table(const char *kind, struct nlattr *opts)
{
	struct nlattr *tb[TCA_U32_MAX + 1];

	return strcmp(kind, "u32") == 0 &&
	       (!opts || nla_parse_nested(tb, TCA_U32_MAX, opts, NULL) || !tb[TCA_U32_SEL]);
}

static struct nlattr *actions(const char *kind, struct nlattr *opts)
{
	struct nlattr *u32[TCA_U32_MAX + 1], *all[TCA_MATCHALL_MAX + 1];

	if (opts && strcmp(kind, "u32") == 0 && !nla_parse_nested(u32, TCA_U32_MAX, opts, NULL))
		return u32[TCA_U32_ACT];
	if (opts && strcmp(kind, "matchall") == 0 && !nla_parse_nested(all, TCA_MATCHALL_MAX, opts, NULL))
		return all[TCA_MATCHALL_ACT];
	return NULL;
}

static int each(const struct nlmsghdr *nlh, void *arg)
{
	const struct tcmsg *tcm = nlmsg_data(nlh);
	struct nlattr *tb[TCA_MAX + 1];
	struct hunt *hunt = arg;
	struct filter *grown;
	const char *kind;

	if (nlh->nlmsg_type != RTM_NEWTFILTER || nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*tcm)) ||
	    nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*tcm), tb, TCA_MAX, NULL) < 0 || !tb[TCA_KIND])
		return 0;
	kind = nla_get_string(tb[TCA_KIND]);
	/* Before its filters a classifier shows itself, without a handle. */
	if (!tcm->tcm_handle || is_table(kind, tb[TCA_OPTIONS]))
		return 0;
	grown = realloc(hunt->filters, (hunt->n + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	hunt->filters = grown;
	grown += hunt->n++;
	memset(grown, 0, sizeof(*grown));
	snprintf(grown->kind, sizeof(grown->kind), "%s", kind);
	grown->info = tcm->tcm_info;
	grown->to = target(actions(kind, tb[TCA_OPTIONS]));
	return 0;
}

int topo_live_ingress(struct diag *d, struct snap *snap, const struct fact_dev *dev,
		      struct doc *doc)
{
	struct hunt hunt = { 0 };
	char to[IFNAMSIZ];
	int err;

	err = snap_each(snap, d, dev->netns, RTM_GETTFILTER, dev->number, dev->number, each, &hunt);
	doc_open_array(doc, "ingress");
	for (size_t i = 0; !err && i < hunt.n; i++) {
		const struct filter *f = &hunt.filters[i];

		if (f->to && snap_ifname(snap, d, dev->netns, f->to, to)) {
			err = -EIO;
			break;
		}
		doc_open_object(doc, "");
		doc_text(doc, "ingress %s", dev->name);
		doc_str(doc, "filter", " filter %s", f->kind);
		doc_u64(doc, "pref", f->info >> 16 == 1 ? NULL : " pref %" PRIu64, f->info >> 16);
		doc_str(doc, "redirect", f->to ? " to %s" : NULL, f->to ? to : "");
		doc_text(doc, "\n");
		doc_close_object(doc);
	}
	doc_close_array(doc);
	free(hunt.filters);
	return err;
}

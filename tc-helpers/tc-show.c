// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes as tc shows them. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "kinds/spec.h"
#include "kinds/stats.h"
#include "net/rtnl.h"
#include "net/tc-dump.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "tc-object.h"
#include "tc-show.h"

/* One object of a dump, copied: a dump may begin anew, and names are asked for after it. */
struct item {
	struct item *next;
	struct tc_info info;
	char kind[32];
	char data[];	/* copies of the attributes */
};

/**
 * struct show - what a dump found
 * @first: the objects in the kernel's order
 * @last: where the next one is hung
 * @filter: what was asked for
 * @cfg: how much of it
 */
struct show {
	struct item *first;
	struct item **last;
	const struct tc_spec *filter;
	const struct tc_object_cfg *cfg;
};

static void show_clear(void *arg)
{
	struct show *show = arg;

	while (show->first) {
		struct item *next = show->first->next;

		free(show->first);
		show->first = next;
	}
	show->last = &show->first;
}

/* For a class any parent means its qdisc, as the kernel has it for tc; at the root is at the root. */
static bool wanted(const struct tc_spec *filter, const struct tc_info *info)
{
	uint32_t parent = filter->parent;

	if (filter->handle && filter->handle != info->handle)
		return false;
	if (!parent || parent == info->parent)
		return true;
	return filter->object == OBJECT_CLASS && parent != TC_H_ROOT &&
	       TC_H_MAJ(parent) == TC_H_MAJ(info->handle);
}

static size_t attr_room(const struct nlattr *attr)
{
	return attr ? (size_t)nla_total_size(nla_len(attr)) : 0;
}

/* A copy of @attr at *@at, which moves on. */
static struct nlattr *attr_copy(char **at, const struct nlattr *attr)
{
	struct nlattr *copy = (struct nlattr *)*at;

	if (!attr)
		return NULL;
	memcpy(copy, attr, attr->nla_len);
	*at += attr_room(attr);
	return copy;
}

static int show_take(const struct tc_info *info, void *arg)
{
	struct show *show = arg;
	struct item *item;
	char *at;

	if (!wanted(show->filter, info))
		return 0;
	item = calloc(1, sizeof(*item) + attr_room(info->opts) + attr_room(info->stats2) +
		      attr_room(info->stab));
	if (!item)
		return -ENOMEM;
	item->info = *info;
	strncpy(item->kind, info->kind, sizeof(item->kind) - 1);
	item->info.kind = item->kind;
	at = item->data;
	item->info.opts = attr_copy(&at, info->opts);
	item->info.stats2 = attr_copy(&at, info->stats2);
	item->info.stab = attr_copy(&at, info->stab);
	*show->last = item;
	show->last = &item->next;
	return 0;
}

/* The counters of the kind's own. */
static void show_xstats(struct doc *doc, const struct item *item, enum tc_object object)
{
	const struct kind *kind = kind_find(item->kind);
	void (*xstats)(struct doc *doc, struct nlattr *app) = kind ? kind->xstats : NULL;
	struct nlattr *tb[TCA_STATS_MAX + 1];

	if (object == OBJECT_CLASS)
		xstats = kind && kind->class ? kind->class->xstats : NULL;
	if (!xstats || !item->info.stats2 ||
	    nla_parse_nested(tb, TCA_STATS_MAX, item->info.stats2, NULL) < 0 || !tb[TCA_STATS_APP])
		return;
	xstats(doc, tb[TCA_STATS_APP]);
}

static void show_parent(struct doc *doc, const struct tc_info *info)
{
	char parent[12];

	if (info->parent == TC_H_ROOT)
		doc_bool(doc, "root", " root", true);
	else if (info->parent)
		doc_str(doc, "parent", " parent %s", handle_format(parent, info->parent));
}

static void show_qdisc(struct doc *doc, const struct item *item, const char *dev)
{
	const struct tc_info *info = &item->info;
	const struct kind *kind = kind_find(item->kind);
	char handle[12] = "0:";

	if (info->handle)
		handle_format(handle, info->handle);
	doc_str(doc, "kind", "qdisc %s", item->kind);
	doc_str(doc, "handle", " %s", handle);
	if (dev)
		doc_str(doc, "dev", " dev %s", dev);
	doc_bool(doc, info->offloaded ? "offloaded" : NULL, " offloaded", info->offloaded);
	show_parent(doc, info);
	if (info->info != 1)
		doc_u64(doc, "refcnt", " refcnt %" PRIu64, info->info);
	if (info->ingress_block)
		doc_u64(doc, "ingress_block", " ingress_block %" PRIu64, info->ingress_block);
	if (info->egress_block)
		doc_u64(doc, "egress_block", " egress_block %" PRIu64, info->egress_block);
	doc_open_object(doc, "options");
	if (kind && kind->show)
		kind->show(doc, info->opts);
	doc_close_object(doc);
}

/* tc has the options of a class beside the other keys, not in an object of their own. */
static void show_class(struct doc *doc, const struct item *item, const char *dev, bool details)
{
	const struct tc_info *info = &item->info;
	const struct kind *kind = kind_find(item->kind);
	char handle[12], leaf[12];

	doc_str(doc, "class", "class %s", item->kind);
	doc_str(doc, "handle", " %s", handle_format(handle, info->handle));
	if (dev)
		doc_str(doc, "dev", " dev %s", dev);
	show_parent(doc, info);
	if (info->info) {
		snprintf(leaf, sizeof(leaf), "%#x", TC_H_MAJ(info->info) >> 16);
		doc_str(doc, "leaf", NULL, leaf);
		doc_text(doc, " leaf %s", handle_format(handle, info->info));
	}
	if (kind && kind->class && kind->class->show)
		kind->class->show(doc, info->opts, details);
}

/* The keys and their order are those of tc -j; the counters of a class are an object of their own there. */
static void show_item(struct doc *doc, const struct item *item, const char *dev,
		      const struct show *show)
{
	bool class = show->filter->object == OBJECT_CLASS;

	doc_open_object(doc, NULL);
	if (class)
		show_class(doc, item, dev, show->cfg->details);
	else
		show_qdisc(doc, item, dev);
	if (show->cfg->details && !class)
		stab_show(doc, item->info.stab);
	if (show->cfg->statistics) {
		if (class)
			doc_open_object(doc, "stats");
		if (item->info.stats2)
			doc_text(doc, "\n");
		stats_show(doc, item->info.stats2, " ");
		show_xstats(doc, item, show->filter->object);
		if (class)
			doc_close_object(doc);
	}
	doc_close_object(doc);
	doc_text(doc, "\n");
}

static int show_items(struct diag *d, struct rtnl *rtnl, const struct show *show, struct doc *doc)
{
	const char *given = show->filter->end.dev;
	const struct item *item;
	char dev[IFNAMSIZ];
	int err = 0;

	doc_open_array(doc, NULL);
	for (item = show->first; item && !err; item = item->next) {
		if (!given[0])
			err = rtnl_ifname(rtnl, d, item->info.ifindex, dev);
		if (!err)
			show_item(doc, item, given[0] ? NULL : dev, show);
	}
	doc_close_array(doc);
	return err;
}

int tc_show(struct diag *d, struct rtnl *rtnl, const struct tc_spec *filter,
	    const struct tc_object_cfg *cfg, struct doc *doc)
{
	struct show show = { .filter = filter, .cfg = cfg };
	int ifindex = 0;
	int err;

	show.last = &show.first;
	if (filter->end.dev[0]) {
		ifindex = rtnl_ifindex(rtnl, d, filter->end.dev);
		if (ifindex < 0)
			return ifindex;
	}
	err = tc_each(rtnl, d, filter->object, ifindex, show_take, show_clear, &show);
	if (!err)
		err = show_items(d, rtnl, &show, doc);
	show_clear(&show);
	return err;
}

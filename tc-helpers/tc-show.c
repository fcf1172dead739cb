// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes as tc shows them. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
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
#include "tc-show.h"

/* One object of a dump, copied: a dump may begin anew, and names are asked for after it. */
struct item {
	struct item *next;
	struct tc_info info;
	char kind[32];
	char data[];	/* copies of the two attributes */
};

/**
 * struct show - what a dump found
 * @first: the objects in the kernel's order
 * @last: where the next one is hung
 * @filter: what was asked for
 */
struct show {
	struct item *first;
	struct item **last;
	const struct tc_spec *filter;
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

static int show_take(const struct tc_info *info, void *arg)
{
	struct show *show = arg;
	size_t nopts = info->opts ? (size_t)nla_total_size(nla_len(info->opts)) : 0;
	size_t nstats = info->stats2 ? (size_t)nla_total_size(nla_len(info->stats2)) : 0;
	struct item *item;

	if ((show->filter->parent && show->filter->parent != info->parent) ||
	    (show->filter->handle && show->filter->handle != info->handle))
		return 0;
	item = calloc(1, sizeof(*item) + nopts + nstats);
	if (!item)
		return -ENOMEM;
	item->info = *info;
	strncpy(item->kind, info->kind, sizeof(item->kind) - 1);
	item->info.kind = item->kind;
	if (nopts)
		item->info.opts = memcpy(item->data, info->opts, (size_t)info->opts->nla_len);
	if (nstats)
		item->info.stats2 = memcpy(item->data + nopts, info->stats2,
					   (size_t)info->stats2->nla_len);
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
	doc_open_object(doc, "options");
	if (kind && kind->show)
		kind->show(doc, info->opts);
	doc_close_object(doc);
}

/* tc has the options of a class beside the other keys, not in an object of their own. */
static void show_class(struct doc *doc, const struct item *item, const char *dev)
{
	const struct tc_info *info = &item->info;
	const struct kind *kind = kind_find(item->kind);
	char handle[12];

	doc_str(doc, "class", "class %s", item->kind);
	doc_str(doc, "handle", " %s", handle_format(handle, info->handle));
	if (dev)
		doc_str(doc, "dev", " dev %s", dev);
	show_parent(doc, info);
	if (info->info)
		doc_str(doc, "leaf", " leaf %s", handle_format(handle, info->info));
	if (kind && kind->class && kind->class->show)
		kind->class->show(doc, info->opts);
}

/* The keys and their order are those of tc -j. */
static void show_item(struct doc *doc, const struct item *item, const char *dev,
		      enum tc_object object, bool statistics)
{
	doc_open_object(doc, NULL);
	if (object == OBJECT_CLASS)
		show_class(doc, item, dev);
	else
		show_qdisc(doc, item, dev);
	if (statistics) {
		if (item->info.stats2)
			doc_text(doc, "\n");
		stats_show(doc, item->info.stats2, " ");
		show_xstats(doc, item, object);
	}
	doc_close_object(doc);
	doc_text(doc, "\n");
}

static int show_items(struct diag *d, struct rtnl *rtnl, const struct show *show, bool statistics,
		      struct doc *doc)
{
	const struct tc_spec *filter = show->filter;
	const struct item *item;
	char dev[IFNAMSIZ];
	int err = 0;

	doc_open_array(doc, NULL);
	for (item = show->first; item && !err; item = item->next) {
		if (!filter->end.dev[0])
			err = rtnl_ifname(rtnl, d, item->info.ifindex, dev);
		if (!err)
			show_item(doc, item, filter->end.dev[0] ? NULL : dev, filter->object,
				  statistics);
	}
	doc_close_array(doc);
	return err;
}

int tc_show(struct diag *d, struct rtnl *rtnl, const struct tc_spec *filter, bool statistics,
	    struct doc *doc)
{
	struct show show = { .filter = filter };
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
		err = show_items(d, rtnl, &show, statistics, doc);
	show_clear(&show);
	return err;
}

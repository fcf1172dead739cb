// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters as tc shows them. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "filter-show.h"
#include "filters/filter-spec.h"
#include "net/filter.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "pure/doc.h"

/* One filter of a dump, copied: a dump may begin anew, and names are asked for after it. */
struct item {
	struct item *next;
	struct filter_info info;
	char kind[32];
	char data[];	/* copy of the options */
};

struct show {
	struct item *first;
	struct item **last;
};

/* Who is asked for the names of devices. */
struct names {
	struct rtnl *rtnl;
	char name[IFNAMSIZ + 8];
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

static int show_take(const struct filter_info *info, void *arg)
{
	struct show *show = arg;
	size_t nopts = info->opts ? (size_t)nla_total_size(nla_len(info->opts)) : 0;
	struct item *item = calloc(1, sizeof(*item) + nopts);

	if (!item)
		return -ENOMEM;
	item->info = *info;
	snprintf(item->kind, sizeof(item->kind), "%s", info->kind);
	item->info.kind = item->kind;
	if (nopts)
		item->info.opts = memcpy(item->data, info->opts, (size_t)info->opts->nla_len);
	*show->last = item;
	show->last = &item->next;
	return 0;
}

/* A device that has gone meanwhile is shown by its number. */
static const char *ifname(void *arg, int ifindex)
{
	struct names *names = arg;
	struct diag quiet;

	diag_init(&quiet);
	if (rtnl_ifname(names->rtnl, &quiet, ifindex, names->name) || !names->name[0])
		snprintf(names->name, sizeof(names->name), "if%d", ifindex);
	diag_free(&quiet);
	return names->name;
}

static void show_parent(struct doc *doc, uint32_t parent)
{
	char text[12];

	if (parent == TC_H_ROOT)
		doc_bool(doc, "root", " root", true);
	else if (parent == TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS))
		doc_bool(doc, "ingress", " ingress", true);
	else if (parent == TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS))
		doc_bool(doc, "egress", " egress", true);
	else
		doc_str(doc, "parent", " parent %s", handle_format(text, parent));
}

/* What was asked for is left out, as tc does. */
static void show_item(struct doc *doc, const struct item *item, const struct filter_spec *spec,
		      const struct filter_view *view)
{
	const struct filter_info *info = &item->info;
	const struct classifier *kind = classifier_find(item->kind);
	char text[16];

	doc_open_object(doc, NULL);
	doc_text(doc, "filter");
	if (!spec->parent || spec->parent != info->parent)
		show_parent(doc, info->parent);
	if (info->protocol && info->protocol != spec->protocol)
		doc_str(doc, "protocol", " protocol %s", protocol_format(text, info->protocol));
	if (info->prio && info->prio != spec->prio)
		doc_u64(doc, "pref", " pref %" PRIu64, info->prio);
	doc_str(doc, "kind", " %s", item->kind);
	if (info->has_chain && !(spec->has_chain && spec->chain == info->chain))
		doc_u64(doc, "chain", " chain %" PRIu64, info->chain);
	if (info->opts) {
		doc_open_object(doc, "options");
		if (kind)
			kind->show(doc, info->opts, view);
		else if (info->handle)
			doc_text(doc, " fh %08x", info->handle);
		doc_close_object(doc);
	}
	doc_close_object(doc);
	doc_text(doc, "\n");
}

int filter_show(struct diag *d, struct rtnl *rtnl, const struct filter_spec *spec,
		bool statistics, struct doc *doc)
{
	struct show show = { .last = &show.first };
	struct names names = { .rtnl = rtnl };
	struct filter_view view = { .statistics = statistics, .ifname = ifname, .arg = &names };
	int ifindex = rtnl_ifindex(rtnl, d, spec->end.dev);
	int err;

	if (ifindex < 0)
		return ifindex;
	err = filter_each(rtnl, d, ifindex, spec, show_take, show_clear, &show);
	if (!err) {
		doc_open_array(doc, NULL);
		for (const struct item *item = show.first; item; item = item->next) {
			view.handle = item->info.handle;
			show_item(doc, item, spec, &view);
		}
		doc_close_array(doc);
	}
	show_clear(&show);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes that stand on a device of a topology. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>

#include "net/snap.h"
#include "net/tc-dump.h"
#include "net/tc-hash.h"
#include "net/topo-live.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"

#define AUTO_MAJOR 0x80000000U	/* handles from 8000: on are the kernel's choice, another one each time */

struct live {
	uint32_t handle;
	uint32_t parent;
	char kind[32];
	struct nlattr *opts;
};

struct hunt {
	struct live *live;
	size_t n;
};

static int add(struct hunt *hunt, const struct tc_info *info)
{
	struct live *grown = realloc(hunt->live, (hunt->n + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	hunt->live = grown;
	grown += hunt->n;
	memset(grown, 0, sizeof(*grown));
	grown->handle = info->handle;
	grown->parent = info->parent;
	strncpy(grown->kind, info->kind, sizeof(grown->kind) - 1);
	if (info->opts) {
		size_t len = (size_t)nla_total_size(nla_len(info->opts));

		grown->opts = calloc(1, len);
		if (!grown->opts)
			return -ENOMEM;
		memcpy(grown->opts, info->opts, info->opts->nla_len);
	}
	hunt->n++;
	return 0;
}

static int each(const struct nlmsghdr *nlh, void *arg)
{
	struct tc_info info;

	return tc_info_parse(nlh, &info) ? add(arg, &info) : 0;
}

static void hunt_free(struct hunt *hunt)
{
	while (hunt->n)
		free(hunt->live[--hunt->n].opts);
	free(hunt->live);
}

/* The root, then by class; the kernel's order is that of a hash of handles. */
static int by_parent(const void *a, const void *b)
{
	uint32_t x = ((const struct live *)a)->parent + 1;	/* TC_H_ROOT becomes 0 */
	uint32_t y = ((const struct live *)b)->parent + 1;

	return (x > y) - (x < y);
}

/* What is compared must not hold what the kernel changes by itself. */
static uint64_t hash_and_mask(const struct live *q, bool exact)
{
	uint64_t h = 0;

	if (exact && q->opts) {
		h = tc_options_hash(q->kind, q->opts);
		tc_options_mask(q->kind, q->opts);
	}
	return h;
}

static void put_hash(struct doc *doc, uint64_t h)
{
	if (h)
		doc_text(doc, " #%016" PRIx64, h);
	doc_text(doc, "\n");
}

static void put_class(struct doc *doc, const struct live *c, const char *name, bool exact)
{
	const struct kind *kind = kind_find(c->kind);
	uint64_t h = hash_and_mask(c, exact);
	char buf[16];

	doc_open_object(doc, "");
	doc_text(doc, "class %s ", name);
	handle_format(buf, c->parent);
	doc_str(doc, "parent", c->parent == TC_H_ROOT ? "%s" : "parent %s", buf);
	handle_format(buf, c->handle);
	doc_str(doc, "classid", " classid %s", buf);
	doc_str(doc, "kind", " %s", c->kind);
	doc_open_object(doc, "options");
	if (kind && kind->class && kind->class->show)
		kind->class->show(doc, c->opts, false);
	doc_close_object(doc);
	put_hash(doc, h);
	doc_close_object(doc);
}

static void put(struct doc *doc, const struct live *q, const char *name, bool exact)
{
	const struct kind *kind = kind_find(q->kind);
	uint64_t h = hash_and_mask(q, exact);
	bool own = q->handle && !(q->handle & AUTO_MAJOR);
	char buf[16];

	doc_open_object(doc, "");
	doc_text(doc, "qdisc %s ", name);
	handle_format(buf, q->parent);
	doc_str(doc, "parent", q->parent == TC_H_ROOT ? "%s" : "parent %s", buf);
	handle_format(buf, q->handle);
	doc_str(doc, "handle", own ? " handle %s" : NULL, buf);
	doc_str(doc, "kind", " %s", q->kind);
	doc_open_object(doc, "options");
	if (kind && kind->show)
		kind->show(doc, q->opts);
	doc_close_object(doc);
	put_hash(doc, h);
	doc_close_object(doc);
}

static int by_classid(const void *a, const void *b)
{
	uint32_t x = ((const struct live *)a)->handle, y = ((const struct live *)b)->handle;

	return (x > y) - (x < y);
}

/* Of kinds whose classes are made by hand; the others' follow from the qdisc. */
static int each_class(const struct nlmsghdr *nlh, void *arg)
{
	const struct kind *kind;
	struct tc_info info;

	if (!tc_info_parse(nlh, &info))
		return 0;
	kind = kind_find(info.kind);
	return kind && kind->class ? add(arg, &info) : 0;
}

static bool has_classes(const struct hunt *hunt)
{
	for (size_t i = 0; i < hunt->n; i++) {
		const struct kind *kind = kind_find(hunt->live[i].kind);

		if (kind && kind->class)
			return true;
	}
	return false;
}

static int put_classes(struct diag *d, struct snap *snap, const struct fact_dev *dev, bool exact,
		       struct doc *doc)
{
	struct hunt hunt = { 0 };
	int err = snap_each(snap, d, dev->netns, RTM_GETTCLASS, dev->number, dev->number, each_class,
			    &hunt);

	if (!err && hunt.n)
		qsort(hunt.live, hunt.n, sizeof(*hunt.live), by_classid);
	doc_open_array(doc, "classes");
	for (size_t i = 0; !err && i < hunt.n; i++)
		put_class(doc, &hunt.live[i], dev->name, exact);
	doc_close_array(doc);
	hunt_free(&hunt);
	return err;
}

int topo_live_qdiscs(struct diag *d, struct snap *snap, const struct fact_dev *dev, bool exact,
		     struct doc *doc)
{
	struct hunt hunt = { 0 };
	int err = snap_each(snap, d, dev->netns, RTM_GETQDISC, 0, dev->number, each, &hunt);

	if (!err && hunt.n)
		qsort(hunt.live, hunt.n, sizeof(*hunt.live), by_parent);
	doc_open_array(doc, "qdiscs");
	for (size_t i = 0; !err && i < hunt.n; i++)
		put(doc, &hunt.live[i], dev->name, exact);
	doc_close_array(doc);
	if (!err && has_classes(&hunt))
		err = put_classes(d, snap, dev, exact, doc);
	hunt_free(&hunt);
	return err;
}

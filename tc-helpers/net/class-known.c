// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "net/class-known.h"
#include "net/rtnl.h"
#include "net/tc-dump.h"
#include "pure/diag.h"

static void forget_qdiscs(void *arg)
{
	struct class_known *known = arg;

	while (known->nqdiscs)
		free(known->qdiscs[--known->nqdiscs].opts);
}

static void forget_classes(void *arg)
{
	struct class_known *known = arg;

	known->nclasses = 0;
}

void class_known_forget(struct class_known *known)
{
	forget_qdiscs(known);
	free(known->qdiscs);
	free(known->classes);
	memset(known, 0, sizeof(*known));
}

static int take_qdisc(const struct tc_info *info, void *arg)
{
	struct class_known *known = arg;
	struct known_qdisc *grown, *q;
	size_t len = info->opts ? (size_t)nla_total_size(nla_len(info->opts)) : 0;

	if (!info->handle)	/* the kernel's own; it has no classes to be made */
		return 0;
	grown = realloc(known->qdiscs, (known->nqdiscs + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	known->qdiscs = grown;
	q = &grown[known->nqdiscs++];
	memset(q, 0, sizeof(*q));
	q->handle = info->handle;
	q->root = info->parent == TC_H_ROOT;
	snprintf(q->kind, sizeof(q->kind), "%s", info->kind);
	if (!len)
		return 0;
	q->opts = calloc(1, len);
	if (!q->opts)
		return -ENOMEM;
	memcpy(q->opts, info->opts, info->opts->nla_len);
	return 0;
}

static int grow(struct class_known *known)
{
	size_t room = known->room ? known->room * 2 : 64;
	struct known_class *grown;

	if (known->nclasses < known->room)
		return 0;
	grown = realloc(known->classes, room * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	known->classes = grown;
	known->room = room;
	return 0;
}

static int take_class(const struct tc_info *info, void *arg)
{
	struct class_known *known = arg;

	if (grow(known))
		return -ENOMEM;
	known->classes[known->nclasses++] = (struct known_class) { info->handle, info->parent, 0 };
	return 0;
}

static int by_classid(const void *a, const void *b)
{
	uint32_t x = ((const struct known_class *)a)->classid;
	uint32_t y = ((const struct known_class *)b)->classid;

	return (x > y) - (x < y);
}

static struct known_class *find(const struct class_known *known, uint32_t classid)
{
	const struct known_class key = { .classid = classid };

	if (!known->nclasses)
		return NULL;
	return bsearch(&key, known->classes, known->nclasses, sizeof(key), by_classid);
}

static void count_child(const struct class_known *known, uint32_t parent, int more)
{
	struct known_class *above = find(known, parent);

	if (above)
		above->children += (uint32_t)more;
}

int class_known_read(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		     struct class_known *known)
{
	int err;

	if (known->dev.ifindex && !strcmp(known->dev.end.dev, end->dev) &&
	    !strcmp(known->dev.end.netns, end->netns))
		return 0;
	class_known_forget(known);
	err = qdisc_dev_link(rtnl, d, end, &known->dev);
	if (!err)
		err = tc_each(rtnl, d, OBJECT_QDISC, known->dev.ifindex, take_qdisc, forget_qdiscs,
			      known);
	if (!err)
		err = tc_each(rtnl, d, OBJECT_CLASS, known->dev.ifindex, take_class,
			      forget_classes, known);
	if (err) {
		class_known_forget(known);
		return err;
	}
	if (known->nclasses)
		qsort(known->classes, known->nclasses, sizeof(*known->classes), by_classid);
	for (size_t i = 0; i < known->nclasses; i++)
		count_child(known, known->classes[i].parent, 1);
	return 0;
}

const struct known_qdisc *class_known_qdisc(const struct class_known *known, uint32_t handle)
{
	for (size_t i = 0; i < known->nqdiscs; i++)
		if (handle ? known->qdiscs[i].handle == handle : known->qdiscs[i].root)
			return &known->qdiscs[i];
	return NULL;
}

const struct known_class *class_known_find(const struct class_known *known, uint32_t classid)
{
	return find(known, classid);
}

void class_known_add(struct class_known *known, uint32_t classid, uint32_t parent)
{
	size_t at = known->nclasses;

	if (find(known, classid))
		return;
	if (grow(known)) {
		class_known_forget(known);
		return;
	}
	for (; at && known->classes[at - 1].classid > classid; at--)
		known->classes[at] = known->classes[at - 1];
	known->classes[at] = (struct known_class) { classid, parent, 0 };
	known->nclasses++;
	count_child(known, parent, 1);
}

void class_known_del(struct class_known *known, uint32_t classid)
{
	struct known_class *c = find(known, classid);
	size_t at;

	if (!c)
		return;
	count_child(known, c->parent, -1);
	at = (size_t)(c - known->classes);
	known->nclasses--;
	memmove(c, c + 1, (known->nclasses - at) * sizeof(*c));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "net/class.h"
#include "net/qdisc.h"
#include "net/rtnl.h"
#include "net/tc-blame.h"
#include "net/tc-dump.h"
#include "pure/diag.h"

/* "tx:eth1: class htb 1:10: add" */
#define WHAT_MAX (NETNS_NAME_MAX + IFNAMSIZ + 64)

/**
 * struct place - what is known of where a class is or goes
 * @handle: of its qdisc; 0 becomes that of the root
 * @kind: of its qdisc, "" while none was found
 * @opts: options of that qdisc, a copy or NULL
 * @classid: its number, 0 while it has none
 * @parent: the class or qdisc that is asked for as its parent, 0 or TC_H_ROOT for none
 * @parent_there: @parent is a class that exists
 * @old_parent: of the class as it is, 0 when it is not there
 * @inner: it has classes below it
 */
struct place {
	uint32_t handle;
	char kind[32];
	struct nlattr *opts;
	uint32_t classid;
	uint32_t parent;
	bool parent_there;
	uint32_t old_parent;
	bool inner;
};

static char *what_text(char *what, const struct tc_spec *spec, enum tc_op op)
{
	const struct link_end *end = &spec->end;
	char at[12];

	snprintf(what, WHAT_MAX, "%s%s%s: class%s%s %s: %s", end->netns, end->netns[0] ? ":" : "",
		 end->dev, spec->kind ? " " : "", spec->kind ? spec->kind->name : "",
		 handle_format(at, spec->handle ? spec->handle : spec->parent), tc_op_name(op));
	return what;
}

static void forget_qdisc(void *arg)
{
	struct place *place = arg;

	free(place->opts);
	place->opts = NULL;
	place->kind[0] = '\0';
}

static int take_qdisc(const struct tc_info *info, void *arg)
{
	struct place *place = arg;
	size_t len = info->opts ? (size_t)nla_total_size(nla_len(info->opts)) : 0;

	if (!info->handle ||
	    (place->handle ? info->handle != place->handle : info->parent != TC_H_ROOT))
		return 0;
	forget_qdisc(place);
	place->handle = info->handle;
	snprintf(place->kind, sizeof(place->kind), "%s", info->kind);
	if (!len)
		return 0;
	place->opts = calloc(1, len);
	if (!place->opts)
		return -ENOMEM;
	memcpy(place->opts, info->opts, info->opts->nla_len);
	return 0;
}

static void forget_classes(void *arg)
{
	struct place *place = arg;

	place->parent_there = false;
	place->old_parent = 0;
	place->inner = false;
}

static int take_class(const struct tc_info *info, void *arg)
{
	struct place *place = arg;

	if (info->handle == place->parent)
		place->parent_there = true;
	if (info->handle == place->classid)
		place->old_parent = info->parent;
	if (info->parent == place->classid)
		place->inner = true;
	return 0;
}

/* An id without its major number is of the qdisc @handle. */
static uint32_t complete(uint32_t id, uint32_t handle)
{
	return !id || id == TC_H_ROOT || TC_H_MAJ(id) ? id : TC_H_MAKE(handle, id);
}

static int place_read(struct rtnl *rtnl, struct diag *d, int ifindex, const struct tc_spec *spec,
		      struct place *place)
{
	int err;

	place->handle = TC_H_MAJ(spec->handle);
	if (!place->handle && spec->parent != TC_H_ROOT)
		place->handle = TC_H_MAJ(spec->parent);
	err = tc_each(rtnl, d, OBJECT_QDISC, ifindex, take_qdisc, forget_qdisc, place);
	if (err || !place->kind[0])
		return err;
	place->classid = complete(spec->handle, place->handle);
	place->parent = complete(spec->parent, place->handle);
	return tc_each(rtnl, d, OBJECT_CLASS, ifindex, take_class, forget_classes, place);
}

/* The kernel does not look at a class's kind: it would read the words of one as another's. */
static int check_kind(struct diag *d, const struct tc_spec *spec, const struct place *place,
		      const char *what)
{
	char handle[12];

	if (!place->kind[0] || !strcmp(place->kind, spec->kind->name))
		return 0;
	return diag_failed(d, EINVAL, "%s: the qdisc %s is of kind %s", what,
			   handle_format(handle, place->handle), place->kind);
}

/* The kernel's ENOENT says neither that it means the qdisc nor that it lacks its kind. */
static void blame_qdisc(struct diag *d, const struct tc_spec *spec, const struct place *place)
{
	char handle[12];

	if (place->handle)
		diag_append(d, "there is no qdisc %s", handle_format(handle, place->handle));
	else
		diag_append(d, "there is no qdisc at the root that has a handle");
	if (!tc_kind_lacks(spec->kind))
		return;
	d->exit = EXIT_CANNOT;
	diag_append(d, "this kernel lacks %s", spec->kind->config);
}

/* Adds to a refusal what the kernel did not say. */
static void blame(const struct rtnl *rtnl, struct diag *d, int err, enum tc_op op,
		  const struct tc_spec *spec, const struct place *place)
{
	bool silent = !*rtnl_extack(rtnl);

	if (err == -ENOENT && spec->kind && !place->kind[0])
		blame_qdisc(d, spec, place);
	else if (err == -EBUSY && op == OP_DEL && silent)
		diag_append(d, "classes below it or filters to it are still there");
	else if (err == -EINVAL && spec->kind && spec->kind->class->hint && silent)
		diag_append(d, "%s", spec->kind->class->hint);
}

static int check_parent(struct diag *d, const struct tc_spec *spec, const struct place *place,
			const char *what)
{
	bool named = place->parent && place->parent != TC_H_ROOT && TC_H_MIN(place->parent);
	char parent[12], old[12];

	handle_format(parent, place->parent);
	if (spec->kind->class->flat) {
		if (named)
			diag_warn(d, "%s: the parent %s counts for nothing: all classes of a %s are right below it",
				  what, parent, spec->kind->name);
		return 0;
	}
	if (place->old_parent) {
		if (place->parent && place->parent != place->old_parent &&
		    !(place->old_parent == TC_H_ROOT && place->parent == place->handle))
			diag_warn(d, "%s: the class stays below %s: it cannot be moved to %s", what,
				  handle_format(old, place->old_parent), parent);
		return 0;
	}
	if (named && !place->parent_there)
		return diag_failed(d, ENOENT, "%s: there is no class %s to be below", what, parent);
	return 0;
}

/* What does not fit the device or the qdisc, unless the kernel said it as it took it. */
static void advise(const struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec,
		   const struct place *place, unsigned int frame)
{
	const struct class_place at = {
		.classid = place->classid,
		.frame = frame,
		.inner = place->inner,
		.qdisc = place->opts,
		.told = rtnl_extack(rtnl),
	};

	if (spec->kind->class->advise)
		spec->kind->class->advise(d, spec->cfg, &at);
}

static int do_in_place(struct rtnl *rtnl, struct diag *d, enum tc_op op,
		       const struct tc_spec *spec, const struct qdisc_dev *dev,
		       struct place *place)
{
	char what[WHAT_MAX];
	struct nl_msg *msg;
	int err = 0;

	what_text(what, spec, op);
	if (spec->kind)
		err = place_read(rtnl, d, dev->ifindex, spec, place);
	if (!err && spec->kind)
		err = check_kind(d, spec, place, what);
	if (!err && spec->kind && place->kind[0])
		err = check_parent(d, spec, place, what);
	if (err)
		return err;
	if (tc_spec_msg(spec, op, dev->ifindex, &msg))
		return diag_failed(d, ENOMEM, "%s", what);
	err = rtnl_talk(rtnl, d, msg, "%s", what);
	if (err)
		blame(rtnl, d, err, op, spec, place);
	else if (spec->kind && op != OP_DEL)
		advise(rtnl, d, spec, place, dev->frame);
	return err;
}

int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec)
{
	struct place place = { 0 };
	struct qdisc_dev dev;
	int err;

	err = qdisc_dev_link(rtnl, d, &spec->end, &dev);
	if (!err)
		err = do_in_place(rtnl, d, op, spec, &dev, &place);
	forget_qdisc(&place);
	return err;
}

int class_warn_default(struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec)
{
	const struct kind *kind = spec->kind;
	uint32_t minor = kind && kind->default_class ? kind->default_class(spec->cfg) : 0;
	struct place place = { .classid = TC_H_MAKE(spec->handle, minor) };
	struct qdisc_dev dev;
	char name[12];
	int err;

	if (!minor)
		return 0;
	err = qdisc_dev_link(rtnl, d, &spec->end, &dev);
	if (!err && spec->handle)
		err = tc_each(rtnl, d, OBJECT_CLASS, dev.ifindex, take_class, forget_classes, &place);
	if (!err && !place.old_parent)
		diag_warn(d, "%s: the default class %s is not there yet: until it is, what no filter claims %s",
			  kind->name, handle_format(name, place.classid), kind->unclaimed);
	return err;
}

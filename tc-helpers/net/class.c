// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "net/class-known.h"
#include "net/class.h"
#include "net/rtnl.h"
#include "net/tc-blame.h"
#include "pure/diag.h"

/* "tx:eth1: class htb 1:10: add" */
#define WHAT_MAX (NETNS_NAME_MAX + IFNAMSIZ + 64)

/**
 * struct place - where a class is or goes
 * @handle: of its qdisc; 0 when none was found
 * @qdisc: that qdisc, NULL when it is not there
 * @classid: its number, 0 while it has none
 * @parent: what is asked for as its parent, 0 for nothing; TC_H_ROOT: right below the qdisc
 * @old: the class as it is, NULL when it is not there
 */
struct place {
	uint32_t handle;
	const struct known_qdisc *qdisc;
	uint32_t classid;
	uint32_t parent;
	const struct known_class *old;
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

/* An id without its major number is of the qdisc @handle. */
static uint32_t complete(uint32_t id, uint32_t handle)
{
	return !id || id == TC_H_ROOT || TC_H_MAJ(id) ? id : TC_H_MAKE(handle, id);
}

/* Kinds show classes at the top as at the root or as below a class "1:". */
static uint32_t top(uint32_t parent, uint32_t handle)
{
	return parent == handle ? TC_H_ROOT : parent;
}

static void place_find(const struct class_known *known, const struct tc_spec *spec,
		       struct place *place)
{
	memset(place, 0, sizeof(*place));
	place->handle = TC_H_MAJ(spec->handle);
	if (!place->handle && spec->parent != TC_H_ROOT)
		place->handle = TC_H_MAJ(spec->parent);
	place->qdisc = class_known_qdisc(known, place->handle);
	if (place->qdisc)
		place->handle = place->qdisc->handle;
	place->classid = complete(spec->handle, place->handle);
	place->parent = spec->parent ? top(complete(spec->parent, place->handle), place->handle) : 0;
	place->old = class_known_find(known, place->classid);
}

/* Whether all that the words name is there: if not, it may be that what is known is old. */
static bool place_is_whole(const struct class_known *known, const struct place *place)
{
	return place->qdisc && (!place->parent || place->parent == TC_H_ROOT ||
				class_known_find(known, place->parent));
}

static int place_read(struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec,
		      struct class_known *known, struct place *place)
{
	bool fresh = !known->dev.ifindex;
	int err = class_known_read(rtnl, d, &spec->end, known);

	if (err)
		return err;
	place_find(known, spec, place);
	if (fresh || place_is_whole(known, place))
		return 0;
	class_known_forget(known);
	err = class_known_read(rtnl, d, &spec->end, known);
	if (!err)
		place_find(known, spec, place);
	return err;
}

/* The kernel does not look at a class's kind: it would read the words of one as another's. */
static int check_kind(struct diag *d, const struct tc_spec *spec, const struct place *place,
		      const char *what)
{
	char handle[12];

	if (!place->qdisc || !strcmp(place->qdisc->kind, spec->kind->name))
		return 0;
	return diag_failed(d, EINVAL, "%s: the qdisc %s is of kind %s", what,
			   handle_format(handle, place->handle), place->qdisc->kind);
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

	if (err == -ENOENT && spec->kind && !place->qdisc)
		blame_qdisc(d, spec, place);
	else if (err == -EBUSY && op == OP_DEL && silent)
		diag_append(d, "classes below it or filters to it are still there");
	else if (err == -EINVAL && spec->kind && spec->kind->class->hint && silent)
		diag_append(d, "%s", spec->kind->class->hint);
}

static int check_parent(struct diag *d, const struct tc_spec *spec,
			const struct class_known *known, const struct place *place,
			const char *what)
{
	bool named = place->parent && place->parent != TC_H_ROOT;
	char parent[12], old[12];

	handle_format(parent, named ? place->parent : place->handle);
	if (spec->kind->class->flat) {
		if (named)
			diag_warn(d, "%s: the parent %s counts for nothing: all classes of a %s are right below it",
				  what, parent, spec->kind->name);
		return 0;
	}
	if (place->old) {
		uint32_t above = top(place->old->parent, place->handle);

		if (place->parent && place->parent != above)
			diag_warn(d, "%s: the class stays below %s: it cannot be moved to %s", what,
				  handle_format(old, above == TC_H_ROOT ? place->handle : above),
				  parent);
		return 0;
	}
	if (named && !class_known_find(known, place->parent))
		return diag_failed(d, ENOENT, "%s: there is no class %s to be below", what, parent);
	return 0;
}

/* What does not fit the device or the qdisc, unless the kernel said it as it took it. */
static void advise(const struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec,
		   const struct class_known *known, const struct place *place)
{
	const struct class_place at = {
		.classid = place->classid,
		.frame = known->dev.frame,
		.inner = place->old && place->old->children,
		.qdisc = place->qdisc ? place->qdisc->opts : NULL,
		.told = rtnl_extack(rtnl),
	};

	if (spec->kind->class->advise)
		spec->kind->class->advise(d, spec->cfg, &at);
}

/* Keeps what is known up with what was done. */
static void keep_up(struct class_known *known, enum tc_op op, const struct place *place)
{
	if (!place->classid)	/* the kernel chose one */
		class_known_forget(known);
	else if (op == OP_DEL)
		class_known_del(known, place->classid);
	else if (!place->old)
		class_known_add(known, place->classid, place->parent ? place->parent : TC_H_ROOT);
}

static int do_in_place(struct rtnl *rtnl, struct diag *d, enum tc_op op,
		       const struct tc_spec *spec, struct class_known *known)
{
	struct place place;
	char what[WHAT_MAX];
	struct nl_msg *msg;
	int err;

	what_text(what, spec, op);
	err = place_read(rtnl, d, spec, known, &place);
	if (!err && spec->kind)
		err = check_kind(d, spec, &place, what);
	if (!err && spec->kind && place.qdisc)
		err = check_parent(d, spec, known, &place, what);
	if (err)
		return err;
	if (tc_spec_msg(spec, op, known->dev.ifindex, &msg))
		return diag_failed(d, ENOMEM, "%s", what);
	err = rtnl_talk(rtnl, d, msg, "%s", what);
	if (err) {
		blame(rtnl, d, err, op, spec, &place);
		return err;
	}
	if (spec->kind && op != OP_DEL)
		advise(rtnl, d, spec, known, &place);
	keep_up(known, op, &place);
	return 0;
}

int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
	     struct class_known *known)
{
	int err = do_in_place(rtnl, d, op, spec, known);

	if (err)
		class_known_forget(known);
	return err;
}

int class_warn_default(struct rtnl *rtnl, struct diag *d, enum tc_op op,
		       const struct tc_spec *spec)
{
	const struct kind *kind = spec->kind;
	uint32_t minor = kind && kind->default_class ? kind->default_class(spec->cfg) : 0;
	uint32_t classid = TC_H_MAKE(spec->handle, minor);
	struct class_known known = { 0 };
	bool there = false;
	char name[12];
	int err = 0;

	if (!minor || op == OP_DEL)
		return 0;
	if (op != OP_ADD && spec->handle) {
		err = class_known_read(rtnl, d, &spec->end, &known);
		there = !err && class_known_find(&known, classid);
		class_known_forget(&known);
	}
	if (!err && !there)
		diag_warn(d, "%s: the default class %s is not there yet: until it is, what no filter claims %s",
			  kind->name, handle_format(name, classid), kind->unclaimed);
	return err;
}

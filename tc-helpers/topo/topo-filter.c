// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "filter NS:DEV parent H|ingress|egress ..." of a topology file: where it
 * hangs is read here, what it is stays in tc's words.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

/* The qdisc or class that the word at @i names is made by a line before. */
static int parent_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
			const struct topo_filter *f)
{
	const char *name = s->words[1];

	if (!(f->parent >> 16))
		return diag_usage(d, i, "\"%s\": the qdisc needs a handle of its own: \"root handle 1: htb\", then \"parent 1:\"",
				  s->words[i]);
	if (!topo_find_handle(topo, f->dev, false, f->parent & 0xffff0000))
		return diag_usage(d, i, "\"%s\": no qdisc before this line on %s has the handle %x:",
				  s->words[i], name, f->parent >> 16);
	return 0;
}

static int place_parse(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       struct topo_filter *f)
{
	static const char where[] = "say first where: parent 1:, ingress or egress";
	int err;

	if (s->nwords < 3)
		return diag_usage(d, 2, "%s", where);
	f->clsact = strcmp(s->words[2], "ingress") == 0 || strcmp(s->words[2], "egress") == 0;
	if (f->clsact) {
		f->parent = *s->words[2] == 'i' ? TOPO_INGRESS : TOPO_EGRESS;
		return 0;
	}
	if (strcmp(s->words[2], "parent") != 0)
		return diag_usage(d, 2, "\"%s\": %s", s->words[2], where);
	err = topo_need_word(d, s, 3, "the handle of a qdisc (1:)");
	if (!err)
		err = classid_parse(d, s->words, 3, &f->parent);
	return err ? err : parent_check(d, topo, s, 3, f);
}

/* What arrives at an end with an ifb goes there, all of it, before a filter could see it. */
static int ingress_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
			 struct topo_ref dev, int word)
{
	int ingress = topo_ingress_of(topo, dev);

	if (ingress < 0)
		return 0;
	return diag_usage(d, word, "\"%s\": what arrives there goes through its ifb (line %d): a filter is for %s then",
			  s->words[word], topo->stmts[topo->ingress[ingress].stmt].line,
			  topo->ingress[ingress].ifb.end.dev);
}

int topo_filter_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_filter f = { .stmt = stmt, .first = true }, *slot;
	struct topo_dev *dev;
	int err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, true, &f.dev);
	if (!err)
		err = place_parse(d, topo, s, &f);
	if (!err && f.parent == TOPO_INGRESS)
		err = ingress_check(d, topo, s, f.dev, 2);
	if (err)
		return err;
	dev = topo_dev_of(topo, f.dev);
	f.before = dev->last_filter;
	for (int i = f.before; i >= 0 && f.first; i = topo->filters[i].before)
		f.first = topo->filters[i].parent != f.parent;
	f.makes_clsact = f.clsact && !dev->clsact;
	slot = topo_add(d, &topo->filters, &topo->nfilters, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	dev->clsact |= f.clsact;
	dev->last_filter = topo->nfilters - 1;
	*slot = f;
	return 0;
}

int topo_filter_ingress_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
			      struct topo_ref end)
{
	for (int i = topo_dev(topo, end)->last_filter; i >= 0; i = topo->filters[i].before)
		if (topo->filters[i].parent == TOPO_INGRESS)
			return diag_usage(d, 1, "\"%s\": line %d has a filter for what arrives there, which would not see it any more",
					  s->words[1], topo->stmts[topo->filters[i].stmt].line);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "qdisc NS:DEV ..." and "class NS:DEV ..." of a topology file: where they go
 * is read here, what they are stays in tc's words. "parent 1:*" becomes one
 * qdisc per tx queue.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

/* Classes that a kind of many queues has besides the queues (TC_H_MIN_PRIORITY). */
#define MINOR_RESERVED 0xffe0

static struct topo_qdisc *next(const struct topo *topo, int i)
{
	return i < 0 ? NULL : &topo->qdiscs[i];
}

static struct topo_qdisc *first(const struct topo *topo, struct topo_ref dev)
{
	return next(topo, topo_dev(topo, dev)->last);
}

struct topo_qdisc *topo_find_handle(const struct topo *topo, struct topo_ref dev, bool is_class,
				    uint32_t handle)
{
	struct topo_qdisc *q;

	for (q = first(topo, dev); q; q = next(topo, q->before))
		if (q->is_class == is_class && q->handle == handle)
			return q;
	return NULL;
}

struct topo_qdisc *topo_find_parent(const struct topo *topo, struct topo_ref dev, uint32_t parent)
{
	struct topo_qdisc *q;

	for (q = first(topo, dev); q; q = next(topo, q->before))
		if (!q->is_class && q->parent == parent)
			return q;
	return NULL;
}

static const char *kind_of(const struct topo_qdisc *q)
{
	return q->words[q->kind];
}

/* Kinds whose classes are the device's tx queues. */
static bool is_multiqueue(const char *kind)
{
	static const char *const names[] = { "mq", "mqprio", "taprio", "cake_mq" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(kind, names[i]) == 0)
			return true;
	return false;
}

/* Where "queues" is to be written: the link of a device, or of an ifb's end. */
static int link_line(const struct topo *topo, struct topo_ref dev)
{
	if (dev.link < 0)
		dev = topo->ingress[-1 - dev.link].of;
	return topo->stmts[topo->links[dev.link].stmt].line;
}

static const char *dev_name(const struct topo *topo, struct topo_ref dev, char *buf)
{
	return topo_end_format(buf, &topo_dev(topo, dev)->end);
}

static int line_of(const struct topo *topo, const struct topo_qdisc *q)
{
	return topo->stmts[q->stmt].line;
}

static int taken_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct topo_place *p, uint32_t parent)
{
	const struct topo_qdisc *q = topo_find_parent(topo, p->dev, parent);
	char name[TOPO_END_LEN], buf[16];
	int word = p->parent_word ? p->parent_word : p->kind;

	if (!q)
		return 0;
	return diag_usage(d, word, "\"%s\": %s of %s is taken by the qdisc of line %d",
			  s->words[word], handle_format(buf, parent),
			  dev_name(topo, p->dev, name), line_of(topo, q));
}

/* "1:9" below a kind whose classes are queues. */
static int queue_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct topo_place *p, const char *above)
{
	unsigned int queues = topo_dev(topo, p->dev)->tx, minor = p->parent & 0xffff;
	char name[TOPO_END_LEN], handle[12], last[16];

	if (!is_multiqueue(above) || (minor >= 1 && minor <= queues) ||
	    (minor >= MINOR_RESERVED && strcmp(above, "mq") != 0))
		return 0;
	handle_format(handle, p->parent & 0xffff0000);
	handle_format(last, (p->parent & 0xffff0000) | queues);
	return diag_usage(d, p->parent_word, "\"%s\": %s has %u tx queue%s, %s1 to %s: write \"queues N\" at its link (line %d)",
			  s->words[p->parent_word], dev_name(topo, p->dev, name), queues,
			  queues > 1 ? "s" : "", handle, last, link_line(topo, p->dev));
}

static int star_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		      const struct topo_place *p, const char *above)
{
	if (!is_multiqueue(above))
		return diag_usage(d, p->parent_word, "\"%s\": one per queue is for mq and its like, and %x: is %s",
				  s->words[p->parent_word], p->parent >> 16, above);
	if (p->handle)
		return diag_usage(d, p->handle_word, "\"%s\": one handle cannot be that of %u qdiscs: leave it out, or write a line per queue",
				  s->words[p->handle_word], topo_dev(topo, p->dev)->tx);
	return 0;
}

/* The qdisc that p->parent is a class of. */
static const struct topo_qdisc *above_of(struct diag *d, const struct topo *topo,
					 const struct topo_stmt *s, const struct topo_place *p)
{
	const struct topo_qdisc *above;
	char name[TOPO_END_LEN];

	above = topo_find_handle(topo, p->dev, false, p->parent & 0xffff0000);
	if (!above)
		diag_usage(d, p->parent_word, "\"%s\": no qdisc before this line on %s has the handle %x:",
			   s->words[p->parent_word], dev_name(topo, p->dev, name), p->parent >> 16);
	return above;
}

/* What the kernel would say with less words, or, for a phantom queue, not at all. */
static int qdisc_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct topo_place *p)
{
	const char *kind = s->words[p->kind];
	const struct topo_qdisc *above;
	char name[TOPO_END_LEN];

	if (p->handle && topo_find_handle(topo, p->dev, false, p->handle))
		return diag_usage(d, p->handle_word, "\"%s\": this handle is used on %s already",
				  s->words[p->handle_word], dev_name(topo, p->dev, name));
	if (is_multiqueue(kind) && topo_dev(topo, p->dev)->tx < 2)
		return diag_usage(d, p->kind, "%s on %s: the device has 1 tx queue, %s needs 2 or more: write \"queues N\" at its link (line %d)",
				  kind, dev_name(topo, p->dev, name), kind, link_line(topo, p->dev));
	if (p->parent == TOPO_ROOT)
		return 0;
	if (!(p->parent & 0xffff) && !p->star)
		return diag_usage(d, p->parent_word, "\"%s\": the qdisc itself is no place for another: 1:1, 1:2 ...",
				  s->words[p->parent_word]);
	above = above_of(d, topo, s, p);
	if (!above)
		return -EINVAL;
	return p->star ? star_check(d, topo, s, p, kind_of(above)) :
			 queue_check(d, topo, s, p, kind_of(above));
}

static int class_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct topo_place *p)
{
	const char *kind = s->words[p->kind];
	const struct topo_qdisc *above;
	char name[TOPO_END_LEN];

	if (p->star)
		return diag_usage(d, p->parent_word, "\"%s\": classes are made one by one",
				  s->words[p->parent_word]);
	if (!p->handle)
		return diag_usage(d, p->kind, "\"%s\": the class needs its \"classid\" (1:10) before its kind",
				  kind);
	if (topo_find_handle(topo, p->dev, true, p->handle))
		return diag_usage(d, p->handle_word, "\"%s\": this class is on %s already",
				  s->words[p->handle_word], dev_name(topo, p->dev, name));
	if (p->parent == TOPO_ROOT) {
		above = topo_find_parent(topo, p->dev, TOPO_ROOT);
		if (!above || above->handle != (p->handle & 0xffff0000))
			return diag_usage(d, p->handle_word, "\"%s\": the root qdisc of %s has another handle",
					  s->words[p->handle_word], dev_name(topo, p->dev, name));
	} else {
		above = above_of(d, topo, s, p);
		if (!above)
			return -EINVAL;
		if ((p->parent ^ p->handle) & 0xffff0000)
			return diag_usage(d, p->handle_word, "\"%s\": a class of %x: is %x:N", s->words[p->handle_word],
					  p->parent >> 16, p->parent >> 16);
		if ((p->parent & 0xffff) && !topo_find_handle(topo, p->dev, true, p->parent))
			return diag_usage(d, p->parent_word, "\"%s\": no class line before this one on %s makes it",
					  s->words[p->parent_word], dev_name(topo, p->dev, name));
	}
	if (strcmp(kind, kind_of(above)) != 0)
		return diag_usage(d, p->kind, "\"%s\": the qdisc %x: is %s, and so are its classes", kind,
				  p->handle >> 16, kind_of(above));
	return 0;
}

int topo_tc_words(struct diag *d, struct topo *topo, int stmt, const struct topo_place *p,
		  uint32_t parent, unsigned int n, struct topo_qdisc *q)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	char buf[16];
	int i, err;

	*q = (struct topo_qdisc){
		.dev = p->dev, .is_class = p->is_class, .stmt = stmt, .parent = parent,
		.handle = p->handle, .queue = p->star ? n + 1 : 0, .parent_word = -1, .before = -1,
	};
	q->words = topo_alloc(d, topo, (size_t)(s->nwords + 1) * sizeof(*q->words));
	q->cols = topo_alloc(d, topo, (size_t)(s->nwords + 2) * sizeof(*q->cols));
	if (!q->words || !q->cols)
		return -ENOMEM;
	if (p->implied) {
		q->words[0] = topo_strndup(d, topo, "root", 4);
		q->cols[0] = s->cols[p->first - 1];
		q->nwords = 1;
		if (!q->words[0])
			return -ENOMEM;
	}
	for (i = p->first; i < s->nwords; i++) {
		if (topo_is_step(s, i)) {
			i++;
			continue;
		}
		err = topo_step_word(d, topo, s, i, n, &q->words[q->nwords]);
		if (err)
			return err;
		if (i == p->parent_word) {
			q->parent_word = q->nwords;
			handle_format(buf, parent);
			q->words[q->nwords] = topo_strndup(d, topo, buf, strlen(buf));
			if (!q->words[q->nwords])
				return -ENOMEM;
		}
		if (i == p->kind)
			q->kind = q->nwords;
		q->cols[q->nwords++] = s->cols[i];
	}
	q->cols[q->nwords] = s->cols[s->nwords];
	return 0;
}

static int add_one(struct diag *d, struct topo *topo, int stmt, const struct topo_place *p,
		   uint32_t parent, unsigned int n)
{
	struct topo_qdisc q, *slot;
	int err = topo_tc_words(d, topo, stmt, p, parent, n, &q);

	if (err)
		return err;
	slot = topo_add(d, &topo->qdiscs, &topo->nqdiscs, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	q.before = topo_dev_of(topo, p->dev)->last;
	topo_dev_of(topo, p->dev)->last = topo->nqdiscs - 1;
	*slot = q;
	return 0;
}

int topo_tc_add(struct diag *d, struct topo *topo, int stmt, const struct topo_place *p)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	unsigned int n, count = p->star ? topo_dev(topo, p->dev)->tx : 1;
	uint32_t parent;
	int err;

	err = p->is_class ? class_check(d, topo, s, p) : qdisc_check(d, topo, s, p);
	if (!err)
		err = topo_steps_check(d, s, p->kind + 1, p->star);
	for (n = 0; !err && n < count; n++) {
		parent = p->star ? p->parent | (n + 1) : p->parent;
		if (!p->is_class)
			err = taken_check(d, topo, s, p, parent);
		if (!err)
			err = add_one(d, topo, stmt, p, parent, n);
	}
	return err;
}

static int tc_parse(struct diag *d, struct topo *topo, int stmt, bool is_class)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_place p = { .is_class = is_class, .first = 2 };
	int err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, true, &p.dev);
	if (!err)
		err = topo_place_parse(d, topo, s, &p);
	return err ? err : topo_tc_add(d, topo, stmt, &p);
}

int topo_qdisc_parse(struct diag *d, struct topo *topo, int stmt)
{
	return tc_parse(d, topo, stmt, false);
}

int topo_class_parse(struct diag *d, struct topo *topo, int stmt)
{
	return tc_parse(d, topo, stmt, true);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "qdisc NS:DEV ..." of a topology file: where it goes is read here, what it
 * is stays in tc's words. "parent 1:*" becomes one qdisc per tx queue.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"
#include "pure/units.h"

#define PARENT_ROOT 0xffffffffU		/* TC_H_ROOT */

/* Words of one statement, counted from its keyword. */
struct place {
	struct topo_ref dev;
	int parent_word;	/* the word after "parent", 0 without */
	int kind;
	int step;		/* the word "step", 0 without */
	bool star;
	uint32_t parent;	/* major alone with a star */
	uint32_t handle;
};

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), m = strlen(tail);

	return n >= m && strcmp(s + n - m, tail) == 0;
}

static int star_parse(struct diag *d, struct topo *topo, char **words, int i, uint32_t *parent)
{
	char *handle[1];
	int err;

	handle[0] = topo_strndup(d, topo, words[i], strlen(words[i]) - 1);
	if (!handle[0])
		return -ENOMEM;
	err = handle_parse(d, handle, 0, parent);
	if (err)
		d->word = i;
	return err;
}

static int parent_parse(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
			struct place *p)
{
	int err;

	if (p->parent)
		return diag_usage(d, i, "\"%s\": where the qdisc goes stands here already", s->words[i]);
	if (strcmp(s->words[i], "root") == 0) {
		p->parent = PARENT_ROOT;
		return 0;
	}
	err = topo_need_word(d, s, i + 1, "the class (1:2, or 1:* for every queue)");
	if (err)
		return err;
	p->parent_word = ++i;
	if (ends_with(s->words[i], ":*")) {
		p->star = true;
		err = star_parse(d, topo, s->words, i, &p->parent);
	} else {
		err = classid_parse(d, s->words, i, &p->parent);
	}
	if (!err && !(p->parent >> 16))
		return diag_usage(d, i, "\"%s\": the qdisc above it needs a handle of its own: \"root handle 1: mq\", then \"parent 1:1\"",
				  s->words[i]);
	return err;
}

static int place_parse(struct diag *d, struct topo *topo, const struct topo_stmt *s,
		       struct place *p)
{
	int i = 2, err = 0;

	for (; !err && i < s->nwords; i++) {
		const char *word = s->words[i];

		if (strcmp(word, "root") == 0 || strcmp(word, "parent") == 0) {
			err = parent_parse(d, topo, s, i, p);
			i += strcmp(word, "parent") == 0;
		} else if (strcmp(word, "handle") == 0) {
			if (p->handle)
				return diag_usage(d, i, "\"handle\" stands here twice");
			err = topo_need_word(d, s, ++i, "the handle (10:)");
			if (!err)
				err = handle_parse(d, s->words, i, &p->handle);
		} else if (strcmp(word, "est") == 0) {
			err = topo_need_word(d, s, ++i, "the interval (est 1sec 4sec)");
			if (!err)
				err = topo_need_word(d, s, ++i, "the time constant (est 1sec 4sec)");
		} else if (strcmp(word, "dev") == 0) {
			return diag_usage(d, i, "\"dev\": the device is \"%s\" already", s->words[1]);
		} else {
			break;
		}
	}
	if (err)
		return err;
	err = topo_need_word(d, s, i, "the kind of qdisc");
	if (err)
		return err;
	p->kind = i;
	if (!p->parent)
		return diag_usage(d, i, "\"%s\": say where: root, parent 1:2, or parent 1:*", s->words[i]);
	for (; i < s->nwords; i++)
		if (strcmp(s->words[i], "step") == 0)
			p->step = i;
	return 0;
}

static const struct topo_qdisc *find_handle(const struct topo *topo, struct topo_ref dev,
					    uint32_t handle)
{
	int i;

	for (i = 0; i < topo->nqdiscs; i++) {
		const struct topo_qdisc *q = &topo->qdiscs[i];

		if (q->dev.link == dev.link && q->dev.end == dev.end && q->handle == handle)
			return q;
	}
	return NULL;
}

static const struct topo_qdisc *find_parent(const struct topo *topo, struct topo_ref dev,
					    uint32_t parent)
{
	int i;

	for (i = 0; i < topo->nqdiscs; i++) {
		const struct topo_qdisc *q = &topo->qdiscs[i];

		if (q->dev.link == dev.link && q->dev.end == dev.end && q->parent == parent)
			return q;
	}
	return NULL;
}

static bool is_mq(const struct topo_qdisc *q)
{
	return strcmp(q->words[q->kind], "mq") == 0;
}

/* What the kernel would say with less words, or, for a phantom queue, not at all. */
static int place_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct place *p)
{
	const struct topo_link *link = &topo->links[p->dev.link];
	const struct topo_qdisc *above;
	uint32_t minor = p->parent & 0xffff;
	const char *word = s->words[p->parent_word ? p->parent_word : p->kind];

	if (p->handle && find_handle(topo, p->dev, p->handle))
		return diag_usage(d, p->kind - 1, "this handle is used on %s already", s->words[1]);
	if (strcmp(s->words[p->kind], "mq") == 0 && link->queues < 2)
		return diag_usage(d, p->kind, "mq on %s: the device has 1 tx queue, mq needs 2 or more: write \"queues N\" at its link (line %d)",
				  s->words[1], topo->stmts[link->stmt].line);
	if (p->parent == PARENT_ROOT) {
		if (find_parent(topo, p->dev, p->parent))
			return diag_usage(d, p->kind, "\"%s\": that place on %s is taken by the qdisc of line %d",
					  word, s->words[1],
					  topo->stmts[find_parent(topo, p->dev, p->parent)->stmt].line);
		return 0;
	}
	above = find_handle(topo, p->dev, p->parent & 0xffff0000);
	if (!above)
		return diag_usage(d, p->parent_word, "\"%s\": no qdisc before this line on %s has the handle %x:",
				  word, s->words[1], p->parent >> 16);
	if (p->star) {
		if (!is_mq(above))
			return diag_usage(d, p->parent_word, "\"%s\": one per queue is for mq, and %x: is %s",
					  word, p->parent >> 16, above->words[above->kind]);
		if (p->handle)
			return diag_usage(d, p->kind - 1, "one handle cannot be that of %u qdiscs: leave it out, or write a line per queue",
					  link->queues);
		return 0;
	}
	if (is_mq(above) && (minor < 1 || minor > link->queues))
		return diag_usage(d, p->parent_word, "\"%s\": %s has %u tx queue%s, 1:1 to 1:%x: write \"queues N\" at its link (line %d)",
				  word, s->words[1], link->queues, link->queues > 1 ? "s" : "",
				  link->queues, topo->stmts[link->stmt].line);
	return 0;
}

static int taken_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       const struct place *p, uint32_t parent)
{
	const struct topo_qdisc *q = find_parent(topo, p->dev, parent);
	char buf[16];

	if (!q)
		return 0;
	return diag_usage(d, p->parent_word, "\"%s\": %s on %s is taken by the qdisc of line %d",
			  s->words[p->parent_word], handle_format(buf, parent), s->words[1],
			  topo->stmts[q->stmt].line);
}

/* The word after "delay", and by how much it grows from queue to queue. */
static int step_parse(struct diag *d, const struct topo_stmt *s, const struct place *p,
		      int *delay_word, int64_t *delay, int64_t *step)
{
	int i, err;

	*delay_word = 0;
	if (!p->step)
		return 0;
	if (!p->star)
		return diag_usage(d, p->step, "\"step\" goes from queue to queue: with \"parent 1:*\" alone");
	for (i = p->kind + 1; i + 1 < s->nwords; i++)
		if (strcmp(s->words[i], "delay") == 0 || strcmp(s->words[i], "latency") == 0)
			*delay_word = i + 1;
	if (!*delay_word || *delay_word == p->step)
		return diag_usage(d, p->step, "\"step\" adds to a delay, and no delay stands here");
	err = topo_need_word(d, s, p->step + 1, "the time");
	if (!err)
		err = time_parse(d, s->words, *delay_word, delay);
	if (!err)
		err = time_parse(d, s->words, p->step + 1, step);
	if (!err && *step > (INT64_MAX - *delay) / TOPO_QUEUES_MAX)
		err = diag_usage(d, p->step + 1, "\"%s\": too long a time", s->words[p->step + 1]);
	return err;
}

/* With the largest unit that keeps it whole. */
static char *delay_word_format(struct diag *d, struct topo *topo, int64_t ns)
{
	char text[32];

	if (ns % 1000000 == 0)
		snprintf(text, sizeof(text), "%" PRId64 "ms", ns / 1000000);
	else if (ns % 1000 == 0)
		snprintf(text, sizeof(text), "%" PRId64 "us", ns / 1000);
	else
		snprintf(text, sizeof(text), "%" PRId64 "ns", ns);
	return topo_strndup(d, topo, text, strlen(text));
}

static int add_one(struct diag *d, struct topo *topo, int stmt, const struct place *p,
		   uint32_t parent, int delay_word, int64_t delay)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_qdisc *q;
	char buf[16];
	int i;

	q = topo_add(d, &topo->qdiscs, &topo->nqdiscs, sizeof(*q));
	if (!q)
		return -ENOMEM;
	*q = (struct topo_qdisc){
		.dev = p->dev, .stmt = stmt, .parent = parent, .handle = p->handle,
		.queue = p->star ? parent & 0xffff : 0,
	};
	q->words = topo_alloc(d, topo, (size_t)s->nwords * sizeof(*q->words));
	q->cols = topo_alloc(d, topo, (size_t)s->nwords * sizeof(*q->cols));
	if (!q->words || !q->cols)
		return -ENOMEM;
	for (i = 2; i < s->nwords; i++) {
		char *word = s->words[i];

		if (p->step && (i == p->step || i == p->step + 1))
			continue;
		if (p->star && i == p->parent_word) {
			handle_format(buf, parent);
			word = topo_strndup(d, topo, buf, strlen(buf));
		} else if (delay_word && i == delay_word) {
			word = delay_word_format(d, topo, delay);
		}
		if (!word)
			return -ENOMEM;
		if (i == p->kind)
			q->kind = q->nwords;
		q->cols[q->nwords] = s->cols[i];
		q->words[q->nwords++] = word;
	}
	q->cols[q->nwords] = s->cols[s->nwords];
	return 0;
}

int topo_qdisc_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct place p = { .parent = 0 };
	int64_t delay = 0, step = 0;
	uint32_t minor, first, last;
	int delay_word, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, &p.dev);
	if (!err)
		err = place_parse(d, topo, s, &p);
	if (!err)
		err = place_check(d, topo, s, &p);
	if (!err)
		err = step_parse(d, s, &p, &delay_word, &delay, &step);
	if (err)
		return err;
	if (p.parent == PARENT_ROOT)
		return add_one(d, topo, stmt, &p, p.parent, 0, 0);
	first = p.star ? 1 : p.parent & 0xffff;
	last = p.star ? topo->links[p.dev.link].queues : first;
	for (minor = first; minor <= last; minor++) {
		uint32_t parent = (p.parent & 0xffff0000) | minor;

		err = taken_check(d, topo, s, &p, parent);
		if (!err)
			err = add_one(d, topo, stmt, &p, parent, delay_word,
				      delay + (int64_t)(minor - first) * step);
		if (err)
			return err;
	}
	return 0;
}

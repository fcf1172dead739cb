// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What changes while "topo play" runs: "at TIME qdisc|class change ..." and
 * "trace NS:DEV root|parent H|classid H OPTION FILE".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/units.h"
#include "topo/topo-parse.h"

static int add_event(struct diag *d, struct topo *topo, const struct topo_event *event)
{
	struct topo_event *slot = topo_add(d, &topo->events, &topo->nevents, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = *event;
	return 0;
}

/* What is changed must be what a line before has made. */
static int declared_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
			  const struct topo_place *p, uint32_t parent)
{
	const char *what = p->is_class ? "class" : "qdisc";
	char name[TOPO_END_LEN], buf[16];
	const struct topo_qdisc *q;
	int word = p->parent_word ? p->parent_word : p->kind;

	if (p->is_class) {
		q = topo_find_handle(topo, p->dev, true, p->handle);
		word = p->handle_word ? p->handle_word : p->kind;
	} else {
		q = topo_find_parent(topo, p->dev, parent);
	}
	topo_end_format(name, &topo_dev(topo, p->dev)->end);
	handle_format(buf, p->is_class ? p->handle : parent);
	if (!q)
		return diag_usage(d, word, "\"%s\": no %s line before this one makes %s of %s", s->words[word],
				  what, buf, name);
	if (strcmp(q->words[q->kind], s->words[p->kind]) != 0)
		return diag_usage(d, p->kind, "\"%s\": %s of %s is %s (line %d), and a change keeps the kind",
				  s->words[p->kind], buf, name, q->words[q->kind],
				  topo->stmts[q->stmt].line);
	if (p->handle && q->handle != p->handle)
		return diag_usage(d, p->handle_word, "\"%s\": %s of %s has another handle (line %d)",
				  s->words[p->handle_word], buf, name, topo->stmts[q->stmt].line);
	return 0;
}

static int at_change(struct diag *d, struct topo *topo, int stmt, int64_t time_ns)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_place p = { .is_class = s->words[2][0] == 'c', .first = 5 };
	struct topo_event event = { .time_ns = time_ns, .line = s->line };
	unsigned int n, count;
	uint32_t parent;
	int err;

	if (strcmp(s->words[3], "change") != 0)
		return diag_usage(d, 3, "\"%s\": a schedule can only \"change\" what is there", s->words[3]);
	err = topo_need_word(d, s, 4, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 4, true, &p.dev);
	if (!err)
		err = topo_place_parse(d, topo, s, &p);
	if (!err)
		err = topo_steps_check(d, s, p.kind + 1, p.star);
	if (!err && p.star && (p.is_class || p.handle))
		err = diag_usage(d, p.parent_word, "\"%s\": one per queue is for qdiscs without a handle of their own",
				 s->words[p.parent_word]);
	if (err)
		return err;
	count = p.star ? topo_dev(topo, p.dev)->tx : 1;
	for (n = 0; !err && n < count; n++) {
		parent = p.star ? p.parent | (n + 1) : p.parent;
		err = declared_check(d, topo, s, &p, parent);
		if (!err)
			err = topo_tc_words(d, topo, stmt, &p, parent, n, &event.tc);
		if (!err)
			err = add_event(d, topo, &event);
	}
	return err;
}

int topo_at_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	int64_t time_ns;
	int err;

	err = topo_need_word(d, s, 1, "the time");
	if (!err)
		err = time_parse(d, s->words, 1, &time_ns);
	if (!err)
		err = topo_need_word(d, s, 2, "qdisc change or class change");
	if (!err)
		err = topo_need_word(d, s, 3, "\"change\"");
	if (err)
		return err;
	if (strcmp(s->words[2], "qdisc") == 0 || strcmp(s->words[2], "class") == 0)
		return at_change(d, topo, stmt, time_ns);
	return diag_usage(d, 2, "\"%s\": qdisc change or class change", s->words[2]);
}

/* "root", "parent 1:1" or "classid 1:10": what is traced. *@i becomes the word after. */
static int traced(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		  struct topo_ref dev, int *i, const struct topo_qdisc **q)
{
	const char *word = s->words[*i];
	uint32_t id = TOPO_ROOT;
	int err = 0;

	if (strcmp(word, "parent") == 0 || strcmp(word, "classid") == 0) {
		err = topo_need_word(d, s, ++*i, "the class (1:2)");
		if (!err)
			err = classid_parse(d, s->words, *i, &id);
	} else if (strcmp(word, "root") != 0) {
		return diag_usage(d, *i, "\"%s\": say of what: root, parent 1:2 or classid 1:10", word);
	}
	if (err)
		return err;
	*q = *word == 'c' ? topo_find_handle(topo, dev, true, id) : topo_find_parent(topo, dev, id);
	if (!*q)
		return diag_usage(d, *i, "\"%s\": no line before this one makes that on %s", s->words[*i],
				  s->words[1]);
	++*i;
	return 0;
}

int topo_trace_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	const struct topo_qdisc *q = NULL;
	struct topo_trace *trace;
	struct topo_ref dev;
	int i = 2, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, true, &dev);
	if (!err)
		err = topo_need_word(d, s, i, "what is traced (root, parent 1:2, classid 1:10)");
	if (!err)
		err = traced(d, topo, s, dev, &i, &q);
	if (!err)
		err = topo_need_word(d, s, i, "the option that changes (delay, rate)");
	if (!err)
		err = topo_need_word(d, s, i + 1, "the file of \"TIME VALUE\" lines");
	if (!err)
		err = topo_no_more(d, s, i + 2);
	if (err)
		return err;
	trace = topo_add(d, &topo->traces, &topo->ntraces, sizeof(*trace));
	if (!trace)
		return -ENOMEM;
	trace->tc = (int)(q - topo->qdiscs);
	trace->option = s->words[i];
	trace->file = s->words[i + 1];
	trace->stmt = stmt;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct topo_event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void topo_events_sort(struct topo *topo)
{
	for (int i = 0; i < topo->nevents; i++)
		topo->events[i].order = i;
	if (topo->nevents)
		qsort(topo->events, (size_t)topo->nevents, sizeof(*topo->events), by_time);
}

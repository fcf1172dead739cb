// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes of a topology, put on their devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/spec.h"
#include "net/tc-blame.h"
#include "net/tc-env.h"
#include "net/topo-make.h"
#include "net/topo-tc.h"
#include "pure/diag.h"
#include "topo/topo.h"

int topo_tc_spec(struct diag *d, const struct topo *topo, const struct topo_qdisc *q,
		 struct tc_spec *spec)
{
	struct tc_env env = tc_env_machine(topo->units, NULL);
	int err;

	env.speed = NULL;	/* the device need not be there yet */
	err = tc_spec_parse(d, &env, q->is_class ? OBJECT_CLASS : OBJECT_QDISC, OP_ADD, q->words,
			    q->nwords, spec);
	if (err)
		topo_locate(d, topo, q->stmt, q->cols, q->nwords + 1);
	else
		spec->end = topo_dev(topo, q->dev)->end;
	return err;
}

/* Is @word the value of "parent" or "handle"? Those are in struct topo_qdisc already. */
static bool is_place(const struct topo_qdisc *q, int word)
{
	return word > 0 && word < q->kind && (strcmp(q->words[word - 1], "parent") == 0 ||
					      strcmp(q->words[word - 1], "handle") == 0 ||
					      strcmp(q->words[word - 1], "classid") == 0);
}

bool topo_tc_same_words(const struct topo_qdisc *a, const struct topo_qdisc *b)
{
	int i;

	if (a->nwords != b->nwords || a->kind != b->kind || a->is_class != b->is_class)
		return false;
	for (i = 0; i < a->nwords; i++)
		if (a->words[i] != b->words[i] && !(is_place(a, i) && is_place(b, i)) &&
		    strcmp(a->words[i], b->words[i]) != 0)
			return false;
	return true;
}

/**
 * struct qdisc_put - what is kept from one to the next
 * @q: the last one, NULL before the first
 * @spec: its words, read
 */
struct qdisc_put {
	const struct topo_qdisc *q;
	struct tc_spec spec;
};

void qdisc_put_free(struct qdisc_put *put)
{
	if (put && put->q)
		tc_spec_free(&put->spec);
	free(put);
}

/* "t:8: tx:eth1: qdisc netem parent 1:1: add" */
static void words(char *buf, size_t len, const void *arg, int index)
{
	const struct maker *m = arg;
	const struct topo *topo = m->topo;
	const struct topo_qdisc *q = &topo->qdiscs[m->steps[index].index];
	bool root = q->parent == 0xffffffff;
	char name[TOPO_END_LEN], at[12];

	topo_end_format(name, &topo_dev(topo, q->dev)->end);
	handle_format(at, q->is_class ? q->handle : q->parent);
	snprintf(buf, len, "%s:%d: %s: %s %s %s%s: add", topo->file, topo->stmts[q->stmt].line, name,
		 q->is_class ? "class" : "qdisc", q->words[q->kind],
		 q->is_class || root ? "" : "parent ", at);
}

static void refused(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	const struct maker *m = arg;
	const struct topo_qdisc *q = &m->topo->qdiscs[m->steps[index].index];

	tc_blame_config(d, err, extack, kind_find(q->words[q->kind]));
}

static int know_spec(struct maker *m, const struct topo_qdisc *q, struct qdisc_put *put)
{
	struct diag quiet;
	int err;

	if (put->q && topo_tc_same_words(put->q, q)) {
		put->spec.parent = q->parent;
		put->spec.handle = q->handle;
		return 0;
	}
	if (put->q)
		tc_spec_free(&put->spec);
	put->q = NULL;
	diag_init(&quiet);	/* its warnings were given by topo_qdiscs_check() */
	err = topo_tc_spec(&quiet, m->topo, q, &put->spec);
	diag_free(&quiet);
	if (err) {
		tc_spec_free(&put->spec);
		return diag_failed(m->d, -err, "%s:%d", m->topo->file, m->topo->stmts[q->stmt].line);
	}
	return 0;
}

int topo_qdisc_add(struct maker *m, const struct topo_qdisc *q)
{
	const struct rtnl_req req = { .words = words, .refused = refused };
	struct qdisc_put *put = m->put;
	struct nl_msg *msg;
	int err;

	if (!put)
		put = m->put = calloc(1, sizeof(*put));
	if (!put)
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	err = know_spec(m, q, put);
	if (err)
		return err;
	put->q = q;
	err = tc_spec_msg(&put->spec, OP_ADD, maker_ifindex(m, q->dev), &msg);
	if (err)
		return diag_failed(m->d, -err, "%s:%d", m->topo->file, m->topo->stmts[q->stmt].line);
	return maker_queue_as(m, topo_dev(m->topo, q->dev)->end.netns, msg, &req);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes of a topology, put on their devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <netlink/msg.h>

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

/*
 * Most qdiscs of a topology are one of a few, at other places: the message of
 * each is kept, and sent again with another device, parent and handle.
 */
#define KEPT 4U

/**
 * struct qdisc_put - what is kept from one to the next
 * @q: whose words are the same, NULL for a place that is free
 * @msg: its message
 * @next: place of the one that goes for the next
 */
struct qdisc_put {
	const struct topo_qdisc *q[KEPT];
	struct nl_msg *msg[KEPT];
	unsigned int next;
};

void qdisc_put_free(struct qdisc_put *put)
{
	for (unsigned int i = 0; put && i < KEPT; i++)
		nlmsg_free(put->msg[i]);
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

static int new_msg(struct maker *m, const struct topo_qdisc *q, struct nl_msg **msg)
{
	struct tc_spec spec;
	struct diag quiet;
	int err;

	diag_init(&quiet);	/* its warnings were given by topo_qdiscs_check() */
	err = topo_tc_spec(&quiet, m->topo, q, &spec);
	diag_free(&quiet);
	if (!err)
		err = tc_spec_msg(&spec, OP_ADD, 0, msg);
	tc_spec_free(&spec);
	if (err)
		return diag_failed(m->d, -err, "%s:%d", m->topo->file, m->topo->stmts[q->stmt].line);
	return 0;
}

static int know_msg(struct maker *m, const struct topo_qdisc *q, const struct nlmsghdr **nlh)
{
	struct qdisc_put *put = m->put;
	struct tcmsg *tcm;
	unsigned int i;
	int err;

	for (i = 0; i < KEPT; i++)
		if (put->q[i] && topo_tc_same_words(put->q[i], q))
			break;
	if (i == KEPT) {
		i = put->next++ % KEPT;
		nlmsg_free(put->msg[i]);
		put->msg[i] = NULL;
		put->q[i] = NULL;
		err = new_msg(m, q, &put->msg[i]);
		if (err)
			return err;
	}
	tcm = nlmsg_data(nlmsg_hdr(put->msg[i]));
	if (put->q[i]) {
		tcm->tcm_parent = q->parent;
		tcm->tcm_handle = q->handle;
	}
	tcm->tcm_ifindex = maker_ifindex(m, q->dev);
	put->q[i] = q;
	*nlh = nlmsg_hdr(put->msg[i]);
	return 0;
}

int topo_qdisc_add(struct maker *m, const struct topo_qdisc *q)
{
	const struct rtnl_req req = { .words = words, .refused = refused };
	const struct nlmsghdr *nlh;
	int err;

	if (!m->put)
		m->put = calloc(1, sizeof(*m->put));
	if (!m->put)
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	err = know_msg(m, q, &nlh);
	return err ? err : maker_queue_bytes(m, topo_dev(m->topo, q->dev)->end.netns, nlh, &req);
}

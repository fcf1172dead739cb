// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes of a topology: tc's words, judged and put on the device. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_ether.h>
#include <linux/pkt_sched.h>

#include "net/qdisc.h"
#include "net/tc-blame.h"
#include "net/tc-env.h"
#include "net/topo-make.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "topo/topo.h"

static int spec_of(struct diag *d, const struct topo *topo, const struct topo_qdisc *q,
		   struct tc_spec *spec)
{
	struct tc_env env = tc_env_machine(TC_UNITS_NONE, NULL);
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

/* Do the two differ in their place alone? Many children of one tree do. */
static bool same_words(const struct topo_qdisc *a, const struct topo_qdisc *b)
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

int topo_qdiscs_check(struct diag *d, const struct topo *topo)
{
	struct tc_spec spec;
	int i, err = 0;

	for (i = 0; !err && i < topo->nqdiscs; i++) {
		if (i && same_words(&topo->qdiscs[i], &topo->qdiscs[i - 1]))
			continue;
		err = spec_of(d, topo, &topo->qdiscs[i], &spec);
		tc_spec_free(&spec);
	}
	return err;
}

/**
 * struct qdisc_put - what is kept from qdisc to qdisc
 * @q: the last one, NULL before the first
 * @spec: its words, read
 * @dev: its device: what is known of it before it is made
 */
struct qdisc_put {
	const struct topo_qdisc *q;
	struct tc_spec spec;
	struct qdisc_dev dev;
};

void qdisc_put_free(struct qdisc_put *put)
{
	if (put && put->q)
		tc_spec_free(&put->spec);
	free(put);
}

static void words(char *buf, size_t len, const void *arg, int index)
{
	const struct maker *m = arg;
	const struct topo *topo = m->topo;
	const struct topo_qdisc *q = &topo->qdiscs[m->steps[index].index];
	struct tc_spec spec;
	struct diag quiet;
	int n;

	n = snprintf(buf, len, "%s:%d: ", topo->file, topo->stmts[q->stmt].line);
	diag_init(&quiet);
	if (!spec_of(&quiet, topo, q, &spec) && n > 0 && (size_t)n < len)
		qdisc_words(buf + n, len - (size_t)n, &spec, &spec.end, OP_ADD);
	tc_spec_free(&spec);
	diag_free(&quiet);
}

static void refused(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	const struct maker *m = arg;
	const struct topo_qdisc *q = &m->topo->qdiscs[m->steps[index].index];

	tc_blame_config(d, err, extack, kind_find(q->words[q->kind]));
}

/* All that qdisc_dev_read() would find out. */
static void know_dev(struct maker *m, const struct topo_qdisc *q, struct qdisc_dev *dev)
{
	const struct topo_dev *want = topo_dev(m->topo, q->dev);

	memset(dev, 0, sizeof(*dev));
	dev->end = want->end;
	dev->ifindex = maker_ifindex(m, q->dev);
	dev->frame = topo_mtu(m->topo, q->dev) + ETH_HLEN;
	dev->tx_queues = want->tx;
	dev->real_tx = want->tx;
}

static int know_spec(struct maker *m, const struct topo_qdisc *q, struct qdisc_put *put)
{
	struct diag quiet;
	int err;

	if (put->q && same_words(put->q, q)) {
		put->spec.parent = q->parent;
		put->spec.handle = q->handle;
		put->spec.end = topo_dev(m->topo, q->dev)->end;
		return 0;
	}
	if (put->q)
		tc_spec_free(&put->spec);
	put->q = NULL;
	diag_init(&quiet);	/* its warnings were given by topo_qdiscs_check() */
	err = spec_of(&quiet, m->topo, q, &put->spec);
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
	if (!put->q || put->q->dev.link != q->dev.link || put->q->dev.end != q->dev.end)
		know_dev(m, q, &put->dev);
	err = know_spec(m, q, put);
	if (err)
		return err;
	put->q = q;
	err = qdisc_msg(m->d, OP_ADD, &put->spec, &put->dev, &msg);
	if (err) {
		diag_context(m->d, 0, "%s:%d", m->topo->file, m->topo->stmts[q->stmt].line);
		return err;
	}
	if (q->parent == TC_H_ROOT) {
		snprintf(put->dev.root_kind, sizeof(put->dev.root_kind), "%s", put->spec.kind->name);
		put->dev.root_handle = q->handle;
	}
	return maker_queue_as(m, put->dev.end.netns, msg, &req);
}

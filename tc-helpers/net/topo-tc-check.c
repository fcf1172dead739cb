// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Qdiscs and classes of a topology, judged before the kernel is asked: what
 * their words mean, whether they fit their device and each other, and what a
 * colleague would say of them. All of it says FILE:LINE.
 */
#include <errno.h>
#include <string.h>

#include <linux/if_ether.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/spec.h"
#include "net/qdisc-lost.h"
#include "net/topo-net.h"
#include "net/topo-tc.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

/**
 * struct judge - what one run through the qdiscs shares
 * @topo: the topology
 * @ask: the kernel may be asked what it knows
 * @q: the one that is looked at
 * @spec: its words, read
 * @advised: statement that has been warned about: for all queues of a star once
 * @options: of the qdisc that a class belongs to, as a message; NULL for none
 * @options_of: that qdisc
 */
struct judge {
	const struct topo *topo;
	bool ask;
	const struct topo_qdisc *q;
	struct tc_spec spec;
	int advised;
	struct nl_msg *options;
	const struct topo_qdisc *options_of;
};

static const char *end_name(const struct judge *j, char *buf)
{
	return topo_end_format(buf, &topo_dev(j->topo, j->q->dev)->end);
}

/* The error and the warnings of @one, which know no place, go to @d with theirs. */
static int hand_on(struct diag *d, const struct judge *j, struct diag *one, int err)
{
	char name[TOPO_END_LEN];
	int line = j->topo->stmts[j->q->stmt].line;

	for (size_t i = 0; i < one->nwarnings && (j->advised != j->q->stmt || err); i++)
		diag_warn(d, "%s:%d: %s: %s", j->topo->file, line, end_name(j, name), one->warnings[i]);
	if (one->exit != EXIT_DONE && d->exit == EXIT_DONE) {
		d->exit = one->exit;
		d->word = one->word;
		memcpy(d->text, one->text, sizeof(d->text));
	}
	diag_free(one);
	return err;
}

static const struct topo_qdisc *declared(const struct topo *topo, struct topo_ref dev, bool is_class,
					 uint32_t handle)
{
	const struct topo_qdisc *q;

	for (int i = topo_dev(topo, dev)->last; i >= 0; i = q->before) {
		q = &topo->qdiscs[i];
		if (q->is_class == is_class && q->handle == handle)
			return q;
	}
	return NULL;
}

static const char *kind_of(const struct topo_qdisc *q)
{
	return q->words[q->kind];
}

/* Below a kind whose classes are made by hand there must be one. */
static int check_parent(struct diag *d, const struct judge *j)
{
	const struct topo_qdisc *q = j->q, *above;
	const struct kind *kind;

	if (q->is_class || q->parent == TC_H_ROOT)
		return 0;
	above = declared(j->topo, q->dev, false, TC_H_MAJ(q->parent));
	kind = above ? kind_find(kind_of(above)) : NULL;
	if (!kind || kind->multiqueue || !kind->class || !kind->class->parse ||
	    declared(j->topo, q->dev, true, q->parent))
		return 0;
	diag_usage(d, q->parent_word, "\"%s\": no line \"class\" makes that class of the %s",
		   q->words[q->parent_word], kind->name);
	topo_locate(d, j->topo, q->stmt, q->cols, q->nwords + 1);
	return -EINVAL;
}

static void advise_offload(struct diag *d, const struct judge *j)
{
	const struct kind *kind = j->spec.kind;
	const char *word = kind->per_frame ? kind->per_frame(j->spec.cfg) : NULL;
	struct topo_ref dev = j->q->dev;
	const struct topo_link *link;

	if (!word)
		return;
	if (dev.link < 0)
		dev = j->topo->ingress[-1 - dev.link].of;
	link = &j->topo->links[dev.link];
	if (link->offload_set & ~link->offload_on & TOPO_OFFLOAD_GSO)
		return;
	diag_warn(d, "%s: %s takes what TCP sends at once, up to 64 KiB, for one frame: write \"offload off\" at its link (line %d)",
		  kind->name, word, j->topo->stmts[link->stmt].line);
}

static bool duplicates(const struct topo_qdisc *q)
{
	for (int i = q->kind + 1; i < q->nwords; i++)
		if (strcmp(q->words[i], "duplicate") == 0)
			return true;
	return false;
}

/* The kernel's check_netem_in_tree(), which came in 2025, to stable series too. */
static void advise_duplicate(struct diag *d, const struct judge *j)
{
	const struct topo_qdisc *q;
	int netems = 0;

	if (strcmp(kind_of(j->q), "netem") != 0 || !duplicates(j->q))
		return;
	for (int i = topo_dev(j->topo, j->q->dev)->last; i >= 0; i = q->before) {
		q = &j->topo->qdiscs[i];
		netems += !q->is_class && strcmp(kind_of(q), "netem") == 0;
	}
	if (netems > 1)
		diag_warn(d, "netem: duplicate in a tree with another netem: many kernels refuse that");
}

static void advise_default(struct diag *d, const struct judge *j)
{
	const struct kind *kind = j->spec.kind;
	uint32_t minor = kind->default_class ? kind->default_class(j->spec.cfg) : 0;
	char name[12];

	if (!minor || declared(j->topo, j->q->dev, true, j->q->handle | minor))
		return;
	diag_warn(d, "%s: no line \"class\" makes the default class %s: what no filter claims %s",
		  kind->name, handle_format(name, j->q->handle | minor), kind->unclaimed);
}

/* Options of the qdisc that a class belongs to, as they will be sent. */
static struct nlattr *qdisc_options(struct judge *j)
{
	const struct topo_qdisc *above = declared(j->topo, j->q->dev, false, TC_H_MAJ(j->q->handle));
	struct tc_spec spec;
	struct diag quiet;

	if (above != j->options_of) {
		nlmsg_free(j->options);
		j->options = NULL;
		j->options_of = above;
		diag_init(&quiet);
		if (above && !topo_tc_spec(&quiet, j->topo, above, &spec))
			tc_spec_msg(&spec, OP_ADD, 0, &j->options);
		if (above)
			tc_spec_free(&spec);
		diag_free(&quiet);
	}
	return j->options ? nlmsg_find_attr(nlmsg_hdr(j->options), sizeof(struct tcmsg), TCA_OPTIONS) :
			    NULL;
}

static void advise_class(struct diag *d, struct judge *j)
{
	struct class_place at = {
		.classid = j->q->handle,
		.frame = topo_mtu(j->topo, j->q->dev) + ETH_HLEN,
		.qdisc = qdisc_options(j),
		.told = "",
	};
	const struct topo_qdisc *q;

	for (int i = topo_dev(j->topo, j->q->dev)->last; i >= 0; i = q->before) {
		q = &j->topo->qdiscs[i];
		at.inner = at.inner || (q->is_class && q->parent == j->q->handle);
	}
	if (j->spec.kind->class->advise)
		j->spec.kind->class->advise(d, j->spec.cfg, &at);
}

static int judge_qdisc(struct diag *d, const struct judge *j)
{
	const struct kind *kind = j->spec.kind;
	const struct topo_dev *dev = topo_dev(j->topo, j->q->dev);
	int err = kind->judge ? kind->judge(d, j->spec.cfg, dev->tx) : 0;

	if (err) {
		topo_locate(d, j->topo, j->q->stmt, j->q->cols, j->q->nwords + 1);
		return err;
	}
	err = j->ask ? qdisc_ask_lost(d, &j->spec, &j->spec.end) : 0;
	if (err) {
		diag_context(d, 0, "%s:%d", j->topo->file, j->topo->stmts[j->q->stmt].line);
		return err;
	}
	if (kind->advise)
		kind->advise(d, j->spec.cfg, topo_mtu(j->topo, j->q->dev) + ETH_HLEN);
	advise_offload(d, j);
	advise_duplicate(d, j);
	advise_default(d, j);
	return 0;
}

static int judge_one(struct diag *d, struct judge *j)
{
	struct diag one;
	size_t warnings;
	int err;

	err = check_parent(d, j);
	if (err)
		return err;
	diag_init(&one);
	err = topo_tc_spec(&one, j->topo, j->q, &j->spec);
	if (!err && j->q->is_class)
		advise_class(&one, j);
	else if (!err)
		err = judge_qdisc(&one, j);
	tc_spec_free(&j->spec);
	warnings = one.nwarnings;
	err = hand_on(d, j, &one, err);
	if (warnings)
		j->advised = j->q->stmt;
	return err;
}

int topo_qdiscs_check(struct diag *d, const struct topo *topo, bool ask)
{
	struct judge j = { .topo = topo, .ask = ask, .advised = -1 };
	int i, err = 0;

	for (i = 0; !err && i < topo->nqdiscs; i++) {
		j.q = &topo->qdiscs[i];
		/* Most of a star: what was said of the one before is said of this one. */
		if (i && j.q[-1].stmt == j.q->stmt && topo_tc_same_words(j.q, j.q - 1))
			continue;
		err = judge_one(d, &j);
	}
	nlmsg_free(j.options);
	return err ? err : topo_filters_check(d, topo);
}

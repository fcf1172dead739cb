// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings that an old kernel takes without a word and does not know. */
#include <string.h>

#include <linux/pkt_sched.h>

#include "net/qdisc-lost.h"
#include "net/rtnl.h"
#include "net/scratch.h"
#include "net/tc-dump.h"
#include "pure/diag.h"

/* What is looked for, and what it found. */
struct lost {
	const struct tc_spec *spec;
	bool there;
	const char *word;
};

static int take_lost(const struct tc_info *info, void *arg)
{
	struct lost *lost = arg;
	const struct tc_spec *spec = lost->spec;

	if (strcmp(info->kind, spec->kind->name) ||
	    (spec->parent && info->parent != spec->parent) ||
	    (spec->handle && info->handle != spec->handle) || !info->opts)
		return 0;
	lost->there = true;
	lost->word = spec->kind->lost(spec->cfg, info->opts);
	return 0;
}

static int undo(struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec, int ifindex)
{
	struct nl_msg *msg;
	int err = tc_spec_msg(spec, OP_DEL, ifindex, &msg);

	return err ? diag_failed(d, -err, "qdisc") : rtnl_talk(rtnl, d, msg, "qdisc: del");
}

static int cannot(struct diag *d, const struct tc_spec *spec, const struct link_end *end,
		  const char *word, const char *more)
{
	return diag_cannot(d, "%s%s%s: qdisc %s: %s: this kernel does not know it%s", end->netns,
			   end->netns[0] ? ":" : "", end->dev, spec->kind->name, word, more);
}

static bool may_be_lost(enum tc_op op, const struct tc_spec *spec)
{
	return op != OP_DEL && spec->kind->lost && spec->kind->lost(spec->cfg, NULL);
}

/* The same qdisc at a root. */
static void ask(struct rtnl *rtnl, int lo, void *arg)
{
	struct lost *lost = arg;
	struct tc_spec spec = *lost->spec;
	struct nl_msg *msg;
	struct diag quiet;

	spec.parent = TC_H_ROOT;
	spec.handle = 0;
	lost->spec = &spec;
	diag_init(&quiet);
	if (!tc_spec_msg(&spec, OP_ADD, lo, &msg) && !rtnl_talk(rtnl, &quiet, msg, "qdisc"))
		tc_each(rtnl, &quiet, OBJECT_QDISC, lo, take_lost, NULL, lost);
	diag_free(&quiet);
}

int qdisc_ask_lost(struct diag *d, const struct tc_spec *spec, const struct link_end *end)
{
	struct lost lost = { .spec = spec };

	if (!may_be_lost(OP_ADD, spec))
		return 0;
	scratch_net(ask, &lost);
	return lost.word ? cannot(d, spec, end, lost.word, "") : 0;
}

int qdisc_check_lost(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
		     const struct qdisc_dev *dev)
{
	struct lost lost = { .spec = spec };
	int err;

	if (!may_be_lost(op, spec))
		return 0;
	err = tc_each(rtnl, d, OBJECT_QDISC, dev->ifindex, take_lost, NULL, &lost);
	if (err || !lost.there || !lost.word)
		return err;
	if (op == OP_ADD)
		err = undo(rtnl, d, spec, dev->ifindex);
	return err ? err : cannot(d, spec, &dev->end, lost.word,
				  op == OP_ADD ? "" : "; what it knows is set");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Kinds that the kernel was built without. */
#include <errno.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "kinds/spec.h"
#include "net/rtnl.h"
#include "net/scratch.h"
#include "net/tc-blame.h"
#include "pure/diag.h"

/* The kernel says ENOENT for a kind that it lacks; the words tell it from other lacks. */
static bool says_unknown(int err, const char *extack)
{
	return err == -ENOENT && strstr(extack, "kind is unknown");
}

void tc_blame_config(struct diag *d, int err, const char *extack, const struct kind *kind)
{
	const char *lack = NULL;

	if (kind && says_unknown(err, extack))
		lack = kind->config;
	else if (strstr(extack, "No conntrack support"))	/* cake's nat */
		lack = "CONFIG_NF_CONNTRACK";
	if (lack) {
		d->exit = EXIT_CANNOT;
		diag_append(d, "this kernel lacks %s", lack);
	} else if (kind && kind->hint && !*extack && (err == -EINVAL || err == -EOPNOTSUPP)) {
		diag_append(d, "%s", kind->hint);
	}
}

struct question {
	const struct kind *kind;
	bool lacks;
};

/* A qdisc of the kind, without options. */
static void ask(struct rtnl *rtnl, int lo, void *arg)
{
	struct question *q = arg;
	struct tc_spec spec = { .object = OBJECT_QDISC, .parent = TC_H_ROOT, .kind = q->kind };
	struct nl_msg *msg;
	struct diag quiet;
	int err;

	diag_init(&quiet);
	if (!tc_spec_msg(&spec, OP_ADD, lo, &msg)) {
		err = rtnl_talk(rtnl, &quiet, msg, "kind");
		q->lacks = says_unknown(err, rtnl_extack(rtnl));
	}
	diag_free(&quiet);
}

bool tc_kind_lacks(const struct kind *kind)
{
	struct question q = { .kind = kind };

	return scratch_net(ask, &q) && q.lacks;
}

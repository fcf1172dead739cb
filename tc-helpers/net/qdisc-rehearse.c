// SPDX-License-Identifier: GPL-2.0-or-later
/* Changes that the kernel would refuse half done, asked for in a way that does nothing else. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <netlink/attr.h>

#include "net/qdisc-rehearse.h"
#include "net/rtnl.h"
#include "net/tc-dump.h"
#include "pure/diag.h"
#include "wire/nlb.h"

/**
 * struct stands - what is there of the kind of a qdisc that is to be changed
 * @spec: what it is to be
 * @tcm: where it is
 * @opts: its options
 * @others: the device has others of the kind
 */
struct stands {
	const struct tc_spec *spec;
	struct tcmsg tcm;
	struct nlattr *opts;
	bool others;
};

static int take(const struct tc_info *info, void *arg)
{
	struct stands *s = arg;

	if (!info->opts || strcmp(info->kind, s->spec->kind->name))
		return 0;
	if (s->opts || (s->spec->parent && info->parent != s->spec->parent) ||
	    (s->spec->handle && info->handle != s->spec->handle)) {
		s->others = true;
		return 0;
	}
	s->opts = malloc(info->opts->nla_len);
	if (!s->opts)
		return -ENOMEM;
	memcpy(s->opts, info->opts, info->opts->nla_len);
	s->tcm.tcm_ifindex = info->ifindex;
	s->tcm.tcm_parent = info->parent;
	s->tcm.tcm_handle = info->handle;
	return 0;
}

static void take_again(void *arg)
{
	struct stands *s = arg;

	free(s->opts);
	s->opts = NULL;
	s->others = false;
}

static int ask(struct rtnl *rtnl, struct diag *d, const struct stands *s, const char *what)
{
	const struct kind *kind = s->spec->kind;
	struct nl_msg *msg;
	struct nlb nlb;
	int err;

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	nlb_raw(&nlb, &s->tcm, sizeof(s->tcm));
	nlb_put_str(&nlb, TCA_KIND, kind->name);
	if (!kind->rehearse(&nlb, s->spec->cfg, s->opts)) {
		nlb_free(&nlb);
		return 0;
	}
	err = nlb_finish(&nlb, &msg);
	return err ? diag_failed(d, -err, "%s", what) : rtnl_talk(rtnl, d, msg, "%s", what);
}

int qdisc_rehearse(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
		   int ifindex, const char *what)
{
	struct stands s = { .spec = spec };
	int err;

	if ((op != OP_CHANGE && op != OP_REPLACE) || !spec->kind->rehearse ||
	    !spec->kind->rehearse(NULL, spec->cfg, NULL))
		return 0;
	err = tc_each(rtnl, d, OBJECT_QDISC, ifindex, take, take_again, &s);
	if (!err && s.opts && s.others)
		err = ask(rtnl, d, &s, what);
	free(s.opts);
	return err;
}

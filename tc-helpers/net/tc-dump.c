// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/rtnl.h"
#include "net/tc-dump.h"
#include "pure/diag.h"

struct each_arg {
	enum tc_object object;
	int ifindex;
	int (*each)(const struct tc_info *info, void *arg);
	void (*restart)(void *arg);
	void *arg;
};

static uint32_t u32_of(const struct nlattr *attr)
{
	return attr && nla_len(attr) >= (int)sizeof(uint32_t) ? nla_get_u32(attr) : 0;
}

bool tc_info_parse(const struct nlmsghdr *nlh, struct tc_info *info)
{
	struct nlattr *tb[TCA_MAX + 1];
	const struct tcmsg *tcm;

	if (nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*tcm)) ||
	    nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*tcm), tb, TCA_MAX, NULL) < 0 || !tb[TCA_KIND])
		return false;
	tcm = NLMSG_DATA(nlh);
	memset(info, 0, sizeof(*info));
	info->ifindex = tcm->tcm_ifindex;
	info->handle = tcm->tcm_handle;
	info->parent = tcm->tcm_parent;
	info->info = tcm->tcm_info;
	info->kind = nla_get_string(tb[TCA_KIND]);
	info->opts = tb[TCA_OPTIONS];
	info->stats2 = tb[TCA_STATS2];
	info->stab = tb[TCA_STAB];
	info->ingress_block = u32_of(tb[TCA_INGRESS_BLOCK]);
	info->egress_block = u32_of(tb[TCA_EGRESS_BLOCK]);
	info->offloaded = tb[TCA_HW_OFFLOAD] && nla_get_u8(tb[TCA_HW_OFFLOAD]);
	return true;
}

static int each_msg(const struct nlmsghdr *nlh, void *arg)
{
	const struct each_arg *e = arg;
	struct tc_info info;

	if (nlh->nlmsg_type != (e->object == OBJECT_CLASS ? RTM_NEWTCLASS : RTM_NEWQDISC) ||
	    !tc_info_parse(nlh, &info) || (e->ifindex && info.ifindex != e->ifindex))
		return 0;
	return e->each(&info, e->arg);
}

static void each_restart(void *arg)
{
	const struct each_arg *e = arg;

	if (e->restart)
		e->restart(e->arg);
}

int tc_each(struct rtnl *rtnl, struct diag *d, enum tc_object object, int ifindex,
	    int (*each)(const struct tc_info *info, void *arg), void (*restart)(void *arg),
	    void *arg)
{
	struct nl_msg *msg = nlmsg_alloc_simple(object == OBJECT_CLASS ? RTM_GETTCLASS : RTM_GETQDISC,
						NLM_F_DUMP);
	char what[16];
	struct tcmsg tcm = { .tcm_family = AF_UNSPEC, .tcm_ifindex = ifindex };
	struct each_arg e = { object, ifindex, each, restart, arg };

	if (!msg || nlmsg_append(msg, &tcm, sizeof(tcm), NLMSG_ALIGNTO)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s: show", tc_object_name(object));
	}
	snprintf(what, sizeof(what), "%s: show", tc_object_name(object));
	return rtnl_dump(rtnl, d, msg, each_msg, each_restart, &e, what);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/filter.h"
#include "net/rtnl.h"
#include "pure/diag.h"

/* The kernel says ENOENT for what it lacks; the words tell it from other lacks. */
void filter_blame(struct diag *d, int err, const char *words, const struct filter_spec *spec)
{
	if (err != -ENOENT || !spec->kind)
		return;
	if (strstr(words, "TC classifier not found")) {
		d->exit = EXIT_CANNOT;
		diag_append(d, "this kernel lacks %s", spec->kind->config);
	} else if (strstr(words, "Failed to load TC action module")) {
		d->exit = EXIT_CANNOT;
		diag_append(d, "this kernel lacks %s", spec->actions.act[0].kind->config);
		for (int i = 1; i < spec->actions.n; i++)
			if (spec->actions.act[i].kind != spec->actions.act[i - 1].kind)
				diag_append(d, "or %s", spec->actions.act[i].kind->config);
	}
}

static int find_action_devs(struct rtnl *rtnl, struct diag *d, struct filter_spec *spec)
{
	for (int i = 0; i < spec->actions.n; i++) {
		struct filter_action *act = &spec->actions.act[i];

		if (!act->dev[0])
			continue;
		act->ifindex = rtnl_ifindex(rtnl, d, act->dev);
		if (act->ifindex < 0)
			return act->ifindex;
	}
	return 0;
}

/* "parent 1:", "ingress", "root" */
static const char *place_format(char *buf, uint32_t parent)
{
	if (!parent || parent == TC_H_ROOT)
		return "root";
	if (parent == TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS))
		return "ingress";
	if (parent == TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS))
		return "egress";
	strcpy(buf, "parent ");
	handle_format(buf + 7, parent);
	return buf;
}

/* What the kernel echoes of a filter that it made. */
struct echo {
	uint32_t prio;
	uint32_t handle;
};

static int take_echo(const struct nlmsghdr *nlh, void *arg)
{
	const struct tcmsg *tcm = NLMSG_DATA(nlh);
	struct echo *echo = arg;

	if (nlh->nlmsg_type == RTM_NEWTFILTER && nlh->nlmsg_len >= NLMSG_LENGTH(sizeof(*tcm))) {
		echo->prio = TC_H_MAJ(tcm->tcm_info) >> 16;
		echo->handle = tcm->tcm_handle;
	}
	return 0;
}

int filter_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, struct filter_spec *spec,
	      uint32_t *prio, uint32_t *handle)
{
	struct echo echo = { 0 };
	const struct link_end *end = &spec->end;
	int ifindex = rtnl_ifindex(rtnl, d, end->dev);
	struct nl_msg *msg;
	char at[24];
	int err;

	if (ifindex < 0)
		return ifindex;
	err = find_action_devs(rtnl, d, spec);
	if (err)
		return err;
	if (filter_spec_msg(spec, op, ifindex, &msg))
		return diag_failed(d, ENOMEM, "%s: filter", end->dev);
	err = rtnl_talk_echo(rtnl, d, msg, prio ? take_echo : NULL, &echo,
			     "%s%s%s: filter%s%s %s: %s", end->netns, end->netns[0] ? ":" : "",
			     end->dev, spec->kind ? " " : "", spec->kind ? spec->kind->name : "",
			     place_format(at, spec->parent), tc_op_name(op));
	if (err)
		filter_blame(d, err, rtnl_extack(rtnl), spec);
	if (prio) {
		*prio = echo.prio;
		*handle = echo.handle;
	}
	return err;
}

bool filter_info_parse(const struct nlmsghdr *nlh, struct filter_info *info)
{
	struct nlattr *tb[TCA_MAX + 1];
	const struct tcmsg *tcm;

	if (nlh->nlmsg_type != RTM_NEWTFILTER || nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*tcm)))
		return false;
	tcm = NLMSG_DATA(nlh);
	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*tcm), tb, TCA_MAX, NULL) < 0 || !tb[TCA_KIND])
		return false;
	*info = (struct filter_info){
		.ifindex = tcm->tcm_ifindex,
		.handle = tcm->tcm_handle,
		.parent = tcm->tcm_parent,
		.prio = TC_H_MAJ(tcm->tcm_info) >> 16,
		.protocol = ntohs((uint16_t)TC_H_MIN(tcm->tcm_info)),
		.has_chain = tb[TCA_CHAIN],
		.chain = tb[TCA_CHAIN] ? nla_get_u32(tb[TCA_CHAIN]) : 0,
		.kind = nla_get_string(tb[TCA_KIND]),
		.opts = tb[TCA_OPTIONS],
	};
	return true;
}

struct each_arg {
	int (*each)(const struct filter_info *info, void *arg);
	void (*restart)(void *arg);
	void *arg;
};

static int each_msg(const struct nlmsghdr *nlh, void *arg)
{
	const struct each_arg *e = arg;
	struct filter_info info;

	return filter_info_parse(nlh, &info) ? e->each(&info, e->arg) : 0;
}

static void each_restart(void *arg)
{
	const struct each_arg *e = arg;

	if (e->restart)
		e->restart(e->arg);
}

int filter_each(struct rtnl *rtnl, struct diag *d, int ifindex, const struct filter_spec *spec,
		int (*each)(const struct filter_info *info, void *arg),
		void (*restart)(void *arg), void *arg)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETTFILTER, NLM_F_DUMP);
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = ifindex,
		.tcm_parent = spec->parent,
		.tcm_info = TC_H_MAKE(spec->prio << 16, htons(spec->protocol)),
	};
	struct each_arg e = { each, restart, arg };

	if (!msg || nlmsg_append(msg, &tcm, sizeof(tcm), NLMSG_ALIGNTO) ||
	    (spec->has_chain && nla_put_u32(msg, TCA_CHAIN, spec->chain))) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "filter: show");
	}
	return rtnl_dump(rtnl, d, msg, each_msg, each_restart, &e, "filter: show");
}

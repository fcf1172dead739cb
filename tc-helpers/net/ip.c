// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "net/ip.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "pure/diag.h"

/* "tx:eth1: link add" */
static void words(char *buf, size_t len, const struct ip_spec *spec)
{
	const struct link_end *end = &spec->dev.end;

	snprintf(buf, len, "%s%s%s: %s %s", end->netns, end->netns[0] ? ":" : "", end->dev,
		 ip_object_name(spec->object), ip_op_name(spec->op));
}

/* Nothing is written down of it. */
static int made(struct diag *d, const char *name, void *arg)
{
	return 0;
}

static int netns_do(struct diag *d, struct nets *nets, const struct ip_spec *spec)
{
	const char *name = spec->dev.end.netns;
	int back, err;

	if (spec->op == IP_DEL) {
		err = nets_forget(d, nets, name);
		return err ? err : netns_delete(d, name);
	}
	err = netns_dir(d, name);
	if (err)
		return err;
	back = netns_enter(d, "");	/* netns_make() moves this thread */
	if (back < 0)
		return back;
	err = netns_make(d, name, made, NULL);
	back = netns_leave(d, back);
	return err ? err : back;
}

/* A new device is made where the socket is; one for elsewhere takes the namespace with it. */
static int find_netns(struct diag *d, const char *here, const char *there, int *fd)
{
	if (strcmp(here, there) == 0)
		return 0;
	*fd = netns_open(d, there);
	return *fd < 0 ? *fd : 0;
}

static const char *config_of(const char *kind)
{
	return !strcmp(kind, "veth") ? "CONFIG_VETH" : !strcmp(kind, "ifb") ? "CONFIG_IFB" : "CONFIG_DUMMY";
}

static int request(struct diag *d, struct rtnl *rtnl, const struct ip_spec *spec,
		   const struct ip_numbers *numbers)
{
	char what[NETNS_NAME_MAX + IFNAMSIZ + 32];
	struct nl_msg *msg;
	int err;

	words(what, sizeof(what), spec);
	if (ip_spec_msg(spec, numbers, &msg))
		return diag_failed(d, ENOMEM, "%s", what);
	err = rtnl_talk(rtnl, d, msg, "%s", what);
	if (err == -EOPNOTSUPP && spec->kind[0] && spec->op == IP_ADD) {
		d->exit = EXIT_CANNOT;
		diag_append(d, "this kernel lacks %s", config_of(spec->kind));
	}
	return err;
}

int ip_do(struct diag *d, struct nets *nets, const struct ip_spec *spec)
{
	struct ip_numbers numbers = { .netns = -1, .peer_netns = -1 };
	const struct link_end *end = &spec->dev.end;
	struct rtnl *rtnl;
	int err;

	if (spec->object == IP_NETNS)
		return netns_do(d, nets, spec);
	err = nets_rtnl(d, nets, end->netns, &rtnl);
	if (!err && !(spec->object == IP_LINK && spec->op == IP_ADD)) {
		numbers.ifindex = rtnl_ifindex(rtnl, d, end->dev);
		err = numbers.ifindex < 0 ? numbers.ifindex : 0;
	}
	if (!err && spec->moves)
		err = find_netns(d, end->netns, spec->to, &numbers.netns);
	if (!err && spec->peer.end.dev[0])
		err = find_netns(d, end->netns, spec->peer.end.netns, &numbers.peer_netns);
	if (!err)
		err = request(d, rtnl, spec, &numbers);
	if (numbers.netns >= 0)
		close(numbers.netns);
	if (numbers.peer_netns >= 0)
		close(numbers.peer_netns);
	return err;
}

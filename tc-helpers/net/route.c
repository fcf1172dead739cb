// SPDX-License-Identifier: GPL-2.0-or-later
/* Routes of a topology's namespaces, as they are made. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/rtnetlink.h>

#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

static size_t addr_len(int family)
{
	return family == AF_INET ? 4 : 16;
}

static void put_via(struct nlb *nlb, const struct topo_route *route)
{
	struct {
		uint16_t family;	/* struct rtvia, whose address is a flexible array */
		uint8_t addr[16];
	} via = { .family = (uint16_t)route->via_family };

	if (route->via_family == route->family) {
		nlb_put(nlb, RTA_GATEWAY, route->via, addr_len(route->family));
		return;
	}
	memcpy(via.addr, route->via, sizeof(via.addr));
	nlb_put(nlb, RTA_VIA, &via, sizeof(via.family) + addr_len(route->via_family));
}

static void hint_ipv6(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	if (err != -EAFNOSUPPORT && err != -EOPNOTSUPP)
		return;
	diag_append(d, "no IPv6 here: it needs CONFIG_IPV6, and ipv6.disable=0");
	if (d->exit == EXIT_FAILED)
		d->exit = EXIT_CANNOT;
}

int route_add(struct maker *m, const struct topo_route *route)
{
	const bool ipv6 = route->family == AF_INET6 || route->via_family == AF_INET6;
	const struct rtnl_req req = { .refused = ipv6 ? hint_ipv6 : NULL };
	const struct rtmsg rtm = {
		.rtm_family = (unsigned char)route->family,
		.rtm_dst_len = (unsigned char)route->plen,
		.rtm_table = RT_TABLE_MAIN,
		.rtm_protocol = RTPROT_STATIC,
		.rtm_scope = route->via_family ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK,
		.rtm_type = RTN_UNICAST,
		.rtm_flags = route->onlink ? RTNH_F_ONLINK : 0,
	};
	struct nl_msg *msg;
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(&nlb, &rtm, sizeof(rtm));
	if (route->plen)
		nlb_put(&nlb, RTA_DST, route->dst, addr_len(route->family));
	if (route->via_family)
		put_via(&nlb, route);
	if (route->has_dev)
		nlb_put_u32(&nlb, RTA_OIF, (uint32_t)maker_ifindex(m, route->dev));
	if (route->has_src)
		nlb_put(&nlb, RTA_PREFSRC, route->src, addr_len(route->family));
	if (route->metric)
		nlb_put_u32(&nlb, RTA_PRIORITY, route->metric);
	if (nlb_finish(&nlb, &msg))
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	return maker_queue_as(m, m->topo->netns[route->netns].name, msg, &req);
}

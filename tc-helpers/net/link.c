// SPDX-License-Identifier: GPL-2.0-or-later
/* The two ends of a veth pair, and lo, of a topology. */
#include <errno.h>
#include <net/if.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "net/nets.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

#define ADDR_GEN_MODE_NONE 1	/* IN6_ADDR_GEN_MODE_NONE */
#define LO_IFINDEX 1		/* LOOPBACK_IFINDEX of the kernel: in every namespace */

static void link_msg(struct nlb *nlb, int flags, int ifindex, unsigned int up)
{
	const struct ifinfomsg ifi = { .ifi_index = ifindex, .ifi_flags = up, .ifi_change = up };

	nlb_init(nlb, RTM_NEWLINK, (uint16_t)flags);
	nlb_raw(nlb, &ifi, sizeof(ifi));
}

int link_lo_msg(struct diag *d, struct nl_msg **msg)
{
	struct nlb nlb;

	link_msg(&nlb, 0, LO_IFINDEX, IFF_UP);
	return nlb_finish(&nlb, msg) ? diag_failed(d, ENOMEM, "lo") : 0;
}

static int set_up(struct maker *m, const char *netns, int ifindex)
{
	const struct rtnl_req plain = { 0 };
	struct nlb nlb;

	link_msg(&nlb, 0, ifindex, IFF_UP);
	return maker_queue_nlb(m, netns, &nlb, &plain);
}

static void put_end(struct nlb *nlb, const struct topo_link *link, int end)
{
	const struct topo_dev *dev = &link->dev[end];

	nlb_put_str(nlb, IFLA_IFNAME, dev->end.dev);
	nlb_put(nlb, IFLA_ADDRESS, dev->mac, sizeof(dev->mac));
	nlb_put_u32(nlb, IFLA_NUM_TX_QUEUES, dev->tx);
	nlb_put_u32(nlb, IFLA_NUM_RX_QUEUES, dev->rx);
	nlb_put_u32(nlb, IFLA_GROUP, TOPO_GROUP);
	if (link->mtu)
		nlb_put_u32(nlb, IFLA_MTU, link->mtu);
}

static void put_peer(struct nlb *nlb, const struct topo_link *link, int end, int ifindex, int netns)
{
	const struct ifinfomsg ifi = { .ifi_index = ifindex };
	size_t info, data, peer;

	info = nlb_nest(nlb, IFLA_LINKINFO);
	nlb_put_str(nlb, IFLA_INFO_KIND, "veth");
	data = nlb_nest(nlb, IFLA_INFO_DATA);
	peer = nlb_nest(nlb, VETH_INFO_PEER);
	nlb_raw(nlb, &ifi, sizeof(ifi));
	put_end(nlb, link, end);
	nlb_put_u32(nlb, IFLA_NET_NS_FD, (uint32_t)netns);
	nlb_nest_end(nlb, peer);
	nlb_nest_end(nlb, data);
	nlb_nest_end(nlb, info);
}

static void hint_veth(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	if (err == -EOPNOTSUPP && d->exit == EXIT_FAILED)
		diag_append(d, "needs CONFIG_VETH");
}

/*
 * The link-local address would bring DAD and router solicitations with it:
 * packets that nobody sent. To be set before there is a carrier.
 */
static int no_auto_address(struct maker *m, struct topo_ref ref)
{
	/* No IPv6 on the device (its MTU is too small): nothing to turn off. */
	const struct rtnl_req req = { .pass = EAFNOSUPPORT };
	const struct topo_dev *dev = topo_dev(m->topo, ref);
	size_t spec, inet6;
	struct nlb nlb;

	if (!m->ipv6)
		return 0;
	link_msg(&nlb, 0, maker_ifindex(m, ref), 0);
	spec = nlb_nest(&nlb, IFLA_AF_SPEC);
	inet6 = nlb_nest(&nlb, AF_INET6);
	nlb_put(&nlb, IFLA_INET6_ADDR_GEN_MODE, &(uint8_t){ ADDR_GEN_MODE_NONE }, 1);
	nlb_nest_end(&nlb, inet6);
	nlb_nest_end(&nlb, spec);
	return maker_queue_nlb(m, dev->end.netns, &nlb, &req);
}

/*
 * The end that the request is about, the other being its peer. Only that one
 * can be up from the start, and one whose qdiscs are yet to come should not: on
 * a device that is up each of them waits for its senders.
 */
static int first_end(const struct maker *m, int link)
{
	return m->late[2 * link] && !m->late[2 * link + 1];
}

static bool up_from_start(const struct maker *m, int link)
{
	return !m->topo->links[link].down && !m->late[2 * link + first_end(m, link)];
}

int link_create(struct maker *m, int i)
{
	const struct rtnl_req req = { .refused = hint_veth };
	const struct topo_link *link = &m->topo->links[i];
	struct topo_ref first = { i, first_end(m, i) }, second = { i, !first.end };
	struct nlb nlb;
	int err, fd = nets_fd(m->d, m->nets, topo_dev(m->topo, second)->end.netns);

	if (fd < 0)
		return fd;
	link_msg(&nlb, NLM_F_CREATE | NLM_F_EXCL, maker_ifindex(m, first),
		 up_from_start(m, i) ? IFF_UP : 0);
	put_end(&nlb, link, first.end);
	put_peer(&nlb, link, second.end, maker_ifindex(m, second), fd);
	err = maker_queue_nlb(m, topo_dev(m->topo, first)->end.netns, &nlb, &req);
	if (!err)
		err = no_auto_address(m, first);
	if (!err && link->down)
		err = no_auto_address(m, second);
	return err;
}

int link_up(struct maker *m, struct topo_ref ref)
{
	bool first = ref.end == first_end(m, ref.link);
	int err;

	if (first && up_from_start(m, ref.link))
		return 0;
	err = first ? 0 : no_auto_address(m, ref);
	return err ? err : set_up(m, topo_dev(m->topo, ref)->end.netns, maker_ifindex(m, ref));
}

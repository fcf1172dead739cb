// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/dev.h"
#include "net/link.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "topo/topo.h"

#define ADDR_GEN_MODE_NONE 1	/* IN6_ADDR_GEN_MODE_NONE */
#define UP_WAIT_MS 5000

static int put_end(struct nl_msg *msg, const struct topo_link *link, int end)
{
	const struct topo_dev *dev = &link->dev[end];

	if (nla_put_string(msg, IFLA_IFNAME, dev->end.dev) ||
	    nla_put(msg, IFLA_ADDRESS, sizeof(dev->mac), dev->mac) ||
	    nla_put_u32(msg, IFLA_NUM_TX_QUEUES, link->queues) ||
	    nla_put_u32(msg, IFLA_NUM_RX_QUEUES, link->queues))
		return -ENOMEM;
	return link->mtu ? nla_put_u32(msg, IFLA_MTU, link->mtu) : 0;
}

static int put_peer(struct nl_msg *msg, const struct topo_link *link, int peer_netns)
{
	const struct ifinfomsg ifi = { 0 };
	struct nlattr *info, *data, *peer;

	info = nla_nest_start(msg, IFLA_LINKINFO);
	if (!info || nla_put_string(msg, IFLA_INFO_KIND, "veth"))
		return -ENOMEM;
	data = nla_nest_start(msg, IFLA_INFO_DATA);
	peer = data ? nla_nest_start(msg, VETH_INFO_PEER) : NULL;
	if (!peer || nlmsg_append(msg, (void *)&ifi, sizeof(ifi), NLMSG_ALIGNTO) ||
	    put_end(msg, link, 1) || nla_put_u32(msg, IFLA_NET_NS_FD, (uint32_t)peer_netns))
		return -ENOMEM;
	nla_nest_end(msg, peer);
	nla_nest_end(msg, data);
	nla_nest_end(msg, info);
	return 0;
}

static struct nl_msg *link_msg(int flags, const struct ifinfomsg *ifi)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_NEWLINK, flags);

	if (msg && nlmsg_append(msg, (void *)ifi, sizeof(*ifi), NLMSG_ALIGNTO) == 0)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int create_pair(struct diag *d, struct nets *nets, const struct topo_link *link,
		       const char *what)
{
	const struct ifinfomsg ifi = { 0 };
	struct nl_msg *msg;
	struct rtnl *rtnl;
	int fd, err;

	err = nets_rtnl(d, nets, link->dev[0].end.netns, &rtnl);
	if (err)
		return err;
	fd = netns_open(d, link->dev[1].end.netns);
	if (fd < 0)
		return fd;
	msg = link_msg(NLM_F_CREATE | NLM_F_EXCL, &ifi);
	if (!msg || put_end(msg, link, 0) || put_peer(msg, link, fd)) {
		nlmsg_free(msg);
		err = diag_failed(d, ENOMEM, "%s", what);
	} else {
		err = rtnl_talk(rtnl, d, msg, "%s", what);
	}
	close(fd);
	if (err == -EOPNOTSUPP && d->exit == EXIT_FAILED)
		diag_append(d, "needs CONFIG_VETH");
	return err;
}

/* The link-local address would bring DAD and router solicitations with it: packets that nobody sent. */
static int no_auto_address(struct diag *d, struct rtnl *rtnl, const struct dev *dev,
			   const char *what)
{
	const struct ifinfomsg ifi = { .ifi_index = dev->ifindex };
	struct nl_msg *msg = link_msg(0, &ifi);
	struct nlattr *spec, *inet6 = NULL;
	struct diag quiet;
	int err;

	spec = msg ? nla_nest_start(msg, IFLA_AF_SPEC) : NULL;
	inet6 = spec ? nla_nest_start(msg, AF_INET6) : NULL;
	if (!inet6 || nla_put_u8(msg, IFLA_INET6_ADDR_GEN_MODE, ADDR_GEN_MODE_NONE)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	nla_nest_end(msg, inet6);
	nla_nest_end(msg, spec);
	diag_init(&quiet);
	err = rtnl_talk(rtnl, &quiet, msg, "%s: addr_gen_mode none", what);
	/* No IPv6 in the kernel or on the device: nothing to turn off. */
	if (err == -EAFNOSUPPORT)
		err = 0;
	if (err)
		diag_failed(d, -err, "%s: addr_gen_mode none", what);
	diag_free(&quiet);
	return err;
}

static int check_end(struct diag *d, struct nets *nets, const struct topo_link *link, int end,
		     const char *what)
{
	const struct topo_dev *want = &link->dev[end];
	char name[TOPO_END_LEN];
	unsigned int tx, rx;
	struct rtnl *rtnl;
	struct dev dev;
	int sysfs, err;

	topo_end_format(name, &want->end);
	err = nets_rtnl(d, nets, want->end.netns, &rtnl);
	if (!err)
		err = dev_read(rtnl, d, want->end.dev, &dev);
	if (!err)
		err = no_auto_address(d, rtnl, &dev, what);
	if (err)
		return err;
	if (memcmp(dev.mac, want->mac, sizeof(dev.mac)) != 0)
		return diag_failed(d, 0, "%s: read back: the MAC address of %s was changed by someone", what, name);
	if (link->mtu && dev.mtu != link->mtu)
		return diag_failed(d, 0, "%s: read back: mtu of %s is %u", what, name, dev.mtu);
	sysfs = nets_sysfs(d, nets, want->end.netns);
	if (sysfs < 0)
		return sysfs;
	err = dev_real_queues(d, sysfs, want->end.dev, &tx, &rx);
	if (err)
		return err;
	/* A kernel without CONFIG_RPS shows no rx queue at all. */
	if (tx != link->queues || (rx && rx != link->queues))
		return diag_failed(d, 0, "%s: read back: %s has %u real tx and %u real rx queues, %u were asked for",
				   what, name, tx, rx, link->queues);
	return 0;
}

int link_create(struct diag *d, struct nets *nets, const struct topo_link *link, const char *what)
{
	int err = create_pair(d, nets, link, what);

	if (!err)
		err = check_end(d, nets, link, 0, what);
	if (!err)
		err = check_end(d, nets, link, 1, what);
	return err;
}

static int dev_up(struct diag *d, struct nets *nets, const char *netns, const char *name,
		  const char *what)
{
	struct ifinfomsg ifi = { .ifi_flags = IFF_UP, .ifi_change = IFF_UP };
	struct nl_msg *msg;
	struct rtnl *rtnl;
	int err;

	err = nets_rtnl(d, nets, netns, &rtnl);
	if (err)
		return err;
	ifi.ifi_index = rtnl_ifindex(rtnl, d, name);
	if (ifi.ifi_index < 0)
		return ifi.ifi_index;
	msg = link_msg(0, &ifi);
	if (!msg)
		return diag_failed(d, ENOMEM, "%s", what);
	return rtnl_talk(rtnl, d, msg, "%s", what);
}

/*
 * The end that came up first had no carrier then: its qdiscs become active
 * later, from a work item of the kernel's, and until then packets are dropped.
 */
static int wait_running(struct diag *d, struct nets *nets, const struct link_end *end,
			const char *what)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	char name[TOPO_END_LEN];
	struct rtnl *rtnl;
	struct dev dev;
	int ms, err;

	err = nets_rtnl(d, nets, end->netns, &rtnl);
	for (ms = 0; !err; ms++) {
		err = dev_read(rtnl, d, end->dev, &dev);
		if (!err && dev.running)
			return 0;
		if (!err && ms >= UP_WAIT_MS)
			return diag_failed(d, ETIMEDOUT, "%s: carrier of %s", what,
					   topo_end_format(name, end));
		nanosleep(&pause, NULL);
	}
	return err;
}

int link_up(struct diag *d, struct nets *nets, const struct topo_link *link, const char *what)
{
	int i, err = 0;

	for (i = 0; !err && i < 2; i++)
		err = dev_up(d, nets, link->dev[i].end.netns, link->dev[i].end.dev, what);
	for (i = 0; !err && i < 2; i++)
		err = wait_running(d, nets, &link->dev[i].end, what);
	return err;
}

int link_lo_up(struct diag *d, struct nets *nets, const char *netns, const char *what)
{
	return dev_up(d, nets, netns, "lo", what);
}

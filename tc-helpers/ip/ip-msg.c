// SPDX-License-Identifier: GPL-2.0-or-later
/* What ip(8)'s words become. */
#include <arpa/inet.h>
#include <string.h>

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "ip/ip-spec.h"
#include "wire/nlb.h"

static struct ifinfomsg head(const struct ip_dev *dev, int ifindex)
{
	struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC, .ifi_index = ifindex };

	if (dev->up >= 0) {
		ifi.ifi_change = IFF_UP;
		ifi.ifi_flags = dev->up ? IFF_UP : 0;
	}
	return ifi;
}

static void put_dev(struct nlb *nlb, const struct ip_dev *dev, const char *name, int netns)
{
	if (*name)
		nlb_put_str(nlb, IFLA_IFNAME, name);
	if (dev->has_mac)
		nlb_put(nlb, IFLA_ADDRESS, dev->mac, sizeof(dev->mac));
	if (dev->mtu)
		nlb_put_u32(nlb, IFLA_MTU, dev->mtu);
	if (dev->has_txqlen)
		nlb_put_u32(nlb, IFLA_TXQLEN, dev->txqlen);
	if (dev->tx_queues)
		nlb_put_u32(nlb, IFLA_NUM_TX_QUEUES, dev->tx_queues);
	if (dev->rx_queues)
		nlb_put_u32(nlb, IFLA_NUM_RX_QUEUES, dev->rx_queues);
	if (netns >= 0)
		nlb_put_u32(nlb, IFLA_NET_NS_FD, (uint32_t)netns);
}

static void put_kind(struct nlb *nlb, const struct ip_spec *spec, const struct ip_numbers *numbers)
{
	const struct ifinfomsg ifi = head(&spec->peer, 0);
	size_t info = nlb_nest(nlb, IFLA_LINKINFO);

	nlb_put_str(nlb, IFLA_INFO_KIND, spec->kind);
	if (spec->peer.end.dev[0]) {
		size_t data = nlb_nest(nlb, IFLA_INFO_DATA);
		size_t peer = nlb_nest(nlb, VETH_INFO_PEER);

		nlb_raw(nlb, &ifi, sizeof(ifi));
		put_dev(nlb, &spec->peer, spec->peer.end.dev, numbers->peer_netns);
		nlb_nest_end(nlb, peer);
		nlb_nest_end(nlb, data);
	}
	nlb_nest_end(nlb, info);
}

static void fill_link(struct nlb *nlb, const struct ip_spec *spec, const struct ip_numbers *numbers)
{
	const struct ifinfomsg ifi = head(&spec->dev, numbers->ifindex);

	nlb_init(nlb, spec->op == IP_DEL ? RTM_DELLINK : RTM_NEWLINK,
		 spec->op == IP_ADD ? NLM_F_CREATE | NLM_F_EXCL : 0);
	nlb_raw(nlb, &ifi, sizeof(ifi));
	if (spec->op == IP_DEL)
		return;
	put_dev(nlb, &spec->dev, spec->op == IP_ADD ? spec->dev.end.dev : spec->name, numbers->netns);
	if (spec->op == IP_ADD)
		put_kind(nlb, spec, numbers);
}

static void fill_addr(struct nlb *nlb, const struct ip_spec *spec, const struct ip_numbers *numbers)
{
	size_t len = spec->family == AF_INET ? 4 : 16;
	struct ifaddrmsg ifa = {
		.ifa_family = (uint8_t)spec->family,
		.ifa_prefixlen = (uint8_t)spec->bits,
		.ifa_index = (uint32_t)numbers->ifindex,
	};
	uint32_t brd;

	nlb_init(nlb, spec->op == IP_DEL ? RTM_DELADDR : RTM_NEWADDR,
		 spec->op == IP_ADD ? NLM_F_CREATE | NLM_F_EXCL : 0);
	if (spec->family == AF_INET && spec->addr[0] == 127)	/* as ip(8): it is this host's alone */
		ifa.ifa_scope = RT_SCOPE_HOST;
	nlb_raw(nlb, &ifa, sizeof(ifa));
	nlb_put(nlb, IFA_LOCAL, spec->addr, len);
	nlb_put(nlb, IFA_ADDRESS, spec->addr, len);
	if (spec->nodad && spec->op == IP_ADD)
		nlb_put_u32(nlb, IFA_FLAGS, IFA_F_NODAD);
	if (!spec->brd || spec->bits > 30)	/* RFC 3021: /31 has none */
		return;
	memcpy(&brd, spec->addr, sizeof(brd));
	brd |= htonl(spec->bits ? UINT32_MAX >> spec->bits : UINT32_MAX);
	nlb_put(nlb, IFA_BROADCAST, &brd, sizeof(brd));
}

int ip_spec_msg(const struct ip_spec *spec, const struct ip_numbers *numbers, struct nl_msg **msg)
{
	struct nlb nlb;

	if (spec->object == IP_LINK)
		fill_link(&nlb, spec, numbers);
	else
		fill_addr(&nlb, spec, numbers);
	return nlb_finish(&nlb, msg);
}

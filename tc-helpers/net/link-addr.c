// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses and neighbours of a link's ends. */
#include <errno.h>
#include <sys/socket.h>

#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/link.h"
#include "net/nets.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "topo/topo.h"

static int addr_len(const struct topo_addr *addr)
{
	return addr->family == AF_INET ? 4 : 16;
}

/* A family that the kernel was built without is refused by a generic handler. */
static int hint_ipv6(struct diag *d, const struct topo_addr *addr, int err)
{
	if (addr->family == AF_INET6 && (err == -EOPNOTSUPP || err == -EAFNOSUPPORT)) {
		diag_append(d, "no IPv6 here: it needs CONFIG_IPV6, and ipv6.disable=0");
		if (d->exit == EXIT_FAILED)
			d->exit = EXIT_CANNOT;
	}
	return err;
}

static int device(struct diag *d, struct nets *nets, const struct link_end *end,
		  struct rtnl **rtnl)
{
	int err = nets_rtnl(d, nets, end->netns, rtnl);

	return err ? err : rtnl_ifindex(*rtnl, d, end->dev);
}

int link_addr(struct diag *d, struct nets *nets, const struct topo_dev *dev,
	      const struct topo_addr *addr, const char *what)
{
	struct ifaddrmsg ifa = {
		.ifa_family = (unsigned char)addr->family,
		.ifa_prefixlen = (unsigned char)addr->plen,
		.ifa_flags = IFA_F_PERMANENT | (addr->family == AF_INET6 ? IFA_F_NODAD : 0),
	};
	struct nl_msg *msg;
	struct rtnl *rtnl;
	int ifindex;

	ifindex = device(d, nets, &dev->end, &rtnl);
	if (ifindex < 0)
		return ifindex;
	ifa.ifa_index = (unsigned int)ifindex;
	msg = nlmsg_alloc_simple(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
	if (!msg || nlmsg_append(msg, &ifa, sizeof(ifa), NLMSG_ALIGNTO) ||
	    nla_put(msg, IFA_LOCAL, addr_len(addr), addr->bytes) ||
	    nla_put(msg, IFA_ADDRESS, addr_len(addr), addr->bytes)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	return hint_ipv6(d, addr, rtnl_talk(rtnl, d, msg, "%s", what));
}

int link_neigh(struct diag *d, struct nets *nets, const struct topo_dev *dev,
	       const struct topo_addr *addr, const uint8_t *mac, const char *what)
{
	struct ndmsg ndm = {
		.ndm_family = (unsigned char)addr->family,
		.ndm_state = NUD_PERMANENT,
	};
	struct nl_msg *msg;
	struct rtnl *rtnl;

	ndm.ndm_ifindex = device(d, nets, &dev->end, &rtnl);
	if (ndm.ndm_ifindex < 0)
		return ndm.ndm_ifindex;
	msg = nlmsg_alloc_simple(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE);
	if (!msg || nlmsg_append(msg, &ndm, sizeof(ndm), NLMSG_ALIGNTO) ||
	    nla_put(msg, NDA_DST, addr_len(addr), addr->bytes) || nla_put(msg, NDA_LLADDR, 6, mac)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	return hint_ipv6(d, addr, rtnl_talk(rtnl, d, msg, "%s", what));
}

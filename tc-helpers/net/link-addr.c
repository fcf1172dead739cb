// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses and neighbours of a link's ends. */
#include <errno.h>
#include <sys/socket.h>

#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

static size_t addr_len(const struct topo_addr *addr)
{
	return addr->family == AF_INET ? 4 : 16;
}

/* A family that the kernel was built without is refused by a generic handler. */
static void hint_ipv6(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	if (err != -EOPNOTSUPP && err != -EAFNOSUPPORT)
		return;
	diag_append(d, "no IPv6 here: it needs CONFIG_IPV6, and ipv6.disable=0");
	if (d->exit == EXIT_FAILED)
		d->exit = EXIT_CANNOT;
}

static int queue(struct maker *m, struct topo_ref ref, const struct topo_addr *addr, struct nlb *nlb)
{
	const struct rtnl_req req = { .refused = addr->family == AF_INET6 ? hint_ipv6 : NULL };

	return maker_queue_nlb(m, topo_dev(m->topo, ref)->end.netns, nlb, &req);
}

int link_addr(struct maker *m, const struct topo_addr *addr)
{
	struct ifaddrmsg ifa = {
		.ifa_family = (unsigned char)addr->family,
		.ifa_prefixlen = (unsigned char)addr->plen,
		.ifa_flags = IFA_F_PERMANENT | (addr->family == AF_INET6 ? IFA_F_NODAD : 0),
		.ifa_index = (unsigned int)maker_ifindex(m, addr->dev),
	};
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(&nlb, &ifa, sizeof(ifa));
	nlb_put(&nlb, IFA_LOCAL, addr->bytes, addr_len(addr));
	nlb_put(&nlb, IFA_ADDRESS, addr->bytes, addr_len(addr));
	return queue(m, addr->dev, addr, &nlb);
}

int link_neigh(struct maker *m, const struct topo_addr *addr)
{
	struct topo_ref other = { addr->dev.link, !addr->dev.end };
	struct ndmsg ndm = {
		.ndm_family = (unsigned char)addr->family,
		.ndm_state = NUD_PERMANENT,
		.ndm_ifindex = maker_ifindex(m, other),
	};
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE);
	nlb_raw(&nlb, &ndm, sizeof(ndm));
	nlb_put(&nlb, NDA_DST, addr->bytes, addr_len(addr));
	nlb_put(&nlb, NDA_LLADDR, topo_dev(m->topo, addr->dev)->mac, 6);
	return queue(m, other, addr, &nlb);
}

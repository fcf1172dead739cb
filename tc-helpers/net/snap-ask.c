// SPDX-License-Identifier: GPL-2.0-or-later
/* How each question of a snapshot is asked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/kinds.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/offload.h"
#include "net/rtnl.h"
#include "net/snap-file.h"
#include "net/steer.h"
#include "net/sysctl.h"
#include "pure/diag.h"
#include "pure/names.h"
#include "wire/nlb.h"

/* Who gets the messages of a dump. */
struct dump {
	struct snap *snap;
	int netns;
};

#define BIT(n) (UINT64_C(1) << (n))

/* What has a counter, or is of no concern, would only take room. */
static bool is_kept(int type, const struct nlattr *attr)
{
	static const uint64_t link = BIT(IFLA_IFNAME) | BIT(IFLA_ADDRESS) | BIT(IFLA_MTU) |
		BIT(IFLA_GROUP) | BIT(IFLA_NUM_TX_QUEUES) | BIT(IFLA_NUM_RX_QUEUES) |
		BIT(IFLA_GSO_MAX_SEGS) | BIT(IFLA_LINK) | BIT(IFLA_OPERSTATE) | BIT(IFLA_LINKINFO);
	static const uint64_t counters = BIT(TCA_STATS) | BIT(TCA_STATS2) | BIT(TCA_XSTATS) |
		BIT(TCA_RATE);
	unsigned int at = attr->nla_type & NLA_TYPE_MASK;

	if (type == RTM_NEWLINK)
		return at < 64 && link & BIT(at);
	if (type == RTM_NEWQDISC || type == RTM_NEWTCLASS)
		return at >= 64 || !(counters & BIT(at));
	return true;
}

static int add_msg(struct snap *snap, const struct nlmsghdr *nlh, size_t header)
{
	const char *from = (const char *)nlh, *at = from + NLMSG_SPACE(header), *stop = from + nlh->nlmsg_len;
	size_t start = snap->len, n;
	uint32_t len;
	int err = 0;

	/* What is kept and stands together is copied at once. */
	for (; !err && at + NLA_HDRLEN <= stop; at += n) {
		const struct nlattr *attr = (const struct nlattr *)at;

		n = (size_t)NLA_ALIGN(attr->nla_len);
		if (n < NLA_HDRLEN || n > (size_t)(stop - at))
			break;
		if (is_kept(nlh->nlmsg_type, attr))
			continue;
		err = snap_add(snap, from, (size_t)(at - from));
		from = at + n;
	}
	if (!err)
		err = snap_add(snap, from, (size_t)(at - from));
	if (err)
		return err;
	len = (uint32_t)(snap->len - start);
	memcpy(snap->data + start + offsetof(struct nlmsghdr, nlmsg_len), &len, sizeof(len));
	return 0;
}

static size_t header_of(int type)
{
	switch (type) {
	case RTM_NEWLINK:
		return sizeof(struct ifinfomsg);
	case RTM_NEWADDR:
		return sizeof(struct ifaddrmsg);
	case RTM_NEWNEIGH:
		return sizeof(struct ndmsg);
	case RTM_NEWROUTE:
		return sizeof(struct rtmsg);
	case RTM_NEWQDISC:
	case RTM_NEWTCLASS:
	case RTM_NEWTFILTER:
		return sizeof(struct tcmsg);
	}
	return 0;
}

/* Of the topology's devices; by name, as their numbers are told by this. */
static bool is_of_ours(const struct dump *dump, const struct nlmsghdr *nlh)
{
	struct nlattr *name;
	struct link_end end;
	struct topo_ref ref;

	if (nlh->nlmsg_type == RTM_NEWROUTE)
		return true;
	if (nlh->nlmsg_type != RTM_NEWLINK)
		return snap_number(dump->snap, dump->netns, snap_ifindex(nlh)) >= 0;
	name = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(struct ifinfomsg), IFLA_IFNAME);
	if (!name || nla_len(name) > (int)sizeof(end.dev))
		return false;
	strcpy(end.netns, snap_netns_name(dump->snap, dump->netns));
	nla_strlcpy(end.dev, name, sizeof(end.dev));
	return topo_find_dev(dump->snap->topo, &end, &ref);
}

static int each(const struct nlmsghdr *nlh, void *arg)
{
	const struct dump *dump = arg;
	size_t header = header_of(nlh->nlmsg_type);

	if (!header || nlh->nlmsg_len < NLMSG_LENGTH(header) || !is_of_ours(dump, nlh))
		return 0;
	if (nlh->nlmsg_type == RTM_NEWNEIGH &&
	    !(((const struct ndmsg *)NLMSG_DATA(nlh))->ndm_state & NUD_PERMANENT))
		return 0;
	return add_msg(dump->snap, nlh, header);
}

static void restart(void *arg)
{
	snap_begin_again(((struct dump *)arg)->snap);
}

/* @key: the device that it is asked of, for those that are asked of one. */
static void put_header(const struct snap *snap, struct nlb *nlb, int type, int key)
{
	const struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
	struct tcmsg tcm = { .tcm_family = AF_UNSPEC };
	static const char zero[32];

	switch (type) {
	case SNAP_FILTERS:
		tcm.tcm_parent = snap->topo->filters[key].parent;
		tcm.tcm_ifindex = snap->devs[topo_dev_number(snap->topo, snap->topo->filters[key].dev)].ifindex;
		nlb_raw(nlb, &tcm, sizeof(tcm));
		break;
	case RTM_GETLINK:
		nlb_raw(nlb, &ifi, sizeof(ifi));
		nlb_put_u32(nlb, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
		break;
	case RTM_GETTFILTER:
		tcm.tcm_parent = TOPO_INGRESS;
		/* fall through */
	case RTM_GETTCLASS:
		tcm.tcm_ifindex = snap->devs[key].ifindex;
		nlb_raw(nlb, &tcm, sizeof(tcm));
		break;
	default:
		nlb_raw(nlb, zero, header_of(type - (RTM_GETLINK - RTM_NEWLINK)));
		break;
	}
}

static int ask_dump(struct snap *snap, struct diag *d, int netns, int type, int key)
{
	struct dump dump = { snap, netns };
	struct rtnl *rtnl = NULL;
	struct nl_msg *msg;
	struct nlb nlb;
	int err;

	err = nets_rtnl(d, snap->nets, snap_netns_name(snap, netns), &rtnl);
	if (err)
		return err;
	nlb_init(&nlb, type == SNAP_FILTERS ? RTM_GETTFILTER : (uint16_t)type, NLM_F_DUMP);
	put_header(snap, &nlb, type, key);
	if (nlb_finish(&nlb, &msg))
		return diag_failed(d, ENOMEM, "%s", snap->topo->file);
	return rtnl_dump(rtnl, d, msg, each, restart, &dump, snap->topo->file);
}

/* A namespace that cannot be opened is not there. */
static int ask_netns(struct snap *snap, int netns)
{
	struct diag quiet;
	uint64_t cookie;
	int err;

	diag_init(&quiet);
	err = netns_cookie(&quiet, snap_netns_name(snap, netns), &cookie);
	diag_free(&quiet);
	return err ? 0 : snap_add(snap, &cookie, sizeof(cookie));
}

static int ask_queues(struct snap *snap, struct diag *d, const struct link_end *end)
{
	struct rtnl *rtnl;
	unsigned int tx, rx;
	uint32_t both[2];
	int sysfs, err;

	err = nets_rtnl(d, snap->nets, end->netns, &rtnl);
	if (err)
		return err;
	/* An old kernel's veth does not tell, and an ifb never. */
	if (rtnl_channels(rtnl, end->dev, &tx, &rx)) {
		sysfs = nets_sysfs(d, snap->nets, end->netns);
		err = sysfs < 0 ? sysfs : dev_real_queues(d, sysfs, end->dev, &tx, &rx);
		if (err)
			return err;
	}
	both[0] = tx;
	both[1] = rx;
	return snap_add(snap, both, sizeof(both));
}

/* A kernel without them has no maps. */
static int ask_steer(struct snap *snap, struct diag *d, const struct link_end *end, bool rps,
		     unsigned int queues)
{
	const struct steer steer = { .end = end, .rps = rps, .queues = queues };
	struct cpus cpus;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < queues; i++) {
		if (steer_read(d, snap->nets, &steer, i, &cpus))
			return d->exit ? -EIO : 0;
		err = snap_add(snap, &cpus, sizeof(cpus));
	}
	return err;
}

static int ask_device(struct snap *snap, struct diag *d, int type, int key)
{
	const struct link_end *end = &topo_dev(snap->topo, topo_ref_at(snap->topo, key))->end;
	const struct dev dev = snap->devs[key];
	struct offloads offloads;
	int err;

	if (!dev.ifindex)
		return 0;
	switch (type) {
	case SNAP_QUEUES:
		return ask_queues(snap, d, end);
	case SNAP_XPS:
		return ask_steer(snap, d, end, false, dev.num_tx > 1 ? dev.num_tx : 0);
	case SNAP_RPS:
		return ask_steer(snap, d, end, true, dev.num_rx);
	}
	err = offload_read(d, snap->nets, end, &offloads);
	return err ? err : snap_add(snap, &offloads, sizeof(offloads));
}

int snap_ask(struct snap *snap, struct diag *d, int netns, int type, int key)
{
	char value[256];
	int err;

	switch (type) {
	case SNAP_NETNS:
		return ask_netns(snap, netns);
	case SNAP_SYSCTL:
		err = sysctl_read(d, snap_netns_name(snap, netns), snap->topo->sysctls[key].key, value,
				  sizeof(value));
		return err ? err : snap_add(snap, value, strlen(value) + 1);
	case SNAP_QUEUES:
	case SNAP_XPS:
	case SNAP_RPS:
	case SNAP_OFFLOAD:
		return ask_device(snap, d, type, key);
	}
	return ask_dump(snap, d, netns, type, key);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/dev.h"
#include "net/rtnl.h"
#include "pure/diag.h"

#define OPER_UP 6	/* IF_OPER_UP of linux/if.h, which cannot stand beside net/if.h */

struct hunt {
	struct dev *devs;
	size_t n;
};

static void read_kind(struct nlattr *info, struct dev *dev)
{
	struct nlattr *tb[IFLA_INFO_MAX + 1];

	if (nla_parse_nested(tb, IFLA_INFO_MAX, info, NULL) == 0 && tb[IFLA_INFO_KIND])
		nla_strlcpy(dev->kind, tb[IFLA_INFO_KIND], sizeof(dev->kind));
}

int dev_parse(const struct nlmsghdr *nlh, struct dev *dev)
{
	const struct ifinfomsg *ifi = nlmsg_data(nlh);
	struct nlattr *tb[IFLA_MAX + 1];
	int err;

	err = nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*ifi), tb, IFLA_MAX, NULL);
	if (err < 0)
		return -EBADMSG;
	memset(dev, 0, sizeof(*dev));
	dev->ifindex = ifi->ifi_index;
	dev->up = ifi->ifi_flags & IFF_UP;
	if (tb[IFLA_IFNAME])
		nla_strlcpy(dev->name, tb[IFLA_IFNAME], sizeof(dev->name));
	if (tb[IFLA_ADDRESS] && nla_len(tb[IFLA_ADDRESS]) == 6)
		memcpy(dev->mac, nla_data(tb[IFLA_ADDRESS]), 6);
	if (tb[IFLA_GROUP])
		dev->group = nla_get_u32(tb[IFLA_GROUP]);
	if (tb[IFLA_MTU])
		dev->mtu = nla_get_u32(tb[IFLA_MTU]);
	if (tb[IFLA_NUM_TX_QUEUES])
		dev->num_tx = nla_get_u32(tb[IFLA_NUM_TX_QUEUES]);
	if (tb[IFLA_NUM_RX_QUEUES])
		dev->num_rx = nla_get_u32(tb[IFLA_NUM_RX_QUEUES]);
	if (tb[IFLA_GSO_MAX_SEGS])
		dev->gso_max_segs = nla_get_u32(tb[IFLA_GSO_MAX_SEGS]);
	if (tb[IFLA_LINK])
		dev->peer = (int)nla_get_u32(tb[IFLA_LINK]);
	if (tb[IFLA_LINK_NETNSID]) {
		dev->far = true;
		dev->peer_nsid = nla_get_s32(tb[IFLA_LINK_NETNSID]);
		dev->going = dev->peer_nsid == NETNSA_NSID_NOT_ASSIGNED;
	}
	if (tb[IFLA_OPERSTATE])
		dev->running = nla_get_u8(tb[IFLA_OPERSTATE]) == OPER_UP;
	if (tb[IFLA_LINKINFO])
		read_kind(tb[IFLA_LINKINFO], dev);
	return 0;
}

static int each_dev(const struct nlmsghdr *nlh, void *arg)
{
	struct hunt *hunt = arg;
	struct dev *grown;

	if (nlh->nlmsg_type != RTM_NEWLINK)
		return 0;
	grown = realloc(hunt->devs, (hunt->n + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	hunt->devs = grown;
	return dev_parse(nlh, &grown[hunt->n++]);
}

static void restart(void *arg)
{
	((struct hunt *)arg)->n = 0;
}

static struct nl_msg *link_msg(int type, int flags, int ifindex)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex };
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags);

	if (msg && nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO) == 0)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

int dev_read(struct rtnl *rtnl, struct diag *d, const char *name, struct dev *dev)
{
	struct nl_msg *msg = link_msg(RTM_GETLINK, 0, 0);
	struct hunt hunt = { 0 };
	char what[IFNAMSIZ + 16];
	int err;

	if (!msg || nla_put_string(msg, IFLA_IFNAME, name)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "device %s", name);
	}
	snprintf(what, sizeof(what), "device %.15s", name);
	err = rtnl_dump(rtnl, d, msg, each_dev, restart, &hunt, what);
	if (!err && hunt.n != 1)
		err = diag_failed(d, ENODEV, "%s", what);
	if (!err)
		*dev = hunt.devs[0];
	free(hunt.devs);
	return err;
}

int dev_list(struct rtnl *rtnl, struct diag *d, struct dev **devs, size_t *n)
{
	struct nl_msg *msg = link_msg(RTM_GETLINK, NLM_F_DUMP, 0);
	struct hunt hunt = { 0 };
	int err;

	if (!msg)
		return diag_failed(d, ENOMEM, "devices");
	err = rtnl_dump(rtnl, d, msg, each_dev, restart, &hunt, "devices");
	if (err) {
		free(hunt.devs);
		return err;
	}
	*devs = hunt.devs;
	*n = hunt.n;
	return 0;
}

int dev_delete(struct rtnl *rtnl, struct diag *d, const struct dev *dev)
{
	struct nl_msg *msg = link_msg(RTM_DELLINK, 0, dev->ifindex);

	if (!msg)
		return diag_failed(d, ENOMEM, "device %s", dev->name);
	return rtnl_talk(rtnl, d, msg, "device %s: delete", dev->name);
}

static unsigned int count_queues(int sysfs, const char *name, const char *way)
{
	char path[IFNAMSIZ + 32];
	unsigned int n = 0;

	for (;; n++) {
		snprintf(path, sizeof(path), "%.15s/queues/%s-%u", name, way, n);
		if (faccessat(sysfs, path, F_OK, 0))
			return n;
	}
}

int dev_real_queues(struct diag *d, int sysfs, const char *name, unsigned int *tx, unsigned int *rx)
{
	*tx = count_queues(sysfs, name, "tx");
	*rx = count_queues(sysfs, name, "rx");
	if (!*tx)
		return diag_failed(d, ENODEV, "device %s: its tx queues in sysfs", name);
	return 0;
}

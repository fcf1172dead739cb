// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/if_ether.h>
#include <net/if.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/netns.h"
#include "net/qdisc-lost.h"
#include "net/qdisc-rehearse.h"
#include "net/qdisc.h"
#include "net/rtnl.h"
#include "net/tc-blame.h"
#include "net/tc-dump.h"
#include "pure/diag.h"

/* "tx:eth1", or "eth1" in the caller's namespace */
#define END_FMT "%s%s%s"
#define END_ARGS(end) (end).netns, (end).netns[0] ? ":" : "", (end).dev

static int take_link(const struct nlmsghdr *nlh, void *arg)
{
	struct qdisc_dev *dev = arg;
	struct nlattr *tb[IFLA_MAX + 1];

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    nlmsg_parse((struct nlmsghdr *)nlh, sizeof(struct ifinfomsg), tb, IFLA_MAX, NULL) < 0)
		return 0;
	dev->ifindex = ((struct ifinfomsg *)NLMSG_DATA(nlh))->ifi_index;
	dev->up = ((struct ifinfomsg *)NLMSG_DATA(nlh))->ifi_flags & IFF_UP;
	if (tb[IFLA_MTU])
		dev->frame = nla_get_u32(tb[IFLA_MTU]) + ETH_HLEN;
	if (tb[IFLA_GSO_MAX_SEGS])
		dev->gso_segs = nla_get_u32(tb[IFLA_GSO_MAX_SEGS]);
	if (tb[IFLA_NUM_TX_QUEUES])
		dev->tx_queues = nla_get_u32(tb[IFLA_NUM_TX_QUEUES]);
	return 0;
}

int qdisc_dev_link(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		   struct qdisc_dev *dev)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETLINK, 0);
	struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
	char what[NETNS_NAME_MAX + IFNAMSIZ + 16];
	int err;

	memset(dev, 0, sizeof(*dev));
	dev->end = *end;
	snprintf(what, sizeof(what), "device " END_FMT, END_ARGS(dev->end));
	if (!msg || nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO) ||
	    nla_put_string(msg, IFLA_IFNAME, dev->end.dev)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	err = rtnl_dump(rtnl, d, msg, take_link, NULL, dev, what);
	if (!err && dev->ifindex <= 0)
		err = diag_failed(d, ENODEV, "%s", what);
	return err;
}

/* sysfs alone tells the real count: the queues in use have a tx-N, the others none. */
static unsigned int count_real_tx(const struct link_end *end)
{
	char path[IFNAMSIZ + 16];
	unsigned int n = 0;
	struct dirent *e;
	struct diag quiet;
	int net, fd = -1;
	DIR *dir = NULL;

	diag_init(&quiet);	/* not knowing is an answer, see real_tx */
	net = netns_sysfs(&quiet, end->netns);
	diag_free(&quiet);
	if (net >= 0) {
		snprintf(path, sizeof(path), "%s/queues", end->dev);
		fd = openat(net, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(net);
	}
	if (fd >= 0)
		dir = fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((e = readdir(dir)))
		n += !strncmp(e->d_name, "tx-", 3);
	closedir(dir);
	return n;
}

static int take_root(const struct tc_info *info, void *arg)
{
	struct qdisc_dev *dev = arg;

	if (info->parent != TC_H_ROOT)
		return 0;
	snprintf(dev->root_kind, sizeof(dev->root_kind), "%s", info->kind);
	dev->root_handle = info->handle;
	return 0;
}

static int read_root(struct rtnl *rtnl, struct diag *d, struct qdisc_dev *dev)
{
	dev->root_kind[0] = '\0';
	dev->root_handle = 0;
	return tc_each(rtnl, d, OBJECT_QDISC, dev->ifindex, take_root, NULL, dev);
}

int qdisc_dev_read(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		   struct qdisc_dev *dev)
{
	int err;

	err = qdisc_dev_link(rtnl, d, end, dev);
	if (err)
		return err;
	dev->real_tx = count_real_tx(end);
	return read_root(rtnl, d, dev);
}

/* The queues that the device has, as far as is known. */
static unsigned int queues_of(const struct qdisc_dev *dev)
{
	return dev->real_tx ? dev->real_tx : dev->tx_queues;
}

static int check_multiqueue_root(struct diag *d, const struct tc_spec *spec,
				 const struct qdisc_dev *dev)
{
	if (dev->tx_queues == 1)
		return diag_failed(d, EOPNOTSUPP,
				   END_FMT ": qdisc %s: the device has 1 transmit queue and %s needs more (ip link add ... numtxqueues N, or \"queues N\" in a topology)",
				   END_ARGS(dev->end), spec->kind->name, spec->kind->name);
	if (dev->real_tx && dev->real_tx < dev->tx_queues)
		diag_warn(d, END_FMT ": %u of %u transmit queues are in use: the classes of the others never see a packet (ethtool -L %s tx %u)",
			  END_ARGS(dev->end), dev->real_tx, dev->tx_queues, dev->end.dev,
			  dev->tx_queues);
	return 0;
}

/* A parent of the root mq: one of the queues that are in use. */
static int check_queue(struct diag *d, const struct tc_spec *spec, const struct qdisc_dev *dev)
{
	const struct kind *root = kind_find(dev->root_kind);
	unsigned int queue = TC_H_MIN(spec->parent);
	char parent[12], name[12];

	if (spec->parent == TC_H_ROOT || !queue || !root || !root->multiqueue)
		return 0;
	handle_format(parent, spec->parent);
	if (!dev->root_handle && TC_H_MAJ(spec->parent) <= 0x10000)
		return diag_failed(d, ENOENT,
				   END_FMT ": parent %s: the root %s is the kernel's own and has no handle: give it one first (qbed qdisc replace dev " END_FMT " root handle 1: %s)",
				   END_ARGS(dev->end), parent, root->name, END_ARGS(dev->end),
				   root->name);
	if (TC_H_MAJ(spec->parent) != dev->root_handle)
		return 0;
	if (queue <= queues_of(dev))
		return 0;
	if (queue >= TC_H_MIN_PRIORITY)
		return diag_failed(d, ENOENT,
				   END_FMT ": parent %s: a traffic class: what it has are queues, %s1 to %s%x, and qdiscs go there",
				   END_ARGS(dev->end), parent, handle_format(name, dev->root_handle),
				   name, queues_of(dev));
	if (queue > dev->tx_queues)
		return diag_failed(d, ENOENT,
				   END_FMT ": parent %s: the device has %u transmit queues, %s1 to %s%x",
				   END_ARGS(dev->end), parent, queues_of(dev),
				   handle_format(name, dev->root_handle), name, queues_of(dev));
	return diag_failed(d, ENOENT,
			   END_FMT ": parent %s: only %u of the device's %u transmit queues are in use: no packet would ever get there (ethtool -L %s tx %u, or \"queues %u\" in a topology)",
			   END_ARGS(dev->end), parent, dev->real_tx, dev->tx_queues,
			   dev->end.dev, queue, queue);
}

/* The qdisc below @parent, for warn_of_flush(). */
struct child {
	uint32_t parent;
	uint32_t handle;
	char kind[32];
};

static int take_child(const struct tc_info *info, void *arg)
{
	struct child *child = arg;

	if (info->parent == child->parent) {
		child->handle = info->handle;
		snprintf(child->kind, sizeof(child->kind), "%s", info->kind);
	}
	return 0;
}

/*
 * mq_graft() deactivates the whole device, so every child's queue is emptied.
 * A replace that only changes settings (same kind, same or no handle) is a
 * change to the kernel and does no harm.
 */
static int warn_of_flush(struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec,
			 const struct qdisc_dev *dev)
{
	const struct kind *root = kind_find(dev->root_kind);
	struct child child = { .parent = spec->parent };
	int err;

	if (!dev->up || !root || !root->multiqueue || !dev->root_handle ||
	    TC_H_MAJ(spec->parent) != dev->root_handle)
		return 0;
	err = tc_each(rtnl, d, OBJECT_QDISC, dev->ifindex, take_child, NULL, &child);
	if (err || !child.handle)
		return err;
	if (strcmp(child.kind, spec->kind->name) || (spec->handle && spec->handle != child.handle))
		diag_warn(d, END_FMT ": the kernel empties the queues of all children of the %s for this, and counts no drop (\"change\" does not)",
			  END_ARGS(dev->end), root->name);
	return 0;
}

static void qdisc_words(char *buf, size_t len, const struct tc_spec *spec, const struct link_end *end,
			enum tc_op op)
{
	char at[24];

	strcpy(at, "parent ");
	handle_format(at + (spec->parent == TC_H_ROOT ? 0 : 7),
		      spec->parent ? spec->parent : spec->handle);
	snprintf(buf, len, END_FMT ": qdisc%s%s %s: %s", END_ARGS(*end), spec->kind ? " " : "",
		 spec->kind ? spec->kind->name : "", at, tc_op_name(op));
}

/* TCP makes such packets whatever the device's switches say, and heeds its gso_max_segs alone. */
static void advise_offload(struct diag *d, const struct tc_spec *spec, const struct qdisc_dev *dev)
{
	const char *word = spec->kind->per_frame ? spec->kind->per_frame(spec->cfg) : NULL;

	if (word && dev->gso_segs > 1)
		diag_warn(d, "%s: %s takes what TCP sends at once, up to 64 KiB, for one frame (ip link set dev %s gso_max_segs 1)",
			  spec->kind->name, word, dev->end.dev);
}

static int qdisc_msg(struct diag *d, enum tc_op op, const struct tc_spec *spec,
		     const struct qdisc_dev *dev, struct nl_msg **msg)
{
	int err = 0;

	if (op != OP_DEL && spec->kind->multiqueue)
		err = check_multiqueue_root(d, spec, dev);
	if (!err && op != OP_CHANGE)
		err = check_queue(d, spec, dev);
	if (!err && op != OP_DEL && spec->kind->judge && queues_of(dev)) {
		err = spec->kind->judge(d, spec->cfg, queues_of(dev));
		if (err)
			diag_context(d, 0, END_FMT, END_ARGS(dev->end));
	}
	if (err)
		return err;
	if (op != OP_DEL && spec->kind->advise)
		spec->kind->advise(d, spec->cfg, dev->frame);
	if (op != OP_DEL)
		advise_offload(d, spec, dev);
	err = tc_spec_msg(spec, op, dev->ifindex, msg);
	return err ? diag_failed(d, -err, END_FMT ": qdisc", END_ARGS(dev->end)) : 0;
}

int qdisc_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
	     struct qdisc_dev *dev)
{
	struct nl_msg *msg = NULL;
	char what[512];
	int err;

	err = qdisc_msg(d, op, spec, dev, &msg);
	if (err)
		return err;
	qdisc_words(what, sizeof(what), spec, &dev->end, op);
	if (op == OP_REPLACE)
		err = warn_of_flush(rtnl, d, spec, dev);
	if (!err && op != OP_DEL)
		err = qdisc_ask_lost(d, spec, &dev->end);
	if (!err)
		err = qdisc_rehearse(rtnl, d, op, spec, dev->ifindex, what);
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	err = rtnl_talk(rtnl, d, msg, "%s", what);
	if (err) {
		tc_blame_config(d, err, rtnl_extack(rtnl), spec->kind);
		if (err == -EEXIST && op == OP_ADD && !strcmp(dev->root_kind, "taprio") &&
		    TC_H_MAJ(spec->parent) == dev->root_handle)
			diag_append(d, "to kernels before 6.6 a taprio is its own child there until another is: say \"replace\"");
		return err;
	}
	err = qdisc_check_lost(rtnl, d, op, spec, dev);
	return !err && spec->parent == TC_H_ROOT ? read_root(rtnl, d, dev) : err;
}

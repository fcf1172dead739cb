/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_DEV_H
#define QBED_DEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct nl_msg;
struct nlmsghdr;
struct rtnl;

/**
 * struct dev - a network device as the kernel tells it
 * @kind: of rtnl_link_ops, "veth"; "" for none
 * @group: IFLA_GROUP
 * @peer: ifindex of the other end, in its own namespace; 0 for none
 * @far: the other end is in another namespace
 * @going: and that one has no users any more: the kernel is about to take both away
 * @peer_nsid: if @far: what this namespace calls that one (RTM_GETNSID)
 * @num_tx: tx queues that have memory, which may be more than the real ones
 * @num_rx: the same of rx
 * @gso_max_segs: frames that a sender may hand over as one packet
 * @up: IFF_UP
 * @running: operational: carrier is there and the qdiscs are active
 */
struct dev {
	int ifindex;
	int peer;
	int peer_nsid;
	char name[IFNAMSIZ];
	char kind[16];
	uint8_t mac[6];
	uint32_t group;
	unsigned int mtu;
	unsigned int num_tx;
	unsigned int num_rx;
	unsigned int gso_max_segs;
	bool far;
	bool going;
	bool up;
	bool running;
};

/* From an RTM_NEWLINK. 0 or -EBADMSG. */
int dev_parse(const struct nlmsghdr *nlh, struct dev *dev);
/* The device @name: 0, or -ENODEV with a message. */
int dev_read(struct rtnl *rtnl, struct diag *d, const char *name, struct dev *dev);
/* All devices of the namespace; @devs is malloc()ed. */
int dev_list(struct rtnl *rtnl, struct diag *d, struct dev **devs, size_t *n);
int dev_delete(struct rtnl *rtnl, struct diag *d, const struct dev *dev);

/*
 * Queues that are in use, from @sysfs (netns_sysfs()): a device may have
 * memory for more. -ENODEV when sysfs does not show the device.
 */
int dev_real_queues(struct diag *d, int sysfs, const char *name, unsigned int *tx, unsigned int *rx);

#endif

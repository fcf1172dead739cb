/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_QDISC_H
#define QBED_QDISC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds/spec.h"

struct diag;
struct rtnl;

/**
 * struct qdisc_dev - what has to be known of a device before a qdisc is put on it
 * @end: its name
 * @ifindex: its index
 * @frame: bytes of the largest frame: MTU and Ethernet header
 * @gso_segs: frames that a sender may hand over as one packet, 1 for no more than one
 * @up: it is up: its queues may hold packets
 * @tx_queues: transmit queues that it was made with
 * @real_tx: those in use, 0 when that could not be read (sysfs needs a privilege)
 * @root_kind: kind of the root qdisc, "" for none
 * @root_handle: its handle, 0 for one that the kernel made by itself
 */
struct qdisc_dev {
	struct link_end end;
	int ifindex;
	unsigned int frame;
	unsigned int gso_segs;
	bool up;
	unsigned int tx_queues;
	unsigned int real_tx;
	char root_kind[32];
	uint32_t root_handle;
};

/* @rtnl must be in the namespace @end->netns. 0, or -errno (-ENODEV) with @d. */
int qdisc_dev_read(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		   struct qdisc_dev *dev);

/* The part of it that the link alone tells: all but @real_tx and the root. */
int qdisc_dev_link(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		   struct qdisc_dev *dev);

/*
 * Does @op. What the kernel would take and no packet ever reach (a queue that
 * is not in use), and what it refuses without saying why, is refused here with
 * the fix. Keeps @dev's root up to date. A kind that the kernel lacks is exit 4.
 */
int qdisc_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
	     struct qdisc_dev *dev);

#endif

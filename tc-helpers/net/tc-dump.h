/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_DUMP_H
#define QBED_TC_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/spec.h"

struct diag;
struct nlattr;
struct nlmsghdr;
struct rtnl;

/**
 * struct tc_info - one qdisc or class as the kernel shows it; valid during the call
 * @ifindex: of its device
 * @handle: its handle or classid
 * @parent: its parent, TC_H_ROOT for the root
 * @info: how many users a qdisc has; the handle of the qdisc below a class, 0 for none
 * @kind: its kind
 * @opts: TCA_OPTIONS or NULL
 * @stats2: TCA_STATS2 or NULL
 * @stab: TCA_STAB or NULL
 * @ingress_block: shared block of filters, 0 for none
 * @egress_block: the same for what is sent
 * @offloaded: the device does its work
 */
struct tc_info {
	int ifindex;
	uint32_t handle;
	uint32_t parent;
	uint32_t info;
	const char *kind;
	struct nlattr *opts;
	struct nlattr *stats2;
	struct nlattr *stab;
	uint32_t ingress_block;
	uint32_t egress_block;
	bool offloaded;
};

/* From an RTM_NEWQDISC or RTM_NEWTCLASS, of which it keeps parts; false for another message. */
bool tc_info_parse(const struct nlmsghdr *nlh, struct tc_info *info);

/*
 * Calls @each per object of the device @ifindex, in the kernel's order;
 * @restart when the dump begins anew. @each may return -errno to stop. For
 * qdiscs @ifindex 0 means all devices; classes are shown per device only.
 */
int tc_each(struct rtnl *rtnl, struct diag *d, enum tc_object object, int ifindex,
	    int (*each)(const struct tc_info *info, void *arg), void (*restart)(void *arg),
	    void *arg);

#endif

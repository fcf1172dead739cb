/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FILTER_H
#define QBED_FILTER_H

#include <stdint.h>

#include "filters/filter-spec.h"

struct diag;
struct nlattr;
struct nlmsghdr;
struct rtnl;

/*
 * Does @op. Of a filter that is added, @prio and @handle (unless NULL) get
 * what the kernel chose. @rtnl must be in the namespace of @spec->end; the devices that the
 * actions name are looked up there and put into @spec. A classifier or an
 * action that the kernel lacks is exit 4.
 */
int filter_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, struct filter_spec *spec,
	      uint32_t *prio, uint32_t *handle);

/*
 * Adds to a refusal of a request that makes @spec what the kernel lacks for it, which makes it
 * exit 4. @extack: the kernel's words.
 */
void filter_blame(struct diag *d, int err, const char *extack, const struct filter_spec *spec);

/**
 * struct filter_info - one filter as the kernel shows it; valid during the call
 * @ifindex: of its device
 * @handle: its handle
 * @parent: what it is attached to
 * @prio: its preference
 * @protocol: ETH_P_...
 * @has_chain: the kernel tells @chain
 * @chain: number of its chain
 * @kind: its classifier
 * @opts: TCA_OPTIONS or NULL
 */
struct filter_info {
	int ifindex;
	uint32_t handle;
	uint32_t parent;
	uint32_t prio;
	uint16_t protocol;
	bool has_chain;
	uint32_t chain;
	const char *kind;
	struct nlattr *opts;
};

/* False for a message that is of no filter. */
bool filter_info_parse(const struct nlmsghdr *nlh, struct filter_info *info);

/*
 * Calls @each per filter of the device @ifindex that @spec chooses (parent,
 * protocol, prio, chain), in the kernel's order; @restart when the dump begins
 * anew. @each may return -errno to stop.
 */
int filter_each(struct rtnl *rtnl, struct diag *d, int ifindex, const struct filter_spec *spec,
		int (*each)(const struct filter_info *info, void *arg),
		void (*restart)(void *arg), void *arg);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NETS_H
#define QBED_NETS_H

#include <stdint.h>

struct diag;
struct nets;
struct nlmsghdr;
struct rtnl;
struct rtnl_req;

/*
 * One rtnetlink socket and one view of sysfs per namespace, opened when first
 * asked for; as many stay open as the limit of files allows. While they are
 * open the namespaces live: close them before they are to go. Namespaces are
 * named; "" is the caller's.
 */
struct nets *nets_new(struct diag *d);
void nets_close(struct nets *nets);

/*
 * Puts a request in line, see rtnl_queue_add(): requests are done in the order in which
 * they are added, over all namespaces.
 */
int nets_queue(struct diag *d, struct nets *nets, const char *netns,
	       const struct nlmsghdr *nlh, const struct rtnl_req *req);
/* What is in line is done when this returns 0. */
int nets_flush(struct diag *d, struct nets *nets);

/*
 * The socket of @netns, for a request that cannot wait in line; what is in
 * line is sent first. Owned by @nets, good until the next call of nets_*().
 */
int nets_rtnl(struct diag *d, struct nets *nets, const char *netns, struct rtnl **rtnl);
/* fd of /sys/class/net as @netns sees it, likewise; -errno. */
int nets_sysfs(struct diag *d, struct nets *nets, const char *netns);

/*
 * fd of the namespace @netns, for an IFLA_NET_NS_FD of a request that is put
 * in line next: good until that has been sent. -errno.
 */
int nets_fd(struct diag *d, struct nets *nets, const char *netns);

/* Closes what is open of @netns, so that it can go. What is in line is sent first. */
int nets_forget(struct diag *d, struct nets *nets, const char *netns);

/* Takes the socket @rtnl that is in @netns already. */
int nets_give(struct diag *d, struct nets *nets, const char *netns, struct rtnl *rtnl);

#endif

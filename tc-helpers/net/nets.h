/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NETS_H
#define QBED_NETS_H

struct diag;
struct nets;
struct rtnl;

/*
 * One rtnetlink socket and one view of sysfs per namespace, opened when first
 * asked for. While it is open the namespaces live: close it before they are
 * to go.
 */
struct nets *nets_new(struct diag *d);
void nets_close(struct nets *nets);

/* Owned by @nets; @netns is "" for the caller's namespace. */
int nets_rtnl(struct diag *d, struct nets *nets, const char *netns, struct rtnl **rtnl);
/* fd of /sys/class/net as @netns sees it, owned by @nets; -errno. */
int nets_sysfs(struct diag *d, struct nets *nets, const char *netns);

#endif

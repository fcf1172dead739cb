/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RTNL_H
#define QBED_RTNL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct nl_msg;
struct nlmsghdr;

/**
 * struct rtnl - a NETLINK_ROUTE socket in one network namespace
 *
 * The only door to rtnetlink. Keeps the kernel's own errno (libnl folds
 * errors) and the ext-ack text and offset of the last refusal.
 */
struct rtnl;

/*
 * Opens a socket in the namespace @netns: a name under /run/netns, or "" for
 * the caller's. The caller's thread stays in its own namespace.
 */
int rtnl_open(struct diag *d, const char *netns, struct rtnl **rtnl);
/* The same where the calling thread is, which is to be called @netns. */
int rtnl_open_here(struct diag *d, const char *netns, struct rtnl **rtnl);
void rtnl_close(struct rtnl *rtnl);

/*
 * From here on every message, sent or received, is given in words to @sink, one call each, which
 * may come from several threads. Before anything is opened, by the edge.
 */
void rtnl_trace_to(void (*sink)(const char *text));

/* Room for the answers, shared by sockets that are used one after the other; it must outlive them. */
struct rtnl_buf {
	char *data;
};

void rtnl_share_buf(struct rtnl *rtnl, struct rtnl_buf *buf);

/* Queues of @dev that are in use (ETHTOOL_GCHANNELS). 0 or -errno: not every driver tells. */
int rtnl_channels(const struct rtnl *rtnl, const char *dev, unsigned int *tx, unsigned int *rx);

/* Which namespace the socket is in: netns_cookie(). 0 or -errno. */
int rtnl_netns_cookie(const struct rtnl *rtnl, uint64_t *cookie);

/*
 * Sends @msg (made by wire/ or libnl-route's build_*_request) and waits for the ack.
 * 0, or the kernel's -errno with "WHAT: errno text: ext-ack" in @d. Takes @msg.
 * EPERM on a socket that has changed nothing yet is exit 4, the privilege named.
 * A warning of the kernel's becomes a warning in @d.
 */
int rtnl_talk(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same; unless @each is NULL the kernel's notification of the change is asked for and given to it. */
int rtnl_talk_echo(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg,
		   int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg,
		   const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* Sends a dump (or get) request and calls @each per answer; starts again on NLM_F_DUMP_INTR. Takes @msg. */
int rtnl_dump(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg,
	      int (*each)(const struct nlmsghdr *nlh, void *arg), void (*restart)(void *arg),
	      void *arg, const char *what);

/* The kernel's own words in the last answer, "" for none. Valid until the next request. */
const char *rtnl_extack(const struct rtnl *rtnl);

/* ifindex of @dev, or -ENODEV with a message. */
int rtnl_ifindex(struct rtnl *rtnl, struct diag *d, const char *dev);

/* Name of the device @ifindex into @name (IFNAMSIZ bytes). */
int rtnl_ifname(struct rtnl *rtnl, struct diag *d, int ifindex, char *name);

#endif

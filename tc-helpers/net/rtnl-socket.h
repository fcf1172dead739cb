/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RTNL_SOCKET_H
#define QBED_RTNL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "net/rtnl.h"

/* Between rtnl.c and rtnl-queue.c; nobody else includes it. */

/**
 * struct rtnl - see rtnl.h
 * @fd: the socket
 * @seq: number of the last request
 * @touched: a request that changes something has succeeded
 * @buf: where the last datagram is: @own, or one that several sockets share
 * @own: this socket's
 * @text: ext-ack text of the last refusal or warning, "" for none
 * @offset: of the attribute it is about, within the request; 0 for none
 */
struct rtnl {
	int fd;
	uint32_t seq;
	bool touched;
	struct rtnl_buf *buf;
	struct rtnl_buf own;
	char text[256];
	uint32_t offset;
};

/* The errno of an ack: 0 or negative; its ext-ack goes into @rtnl. */
int rtnl_read_ack(struct rtnl *rtnl, const struct nlmsghdr *nlh);

/* The refusal in words, @err given back. Before anything was changed a missing privilege is the machine's lack. */
int rtnl_refused(struct rtnl *rtnl, struct diag *d, int err, const char *what);

#endif

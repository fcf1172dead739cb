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
 * @where: name of its namespace while messages are traced, NULL for none
 */
struct rtnl {
	int fd;
	uint32_t seq;
	bool touched;
	struct rtnl_buf *buf;
	struct rtnl_buf own;
	char text[256];
	uint32_t offset;
	char *where;
};

/* The errno of an ack: 0 or negative; its ext-ack goes into @rtnl. */
int rtnl_read_ack(struct rtnl *rtnl, const struct nlmsghdr *nlh);

/*
 * The refusal of @req in words, with the attribute that the kernel points at; @err given back.
 * Before anything was changed a missing privilege is the machine's lack.
 */
int rtnl_refused(struct rtnl *rtnl, struct diag *d, int err, const char *what,
		 const struct nlmsghdr *req);

/* net/rtnl-trace.c: shows the messages of a datagram to whom rtnl_trace_to() named, if anybody. */
bool rtnl_trace_on(void);
void rtnl_trace(const struct rtnl *rtnl, bool sent, const void *data, size_t len);

#endif

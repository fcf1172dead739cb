/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RTNL_QUEUE_H
#define QBED_RTNL_QUEUE_H

#include <stddef.h>

struct diag;
struct nlmsghdr;
struct rtnl;

/**
 * struct rtnl_req - what a request in line is about
 * @words: writes "FILE:LINE: STEP" into @buf, what stands before the kernel's words; called for a
 *	refusal or a warning alone
 * @refused: adds a hint to the error in @d, or lifts it to "cannot"; NULL for none
 * @arg: for both
 * @index: for both
 * @pass: a positive errno that is no error for this request, 0 for none
 */
struct rtnl_req {
	void (*words)(char *buf, size_t len, const void *arg, int index);
	void (*refused)(struct diag *d, int err, const char *extack, const void *arg, int index);
	const void *arg;
	int index;
	int pass;
};

/**
 * struct rtnl_queue - requests that are sent together
 *
 * One line over all sockets: what is in line for one socket is sent before
 * anything is put in line for another, so the order of requests is that in which
 * they were added, whatever namespaces they are for.
 *
 * The kernel goes through a batch to its end, also after a refusal. The first
 * refusal is the error; the later ones of that batch are its consequences.
 */
struct rtnl_queue;

struct rtnl_queue *rtnl_queue_new(struct diag *d);
/* What was not sent is dropped. */
void rtnl_queue_free(struct rtnl_queue *q);

/*
 * Puts a copy of @nlh in line for @rtnl, sending what has to go first. 0, or
 * the -errno of an earlier request with @d: then the line is empty.
 */
int rtnl_queue_add(struct rtnl_queue *q, struct diag *d, struct rtnl *rtnl,
		   const struct nlmsghdr *nlh, const struct rtnl_req *req);
/* Sends what is in line and reads the answers: all of it is done when 0 is returned. */
int rtnl_queue_flush(struct rtnl_queue *q, struct diag *d);

#endif

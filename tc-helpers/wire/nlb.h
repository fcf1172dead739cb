/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NLB_H
#define QBED_NLB_H

#include <stddef.h>
#include <stdint.h>

struct nl_msg;
struct nlmsghdr;

/**
 * struct nlb - builder of a netlink message
 * @data: the message, a struct nlmsghdr first
 * @len: bytes used, always a multiple of 4
 * @room: bytes allocated
 * @err: the first error (-ENOMEM, -EMSGSIZE), 0 while there is none
 *
 * Errors are sticky: every call after the first error does nothing, so a
 * writer checks once, at nlb_finish(). It grows: a message may be larger than
 * a page (a netem distribution is).
 */
struct nlb {
	char *data;
	size_t len;
	size_t room;
	int err;
};

void nlb_init(struct nlb *nlb, uint16_t type, uint16_t flags);
void nlb_free(struct nlb *nlb);

/* Bytes as they are (a family header, or fixed data in front of nested attributes), padded to 4. */
void nlb_raw(struct nlb *nlb, const void *data, size_t len);

void nlb_put(struct nlb *nlb, uint16_t type, const void *data, size_t len);
void nlb_put_str(struct nlb *nlb, uint16_t type, const char *s); /* with its NUL */
void nlb_put_u32(struct nlb *nlb, uint16_t type, uint32_t v);
void nlb_put_u64(struct nlb *nlb, uint16_t type, uint64_t v);
void nlb_put_i64(struct nlb *nlb, uint16_t type, int64_t v);

/* Opens an attribute and closes it again; what is written between is its value. */
size_t nlb_nest(struct nlb *nlb, uint16_t type);
void nlb_nest_end(struct nlb *nlb, size_t nest);

/* The message, whole, in @nlb's memory; NULL after an error. */
const struct nlmsghdr *nlb_message(struct nlb *nlb);

/*
 * Hands the message over as libnl's, for rtnl_talk(), and frees the builder.
 * 0, or the sticky error.
 */
int nlb_finish(struct nlb *nlb, struct nl_msg **msg);

#endif

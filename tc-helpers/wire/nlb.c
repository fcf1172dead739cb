// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>
#include <netlink/msg.h>

#include "wire/nlb.h"

#define FIRST_ROOM 512U		/* most messages fit, and are not moved while they grow */

/* @len more bytes, zeroed, at the end; NULL once there was an error. */
static void *nlb_reserve(struct nlb *nlb, size_t len)
{
	size_t padded = NLMSG_ALIGN(len);
	void *at;

	if (nlb->err)
		return NULL;
	if (nlb->len + padded > nlb->room) {
		size_t room = (nlb->len + padded) * 2;

		if (room < FIRST_ROOM)
			room = FIRST_ROOM;
		char *data = realloc(nlb->data, room);

		if (!data) {
			nlb->err = -ENOMEM;
			return NULL;
		}
		nlb->data = data;
		nlb->room = room;
	}
	at = nlb->data + nlb->len;
	memset(at, 0, padded);
	nlb->len += padded;
	return at;
}

void nlb_init(struct nlb *nlb, uint16_t type, uint16_t flags)
{
	struct nlmsghdr *nlh;

	memset(nlb, 0, sizeof(*nlb));
	nlh = nlb_reserve(nlb, sizeof(*nlh));
	if (!nlh)
		return;
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags;
}

void nlb_free(struct nlb *nlb)
{
	free(nlb->data);
	memset(nlb, 0, sizeof(*nlb));
}

void nlb_raw(struct nlb *nlb, const void *data, size_t len)
{
	void *at = nlb_reserve(nlb, len);

	if (at && len)
		memcpy(at, data, len);
}

void nlb_put(struct nlb *nlb, uint16_t type, const void *data, size_t len)
{
	struct nlattr *attr;

	/* nla_len counts the header and has 16 bits */
	if (!nlb->err && len > UINT16_MAX - NLA_HDRLEN)
		nlb->err = -EMSGSIZE;
	attr = nlb_reserve(nlb, NLA_HDRLEN + len);
	if (!attr)
		return;
	attr->nla_type = type;
	attr->nla_len = (uint16_t)(NLA_HDRLEN + len);
	if (len)
		memcpy((char *)attr + NLA_HDRLEN, data, len);
}

void nlb_put_str(struct nlb *nlb, uint16_t type, const char *s)
{
	nlb_put(nlb, type, s, strlen(s) + 1);
}

void nlb_put_u32(struct nlb *nlb, uint16_t type, uint32_t v)
{
	nlb_put(nlb, type, &v, sizeof(v));
}

void nlb_put_u64(struct nlb *nlb, uint16_t type, uint64_t v)
{
	nlb_put(nlb, type, &v, sizeof(v));
}

void nlb_put_i64(struct nlb *nlb, uint16_t type, int64_t v)
{
	nlb_put(nlb, type, &v, sizeof(v));
}

size_t nlb_nest(struct nlb *nlb, uint16_t type)
{
	size_t nest = nlb->len;

	nlb_put(nlb, type, NULL, 0);
	return nest;
}

void nlb_nest_end(struct nlb *nlb, size_t nest)
{
	struct nlattr *attr;

	if (nlb->err)
		return;
	if (nlb->len - nest > UINT16_MAX) {
		nlb->err = -EMSGSIZE;
		return;
	}
	attr = (struct nlattr *)(nlb->data + nest);
	attr->nla_len = (uint16_t)(nlb->len - nest);
}

const struct nlmsghdr *nlb_message(struct nlb *nlb)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)nlb->data;

	if (nlb->err)
		return NULL;
	nlh->nlmsg_len = (uint32_t)nlb->len;
	return nlh;
}

int nlb_finish(struct nlb *nlb, struct nl_msg **msg)
{
	const struct nlmsghdr *nlh = nlb_message(nlb);
	int err = nlb->err;

	if (nlh) {
		*msg = nlmsg_convert((struct nlmsghdr *)nlh);
		err = *msg ? 0 : -ENOMEM;
	}
	nlb_free(nlb);
	return err;
}

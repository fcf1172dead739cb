/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TEST_TC_MESSAGE_H
#define QBED_TEST_TC_MESSAGE_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A request that makes, changes or removes a qdisc, class, filter or chain. */
static inline bool message_is_request(const struct nlmsghdr *nlh)
{
	if (!(nlh->nlmsg_flags & NLM_F_REQUEST) ||
	    nlh->nlmsg_len < NLMSG_LENGTH(sizeof(struct tcmsg)))
		return false;
	switch (nlh->nlmsg_type) {
	case RTM_NEWQDISC: case RTM_DELQDISC:
	case RTM_NEWTCLASS: case RTM_DELTCLASS:
	case RTM_NEWTFILTER: case RTM_DELTFILTER:
	case RTM_NEWCHAIN: case RTM_DELCHAIN:
		return true;
	}
	return false;
}

static inline bool message_is_answer(const struct nlmsghdr *nlh)
{
	return nlh->nlmsg_type == NLMSG_ERROR &&
	       nlh->nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr));
}

/* Appends to @out what of the messages in @buf belongs in a capture. */
static inline void message_keep(const void *buf, size_t len, FILE *out)
{
	static const char zero[NLMSG_ALIGNTO];
	const char *at = buf;

	while (len >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *nlh = (const void *)at;
		size_t step = NLMSG_ALIGN(nlh->nlmsg_len);

		if (nlh->nlmsg_len < sizeof(*nlh) || nlh->nlmsg_len > len)
			break;
		if (message_is_request(nlh) || message_is_answer(nlh)) {
			fwrite(at, 1, nlh->nlmsg_len, out);
			fwrite(zero, 1, step - nlh->nlmsg_len, out);
		}
		if (step >= len)
			break;
		at += step;
		len -= step;
	}
}

#endif

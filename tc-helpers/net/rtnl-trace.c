// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages in words, for -vv. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/netlink.h>

#include "filters/filters.h"
#include "net/rtnl-socket.h"
#include "wire/nl-decode.h"

/* What is traced is the process, whoever opens a socket in it and for whatever question. */
static void (*trace_sink)(const char *text);

void rtnl_trace_to(void (*sink)(const char *text))
{
	trace_sink = sink;
}

bool rtnl_trace_on(void)
{
	return trace_sink;
}

void rtnl_trace(const struct rtnl *rtnl, bool sent, const void *data, size_t len)
{
	const struct nlmsghdr *nlh = data;
	int left = (int)len;
	char lead[300];

	if (!trace_sink)
		return;
	snprintf(lead, sizeof(lead), "%s%s%s ", rtnl->where ? rtnl->where : "",
		 rtnl->where ? ": " : "", sent ? "->" : "<-");
	for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
		char *text = nl_decode(lead, nlh, nlh->nlmsg_len, tc_options_find, NULL);

		if (text)
			trace_sink(text);
		free(text);
	}
}

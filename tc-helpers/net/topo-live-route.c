// SPDX-License-Identifier: GPL-2.0-or-later
/* Routes that stand in a namespace of a topology. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/snap.h"
#include "net/topo-live.h"
#include "pure/diag.h"
#include "pure/doc.h"

static size_t addr_len(int family)
{
	return family == AF_INET ? 4 : 16;
}

struct entry {
	int family;
	int ifindex;
	uint32_t metric;
	uint8_t flags;
	char type[16];
	char dst[INET6_ADDRSTRLEN + 5];
	char via[INET6_ADDRSTRLEN];
	char src[INET6_ADDRSTRLEN];
};

struct hunt {
	struct entry *entries;
	size_t n;
};

static void put_addr(char *text, int family, const struct nlattr *attr)
{
	if (attr && nla_len(attr) == (int)addr_len(family))
		inet_ntop(family, nla_data(attr), text, INET6_ADDRSTRLEN);
}

static void read_via(struct entry *e, const struct nlattr *attr)
{
	uint16_t family;

	if (!attr || nla_len(attr) < 6)
		return;
	memcpy(&family, nla_data(attr), sizeof(family));
	if (nla_len(attr) >= (int)(sizeof(family) + addr_len(family)))
		inet_ntop(family, (char *)nla_data(attr) + sizeof(family), e->via, sizeof(e->via));
}

/* Routes of addresses, of multicast and the like are the kernel's own. */
static bool is_own(const struct rtmsg *rtm, const struct nlattr *table)
{
	uint32_t number = table ? nla_get_u32(table) : rtm->rtm_table;

	return number != RT_TABLE_MAIN || rtm->rtm_protocol == RTPROT_KERNEL ||
	       (rtm->rtm_flags & RTM_F_CLONED);
}

static int each(const struct nlmsghdr *nlh, void *arg)
{
	static const char *const types[] = {
		[RTN_BLACKHOLE] = "blackhole", [RTN_UNREACHABLE] = "unreachable",
		[RTN_PROHIBIT] = "prohibit", [RTN_THROW] = "throw",
	};
	const struct rtmsg *rtm = nlmsg_data(nlh);
	struct nlattr *tb[RTA_MAX + 1];
	struct hunt *hunt = arg;
	struct entry *e;

	if (nlh->nlmsg_type != RTM_NEWROUTE ||
	    nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*rtm), tb, RTA_MAX, NULL) < 0 ||
	    (rtm->rtm_family != AF_INET && rtm->rtm_family != AF_INET6) || is_own(rtm, tb[RTA_TABLE]))
		return 0;
	e = realloc(hunt->entries, (hunt->n + 1) * sizeof(*e));
	if (!e)
		return -ENOMEM;
	hunt->entries = e;
	e += hunt->n++;
	memset(e, 0, sizeof(*e));
	e->family = rtm->rtm_family;
	e->flags = (uint8_t)rtm->rtm_flags;
	if (rtm->rtm_type < sizeof(types) / sizeof(types[0]) && types[rtm->rtm_type])
		strcpy(e->type, types[rtm->rtm_type]);
	strcpy(e->dst, e->family == AF_INET ? "0.0.0.0" : "::");
	put_addr(e->dst, e->family, tb[RTA_DST]);
	sprintf(e->dst + strlen(e->dst), "/%u", rtm->rtm_dst_len);
	put_addr(e->via, e->family, tb[RTA_GATEWAY]);
	read_via(e, tb[RTA_VIA]);
	put_addr(e->src, e->family, tb[RTA_PREFSRC]);
	e->ifindex = tb[RTA_OIF] ? (int)nla_get_u32(tb[RTA_OIF]) : 0;
	e->metric = tb[RTA_PRIORITY] ? nla_get_u32(tb[RTA_PRIORITY]) : 0;
	return 0;
}

static int by_dst(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int by = strcmp(x->dst, y->dst);

	return by ? by : (x->metric > y->metric) - (x->metric < y->metric);
}

static int put(struct diag *d, struct snap *snap, int netns, const char *name, const struct entry *e,
	       struct doc *doc)
{
	char dev[IFNAMSIZ] = "";

	if (e->ifindex && snap_ifname(snap, d, netns, e->ifindex, dev))
		return -EIO;
	doc_open_object(doc, "");
	doc_str(doc, "netns", "route %s ", name);
	doc_str(doc, "type", e->type[0] ? "%s " : NULL, e->type[0] ? e->type : "unicast");
	doc_str(doc, "dst", "%s", e->dst);
	if (e->via[0])
		doc_str(doc, "via", " via %s", e->via);
	if (dev[0])
		doc_str(doc, "dev", " dev %s", dev);
	if (e->src[0])
		doc_str(doc, "src", " src %s", e->src);
	if (e->metric)
		doc_u64(doc, "metric", " metric %" PRIu64, e->metric);
	doc_bool(doc, "onlink", " onlink", e->flags & RTNH_F_ONLINK);
	doc_text(doc, "\n");
	doc_close_object(doc);
	return 0;
}

int topo_live_routes(struct diag *d, struct snap *snap, int netns, const char *name,
		     struct doc *doc)
{
	struct hunt hunt = { 0 };
	int err = snap_each(snap, d, netns, RTM_GETROUTE, 0, -1, each, &hunt);

	/* The order of the kernel's tables is no fact. */
	if (!err && hunt.n)
		qsort(hunt.entries, hunt.n, sizeof(*hunt.entries), by_dst);
	for (size_t i = 0; !err && i < hunt.n; i++)
		err = put(d, snap, netns, name, &hunt.entries[i], doc);
	free(hunt.entries);
	return err;
}

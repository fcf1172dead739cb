// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses and permanent neighbours that stand on a device. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/rtnl.h"
#include "net/topo-live.h"
#include "pure/diag.h"
#include "pure/doc.h"

/* "10.0.0.1/24" and what is to be said of it; or a neighbour and its MAC. */
struct entry {
	char text[INET6_ADDRSTRLEN + 8];
	char more[32];
};

struct hunt {
	int ifindex;
	struct entry *entries;
	size_t n;
};

static struct entry *add(struct hunt *hunt)
{
	struct entry *grown = realloc(hunt->entries, (hunt->n + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	hunt->entries = grown;
	grown += hunt->n++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

static void restart(void *arg)
{
	((struct hunt *)arg)->n = 0;
}

static bool put_text(struct entry *e, int family, const struct nlattr *attr)
{
	int len = family == AF_INET ? 4 : 16;

	return (family == AF_INET || family == AF_INET6) && attr && nla_len(attr) == len &&
	       inet_ntop(family, nla_data(attr), e->text, sizeof(e->text));
}

static int each_addr(const struct nlmsghdr *nlh, void *arg)
{
	struct ifaddrmsg *ifa = nlmsg_data(nlh);
	struct nlattr *tb[IFA_MAX + 1];
	struct hunt *hunt = arg;
	struct entry *e;
	uint32_t flags;

	if (nlh->nlmsg_type != RTM_NEWADDR || (int)ifa->ifa_index != hunt->ifindex)
		return 0;
	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*ifa), tb, IFA_MAX, NULL) < 0)
		return -EBADMSG;
	e = add(hunt);
	if (!e)
		return -ENOMEM;
	if (!put_text(e, ifa->ifa_family, tb[IFA_LOCAL] ? tb[IFA_LOCAL] : tb[IFA_ADDRESS])) {
		hunt->n--;
		return 0;
	}
	snprintf(e->text + strlen(e->text), 5, "/%u", ifa->ifa_prefixlen);
	flags = tb[IFA_FLAGS] ? nla_get_u32(tb[IFA_FLAGS]) : ifa->ifa_flags;
	if (flags & IFA_F_TENTATIVE)
		strcpy(e->more, "tentative");
	return 0;
}

static int each_neigh(const struct nlmsghdr *nlh, void *arg)
{
	struct ndmsg *ndm = nlmsg_data(nlh);
	struct nlattr *tb[NDA_MAX + 1];
	struct hunt *hunt = arg;
	const uint8_t *m;
	struct entry *e;

	if (nlh->nlmsg_type != RTM_NEWNEIGH || ndm->ndm_ifindex != hunt->ifindex ||
	    !(ndm->ndm_state & NUD_PERMANENT))
		return 0;
	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*ndm), tb, NDA_MAX, NULL) < 0)
		return -EBADMSG;
	if (!tb[NDA_LLADDR] || nla_len(tb[NDA_LLADDR]) != 6)
		return 0;
	e = add(hunt);
	if (!e)
		return -ENOMEM;
	if (!put_text(e, ndm->ndm_family, tb[NDA_DST])) {
		hunt->n--;
		return 0;
	}
	m = nla_data(tb[NDA_LLADDR]);
	snprintf(e->more, sizeof(e->more), "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2],
		 m[3], m[4], m[5]);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->text, ((const struct entry *)b)->text);
}

static int dump(struct diag *d, struct rtnl *rtnl, int type, const void *header, size_t len,
		int (*each)(const struct nlmsghdr *nlh, void *arg), struct hunt *hunt,
		const char *what)
{
	struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_DUMP);
	int err;

	if (!msg || nlmsg_append(msg, (void *)header, len, NLMSG_ALIGNTO)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	err = rtnl_dump(rtnl, d, msg, each, restart, hunt, what);
	/* The order of the kernel's tables is that of a hash. */
	if (!err && hunt->n)
		qsort(hunt->entries, hunt->n, sizeof(*hunt->entries), by_text);
	return err;
}

int topo_live_addrs(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		    struct doc *doc)
{
	const struct ifaddrmsg ifa = { .ifa_family = AF_UNSPEC };
	struct hunt hunt = { .ifindex = ifindex };
	int err;

	err = dump(d, rtnl, RTM_GETADDR, &ifa, sizeof(ifa), each_addr, &hunt, "addresses");
	doc_open_array(doc, "addresses");
	for (size_t i = 0; !err && i < hunt.n; i++) {
		doc_text(doc, "addr %s ", name);
		doc_str(doc, "", "%s", hunt.entries[i].text);
		doc_text(doc, "%s%s\n", hunt.entries[i].more[0] ? " " : "", hunt.entries[i].more);
	}
	doc_close_array(doc);
	free(hunt.entries);
	return err;
}

int topo_live_neighs(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		     struct doc *doc)
{
	const struct ndmsg ndm = { .ndm_family = AF_UNSPEC };
	struct hunt hunt = { .ifindex = ifindex };
	int err;

	err = dump(d, rtnl, RTM_GETNEIGH, &ndm, sizeof(ndm), each_neigh, &hunt, "neighbours");
	doc_open_array(doc, "neighbours");
	for (size_t i = 0; !err && i < hunt.n; i++) {
		doc_open_object(doc, "");
		doc_text(doc, "neigh %s", name);
		doc_str(doc, "dst", " %s", hunt.entries[i].text);
		doc_str(doc, "lladdr", " lladdr %s permanent\n", hunt.entries[i].more);
		doc_close_object(doc);
	}
	doc_close_array(doc);
	free(hunt.entries);
	return err;
}

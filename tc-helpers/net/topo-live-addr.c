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

#include "net/snap.h"
#include "net/topo-live.h"
#include "pure/diag.h"
#include "pure/doc.h"

/* "10.0.0.1/24" and what is to be said of it; or a neighbour and its MAC. */
struct entry {
	char text[INET6_ADDRSTRLEN + 8];
	char more[32];
};

struct hunt {
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

	if (nlh->nlmsg_type != RTM_NEWADDR)
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

	if (nlh->nlmsg_type != RTM_NEWNEIGH || !(ndm->ndm_state & NUD_PERMANENT))
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

static int take(struct diag *d, struct snap *snap, int type, const struct fact_dev *dev,
		int (*each)(const struct nlmsghdr *nlh, void *arg), struct hunt *hunt)
{
	int err = snap_each(snap, d, dev->netns, type, 0, dev->number, each, hunt);

	/* The order of the kernel's tables is that of a hash. */
	if (!err && hunt->n)
		qsort(hunt->entries, hunt->n, sizeof(*hunt->entries), by_text);
	return err;
}

int topo_live_addrs(struct diag *d, struct snap *snap, const struct fact_dev *dev, struct doc *doc)
{
	struct hunt hunt = { 0 };
	int err = take(d, snap, RTM_GETADDR, dev, each_addr, &hunt);

	doc_open_array(doc, "addresses");
	for (size_t i = 0; !err && i < hunt.n; i++) {
		doc_text(doc, "addr %s ", dev->name);
		doc_str(doc, "", "%s", hunt.entries[i].text);
		doc_text(doc, "%s%s\n", hunt.entries[i].more[0] ? " " : "", hunt.entries[i].more);
	}
	doc_close_array(doc);
	free(hunt.entries);
	return err;
}

int topo_live_neighs(struct diag *d, struct snap *snap, const struct fact_dev *dev, struct doc *doc)
{
	struct hunt hunt = { 0 };
	int err = take(d, snap, RTM_GETNEIGH, dev, each_neigh, &hunt);

	doc_open_array(doc, "neighbours");
	for (size_t i = 0; !err && i < hunt.n; i++) {
		doc_open_object(doc, "");
		doc_text(doc, "neigh %s", dev->name);
		doc_str(doc, "dst", " %s", hunt.entries[i].text);
		doc_str(doc, "lladdr", " lladdr %s permanent\n", hunt.entries[i].more);
		doc_close_object(doc);
	}
	doc_close_array(doc);
	free(hunt.entries);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The statements of a topology file, one reader per keyword. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"
#include "pure/units.h"

bool topo_same_end(const struct link_end *a, const struct link_end *b)
{
	return strcmp(a->netns, b->netns) == 0 && strcmp(a->dev, b->dev) == 0;
}

int topo_find_netns(const struct topo *topo, const char *live)
{
	int i;

	for (i = 0; i < topo->nnetns; i++)
		if (strcmp(topo->netns[i].name, live) == 0)
			return i;
	return -1;
}

/* The word at @i, or the error that it is missing. */
int topo_need_word(struct diag *d, const struct topo_stmt *s, int i, const char *what)
{
	if (i < s->nwords)
		return 0;
	return diag_usage(d, i, "%s after \"%s\" is missing", what, s->words[i - 1]);
}

int topo_no_more(struct diag *d, const struct topo_stmt *s, int i)
{
	if (i >= s->nwords)
		return 0;
	return diag_usage(d, i, "\"%s\" is one word too many for %s", s->words[i], s->words[0]);
}

/* The name @words[@i] with the prefix before it. */
static int live_name(struct diag *d, const struct topo *topo, const char *name, int i,
		     char *live)
{
	char whole[2 * NETNS_NAME_MAX + 2];
	int err;

	err = netns_name_check(d, i, name);
	if (err)
		return err;
	if (strlen(topo->prefix) > NETNS_NAME_MAX)
		return diag_usage(d, -1, "prefix of more than %d characters", NETNS_NAME_MAX);
	snprintf(whole, sizeof(whole), "%s%s", topo->prefix, name);
	err = netns_name_check(d, i, whole);
	if (err)
		return err;
	memcpy(live, whole, strlen(whole) + 1);
	return 0;
}

int topo_end_parse(struct diag *d, const struct topo *topo, char **words, int i,
		     struct link_end *end)
{
	struct link_end typed;
	int err;

	err = link_end_parse(d, words, i, &typed);
	if (err)
		return err;
	*end = typed;
	if (!*typed.netns)
		return 0;
	err = live_name(d, topo, typed.netns, i, end->netns);
	if (err)
		return err;
	if (topo_find_netns(topo, end->netns) < 0)
		return diag_usage(d, i, "\"%s\": no line \"netns %s\" before this one", words[i],
				  typed.netns);
	return 0;
}

int topo_find_end(const struct topo *topo, const struct link_end *end, struct topo_ref *ref)
{
	for (ref->link = 0; ref->link < topo->nlinks; ref->link++)
		for (ref->end = 0; ref->end < 2; ref->end++)
			if (topo_same_end(&topo->links[ref->link].dev[ref->end].end, end))
				return 0;
	return -ENODEV;
}

int topo_ref_parse(struct diag *d, const struct topo *topo, char **words, int i,
		   struct topo_ref *ref)
{
	struct link_end end;
	int err;

	err = topo_end_parse(d, topo, words, i, &end);
	if (err)
		return err;
	if (topo_find_end(topo, &end, ref) < 0)
		return diag_usage(d, i, "\"%s\": no link before this line has that end", words[i]);
	return 0;
}

static int netns_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	char live[NETNS_NAME_MAX + 1];
	struct topo_netns *netns;
	int err;

	err = topo_need_word(d, s, 1, "the namespace's name");
	if (!err)
		err = live_name(d, topo, s->words[1], 1, live);
	if (!err)
		err = topo_no_more(d, s, 2);
	if (err)
		return err;
	if (topo_find_netns(topo, live) >= 0)
		return diag_usage(d, 1, "namespace \"%s\" stands here twice", s->words[1]);
	netns = topo_add(d, &topo->netns, &topo->nnetns, sizeof(*netns));
	if (!netns)
		return -ENOMEM;
	memcpy(netns->name, live, sizeof(live));
	netns->stmt = stmt;
	return 0;
}

static int addr_parse(struct diag *d, struct topo *topo, char **words, int i,
		      struct topo_addr *addr)
{
	const char *slash = strchr(words[i], '/');
	char *plen[2] = { NULL, NULL };
	char text[INET6_ADDRSTRLEN];
	uint64_t v;
	size_t len;

	if (!slash)
		return diag_usage(d, i, "\"%s\": the prefix length is missing (10.0.0.1/24)", words[i]);
	len = (size_t)(slash - words[i]);
	if (len < sizeof(text)) {
		memcpy(text, words[i], len);
		text[len] = '\0';
		if (inet_pton(AF_INET, text, addr->bytes) == 1)
			addr->family = AF_INET;
		else if (inet_pton(AF_INET6, text, addr->bytes) == 1)
			addr->family = AF_INET6;
	}
	if (!addr->family)
		return diag_usage(d, i, "\"%s\": not an IPv4 or IPv6 address", words[i]);
	plen[0] = topo_strndup(d, topo, slash + 1, strlen(slash + 1));
	if (!plen[0])
		return -ENOMEM;
	if (u64_parse(d, plen, 0, 0, addr->family == AF_INET ? 32 : 128, &v)) {
		d->word = i;
		return -EINVAL;
	}
	addr->plen = (unsigned int)v;
	return 0;
}

static int addr_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_addr addr = { .stmt = stmt }, *slot;
	int i, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, &addr.dev);
	if (!err)
		err = topo_need_word(d, s, 2, "the address");
	if (!err)
		err = addr_parse(d, topo, s->words, 2, &addr);
	if (!err)
		err = topo_no_more(d, s, 3);
	if (err)
		return err;
	for (i = 0; i < topo->naddrs; i++)
		if (topo->addrs[i].family == addr.family &&
		    memcmp(topo->addrs[i].bytes, addr.bytes, sizeof(addr.bytes)) == 0 &&
		    topo->addrs[i].dev.link == addr.dev.link)
			return diag_usage(d, 2, "\"%s\" stands on this link already", s->words[2]);
	slot = topo_add(d, &topo->addrs, &topo->naddrs, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = addr;
	return 0;
}

static int xps_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_xps xps = { .stmt = stmt }, *slot;
	int i, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, &xps.dev);
	if (!err)
		err = topo_need_word(d, s, 2, "the map");
	if (!err && strcmp(s->words[2], "cpu-per-queue") != 0)
		err = diag_usage(d, 2, "\"%s\" is no map of xps: cpu-per-queue", s->words[2]);
	if (!err)
		err = topo_no_more(d, s, 3);
	if (err)
		return err;
	for (i = 0; i < topo->nxps; i++)
		if (topo->xps[i].dev.link == xps.dev.link && topo->xps[i].dev.end == xps.dev.end)
			return diag_usage(d, 1, "\"%s\" has its xps line already", s->words[1]);
	slot = topo_add(d, &topo->xps, &topo->nxps, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = xps;
	return 0;
}

/* "net.ipv4.ip_forward" or with slashes; only what belongs to a namespace, and no way out of it. */
static char *sysctl_key(struct diag *d, struct topo *topo, char **words, int i)
{
	char *key = topo_strndup(d, topo, words[i], strlen(words[i]));
	char *c;

	if (!key)
		return NULL;
	if (!strchr(key, '/'))
		for (c = key; *c; c++)
			if (*c == '.')
				*c = '/';
	if (strncmp(key, "net/", 4) != 0 || strstr(key, "//") || strstr(key, "/..") ||
	    strstr(key, "/./") || key[strlen(key) - 1] == '/') {
		diag_usage(d, i, "\"%s\" is no key of a network namespace (net.ipv4.ip_forward)",
			   words[i]);
		return NULL;
	}
	return key;
}

static int sysctl_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_sysctl sysctl = { .stmt = stmt }, *slot;
	char live[NETNS_NAME_MAX + 1], *value;
	size_t len = 1;
	int i, err;

	err = topo_need_word(d, s, 1, "the namespace");
	if (!err)
		err = live_name(d, topo, s->words[1], 1, live);
	if (err)
		return err;
	sysctl.netns = topo_find_netns(topo, live);
	if (sysctl.netns < 0)
		return diag_usage(d, 1, "\"%s\": no line \"netns %s\" before this one", s->words[1],
				  s->words[1]);
	err = topo_need_word(d, s, 2, "the key");
	if (!err)
		err = topo_need_word(d, s, 3, "the value");
	if (err)
		return err;
	sysctl.key = sysctl_key(d, topo, s->words, 2);
	if (!sysctl.key)
		return -EINVAL;
	for (i = 3; i < s->nwords; i++)
		len += strlen(s->words[i]) + 1;
	value = topo_alloc(d, topo, len);
	if (!value)
		return -ENOMEM;
	for (i = 3; i < s->nwords; i++) {
		if (i > 3)
			strcat(value, " ");
		strcat(value, s->words[i]);
	}
	sysctl.value = value;
	slot = topo_add(d, &topo->sysctls, &topo->nsysctls, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = sysctl;
	return 0;
}

int topo_stmt_parse(struct diag *d, struct topo *topo, int stmt)
{
	static const struct {
		const char *name;
		int (*parse)(struct diag *d, struct topo *topo, int stmt);
	} keywords[] = {
		{ "netns", netns_stmt },
		{ "link", topo_link_parse },
		{ "addr", addr_stmt },
		{ "xps", xps_stmt },
		{ "qdisc", topo_qdisc_parse },
		{ "sysctl", sysctl_stmt },
	};
	const char *word = topo->stmts[stmt].words[0];
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(word, keywords[i].name) == 0)
			return keywords[i].parse(d, topo, stmt);
	return diag_usage(d, 0, "\"%s\" begins no line of a topology: netns, link, addr, xps, qdisc, sysctl",
			  word);
}

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
	if (!*topo->prefix) {
		strcpy(live, name);
		return 0;
	}
	if (strlen(topo->prefix) > NETNS_NAME_MAX)
		return diag_usage(d, -1, "prefix of more than %d characters", NETNS_NAME_MAX);
	snprintf(whole, sizeof(whole), "%s%s", topo->prefix, name);
	err = netns_name_check(d, i, whole);
	if (err)
		return err;
	memcpy(live, whole, strlen(whole) + 1);
	return 0;
}

int topo_netns_parse(struct diag *d, const struct topo *topo, char **words, int i, int *netns)
{
	char live[NETNS_NAME_MAX + 1];
	int b, err = live_name(d, topo, words[i], i, live);

	if (!err && !topo_map_get(topo, live, netns, &b))
		err = diag_usage(d, i, "\"%s\": no line \"netns %s\" before this one", words[i], words[i]);
	return err;
}

int topo_end_parse(struct diag *d, const struct topo *topo, char **words, int i,
		   struct link_end *end)
{
	struct link_end typed;
	int a, b, err;

	err = link_end_parse(d, words, i, &typed);
	if (err)
		return err;
	*end = typed;
	if (!*typed.netns)
		return 0;
	err = live_name(d, topo, typed.netns, i, end->netns);
	if (!err && !topo_map_get(topo, end->netns, &a, &b))
		err = diag_usage(d, i, "\"%s\": no line \"netns %s\" before this one", words[i],
				 typed.netns);
	return err;
}

/* A device's name has a colon, a namespace's none. */
static char *dev_key(char *buf, const struct link_end *end)
{
	char *at = stpcpy(buf, end->netns);

	*at++ = ':';
	strcpy(at, end->dev);
	return buf;
}

int topo_name_dev(struct diag *d, struct topo *topo, struct topo_ref ref)
{
	char key[TOPO_END_LEN];

	return topo_map_put(d, topo, dev_key(key, &topo_dev(topo, ref)->end), ref.link, ref.end);
}

bool topo_find_dev(const struct topo *topo, const struct link_end *end, struct topo_ref *ref)
{
	char key[TOPO_END_LEN];

	return topo_map_get(topo, dev_key(key, end), &ref->link, &ref->end);
}

int topo_ref_parse(struct diag *d, const struct topo *topo, char **words, int i, bool ifbs,
		   struct topo_ref *ref)
{
	struct link_end end;
	int err;

	err = topo_end_parse(d, topo, words, i, &end);
	if (err)
		return err;
	if (!topo_find_dev(topo, &end, ref))
		return diag_usage(d, i, "\"%s\": no link before this line has that end", words[i]);
	if (ref->link < 0 && !ifbs)
		return diag_usage(d, i, "\"%s\" is the ifb of an ingress: qdiscs and classes are all that it takes",
				  words[i]);
	return 0;
}

static int netns_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	char live[NETNS_NAME_MAX + 1];
	struct topo_netns *netns;
	int a, b, err;

	err = topo_need_word(d, s, 1, "the namespace's name");
	if (!err)
		err = live_name(d, topo, s->words[1], 1, live);
	if (!err)
		err = topo_no_more(d, s, 2);
	if (err)
		return err;
	if (topo_map_get(topo, live, &a, &b))
		return diag_usage(d, 1, "namespace \"%s\" stands here twice", s->words[1]);
	netns = topo_add(d, &topo->netns, &topo->nnetns, sizeof(*netns));
	if (!netns)
		return -ENOMEM;
	memcpy(netns->name, live, sizeof(live));
	netns->stmt = stmt;
	return topo_map_put(d, topo, live, topo->nnetns - 1, 0);
}

static int addr_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_addr addr = { .stmt = stmt }, *slot;
	uint8_t whole[sizeof(addr.dev.link) + sizeof(addr.bytes)];
	char key[TOPO_KEY_LEN(sizeof(whole))];
	int a, b, plen, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, false, &addr.dev);
	if (!err)
		err = topo_need_word(d, s, 2, "the address");
	if (!err)
		err = topo_ip_parse(d, s->words, 2, &addr.family, addr.bytes, &plen);
	if (!err && plen < 0)
		err = diag_usage(d, 2, "\"%s\": the prefix length is missing (10.0.0.1/24)", s->words[2]);
	if (!err)
		err = topo_no_more(d, s, 3);
	if (err)
		return err;
	addr.plen = (unsigned int)plen;
	memcpy(whole, &addr.dev.link, sizeof(addr.dev.link));
	memcpy(whole + sizeof(addr.dev.link), addr.bytes, sizeof(addr.bytes));
	topo_map_key(key, addr.family == AF_INET ? TOPO_KEY_IP : TOPO_KEY_IP6, whole, sizeof(whole));
	if (topo_map_get(topo, key, &a, &b))
		return diag_usage(d, 2, "\"%s\" stands on this link already", s->words[2]);
	err = topo_map_put(d, topo, key, topo->naddrs, 0);
	if (err)
		return err;
	slot = topo_add(d, &topo->addrs, &topo->naddrs, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = addr;
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
	size_t len = 1;
	char *value;
	int i, err;

	err = topo_need_word(d, s, 1, "the namespace");
	if (!err)
		err = topo_netns_parse(d, topo, s->words, 1, &sysctl.netns);
	if (err)
		return err;
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

/* A line and no option alone: what stands must mean the same to whoever reads it again. */
static int units_stmt(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	int err;

	if (topo->units != TC_UNITS_NONE)
		return diag_usage(d, 0, "tc-units stands here twice");
	err = topo_need_word(d, s, 1, "the version of tc, 6.1 or 6.9,");
	if (!err)
		err = tc_units_parse(d, s->words, 1, &topo->units);
	return err ? err : topo_no_more(d, s, 2);
}

int topo_stmt_parse(struct diag *d, struct topo *topo, int stmt)
{
	static const struct {
		const char *name;
		int (*parse)(struct diag *d, struct topo *topo, int stmt);
	} keywords[] = {
		{ "netns", netns_stmt },
		{ "link", topo_link_parse },
		{ "ingress", topo_ingress_parse },
		{ "addr", addr_stmt },
		{ "route", topo_route_parse },
		{ "sysctl", sysctl_stmt },
		{ "xps", topo_steer_parse },
		{ "rps", topo_steer_parse },
		{ "qdisc", topo_qdisc_parse },
		{ "class", topo_class_parse },
		{ "filter", topo_filter_parse },
		{ "at", topo_at_parse },
		{ "trace", topo_trace_parse },
		{ "tc-units", units_stmt },
	};
	const char *word = topo->stmts[stmt].words[0];
	char all[128] = "";
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(word, keywords[i].name) == 0)
			return keywords[i].parse(d, topo, stmt);
	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		strcat(all, i ? ", " : "");
		strcat(all, keywords[i].name);
	}
	return diag_usage(d, 0, "\"%s\" begins no line of a topology: %s", word, all);
}

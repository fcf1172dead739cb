// SPDX-License-Identifier: GPL-2.0-or-later
/* "route NS PREFIX [via ADDRESS] [dev DEV] [src ADDRESS] [metric N] [onlink]" of a topology file. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/units.h"
#include "topo/topo-parse.h"

int topo_ip_parse(struct diag *d, char **words, int i, int *family, uint8_t *bytes, int *plen)
{
	const char *slash = strchr(words[i], '/');
	size_t len = slash ? (size_t)(slash - words[i]) : strlen(words[i]);
	char text[INET6_ADDRSTRLEN], *digits[1];
	uint64_t v;

	memset(bytes, 0, 16);
	*family = 0;
	*plen = -1;
	if (len < sizeof(text)) {
		memcpy(text, words[i], len);
		text[len] = '\0';
		if (inet_pton(AF_INET, text, bytes) == 1)
			*family = AF_INET;
		else if (inet_pton(AF_INET6, text, bytes) == 1)
			*family = AF_INET6;
	}
	if (!*family)
		return diag_usage(d, i, "\"%s\": not an IPv4 or IPv6 address", words[i]);
	if (!slash)
		return 0;
	digits[0] = words[i] + len + 1;
	if (u64_parse(d, digits, 0, 0, *family == AF_INET ? 32 : 128, &v)) {
		d->word = i;
		return -EINVAL;
	}
	*plen = (int)v;
	return 0;
}

static bool has_host_bits(const struct topo_route *route)
{
	for (unsigned int bit = route->plen; bit < 128; bit++)
		if (route->dst[bit / 8] & 0x80 >> bit % 8)
			return true;
	return false;
}

static int dst_parse(struct diag *d, char **words, int i, struct topo_route *route)
{
	int plen, err;

	if (strcmp(words[i], "default") == 0)
		return 0;	/* of the family of what follows */
	err = topo_ip_parse(d, words, i, &route->family, route->dst, &plen);
	if (err)
		return err;
	if (plen < 0)
		plen = route->family == AF_INET ? 32 : 128;
	route->plen = (unsigned int)plen;
	if (has_host_bits(route))
		return diag_usage(d, i, "\"%s\": bits are set beyond the prefix of %d: is it the network that is meant?",
				  words[i], plen);
	return 0;
}

static int via_word(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
		    struct topo_route *route)
{
	int plen, err = topo_ip_parse(d, s->words, i, &route->via_family, route->via, &plen);

	(void)topo;
	if (!err && plen >= 0)
		err = diag_usage(d, i, "\"%s\": a next hop is an address, without a length", s->words[i]);
	return err;
}

static int dev_word(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
		    struct topo_route *route)
{
	struct link_end end;
	int err = dev_name_check(d, i, s->words[i]);

	if (err)
		return err;
	memcpy(end.netns, topo->netns[route->netns].name, sizeof(end.netns));
	strcpy(end.dev, s->words[i]);
	if (!topo_find_dev(topo, &end, &route->dev) || route->dev.link < 0)
		return diag_usage(d, i, "\"%s\": no link before this line has that end in %s",
				  s->words[i], s->words[1]);
	route->has_dev = true;
	return 0;
}

static int src_word(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
		    struct topo_route *route)
{
	int family, plen, err = topo_ip_parse(d, s->words, i, &family, route->src, &plen);

	(void)topo;
	if (!err && plen >= 0)
		err = diag_usage(d, i, "\"%s\": a source is an address, without a length", s->words[i]);
	if (!err && route->family && family != route->family)
		err = diag_usage(d, i, "\"%s\" is of another family than \"%s\"", s->words[i], s->words[2]);
	if (!err)
		route->family = family;
	route->has_src = !err;
	return err;
}

static int metric_word(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
		       struct topo_route *route)
{
	uint64_t v = 0;
	int err = u64_parse(d, s->words, i, 1, UINT32_MAX, &v);

	(void)topo;
	route->metric = (uint32_t)v;
	return err;
}

static const struct {
	const char *word;
	int (*parse)(struct diag *d, const struct topo *topo, const struct topo_stmt *s, int i,
		     struct topo_route *route);
} route_words[] = {
	{ "via", via_word },
	{ "dev", dev_word },
	{ "src", src_word },
	{ "metric", metric_word },
};

#define NWORDS (sizeof(route_words) / sizeof(route_words[0]))

static int options_parse(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
			 struct topo_route *route)
{
	bool seen[NWORDS] = { false };
	int i, err;
	size_t k;

	for (i = 3; i < s->nwords; i++) {
		if (strcmp(s->words[i], "onlink") == 0 && !route->onlink) {
			route->onlink = true;
			continue;
		}
		for (k = 0; k < NWORDS && strcmp(s->words[i], route_words[k].word) != 0; k++)
			;
		if (k == NWORDS)
			return diag_usage(d, i, "\"%s\" is no option of route: via ADDRESS, dev DEV, src ADDRESS, metric N, onlink",
					  s->words[i]);
		if (seen[k])
			return diag_usage(d, i, "\"%s\" stands here twice", s->words[i]);
		seen[k] = true;
		err = topo_need_word(d, s, ++i, "the value");
		if (!err)
			err = route_words[k].parse(d, topo, s, i, route);
		if (err)
			return err;
	}
	return 0;
}

static int route_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
		       struct topo_route *route)
{
	const struct topo_route *r;

	if (!route->family)
		route->family = route->via_family ? route->via_family : AF_INET;
	if (!route->via_family && !route->has_dev)
		return diag_usage(d, s->nwords, "\"via ADDRESS\" or \"dev DEV\" is missing");
	if (route->family == AF_INET6 && route->via_family == AF_INET)
		return diag_usage(d, 2, "\"%s\": an IPv6 route has no IPv4 next hop", s->words[2]);
	if (route->onlink && (!route->via_family || !route->has_dev))
		return diag_usage(d, s->nwords, "\"onlink\" needs \"via ADDRESS\" and \"dev DEV\"");
	for (int i = 0; i < topo->nroutes; i++) {
		r = &topo->routes[i];
		if (r->netns == route->netns && r->family == route->family &&
		    r->plen == route->plen && r->metric == route->metric &&
		    memcmp(r->dst, route->dst, sizeof(r->dst)) == 0)
			return diag_usage(d, 2, "\"%s\": line %d has that route of %s already (another metric?)",
					  s->words[2], topo->stmts[r->stmt].line, s->words[1]);
	}
	return 0;
}

int topo_route_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_route route = { .stmt = stmt }, *slot;
	int err;

	err = topo_need_word(d, s, 1, "the namespace");
	if (!err)
		err = topo_netns_parse(d, topo, s->words, 1, &route.netns);
	if (!err)
		err = topo_need_word(d, s, 2, "the prefix (10.1.0.0/16, or default)");
	if (!err)
		err = dst_parse(d, s->words, 2, &route);
	if (!err)
		err = options_parse(d, topo, s, &route);
	if (!err)
		err = route_check(d, topo, s, &route);
	if (err)
		return err;
	slot = topo_add(d, &topo->routes, &topo->nroutes, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = route;
	return 0;
}

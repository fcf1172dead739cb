// SPDX-License-Identifier: GPL-2.0-or-later
/* "link NS:DEV NS:DEV [queues N] [mtu N] [mac M [M]] [down]" of a topology file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"
#include "pure/units.h"

/* "02:00:00:00:00:01"; multicast and all zeros are refused as the kernel would. */
static int mac_parse(struct diag *d, char **words, int i, uint8_t *mac)
{
	static const uint8_t zero[6];
	unsigned int v[6];
	int k, n = 0;

	if (sscanf(words[i], "%2x:%2x:%2x:%2x:%2x:%2x%n", &v[0], &v[1], &v[2], &v[3], &v[4],
		   &v[5], &n) != 6 || n != 17 || words[i][n] || strpbrk(words[i], "+-xX "))
		return diag_usage(d, i, "\"%s\" is no MAC address (02:00:00:00:00:01)", words[i]);
	for (k = 0; k < 6; k++)
		mac[k] = (uint8_t)v[k];
	if (mac[0] & 1 || memcmp(mac, zero, 6) == 0)
		return diag_usage(d, i, "\"%s\" is no address of one device", words[i]);
	return 0;
}

/* A locally administered address that depends on the name alone (64-bit FNV-1a, folded). */
static void mac_from_name(const struct link_end *end, uint8_t *mac)
{
	char name[TOPO_END_LEN];
	uint64_t h = 0xcbf29ce484222325;
	const char *c;
	int i;

	for (c = topo_end_format(name, end); *c; c++)
		h = (h ^ (uint8_t)*c) * 0x100000001b3;
	h ^= h >> 40;
	mac[0] = 0x02;
	for (i = 1; i < 6; i++)
		mac[i] = (uint8_t)(h >> (8 * (5 - i)));
}

static int link_options(struct diag *d, const struct topo_stmt *s, struct topo_link *link)
{
	bool seen[4] = { false };
	static const char *const names[] = { "queues", "mtu", "mac", "down" };
	uint64_t v;
	int i, k, err;

	for (i = 3; i < s->nwords; i++) {
		for (k = 0; k < 4 && strcmp(s->words[i], names[k]) != 0; k++)
			;
		if (k == 4)
			return diag_usage(d, i, "\"%s\" is no option of link: queues N, mtu N, mac M [M], down",
					  s->words[i]);
		if (seen[k])
			return diag_usage(d, i, "\"%s\" stands here twice", s->words[i]);
		seen[k] = true;
		if (k == 3) {
			link->down = true;
			continue;
		}
		err = topo_need_word(d, s, i + 1, "the value");
		if (err)
			return err;
		i++;
		switch (k) {
		case 0:
			err = u64_parse(d, s->words, i, 1, TOPO_QUEUES_MAX, &v);
			link->queues = (unsigned int)v;
			break;
		case 1:
			err = u64_parse(d, s->words, i, TOPO_MTU_MIN, TOPO_MTU_MAX, &v);
			link->mtu = (unsigned int)v;
			break;
		default:
			err = mac_parse(d, s->words, i, link->dev[0].mac);
			if (!err && i + 1 < s->nwords && strchr(s->words[i + 1], ':'))
				err = mac_parse(d, s->words, ++i, link->dev[1].mac);
			break;
		}
		if (err)
			return err;
	}
	return 0;
}

/* A word whose MAC is another device's would make both unusable in one namespace. */
static int mac_unique(struct diag *d, const struct topo *topo, const struct topo_link *link)
{
	const struct topo_dev *dev = link->dev;
	struct topo_ref ref;

	if (memcmp(dev[0].mac, dev[1].mac, 6) == 0)
		return diag_usage(d, 1, "both ends of the link have one MAC address");
	for (ref.link = 0; ref.link < topo->nlinks; ref.link++)
		for (ref.end = 0; ref.end < 2; ref.end++)
			if (memcmp(topo_dev(topo, ref)->mac, dev[0].mac, 6) == 0 ||
			    memcmp(topo_dev(topo, ref)->mac, dev[1].mac, 6) == 0)
				return diag_usage(d, 1, "the MAC address of this link is another link's: give one with \"mac\"");
	return 0;
}

int topo_link_parse(struct diag *d, struct topo *topo, int stmt)
{
	static const uint8_t zero[6];
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_link link = { .queues = 1, .stmt = stmt }, *slot;
	struct topo_ref ref;
	int i, err;

	for (i = 0; i < 2; i++) {
		err = topo_need_word(d, s, i + 1, "an end of the link, NAMESPACE:DEVICE,");
		if (!err)
			err = topo_end_parse(d, topo, s->words, i + 1, &link.dev[i].end);
		if (err)
			return err;
		link.dev[i].netns = *link.dev[i].end.netns ?
					    topo_find_netns(topo, link.dev[i].end.netns) : -1;
		if (strcmp(link.dev[i].end.dev, "lo") == 0)
			return diag_usage(d, i + 1, "\"%s\": every namespace has its lo already",
					  s->words[i + 1]);
		if (topo_find_end(topo, &link.dev[i].end, &ref) == 0)
			return diag_usage(d, i + 1, "\"%s\" is an end of another link already",
					  s->words[i + 1]);
	}
	if (topo_same_end(&link.dev[0].end, &link.dev[1].end))
		return diag_usage(d, 2, "\"%s\" is both ends of the link", s->words[2]);
	err = link_options(d, s, &link);
	if (err)
		return err;
	for (i = 0; i < 2; i++)
		if (memcmp(link.dev[i].mac, zero, 6) == 0)
			mac_from_name(&link.dev[i].end, link.dev[i].mac);
	err = mac_unique(d, topo, &link);
	if (err)
		return err;
	slot = topo_add(d, &topo->links, &topo->nlinks, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = link;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* "link NS:DEV NS:DEV [queues N [M]] [mtu N] [mac M [M]] [offload on|off] [down]" of a topology file. */
#include <ctype.h>
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

void topo_mac_from_name(const struct link_end *end, uint8_t *mac)
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

/* One or two numbers: of both ends, or of the first and the second. */
static int queues_parse(struct diag *d, const struct topo_stmt *s, int *i, unsigned int *first,
			unsigned int *second)
{
	uint64_t a, b;
	int err = u64_parse(d, s->words, *i, 1, TOPO_QUEUES_MAX, &a);

	b = a;
	if (!err && *i + 1 < s->nwords && isdigit((unsigned char)s->words[*i + 1][0]))
		err = u64_parse(d, s->words, ++*i, 1, TOPO_QUEUES_MAX, &b);
	if (err)
		return err;
	*first = (unsigned int)a;
	*second = (unsigned int)b;
	return 0;
}

static int queues_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	struct topo_dev *a = &link->dev[0], *b = &link->dev[1];
	int err = queues_parse(d, s, i, &a->tx, &b->tx);

	a->rx = a->tx;
	b->rx = b->tx;
	return err;
}

static int txqueues_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	return queues_parse(d, s, i, &link->dev[0].tx, &link->dev[1].tx);
}

static int rxqueues_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	return queues_parse(d, s, i, &link->dev[0].rx, &link->dev[1].rx);
}

static int mtu_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	uint64_t v;
	int err = u64_parse(d, s->words, *i, TOPO_MTU_MIN, TOPO_MTU_MAX, &v);

	if (!err)
		link->mtu = (unsigned int)v;
	return err;
}

static int mac_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	int err = mac_parse(d, s->words, *i, link->dev[0].mac);

	if (!err && *i + 1 < s->nwords && strchr(s->words[*i + 1], ':'))
		err = mac_parse(d, s->words, ++*i, link->dev[1].mac);
	return err;
}

static int on_off(struct diag *d, const struct topo_stmt *s, int i, unsigned int bits,
		  struct topo_link *link)
{
	const char *word = s->words[i];
	bool on = strcmp(word, "on") == 0;

	if (!on && strcmp(word, "off") != 0)
		return diag_usage(d, i, "\"%s\" after \"%s\": on or off", word, s->words[i - 1]);
	if (link->offload_set & bits)
		return diag_usage(d, i - 1, "\"%s\": on and off of that stand here already",
				  s->words[i - 1]);
	link->offload_set |= bits;
	link->offload_on |= on ? bits : 0;
	return 0;
}

static int offload_option(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link)
{
	return on_off(d, s, *i, TOPO_OFFLOAD_SEGMENTS, link);
}

static const struct link_option {
	const char *word;
	int (*parse)(struct diag *d, const struct topo_stmt *s, int *i, struct topo_link *link);
} link_words[] = {
	{ "queues", queues_option },
	{ "txqueues", txqueues_option },
	{ "rxqueues", rxqueues_option },
	{ "mtu", mtu_option },
	{ "mac", mac_option },
	{ "offload", offload_option },
};

#define NWORDS (sizeof(link_words) / sizeof(link_words[0]))

const char *topo_offload_name(unsigned int i)
{
	static const char *const names[] = { "gso", "tso", "gro", "tx", "rx", "sg" };

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

/* The option at word *@i; *@i becomes its last word. */
static int link_option(struct diag *d, const struct topo_stmt *s, int *i, bool *seen,
		       struct topo_link *link)
{
	const char *word = s->words[*i], *name;
	size_t k;
	int err;

	for (k = 0; k < NWORDS && strcmp(word, link_words[k].word) != 0; k++)
		;
	if (k < NWORDS) {
		if (seen[k])
			return diag_usage(d, *i, "\"%s\" stands here twice", word);
		if ((k == 0 && (seen[1] || seen[2])) || ((k == 1 || k == 2) && seen[0]))
			return diag_usage(d, *i, "\"%s\": either queues, or txqueues and rxqueues", word);
		seen[k] = true;
		err = topo_need_word(d, s, ++*i, "the value");
		return err ? err : link_words[k].parse(d, s, i, link);
	}
	for (k = 0; (name = topo_offload_name((unsigned int)k)); k++) {
		if (strcmp(word, name) != 0)
			continue;
		err = topo_need_word(d, s, ++*i, "on or off");
		return err ? err : on_off(d, s, *i, 1U << k, link);
	}
	if (strcmp(word, "down") != 0)
		return diag_usage(d, *i, "\"%s\" is no option of link: queues N [M], txqueues N [M], rxqueues N [M], mtu N, mac M [M], down; offload, gso, tso, gro, tx, rx, sg on|off",
				  word);
	if (link->down)
		return diag_usage(d, *i, "\"down\" stands here twice");
	link->down = true;
	return 0;
}

static int link_options(struct diag *d, const struct topo_stmt *s, struct topo_link *link)
{
	bool seen[NWORDS] = { false };
	int i, err = 0;

	for (i = 3; !err && i < s->nwords; i++)
		err = link_option(d, s, &i, seen, link);
	return err;
}

/* A word whose MAC is another device's would make both unusable in one namespace. */
static int mac_unique(struct diag *d, struct topo *topo, const struct topo_link *link)
{
	const struct topo_dev *dev = link->dev;
	char key[TOPO_KEY_LEN(6)];
	int i, a, b, err = 0;

	if (memcmp(dev[0].mac, dev[1].mac, 6) == 0)
		return diag_usage(d, 1, "both ends of the link have one MAC address");
	for (i = 0; !err && i < 2; i++) {
		if (topo_map_get(topo, topo_map_key(key, TOPO_KEY_MAC, dev[i].mac, 6), &a, &b))
			return diag_usage(d, 1, "the MAC address of this link is another link's: give one with \"mac\"");
		err = topo_map_put(d, topo, key, topo->nlinks, i);
	}
	return err;
}

int topo_link_parse(struct diag *d, struct topo *topo, int stmt)
{
	static const uint8_t zero[6];
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_link link = { .stmt = stmt }, *slot;
	struct topo_ref ref;
	int i, unused, err;

	for (i = 0; i < 2; i++) {
		link.dev[i].tx = link.dev[i].rx = 1;
		link.dev[i].last = -1;
		link.dev[i].last_filter = -1;
		link.dev[i].netns = -1;
		err = topo_need_word(d, s, i + 1, "an end of the link, NAMESPACE:DEVICE,");
		if (!err)
			err = topo_end_parse(d, topo, s->words, i + 1, &link.dev[i].end);
		if (err)
			return err;
		topo_map_get(topo, link.dev[i].end.netns, &link.dev[i].netns, &unused);
		if (strcmp(link.dev[i].end.dev, "lo") == 0)
			return diag_usage(d, i + 1, "\"%s\": every namespace has its lo already",
					  s->words[i + 1]);
		if (topo_find_dev(topo, &link.dev[i].end, &ref))
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
			topo_mac_from_name(&link.dev[i].end, link.dev[i].mac);
	err = mac_unique(d, topo, &link);
	if (err)
		return err;
	slot = topo_add(d, &topo->links, &topo->nlinks, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = link;
	err = topo_name_dev(d, topo, (struct topo_ref){ topo->nlinks - 1, 0 });
	return err ? err : topo_name_dev(d, topo, (struct topo_ref){ topo->nlinks - 1, 1 });
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* "match ip dst 10.0.0.0/8" and its kin, to keys of 32 bits at offsets of 4 bytes. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filters/masked.h"
#include "filters/u32.h"
#include "pure/addr.h"
#include "pure/diag.h"
#include "pure/units.h"

/* A field: its first byte counted from the network header, and how many bytes it has. */
enum field_type { FIELD_NUMBER, FIELD_IP, FIELD_IP6, FIELD_MAC, FIELD_FIXED, FIELD_CLASS6 };

/**
 * struct field - a thing to compare
 * @group: the word before it, "ip"
 * @word: its name
 * @off: place of its first byte
 * @size: bytes of a %FIELD_NUMBER or %FIELD_FIXED
 * @value: of a %FIELD_FIXED
 * @mask: of a %FIELD_FIXED
 */
struct field {
	const char *group;
	const char *word;
	enum field_type type;
	int off;
	unsigned int size;
	uint32_t value;
	uint32_t mask;
};

/* The places of ports are those behind a header without options. */
static const struct field fields[] = {
	{ "ip", "src", FIELD_IP, 12 },
	{ "ip", "dst", FIELD_IP, 16 },
	{ "ip", "sport", FIELD_NUMBER, 20, 2 },
	{ "ip", "dport", FIELD_NUMBER, 22, 2 },
	{ "ip", "protocol", FIELD_NUMBER, 9, 1 },
	{ "ip", "tos", FIELD_NUMBER, 1, 1 },
	{ "ip", "dsfield", FIELD_NUMBER, 1, 1 },
	{ "ip", "precedence", FIELD_NUMBER, 1, 1 },
	{ "ip", "ihl", FIELD_NUMBER, 0, 1 },
	{ "ip", "icmp_type", FIELD_NUMBER, 20, 1 },
	{ "ip", "icmp_code", FIELD_NUMBER, 21, 1 },
	{ "ip", "nofrag", FIELD_FIXED, 6, 2, 0, 0x3fff },
	{ "ip", "firstfrag", FIELD_FIXED, 6, 2, 0x2000, 0x3fff },
	{ "ip", "df", FIELD_FIXED, 6, 2, 0x4000, 0x4000 },
	{ "ip", "mf", FIELD_FIXED, 6, 2, 0x2000, 0x2000 },
	{ "ip6", "src", FIELD_IP6, 8 },
	{ "ip6", "dst", FIELD_IP6, 24 },
	{ "ip6", "sport", FIELD_NUMBER, 40, 2 },
	{ "ip6", "dport", FIELD_NUMBER, 42, 2 },
	{ "ip6", "protocol", FIELD_NUMBER, 6, 1 },
	{ "ip6", "priority", FIELD_CLASS6, 0, 4 },
	{ "ip6", "flowlabel", FIELD_NUMBER, 0, 4 },
	{ "ip6", "icmp_type", FIELD_NUMBER, 40, 1 },
	{ "ip6", "icmp_code", FIELD_NUMBER, 41, 1 },
	{ "ether", "src", FIELD_MAC, -8 },
	{ "ether", "dst", FIELD_MAC, -14 },
	{ "u8", NULL, FIELD_NUMBER, 0, 1 },
	{ "u16", NULL, FIELD_NUMBER, 0, 2 },
	{ "u32", NULL, FIELD_NUMBER, 0, 4 },
};

#define NFIELDS (sizeof(fields) / sizeof(fields[0]))

const char *const u32_match_words[] = {
	"ip", "ip6", "ether", "u8", "u16", "u32", "mark", "at", "nexthdr+",
	"src", "dst", "sport", "dport", "protocol", "tos", "dsfield", "precedence", "ihl",
	"icmp_type", "icmp_code", "nofrag", "firstfrag", "df", "mf", "priority", "flowlabel", NULL
};

/* A key of 32 bits in network order; two of the same place become one. */
static int key_put(struct diag *d, int i, struct u32_cfg *c, uint32_t value, uint32_t mask,
		   int off, int offmask)
{
	value &= mask;
	for (unsigned int k = 0; k < c->sel.nkeys; k++) {
		struct tc_u32_key *key = &c->key[k];

		if (key->off != off || key->offmask != offmask)
			continue;
		if ((key->val ^ value) & key->mask & mask)
			return diag_usage(d, i, "contradicts an earlier match of the same bytes: no packet would fit");
		key->val |= value;
		key->mask |= mask;
		return 0;
	}
	if (c->sel.nkeys == U32_KEYS_MAX)
		return diag_usage(d, i, "more than %d keys", U32_KEYS_MAX);
	c->key[c->sel.nkeys++] = (struct tc_u32_key){
		.mask = mask, .val = value, .off = off, .offmask = offmask,
	};
	return 0;
}

/* @size bytes (1, 2 or 4) at @off, within the key that they are part of. */
static int number_put(struct diag *d, int i, struct u32_cfg *c, uint32_t value, uint32_t mask,
		      int off, int offmask, unsigned int size)
{
	unsigned int within = (unsigned int)off & 3;
	unsigned int shift;

	if (within + size > 4)
		return diag_usage(d, i, "offset %d: %u bytes there are in two keys of 4 bytes", off, size);
	shift = 8 * (4 - within - size);
	return key_put(d, i, c, htonl(value << shift), htonl(mask << shift), off - (int)within,
		       offmask);
}

/* "at OFFSET", "at nexthdr+OFFSET", if it is there. */
static int at_take(struct diag *d, char **words, int i, int n, int *off, int *offmask)
{
	const char *text;
	char *end;
	long v;

	if (i >= n || strcmp(words[i], "at"))
		return i;
	if (i + 1 >= n)
		return diag_usage(d, i, "\"at\" needs an offset");
	text = words[++i];
	if (!strncmp(text, "nexthdr+", 8)) {
		*offmask = -1;
		text += 8;
		if (!*text && i + 1 < n)
			text = words[++i];
	}
	errno = 0;
	v = strtol(text, &end, 0);
	if (!*text || *end || errno || v < INT16_MIN || v > UINT16_MAX)
		return diag_usage(d, i, "at: \"%s\": not an offset in bytes", words[i]);
	*off = (int)v;
	return i + 1;
}

/* "VALUE MASK [at OFFSET]" */
static int number_take(struct diag *d, char **words, int i, int n, const struct field *f,
		       struct u32_cfg *c)
{
	uint32_t max = f->size == 4 && f->type == FIELD_NUMBER ? UINT32_MAX :
		       f->size == 2 ? UINT16_MAX : UINT8_MAX;
	int off = f->off, offmask = 0;
	uint64_t value = 0;
	uint32_t mask = 0;
	int at = i;
	int err;

	if (i + 2 > n)
		return diag_usage(d, i - 1, "\"%s\" needs a value and a mask", words[i - 1]);
	err = u64_parse(d, words, i, 0, max, &value);
	if (!err)
		err = hex_parse(d, words, i + 1, max, &mask);
	if (err)
		return err;
	if (f->type == FIELD_CLASS6)	/* 8 bits behind the version's 4 */
		return number_put(d, at, c, (uint32_t)value << 20, mask << 20, 0, 0, 4) ? -1 : i + 2;
	i = at_take(d, words, i + 2, n, &off, &offmask);
	if (i < 0 || number_put(d, at, c, (uint32_t)value, mask, off, offmask, f->size))
		return -1;
	return i;
}

/* "ADDRESS[/BITS] [at OFFSET]" */
static int prefix_take(struct diag *d, char **words, int i, int n, const struct field *f,
		       struct u32_cfg *c)
{
	unsigned int len = f->type == FIELD_IP ? 4 : 16;
	int off = f->off, offmask = 0;
	struct prefix prefix;
	uint8_t mask[16];
	int at = i;

	if (i >= n)
		return diag_usage(d, i - 1, "\"%s\" needs an address", words[i - 1]);
	if (prefix_parse(d, words, i, f->type == FIELD_IP ? AF_INET : AF_INET6, &prefix))
		return -1;
	i = at_take(d, words, i + 1, n, &off, &offmask);
	if (i < 0)
		return i;
	if (off % 4)
		return diag_usage(d, i - 1, "at: %d: an address is at a multiple of 4", off);
	mask_of_bits(mask, len, prefix.bits);
	/* of IPv6 only the words that count, of IPv4 always its one */
	for (unsigned int k = 0; k < len && (k == 0 || k * 8 < prefix.bits); k += 4) {
		uint32_t v, m;

		if (f->type == FIELD_IP6 && !prefix.bits)
			break;
		memcpy(&v, prefix.bytes + k, 4);
		memcpy(&m, mask + k, 4);
		if (key_put(d, at, c, v, m, off + (int)k, offmask))
			return -1;
	}
	return i;
}

static int mac_take(struct diag *d, char **words, int i, int n, const struct field *f,
		    struct u32_cfg *c)
{
	uint8_t mac[6], mask[6];

	if (i >= n)
		return diag_usage(d, i - 1, "\"%s\" needs a MAC address", words[i - 1]);
	if (mac_mask_parse(d, words, i, mac, mask))
		return -1;
	for (int b = 0; b < 6; b++)
		if (number_put(d, i, c, mac[b], mask[b], f->off + b, 0, 1))
			return -1;
	return i + 1;
}

/* "VALUE MASK" of the mark, which is in no packet. */
static int mark_take(struct diag *d, char **words, int i, int n, struct u32_cfg *c)
{
	uint64_t value = 0, mask = 0;

	if (c->marked)
		return diag_usage(d, i - 1, "\"mark\" is there twice");
	if (i + 2 > n)
		return diag_usage(d, i - 1, "\"mark\" needs a value and a mask");
	if (u64_parse(d, words, i, 0, UINT32_MAX, &value) ||
	    u64_parse(d, words, i + 1, 0, UINT32_MAX, &mask))
		return -1;
	if (value & ~mask)
		return diag_usage(d, i, "\"%s\": has bits that the mask has not: no packet would fit",
				  words[i]);
	c->marked = true;
	c->mark.val = (uint32_t)value;
	c->mark.mask = (uint32_t)mask;
	return i + 2;
}

static int field_take(struct diag *d, char **words, int i, int n, const struct field *f,
		      struct u32_cfg *c)
{
	switch (f->type) {
	case FIELD_IP:
	case FIELD_IP6:
		return prefix_take(d, words, i, n, f, c);
	case FIELD_MAC:
		return mac_take(d, words, i, n, f, c);
	case FIELD_FIXED:
		return number_put(d, i - 1, c, f->value, f->mask, f->off, 0, f->size) ? -1 : i;
	case FIELD_NUMBER:
	case FIELD_CLASS6:
		break;
	}
	return number_take(d, words, i, n, f, c);
}

int u32_match_take(struct diag *d, char **words, int i, int n, struct u32_cfg *c)
{
	const char *group = i < n ? words[i] : "";
	bool known = false;

	if (!strcmp(group, "mark"))
		return mark_take(d, words, i + 1, n, c);
	for (const struct field *f = fields; f < fields + NFIELDS; f++) {
		if (strcmp(f->group, group))
			continue;
		known = true;
		if (!f->word)
			return field_take(d, words, i + 1, n, f, c);
		if (i + 1 < n && !strcmp(f->word, words[i + 1])) {
			i = field_take(d, words, i + 2, n, f, c);
			return i < 0 ? diag_context(d, 0, "%s %s", group, f->word) : i;
		}
	}
	if (known && i + 1 < n)
		return diag_usage(d, i + 1, "unknown word \"%s\" after \"%s\"", words[i + 1], group);
	if (i >= n || known)
		return diag_usage(d, i - 1 + known, "\"%s\" needs what is to be compared",
				  words[i - 1 + known]);
	return diag_usage(d, i, "unknown word \"%s\": ip, ip6, ether, u8, u16, u32 or mark", group);
}

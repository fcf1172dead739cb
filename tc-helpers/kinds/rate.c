// SPDX-License-Identifier: GPL-2.0-or-later
/* What shaping kinds share: rates in bytes, times in ticks, cells and link layers. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "kinds/kinds.h"
#include "kinds/rate.h"
#include "pure/diag.h"
#include "pure/names.h"
#include "pure/units.h"

__extension__ typedef unsigned __int128 u128;

#define CELL_LOG_MAX 23	/* 256 of them are 2 GiB */

int cell_parse(struct diag *d, char **words, int i, void *u32)
{
	uint64_t cell;
	int err = size_parse(d, words, i, &cell);

	if (err)
		return err;
	if (!cell || cell & (cell - 1) || cell > 1u << CELL_LOG_MAX)
		return diag_usage(d, i, "\"%s\": a cell is a power of two of bytes", words[i]);
	*(uint32_t *)u32 = (uint32_t)cell;
	return 0;
}

/* Reads a part of @words[@i] that is no word of its own. */
static int part_parse(struct diag *d, int i, char *part,
		      int (*parse)(struct diag *d, char **words, int i, void *u32), void *u32)
{
	int err = parse(d, &part, 0, u32);

	if (err)
		d->word = i;
	return err;
}

static int size32_parse(struct diag *d, char **words, int i, void *u32)
{
	uint64_t size;
	int err = size_parse(d, words, i, &size);

	if (err)
		return err;
	if (!size || size > UINT32_MAX)
		return diag_usage(d, i, "\"%s\": not 1 to %u bytes", words[i], UINT32_MAX);
	*(uint32_t *)u32 = (uint32_t)size;
	return 0;
}

int size_cell_parse(struct diag *d, char **words, int i, void *field)
{
	struct size_cell *sc = field;
	const char *slash = strchr(words[i], '/');
	char size[64];
	int err;

	if (!slash)
		return size32_parse(d, words, i, &sc->size);
	if (slash - words[i] >= (int)sizeof(size))
		return diag_usage(d, i, "\"%s\": not a size", words[i]);
	snprintf(size, sizeof(size), "%.*s", (int)(slash - words[i]), words[i]);
	err = part_parse(d, i, size, size32_parse, &sc->size);
	return err ? err : part_parse(d, i, strchr(words[i], '/') + 1, cell_parse, &sc->cell);
}

int linklayer_parse(struct diag *d, char **words, int i, void *u32)
{
	uint32_t *layer = u32;

	if (!strcmp(words[i], "ethernet"))
		*layer = TC_LINKLAYER_ETHERNET;
	else if (!strcmp(words[i], "atm") || !strcmp(words[i], "adsl"))
		*layer = TC_LINKLAYER_ATM;
	else
		return diag_usage(d, i, "\"%s\": a link layer is ethernet, atm or adsl", words[i]);
	return 0;
}

const char *linklayer_name(unsigned int linklayer)
{
	static const char *const names[] = { "unspec", "ethernet", "atm" };

	return linklayer < sizeof(names) / sizeof(names[0]) ? names[linklayer] : "unknown";
}

int minor_parse(struct diag *d, char **words, int i, void *u32)
{
	unsigned long minor = ULONG_MAX;
	char *end = words[i];

	if (strchr(words[i], ':'))
		return diag_usage(d, i, "\"%s\": only the minor number of the class, in hex and without a colon, e.g. 10 for 1:10",
				  words[i]);
	if (isxdigit((unsigned char)*words[i]))
		minor = strtoul(words[i], &end, 16);
	if (*end || minor > UINT16_MAX)
		return diag_usage(d, i, "\"%s\": not 0 to ffff (hex)", words[i]);
	*(uint32_t *)u32 = (uint32_t)minor;
	return 0;
}

int classid_other_parse(struct diag *d, char **words, int i, void *u32)
{
	return classid_parse(d, words, i, u32);
}

int rate_bytes(struct diag *d, const char *kind, const char *word, uint64_t bps, uint64_t max,
	       uint64_t *bytes)
{
	char asked[32], most[32];

	*bytes = bps / 8;
	if (!*bytes)
		return diag_usage(d, -1, "%s of %" PRIu64 " bit/s: at least 8 bit/s", word, bps);
	if (*bytes > max)
		return diag_usage(d, -1, "%s of %s: %s holds at most %s", word,
				  rate_format(asked, sizeof(asked), bps), kind,
				  rate_format(most, sizeof(most), max * 8));
	if (bps % 8)
		diag_warn(d, "%s: %s is cut to %" PRIu64 " bit/s: the kernel counts bytes", kind, word,
			  bps - bps % 8);
	return 0;
}

uint32_t rate_narrow(uint64_t bytes)
{
	return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

uint64_t rate_wide(struct nlattr *wide, uint32_t narrow)
{
	uint64_t rate;

	if (!wide || nla_len(wide) < (int)sizeof(rate))
		return narrow;
	memcpy(&rate, nla_data(wide), sizeof(rate));
	return rate;
}

bool psched_ticks(uint64_t rate, uint64_t bytes, uint32_t *ticks)
{
	u128 per_tick = (u128)rate * PSCHED_TICK_NS;
	u128 t = ((u128)bytes * 1000000000 + per_tick - 1) / per_tick;

	*ticks = (uint32_t)t;
	return t <= UINT32_MAX;
}

uint64_t psched_bytes(uint64_t rate, uint32_t ticks)
{
	return (uint64_t)((u128)rate * ticks * PSCHED_TICK_NS / 1000000000);
}

unsigned int cell_log(uint32_t cell)
{
	unsigned int log = 0;

	while (cell >>= 1)
		log++;
	return log;
}

unsigned int rtab_cell_log(uint32_t mtu)
{
	unsigned int log = 0;

	while (mtu >> log > 255)
		log++;
	return log;
}

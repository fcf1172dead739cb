// SPDX-License-Identifier: GPL-2.0-or-later
/* Payload of our packets, and the book that is kept of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pure/probe.h"

static const uint8_t magic[8] = { 'q', 'b', 'e', 'd', 'p', 'r', 'b', '1' };

static void put_be(uint8_t *at, uint64_t value, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--, value >>= 8)
		at[i] = (uint8_t)value;
}

static uint64_t get_be(const uint8_t *at, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return value;
}

void probe_put(uint8_t buf[PROBE_BYTES], const struct probe *p)
{
	memcpy(buf, magic, sizeof(magic));
	put_be(buf + 8, p->run, 8);
	put_be(buf + 16, p->flow, 4);
	put_be(buf + 20, p->cpu, 4);
	put_be(buf + 24, p->seq, 8);
	put_be(buf + 32, (uint64_t)p->sent_ns, 8);
}

bool probe_get(const void *buf, size_t len, struct probe *p)
{
	const uint8_t *at = buf;

	if (len < PROBE_BYTES || memcmp(at, magic, sizeof(magic)) != 0)
		return false;
	p->run = get_be(at + 8, 8);
	p->flow = (uint32_t)get_be(at + 16, 4);
	p->cpu = (uint32_t)get_be(at + 20, 4);
	p->seq = get_be(at + 24, 8);
	p->sent_ns = (int64_t)get_be(at + 32, 8);
	return true;
}

int track_init(struct track *t, uint64_t planned)
{
	size_t words = planned / 64 + 1;

	memset(t, 0, sizeof(*t));
	t->planned = planned;
	t->seen = malloc(words * sizeof(*t->seen));
	if (!t->seen)
		return -ENOMEM;
	memset(t->seen, 0, words * sizeof(*t->seen));	/* touch every page now */
	return 0;
}

void track_free(struct track *t)
{
	free(t->seen);
	t->seen = NULL;
}

bool track_see(struct track *t, uint64_t seq)
{
	uint64_t bit = UINT64_C(1) << seq % 64;

	if (seq >= t->planned) {
		t->alien++;
		return false;
	}
	if (t->seen[seq / 64] & bit) {
		t->duplicates++;
		return false;
	}
	t->seen[seq / 64] |= bit;
	t->received++;
	if (seq < t->next)
		t->inversions++;
	else
		t->next = seq + 1;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Log-linear histogram with exact ends, see hist.h for what its figures mean. */
#include <stdlib.h>
#include <string.h>

#include "pure/hist.h"

static uint64_t magnitude(int64_t value)
{
	if (value == INT64_MIN)
		value++;	/* 2^63 has no bucket; its neighbour is within the error */
	return value < 0 ? (uint64_t)-value : (uint64_t)value;
}

static unsigned int shift_of(uint64_t mag)
{
	int top = mag ? 63 - __builtin_clzll(mag) : 0;

	return top > HIST_SUB_BITS ? (unsigned int)(top - HIST_SUB_BITS) : 0;
}

static unsigned int index_of(uint64_t mag)
{
	unsigned int shift = shift_of(mag);

	return shift * HIST_SUB + (unsigned int)(mag >> shift);
}

/* Smallest magnitude in bucket @i; the bucket is [low(i), low(i + 1) - 1]. */
static uint64_t low_of(unsigned int i)
{
	unsigned int shift = i < 2 * HIST_SUB ? 0 : i / HIST_SUB - 1;

	return (uint64_t)(i - shift * HIST_SUB) << shift;
}

struct hist *hist_new(void)
{
	struct hist *h = malloc(sizeof(*h));

	if (h)
		hist_reset(h);
	return h;
}

void hist_free(struct hist *h)
{
	free(h);
}

void hist_reset(struct hist *h)
{
	memset(h, 0, sizeof(*h));
}

void hist_add_n(struct hist *h, int64_t value, uint64_t n)
{
	if (!n)
		return;
	if (!h->n || value < h->min)
		h->min = value;
	if (!h->n || value > h->max)
		h->max = value;
	h->n += n;
	h->count[value < 0][index_of(magnitude(value))] += n;
}

void hist_add(struct hist *h, int64_t value)
{
	hist_add_n(h, value, 1);
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (!from->n)
		return;
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (!into->n || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	for (int side = 0; side < 2; side++)
		for (unsigned int i = 0; i < HIST_SIDE; i++)
			into->count[side][i] += from->count[side][i];
}

static int64_t clamp(const struct hist *h, int64_t value)
{
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

/* Upper edge of the bucket with the value of @rank (1 = the smallest). */
static int64_t value_at(const struct hist *h, uint64_t rank)
{
	uint64_t below = 0;

	for (unsigned int i = HIST_SIDE; i-- > 0; ) {
		below += h->count[1][i];
		if (below >= rank)
			return clamp(h, -(int64_t)low_of(i));
	}
	for (unsigned int i = 0; i < HIST_SIDE; i++) {
		below += h->count[0][i];
		if (below >= rank)
			return clamp(h, (int64_t)(low_of(i + 1) - 1));
	}
	return h->max;
}

/* ceil(n * ppm / 10^6) without overflow for any n */
static uint64_t share_of(uint64_t n, uint32_t ppm)
{
	uint64_t whole = n / 1000000 * ppm;
	uint64_t rest = n % 1000000 * ppm;

	return whole + (rest + 999999) / 1000000;
}

bool hist_quantile(const struct hist *h, uint32_t q_ppm, int64_t *value)
{
	uint64_t rank;

	if (!h->n || q_ppm > 1000000)
		return false;
	/* n * (1 - q) < 10, where n * 10^6 may overflow only when n is plenty */
	if (q_ppm != HIST_P50 && h->n < UINT64_MAX / 1000000 &&
	    h->n * (1000000 - q_ppm) < 10 * UINT64_C(1000000))
		return false;
	rank = share_of(h->n, q_ppm);
	*value = value_at(h, rank ? rank : 1);
	return true;
}

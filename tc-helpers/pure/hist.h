/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_HIST_H
#define QBED_HIST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Log-linear histogram of signed 64-bit values (ns mostly).
 *
 * Each power of two is cut into 2^HIST_SUB_BITS buckets of one width, on both
 * sides of zero. Count, minimum and maximum are exact. A quantile is the upper
 * edge of the bucket that the value is in (clamped to [min, max]): never below
 * the true one, and above it by less than |value| / 2^HIST_SUB_BITS = 0.4 %.
 * Values within +-2^HIST_SUB_BITS are exact.
 */
#define HIST_SUB_BITS	8
#define HIST_SUB	(1u << HIST_SUB_BITS)
/* buckets of one sign: [0, 2^(SUB_BITS+1)) one by one, then an octave at a time up to 2^63 */
#define HIST_SIDE	((63 - HIST_SUB_BITS + 1) * HIST_SUB)

/* Quantiles are asked for in millionths, so that no rounding of doubles is in the way. */
#define HIST_P50	500000u
#define HIST_P90	900000u
#define HIST_P99	990000u
#define HIST_P999	999000u

/**
 * struct hist - a histogram; all of it is in this one allocation
 * @n: values recorded
 * @min: smallest one, meaningless while @n is 0
 * @max: greatest one, meaningless while @n is 0
 * @count: per bucket; [0] for values >= 0, [1] for values below zero
 */
struct hist {
	uint64_t n;
	int64_t min;
	int64_t max;
	uint64_t count[2][HIST_SIDE];
};

struct hist *hist_new(void);	/* empty, every page touched; NULL when out of memory */
void hist_free(struct hist *h);
void hist_reset(struct hist *h);
void hist_add(struct hist *h, int64_t value);
void hist_add_n(struct hist *h, int64_t value, uint64_t n);
/* @into becomes the histogram of both value sets; same result in any order. */
void hist_merge(struct hist *into, const struct hist *from);

/*
 * The smallest value v so that at least ceil(n * @q_ppm / 10^6) values are
 * <= v, within the error above. False, and @value untouched, when it would
 * rest on too few values: n * (1 - q) < 10, the median excepted (n > 0).
 */
bool hist_quantile(const struct hist *h, uint32_t q_ppm, int64_t *value);

#endif

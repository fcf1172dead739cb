/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_EST_H
#define QBED_EST_H

#include <stdbool.h>
#include <stdint.h>

#include "pure/units.h"

struct diag;
struct nlb;

/**
 * struct est - a rate estimator, struct tc_estimator
 * @given: one is wanted
 * @interval: log2 of seconds
 * @ewma_log: weight of the newest interval is 2^-@ewma_log
 */
struct est {
	bool given;
	int8_t interval;
	uint8_t ewma_log;
};

/* Reads "INTERVAL TIMECONST" at @words[@i], bare ones as @units has them. */
int est_parse(struct diag *d, enum tc_units units, char **words, int i, struct est *est);

/* TCA_RATE, if one is wanted */
void est_fill(struct nlb *nlb, const struct est *est);

#endif

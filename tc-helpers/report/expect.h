/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_EXPECT_H
#define QBED_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct group;

/**
 * struct bound - a decimal number with its unit, exactly as written
 * @mantissa: all digits
 * @exponent: power of ten
 * @unit: "" for none
 */
struct bound {
	int64_t mantissa;
	int exponent;
	char unit[24];
};

enum expect_op { OP_LE, OP_GE, OP_LT, OP_GT, OP_EQ, OP_NE };

/**
 * struct expect - a bound on a figure: [BASE:]EXPERIMENT.ARM.METRIC[SEED]|@every OP VALUE
 * @text: as it was written
 * @base: "" for every base
 * @experiment: name
 * @arm: name
 * @metric: name, the unit at its end may be left out
 * @every: every seed must hold it, not the value that stands for all
 * @one_seed: only @seed is asked for
 * @seed: see @one_seed
 * @op: comparison
 * @bound: right side
 */
struct expect {
	char *text;
	char base[64];
	char experiment[64];
	char arm[128];
	char metric[64];
	bool every;
	bool one_seed;
	int64_t seed;
	enum expect_op op;
	struct bound bound;
};

enum verdict { EXPECT_HELD, EXPECT_BROKEN, EXPECT_CANNOT };

/* "held", "broken", "cannot tell" */
const char *verdict_name(enum verdict verdict);

/**
 * struct outcome - what became of an expectation
 * @verdict: broken if it is anywhere, else cannot tell if it cannot anywhere
 * @text: the value that decided, or why it cannot be told
 */
struct outcome {
	enum verdict verdict;
	char text[256];
};

/* Reads @text (word @i of the caller's); -EINVAL with the fault's place, -ENOMEM. */
int expect_parse(struct diag *d, int i, const char *text, struct expect *e);
void expect_free(struct expect *e);

/*
 * Judges @e on every base and flavour that has the arm and the metric. 0, or
 * -EINVAL when the value's unit does not fit the metric's.
 */
int expect_judge(struct diag *d, const struct expect *e, const struct group *groups, size_t n,
		 struct outcome *o);

#endif

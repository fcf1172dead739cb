/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_METRIC_H
#define QBED_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct json_t;

/**
 * struct value - a figure as it was measured: a whole number stays one
 * @type: %VALUE_NONE for a figure that is not there; it is never 0
 * @i: %VALUE_INT
 * @r: %VALUE_REAL, finite
 */
struct value {
	enum value_type { VALUE_NONE, VALUE_INT, VALUE_REAL } type;
	int64_t i;
	double r;
};

enum reduce { REDUCE_MEDIAN, REDUCE_MAX, REDUCE_MIN, REDUCE_SUM };
enum better { BETTER_LOWER, BETTER_HIGHER, BETTER_NONE };

/**
 * struct metric - a figure that an experiment defines; strings belong to the document
 * @name: for expressions and JSON, unit at its end (p99_ns)
 * @path: where it is in "measurements": keys with dots between, numbers index arrays
 * @flavour: the flavour that has it, NULL for every flavour
 * @unit: "ns", "us", "ms", "s" and "%" are known, any other is shown as it stands
 * @title: for people
 * @reduce: how the seeds' values become one
 * @better: which way is good
 * @cost: what the gain is paid with: shown in rows of its own
 * @zero: only zero against non-zero is claimed, the size means nothing
 * @detail: one of many that stand below the others
 */
struct metric {
	const char *name;
	const char *path;
	const char *flavour;
	const char *unit;
	const char *title;
	enum reduce reduce;
	enum better better;
	bool cost;
	bool zero;
	bool detail;
};

/* Text of the enums as documents write them. */
const char *reduce_name(enum reduce reduce);
const char *better_name(enum better better);

/**
 * metrics_read() - read a document's array of definitions
 * @d: gets "FILE: metrics[I].MEMBER: what is wrong"
 * @file: name for messages
 * @array: the array; it must outlive the result
 * @metrics: result, free()d by the caller
 * @n: its length
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int metrics_read(struct diag *d, const char *file, const struct json_t *array,
		 struct metric **metrics, size_t *n);

/*
 * The figure of @m in @measurements. A path that ends nowhere, or at a null,
 * is %VALUE_NONE; one that ends at something else than a number is an error.
 */
int metric_lookup(struct diag *d, const char *file, const struct metric *m,
		  const struct json_t *measurements, struct value *v);

/* Whether the path of @m leads somewhere in @measurements: to a null, too. */
bool metric_leads(const struct metric *m, const struct json_t *measurements);

/* <0, 0, >0; whole numbers and reals compare exactly. Neither may be %VALUE_NONE. */
int value_cmp(const struct value *a, const struct value *b);
bool value_is_zero(const struct value *v);

/*
 * One value out of @n (%VALUE_NONE for 0). The median of an even number is the
 * lower of the two in the middle, so that a median is a value that was
 * measured and whole numbers stay whole. @v is sorted. -EOVERFLOW: the sum is
 * too great.
 */
int value_reduce(enum reduce reduce, struct value *v, size_t n, struct value *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FIGURE_H
#define QBED_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

struct metric;
struct value;

#define FIGURE_MAX 48

/**
 * struct scale - how the figures of one row are written, all alike
 * @unit: text of the unit
 * @divide: power of ten that values are divided by
 * @decimals: digits after the point
 */
struct scale {
	const char *unit;
	int divide;
	int decimals;
};

/* Power of ten to seconds * 10^-9 of a time unit ("us" -> 3); -1 for what is no time. */
int unit_time_power(const char *unit);
bool unit_is_percent(const char *unit);

/*
 * The scale for a row of @n values: the greatest gets four significant digits
 * (three below 1) and, if it is a time, a unit that suits it. Whole numbers of things that
 * are no times stay whole.
 */
void figure_scale(const struct metric *m, const struct value *v, size_t n, struct scale *s);

/* A value in that scale, "n/a" for none; never "0" for what is not zero. @buf >= FIGURE_MAX. */
char *figure_format(char *buf, const struct value *v, const struct scale *s);

/* A value in the metric's own unit, exact: "2010000 ns". @buf >= FIGURE_MAX. */
char *figure_exact(char *buf, const struct metric *m, const struct value *v);

/*
 * From @before to @after: "-73.5%", "x2.1", "same"; "-" when @before is 0,
 * "n/a" when one is not there. Of a metric that claims zero only: "to 0",
 * "from 0", "-". @buf >= FIGURE_MAX.
 */
char *figure_change(char *buf, const struct metric *m, const struct value *before,
		    const struct value *after);

#endif

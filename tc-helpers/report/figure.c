// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures as people read them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/figure.h"
#include "report/metric.h"

static const char *const time_units[] = { "ns", "us", "ms", "s" };

int unit_time_power(const char *unit)
{
	for (int i = 0; i < 4; i++)
		if (!strcmp(unit, time_units[i]))
			return 3 * i;
	return -1;
}

bool unit_is_percent(const char *unit)
{
	return !strcmp(unit, "%") || !strcmp(unit, "percent");
}

static long double as_long(const struct value *v)
{
	return v->type == VALUE_INT ? (long double)v->i : (long double)v->r;
}

static long double power(int n)
{
	long double p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

static bool is_whole(const struct value *v)
{
	return v->type != VALUE_REAL || (v->r == trunc(v->r) && fabs(v->r) < 1e15);
}

void figure_scale(const struct metric *m, const struct value *v, size_t n, struct scale *s)
{
	int time = unit_time_power(m->unit);
	long double top = 0;
	bool whole = true;

	for (size_t i = 0; i < n; i++) {
		if (v[i].type == VALUE_NONE)
			continue;
		top = fmaxl(top, fabsl(as_long(&v[i])));
		whole = whole && is_whole(&v[i]);
	}
	*s = (struct scale){ .unit = unit_is_percent(m->unit) ? "%" : m->unit };
	if (time >= 0) {
		int unit = time / 3;

		while (unit < 3 && top >= 1000) {
			top /= 1000;
			unit++;
			s->divide += 3;
		}
		s->unit = time_units[unit];
	}
	if (whole && !s->divide)
		return;
	/* four significant digits of the greatest, three below 1 */
	s->decimals = 3;
	for (long double limit = 10; top >= limit && s->decimals; limit *= 10)
		s->decimals--;
	for (long double limit = 0.1L; top > 0 && top < limit && s->decimals < 6; limit /= 10)
		s->decimals++;
}

char *figure_format(char *buf, const struct value *v, const struct scale *s)
{
	long double x;

	if (v->type == VALUE_NONE)
		return strcpy(buf, "n/a");
	if (value_is_zero(v))
		return strcpy(buf, "0");
	if (v->type == VALUE_INT && !s->divide && !s->decimals) {
		snprintf(buf, FIGURE_MAX, "%" PRId64, v->i);
		return buf;
	}
	x = as_long(v) / power(s->divide);
	/* a little above a half: printf rounds ties either way */
	if (fabsl(x) * power(s->decimals) < 0.501L)
		snprintf(buf, FIGURE_MAX, "%s%.*Lf", x < 0 ? ">-" : "<", s->decimals,
			 1 / power(s->decimals));
	else if (fabsl(x) < 1e18L)
		snprintf(buf, FIGURE_MAX, "%.*Lf", s->decimals, x);
	else
		snprintf(buf, FIGURE_MAX, "%.3Le", x);
	return buf;
}

char *figure_exact(char *buf, const struct metric *m, const struct value *v)
{
	const char *space = *m->unit ? " " : "";

	if (v->type == VALUE_NONE)
		return strcpy(buf, "n/a");
	if (v->type == VALUE_INT)
		snprintf(buf, FIGURE_MAX, "%" PRId64 "%s%.20s", v->i, space, m->unit);
	else
		snprintf(buf, FIGURE_MAX, "%.15g%s%.20s", v->r, space, m->unit);
	return buf;
}

/* Rounded towards no change: 99.97 % less is not all. */
static void percent_text(char *buf, long double percent)
{
	long double tenths = truncl(percent * 10);

	if (tenths == 0)
		snprintf(buf, FIGURE_MAX, "<0.1%%");
	else if (fabsl(percent) >= 99.95L && percent == truncl(percent))
		snprintf(buf, FIGURE_MAX, "%+.0Lf%%", percent);
	else
		snprintf(buf, FIGURE_MAX, "%+.1Lf%%", tenths / 10);
}

char *figure_change(char *buf, const struct metric *m, const struct value *before,
		    const struct value *after)
{
	long double x, y;

	if (before->type == VALUE_NONE || after->type == VALUE_NONE)
		return strcpy(buf, "n/a");
	if (m->zero) {
		if (value_is_zero(before) == value_is_zero(after))
			return strcpy(buf, "-");
		return strcpy(buf, value_is_zero(after) ? "to 0" : "from 0");
	}
	x = as_long(before);
	y = as_long(after);
	if (x <= 0 || y < 0)
		return strcpy(buf, "-");
	if (x == y)
		return strcpy(buf, "same");
	if (y >= 2 * x)
		snprintf(buf, FIGURE_MAX, y / x < 100 ? "x%.1Lf" : "x%.0Lf", y / x);
	else
		percent_text(buf, (y - x) * 100 / x);
	return buf;
}

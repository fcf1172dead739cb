// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounds on figures, read and judged. No rounding: decimals are compared as decimals.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "report/expect.h"
#include "report/figure.h"
#include "report/group.h"
#include "report/result.h"

#define DIGITS_MAX 18

__extension__ typedef __int128 wide;

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[EXPECT_HELD] = "held",
		[EXPECT_BROKEN] = "broken",
		[EXPECT_CANNOT] = "cannot tell",
	};

	return names[verdict];
}

static int bad(struct diag *d, int i, const char *text, const char *at, const char *what)
{
	return diag_usage(d, i, "--expect '%s': column %d: %s", text, (int)(at - text) + 1, what);
}

static const char *skip_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Copies [from, to) when it is a name that fits. */
static bool take_name(char *buf, size_t size, const char *from, const char *to, const char *extra)
{
	size_t len = (size_t)(to - from);

	if (!len || len >= size)
		return false;
	for (size_t k = 0; k < len; k++)
		if (!isalnum((unsigned char)from[k]) && !strchr(extra, from[k]))
			return false;
	memcpy(buf, from, len);
	buf[len] = '\0';
	return true;
}

/* BASE:EXPERIMENT.ARM.METRIC in [p, end); dots inside the arm are the arm's. */
static int parse_subject(struct diag *d, int i, const char *text, const char *p, const char *end,
			 struct expect *e)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	const char *first, *last;

	if (colon) {
		if (!take_name(e->base, sizeof(e->base), p, colon, "._+-"))
			return bad(d, i, text, p, "a base is letters, digits and ._+-");
		p = colon + 1;
	}
	first = memchr(p, '.', (size_t)(end - p));
	last = end;
	while (last > p && last[-1] != '.')
		last--;
	if (!first || last - 1 <= first)
		return bad(d, i, text, p, "EXPERIMENT.ARM.METRIC is needed here");
	if (!take_name(e->experiment, sizeof(e->experiment), p, first, "_-"))
		return bad(d, i, text, p, "an experiment's name is letters, digits, _ and -");
	if (!take_name(e->arm, sizeof(e->arm), first + 1, last - 1, "._+-"))
		return bad(d, i, text, first + 1, "an arm's name is letters, digits and ._+-");
	if (!take_name(e->metric, sizeof(e->metric), last, end, "_-"))
		return bad(d, i, text, last, "a metric's name is letters, digits, _ and -");
	return 0;
}

/* "@every" or "[SEED]" at @p; moves it on. */
static int parse_which(struct diag *d, int i, const char *text, const char **p, struct expect *e)
{
	char *end;

	if (**p == '@') {
		if (strncmp(*p, "@every", 6) || isalnum((unsigned char)(*p)[6]))
			return bad(d, i, text, *p, "only @every is known");
		e->every = true;
		*p += 6;
	} else if (**p == '[') {
		errno = 0;
		e->seed = strtoll(*p + 1, &end, 10);
		if (!isdigit((unsigned char)(*p)[1]) || *end != ']' || errno)
			return bad(d, i, text, *p, "a seed is a whole number: [3]");
		e->one_seed = true;
		*p = end + 1;
	}
	return 0;
}

static int parse_op(struct diag *d, int i, const char *text, const char **p, struct expect *e)
{
	static const struct {
		const char *text;
		enum expect_op op;
	} ops[] = {
		{ "<=", OP_LE }, { ">=", OP_GE }, { "==", OP_EQ }, { "!=", OP_NE },
		{ "<", OP_LT }, { ">", OP_GT },
	};

	for (size_t k = 0; k < sizeof(ops) / sizeof(ops[0]); k++)
		if (!strncmp(*p, ops[k].text, strlen(ops[k].text))) {
			e->op = ops[k].op;
			*p += strlen(ops[k].text);
			return 0;
		}
	return bad(d, i, text, *p, "one of <= >= < > == != is needed here");
}

static int parse_bound(struct diag *d, int i, const char *text, const char *p, struct bound *b)
{
	const char *start = p, *unit;
	bool negative = *p == '-', point = false;
	int digits = 0;
	size_t len;

	*b = (struct bound){ 0 };
	for (p += negative; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (b->mantissa || *p != '0')
			digits++;
		if (digits > DIGITS_MAX || b->exponent <= -DIGITS_MAX)
			return bad(d, i, text, start, "too many digits");
		b->mantissa = b->mantissa * 10 + (*p - '0');
		b->exponent -= point;
	}
	if (!isdigit((unsigned char)p[-1]))
		return bad(d, i, text, start, "a number is needed here");
	if (negative)
		b->mantissa = -b->mantissa;
	unit = skip_blanks(p);
	len = strlen(unit);
	while (len && isspace((unsigned char)unit[len - 1]))
		len--;
	if (len >= sizeof(b->unit) || strcspn(unit, " \t") < len)
		return bad(d, i, text, unit, "what follows the number is no unit");
	for (size_t k = 0; k < len; k++)
		if (!isgraph((unsigned char)unit[k]) || strchr("<>=!@[]", unit[k]) ||
		    (!k && strchr(".+-0123456789", unit[k])))
			return bad(d, i, text, unit, "what follows the number is no unit");
	memcpy(b->unit, unit, len);
	return 0;
}

int expect_parse(struct diag *d, int i, const char *text, struct expect *e)
{
	const char *p = skip_blanks(text), *end;
	int err;

	*e = (struct expect){ 0 };
	end = p + strcspn(p, "@[<>=! \t");
	err = parse_subject(d, i, text, p, end, e);
	if (err)
		return err;
	p = end;
	err = parse_which(d, i, text, &p, e);
	if (err)
		return err;
	p = skip_blanks(p);
	err = parse_op(d, i, text, &p, e);
	if (err)
		return err;
	err = parse_bound(d, i, text, skip_blanks(p), &e->bound);
	if (err)
		return err;
	e->text = strdup(text);
	return e->text ? 0 : diag_failed(d, ENOMEM, "--expect");
}

void expect_free(struct expect *e)
{
	free(e->text);
	e->text = NULL;
}

/* The metric's name, or that without its unit; 2 exact, 1 without, 0 another. */
static int name_match(const struct metric *m, const char *name)
{
	const char *unit = unit_is_percent(m->unit) ? "percent" : m->unit;
	size_t len = strlen(name);

	if (!strcmp(m->name, name))
		return 2;
	return !strncmp(m->name, name, len) && m->name[len] == '_' &&
	       !strcmp(m->name + len + 1, unit);
}

/* The bound in the metric's own unit. */
static int bound_convert(struct diag *d, const struct expect *e, const struct metric *m,
			 struct bound *b)
{
	int want = unit_time_power(m->unit), have = unit_time_power(e->bound.unit);

	*b = e->bound;
	if (!*b->unit) {
		if (want >= 0 && b->mantissa && name_match(m, e->metric) != 2)
			return diag_usage(d, -1, "--expect '%s': a time needs its unit", e->text);
	} else if (want >= 0 && have >= 0) {
		b->exponent += have - want;
	} else if (strcmp(b->unit, m->unit) &&
		   !(unit_is_percent(b->unit) && unit_is_percent(m->unit))) {
		return diag_usage(d, -1, "--expect '%s': %s is measured in '%s', not in '%s'",
				  e->text, m->name, m->unit, b->unit);
	}
	while (b->mantissa && b->mantissa % 10 == 0 && b->exponent < 0) {
		b->mantissa /= 10;
		b->exponent++;
	}
	return 0;
}

static wide wide_power(int n)
{
	wide p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

static int bound_cmp(const struct value *v, const struct bound *b)
{
	if (v->type == VALUE_INT) {
		/* |mantissa| < 10^18 and |i| < 10^19: products stay below 10^37 < 2^127 */
		int up = b->exponent > 0 ? b->exponent : 0;
		int down = b->exponent < 0 ? -b->exponent : 0;
		wide x, y;

		if (down > DIGITS_MAX)	/* the bound is within (-1, 1): signs tell */
			return v->i > 0 || (!v->i && b->mantissa < 0) ? 1 : v->i || b->mantissa ? -1 : 0;
		x = (wide)v->i * wide_power(down);
		y = (wide)b->mantissa * wide_power(up);
		return (x > y) - (x < y);
	} else {
		char text[64];
		double y;

		snprintf(text, sizeof(text), "%" PRId64 "e%d", b->mantissa, b->exponent);
		y = strtod(text, NULL);
		return (v->r > y) - (v->r < y);
	}
}

static bool holds(const struct value *v, enum expect_op op, const struct bound *b)
{
	int c = bound_cmp(v, b);

	switch (op) {
	case OP_LE:
		return c <= 0;
	case OP_GE:
		return c >= 0;
	case OP_LT:
		return c < 0;
	case OP_GT:
		return c > 0;
	case OP_EQ:
		return c == 0;
	case OP_NE:
		return c != 0;
	}
	return false;
}

static enum verdict judge_value(const struct value *v, const struct expect *e,
				const struct bound *b)
{
	if (v->type == VALUE_NONE)
		return EXPECT_CANNOT;
	return holds(v, e->op, b) ? EXPECT_HELD : EXPECT_BROKEN;
}

/* Keeps the worse: broken before cannot tell before held. */
static void settle(struct outcome *o, bool *any, enum verdict v, const char *text)
{
	static const int rank[] = { [EXPECT_HELD] = 0, [EXPECT_CANNOT] = 1, [EXPECT_BROKEN] = 2 };

	if (*any && rank[v] <= rank[o->verdict])
		return;
	*any = true;
	o->verdict = v;
	snprintf(o->text, sizeof(o->text), "%s", text);
}

static void judge_cell(const struct expect *e, const struct bound *b, const struct group *g,
		       const struct row *row, const struct cell *c, struct outcome *o, bool *any)
{
	char figure[FIGURE_MAX], text[256];
	const char *base = g->results[0]->base;

	if (!e->every && !e->one_seed) {
		if (c->reduced.type == VALUE_NONE)
			snprintf(text, sizeof(text), "%.60s %.60s: %zu of %zu seeds have the figure",
				 base, row->flavour, c->have, c->n);
		else
			snprintf(text, sizeof(text), "%.60s %.60s: %s", base, row->flavour,
				 figure_exact(figure, row->metric, &c->reduced));
		settle(o, any, judge_value(&c->reduced, e, b), text);
		return;
	}
	for (size_t k = 0; k < c->n; k++) {
		if (e->one_seed && c->seeds[k] != e->seed)
			continue;
		snprintf(text, sizeof(text), "%.60s %.60s, seed %" PRId64 ": %s", base, row->flavour,
			 c->seeds[k], figure_exact(figure, row->metric, &c->values[k]));
		settle(o, any, judge_value(&c->values[k], e, b), text);
	}
}

int expect_judge(struct diag *d, const struct expect *e, const struct group *groups, size_t n,
		 struct outcome *o)
{
	const char *missing = "no result of that experiment";
	bool any = false;

	*o = (struct outcome){ .verdict = EXPECT_CANNOT };
	for (size_t i = 0; i < n; i++) {
		const struct group *g = &groups[i];
		int arm = group_arm(g, e->arm), best = 0;

		if (strcmp(g->results[0]->experiment, e->experiment) ||
		    (*e->base && strcmp(g->results[0]->base, e->base)))
			continue;
		missing = arm < 0 ? "no result of that arm" : "that arm has no such metric";
		for (size_t k = 0; arm >= 0 && k < g->nrows; k++) {
			int match = name_match(g->rows[k].metric, e->metric);

			best = match > best ? match : best;
		}
		for (size_t k = 0; best && k < g->nrows; k++) {
			const struct cell *c = &g->rows[k].cells[arm];
			struct bound b;
			int err;

			if (!c->n || name_match(g->rows[k].metric, e->metric) != best)
				continue;
			missing = "no such seed";
			err = bound_convert(d, e, g->rows[k].metric, &b);
			if (err)
				return err;
			judge_cell(e, &b, g, &g->rows[k], c, o, &any);
		}
	}
	if (!any)
		snprintf(o->text, sizeof(o->text), "%s", missing);
	return 0;
}

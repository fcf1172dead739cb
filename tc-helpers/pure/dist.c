// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/dist.h"

/* Where the reading is. */
struct at {
	const char *p;
	const char *end;
	int line;
};

static int wrong(struct diag *d, const char *name, const struct at *at, const char *why)
{
	int len = 0;

	while (len < 32 && at->p + len < at->end && isgraph((unsigned char)at->p[len]))
		len++;
	return diag_usage(d, -1, "%s:%d: \"%.*s\": %s", name, at->line, len, at->p, why);
}

/* To the next number; false at the end. */
static bool next(struct at *at)
{
	bool start = !at->line;		/* of a line, where # begins a comment */

	if (start)
		at->line = 1;
	for (; at->p < at->end; at->p++) {
		if (start && *at->p == '#') {
			at->p = memchr(at->p, '\n', (size_t)(at->end - at->p));
			if (!at->p) {
				at->p = at->end;
				break;
			}
		}
		if (!isspace((unsigned char)*at->p))
			return true;
		start |= *at->p == '\n';
		at->line += *at->p == '\n';
	}
	return false;
}

static int value_read(struct diag *d, const char *name, struct at *at, int16_t *value)
{
	const char *p = at->p;
	bool negative = *p == '-';
	long v = 0;

	if (*p == '-' || *p == '+')
		p++;
	if (p == at->end || !isdigit((unsigned char)*p))
		return wrong(d, name, at, "not a whole number");
	for (; p < at->end && isdigit((unsigned char)*p); p++)
		if (v <= INT16_MAX + 1)
			v = v * 10 + (*p - '0');
	if (p < at->end && !isspace((unsigned char)*p))
		return wrong(d, name, at, "not a whole number");
	if (v > INT16_MAX + negative)
		return wrong(d, name, at, "outside of -32768 to 32767");
	*value = (int16_t)(negative ? -v : v);
	at->p = p;
	return 0;
}

int dist_parse(struct diag *d, const char *name, const char *text, size_t len, struct dist *dist)
{
	struct at at = { .p = text, .end = text + len };
	int err = 0;

	dist->n = 0;
	dist->value = malloc(DIST_MAX * sizeof(*dist->value));
	if (!dist->value)
		return diag_failed(d, ENOMEM, "%s", name);
	while (!err && next(&at)) {
		if (dist->n == DIST_MAX)
			err = diag_usage(d, -1, "%s:%d: more than %d values: the kernel takes no more",
					 name, at.line, DIST_MAX);
		else
			err = value_read(d, name, &at, &dist->value[dist->n]);
		dist->n += !err;
	}
	if (!err && !dist->n)
		err = diag_usage(d, -1, "%s: there is no value in it", name);
	if (err)
		dist_free(dist);
	return err;
}

int dist_uniform(struct diag *d, struct dist *dist)
{
	dist->n = 0;
	dist->value = malloc(2 * DIST_SCALE * sizeof(*dist->value));
	if (!dist->value)
		return diag_failed(d, ENOMEM, "uniform");
	for (int v = -DIST_SCALE; v < DIST_SCALE; v++)
		dist->value[dist->n++] = (int16_t)v;
	return 0;
}

void dist_free(struct dist *dist)
{
	free(dist->value);
	memset(dist, 0, sizeof(*dist));
}

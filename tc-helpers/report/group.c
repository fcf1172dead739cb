// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What can be compared with what: boots sorted into experiments, arms, seeds.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "pure/diag.h"
#include "report/group.h"
#include "report/result.h"

static int arm_rank(const char *arm)
{
	static const char *const order[] = { "before", "after", "migration-off", "next" };
	int i;

	for (i = 0; i < 4; i++)
		if (!strcmp(order[i], arm))
			break;
	return i;
}

static int arm_cmp(const char *a, const char *b)
{
	int rank = arm_rank(a) - arm_rank(b);

	return rank ? rank : strverscmp(a, b);
}

static int flavour_cmp(const char *a, const char *b)
{
	int rank = !!strcmp(a, "plain") - !!strcmp(b, "plain");

	return rank ? rank : strcmp(a, b);
}

/* Order of boots; 0 for two documents of one boot. */
static int boot_cmp(const struct result *a, const struct result *b)
{
	int c = strcmp(a->experiment, b->experiment);

	if (!c)
		c = strverscmp(a->base, b->base);
	if (!c)
		c = flavour_cmp(a->flavour, b->flavour);
	if (!c)
		c = arm_cmp(a->arm, b->arm);
	if (!c)
		c = (a->seed > b->seed) - (a->seed < b->seed);
	return c;
}

static int result_cmp(const void *a, const void *b)
{
	const struct result *x = *(struct result *const *)a, *y = *(struct result *const *)b;
	int c = boot_cmp(x, y);

	return c ? c : strcmp(x->file, y->file);
}

/* Boots of one seed are one boot: equal ones are dropped, others are an error. */
static int drop_doubles(struct diag *d, struct result **r, size_t *n)
{
	size_t kept = 0;
	char where[512];

	for (size_t i = 0; i < *n; i++) {
		if (!kept || boot_cmp(r[kept - 1], r[i])) {
			r[kept++] = r[i];
			continue;
		}
		if (json_difference(r[kept - 1]->root, r[i]->root, "", where, sizeof(where))) {
			diag_usage(d, -1, "%s, %s: the same boot (seed %lld of %s) with two results, first at %s",
				   r[kept - 1]->file, r[i]->file, (long long)r[i]->seed, r[i]->arm,
				   where + 1);
			for (; i < *n; i++)	/* all of them stay the caller's */
				r[kept++] = r[i];
			*n = kept;
			return -EINVAL;
		}
		result_free(r[i]);
	}
	*n = kept;
	return 0;
}

static int disagree(struct diag *d, const struct result *a, const struct result *b,
		    const char *where)
{
	return diag_usage(d, -1, "%s, %s: results of %s that cannot be compared: %s", a->file,
			  b->file, a->experiment, where);
}

/* What a ready-made image does not tell contradicts nothing: null, "", HZ 0. */
static bool is_unknown(const json_t *j, const char *key)
{
	return !j || json_is_null(j) || (json_is_string(j) && !json_string_length(j)) ||
	       (!strcmp(key, "hz") && !json_integer_value(j));
}

/* Two boots of one experiment, base and flavour. */
static int check_pair(struct diag *d, const struct result *a, const struct result *b)
{
	static const char *const common[] = {
		"clock", "shift", "cpus", "hz", "qemu", "machine", "cpu_model", "compiler",
	};
	char where[512], name[64];

	if (!strcmp(a->arm, b->arm) && (a->patches || b->patches) &&
	    json_difference(a->patches, b->patches, "patches", where, sizeof(where)))
		return disagree(d, a, b, where);
	if (json_difference(a->parameters, b->parameters, "parameters", where, sizeof(where)) ||
	    json_difference(json_object_get(a->root, "metrics"), json_object_get(b->root, "metrics"),
			    "metrics", where, sizeof(where)))
		return disagree(d, a, b, where);
	if (!strcmp(a->arm, b->arm) &&
	    json_difference(a->environment, b->environment, "environment", where, sizeof(where)))
		return disagree(d, a, b, where);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		const json_t *x = json_object_get(a->environment, common[i]);
		const json_t *y = json_object_get(b->environment, common[i]);

		if (is_unknown(x, common[i]) || is_unknown(y, common[i]))
			continue;
		snprintf(name, sizeof(name), "environment.%s", common[i]);
		if (json_difference(x, y, name, where, sizeof(where)))
			return disagree(d, a, b, where);
	}
	return 0;
}

static int check_group(struct diag *d, struct result **r, size_t n)
{
	size_t flavour = 0, arm = 0;

	for (size_t i = 1; i < n; i++) {
		int err;

		if (strcmp(r[flavour]->flavour, r[i]->flavour)) {
			flavour = arm = i;
			continue;
		}
		err = check_pair(d, r[flavour], r[i]);
		if (err)
			return err;
		if (strcmp(r[arm]->arm, r[i]->arm))
			arm = i;
		err = check_pair(d, r[arm], r[i]);
		if (err)
			return err;
	}
	return 0;
}

int group_arm(const struct group *g, const char *arm)
{
	for (size_t i = 0; i < g->narms; i++)
		if (!strcmp(g->arms[i], arm))
			return (int)i;
	return -1;
}

const struct result *group_result(const struct group *g, const char *flavour, const char *arm)
{
	for (size_t i = 0; i < g->nresults; i++)
		if (!strcmp(g->results[i]->flavour, flavour) &&
		    (!arm || !strcmp(g->results[i]->arm, arm)))
			return g->results[i];
	return NULL;
}

static int arm_cmp_void(const void *a, const void *b)
{
	return arm_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fills the lists of arms and flavours. */
static int list_names(struct diag *d, struct group *g)
{
	g->arms = calloc(g->nresults, sizeof(*g->arms));
	g->flavours = calloc(g->nresults, sizeof(*g->flavours));
	if (!g->arms || !g->flavours)
		return diag_failed(d, ENOMEM, "report");
	for (size_t i = 0; i < g->nresults; i++) {
		const struct result *r = g->results[i];

		if (group_arm(g, r->arm) < 0)
			g->arms[g->narms++] = r->arm;
		if (!g->nflavours || strcmp(g->flavours[g->nflavours - 1], r->flavour))
			g->flavours[g->nflavours++] = r->flavour;
	}
	qsort(g->arms, g->narms, sizeof(*g->arms), arm_cmp_void);
	return 0;
}

static int fill_cell(struct diag *d, const struct group *g, struct row *row, size_t arm)
{
	struct cell *c = &row->cells[arm];
	struct value *sorted;
	int err = 0;

	c->seeds = calloc(g->nresults, sizeof(*c->seeds));
	c->values = calloc(g->nresults, sizeof(*c->values));
	sorted = calloc(g->nresults, sizeof(*sorted));
	if (!c->seeds || !c->values || !sorted) {
		free(sorted);
		return diag_failed(d, ENOMEM, "report");
	}
	for (size_t i = 0; i < g->nresults && !err; i++) {
		const struct result *r = g->results[i];
		struct value *v = &c->values[c->n];

		if (strcmp(r->flavour, row->flavour) || strcmp(r->arm, g->arms[arm]))
			continue;
		err = metric_lookup(d, r->file, row->metric, r->measurements, v);
		row->leads = row->leads || metric_leads(row->metric, r->measurements);
		c->seeds[c->n++] = r->seed;
		if (v->type != VALUE_NONE)
			sorted[c->have++] = *v;
	}
	if (!err) {
		value_reduce(REDUCE_MIN, sorted, c->have, &c->min);
		value_reduce(REDUCE_MAX, sorted, c->have, &c->max);
		if (c->have == c->n &&
		    value_reduce(row->metric->reduce, sorted, c->have, &c->reduced))
			err = diag_usage(d, -1, "metric %s of %s: the sum over seeds is too great",
					 row->metric->name, g->arms[arm]);
	}
	free(sorted);
	return err;
}

/* One warning, however many there are: a parameter may have left a whole set of them out. */
static void warn_lost(struct diag *d, const struct group *g)
{
	const struct result *r = g->results[0];
	char *text = NULL;
	size_t len, n = 0;
	FILE *out = open_memstream(&text, &len);

	for (size_t k = 0; out && k < g->nrows; k++) {
		if (g->rows[k].leads)
			continue;
		fprintf(out, "%s%s (%s)", n++ ? ", " : "", g->rows[k].metric->name,
			g->rows[k].metric->path);
	}
	if (out && !fclose(out) && n)
		diag_warn(d, "%s (base %s): no result has what %s to: %s", r->experiment, r->base,
			  n == 1 ? "the path of this metric leads" : "the paths of these metrics lead",
			  text);
	free(text);
}

static int fill_rows(struct diag *d, struct group *g)
{
	size_t most = 0;

	for (size_t f = 0; f < g->nflavours; f++)
		most += group_result(g, g->flavours[f], NULL)->nmetrics;
	g->rows = calloc(most + 1, sizeof(*g->rows));
	if (!g->rows)
		return diag_failed(d, ENOMEM, "report");
	for (size_t f = 0; f < g->nflavours; f++) {
		const struct result *r = group_result(g, g->flavours[f], NULL);

		for (size_t m = 0; m < r->nmetrics; m++) {
			const struct metric *metric = &r->metrics[m];
			struct row *row = &g->rows[g->nrows];

			if (metric->flavour && strcmp(metric->flavour, r->flavour))
				continue;
			row->metric = metric;
			row->flavour = g->flavours[f];
			row->cells = calloc(g->narms, sizeof(*row->cells));
			if (!row->cells)
				return diag_failed(d, ENOMEM, "report");
			g->nrows++;
			for (size_t a = 0; a < g->narms; a++) {
				int err = fill_cell(d, g, row, a);

				if (err)
					return err;
			}
		}
	}
	return 0;
}

int groups_build(struct diag *d, struct result **r, size_t *n, struct group **groups,
		 size_t *ngroups)
{
	struct group *list;
	size_t count = 0, start = 0;
	int err;

	qsort(r, *n, sizeof(*r), result_cmp);
	err = drop_doubles(d, r, n);
	if (err)
		return err;
	list = calloc(*n + 1, sizeof(*list));
	if (!list)
		return diag_failed(d, ENOMEM, "report");
	for (size_t i = 1; i <= *n && !err; i++) {
		struct group *g = &list[count];

		if (i < *n && !strcmp(r[start]->experiment, r[i]->experiment) &&
		    !strcmp(r[start]->base, r[i]->base))
			continue;
		g->results = r + start;
		g->nresults = i - start;
		count++;
		start = i;
		err = check_group(d, g->results, g->nresults);
		if (!err)
			err = list_names(d, g);
		if (!err)
			err = fill_rows(d, g);
		if (!err)
			warn_lost(d, g);
	}
	if (err) {
		groups_free(list, count);
		return err;
	}
	*groups = list;
	*ngroups = count;
	return 0;
}

void groups_free(struct group *groups, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct group *g = &groups[i];

		for (size_t k = 0; k < g->nrows; k++) {
			for (size_t a = 0; a < g->narms; a++) {
				free(g->rows[k].cells[a].seeds);
				free(g->rows[k].cells[a].values);
			}
			free(g->rows[k].cells);
		}
		free(g->rows);
		free(g->arms);
		free(g->flavours);
	}
	free(groups);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report as JSON, schema qbed-report-1. Nothing is rounded here.
 */
#include <string.h>

#include <jansson.h>

#include "pure/doc.h"
#include "report/expect.h"
#include "report/group.h"
#include "report/report.h"
#include "report/result.h"

static void put_json(struct doc *doc, const char *key, const json_t *j)
{
	const char *name;
	json_t *value;

	switch (json_typeof(j)) {
	case JSON_OBJECT:
		doc_open_object(doc, key);
		json_object_foreach((json_t *)j, name, value)
			put_json(doc, name, value);
		doc_close_object(doc);
		break;
	case JSON_ARRAY:
		doc_open_array(doc, key);
		for (size_t i = 0; i < json_array_size(j); i++)
			put_json(doc, "", json_array_get(j, i)); /* no key in an array */
		doc_close_array(doc);
		break;
	case JSON_STRING:
		doc_str(doc, key, NULL, json_string_value(j));
		break;
	case JSON_INTEGER:
		doc_i64(doc, key, NULL, json_integer_value(j));
		break;
	case JSON_REAL:
		doc_real(doc, key, NULL, json_real_value(j));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		doc_bool(doc, key, NULL, json_is_true(j));
		break;
	case JSON_NULL:
		doc_null(doc, key);
		break;
	}
}

static void put_value(struct doc *doc, const char *key, const struct value *v)
{
	if (v->type == VALUE_INT)
		doc_i64(doc, key, NULL, v->i);
	else if (v->type == VALUE_REAL)
		doc_real(doc, key, NULL, v->r);
	else
		doc_null(doc, key);
}

static void put_cell(struct doc *doc, const char *arm, const struct cell *c)
{
	doc_open_object(doc, arm);
	put_value(doc, "value", &c->reduced);
	put_value(doc, "min", &c->min);
	put_value(doc, "max", &c->max);
	doc_open_array(doc, "seeds");
	for (size_t i = 0; i < c->n; i++) {
		doc_open_object(doc, NULL);
		doc_i64(doc, "seed", NULL, c->seeds[i]);
		put_value(doc, "value", &c->values[i]);
		doc_close_object(doc);
	}
	doc_close_array(doc);
	doc_close_object(doc);
}

static void put_metric(struct doc *doc, const struct group *g, const struct row *row)
{
	const struct metric *m = row->metric;

	doc_open_object(doc, NULL);
	doc_str(doc, "name", NULL, m->name);
	doc_str(doc, "title", NULL, m->title);
	doc_str(doc, "flavour", NULL, row->flavour);
	doc_str(doc, "unit", NULL, m->unit);
	doc_str(doc, "better", NULL, better_name(m->better));
	doc_str(doc, "reduce", NULL, reduce_name(m->reduce));
	doc_bool(doc, "cost", NULL, m->cost);
	doc_bool(doc, "zero_only", NULL, m->zero);
	doc_bool(doc, "detail", NULL, m->detail);
	doc_open_object(doc, "arms");
	for (size_t a = 0; a < g->narms; a++)
		put_cell(doc, g->arms[a], &row->cells[a]);
	doc_close_object(doc);
	doc_close_object(doc);
}

/* The boots of one arm and flavour share one environment; their commands differ in the seed. */
static void put_arm(struct doc *doc, const struct group *g, const char *flavour, const char *arm)
{
	const struct result *r = group_result(g, flavour, arm);

	if (!r)
		return;
	doc_open_object(doc, arm);
	put_json(doc, "environment", r->environment);
	if (r->patches)
		put_json(doc, "patches", r->patches);
	else
		doc_null(doc, "patches");
	doc_open_array(doc, "boots");
	for (size_t i = 0; i < g->nresults; i++) {
		const struct result *boot = g->results[i];

		if (strcmp(boot->flavour, flavour) || strcmp(boot->arm, arm))
			continue;
		doc_open_object(doc, NULL);
		doc_i64(doc, "seed", NULL, boot->seed);
		doc_str(doc, "command", NULL, boot->command);
		doc_close_object(doc);
	}
	doc_close_array(doc);
	doc_close_object(doc);
}

static void put_group(struct doc *doc, const struct group *g)
{
	doc_open_object(doc, NULL);
	doc_str(doc, "experiment", NULL, g->results[0]->experiment);
	doc_str(doc, "title", NULL, g->results[0]->title);
	doc_str(doc, "base", NULL, g->results[0]->base);
	doc_open_object(doc, "flavours");
	for (size_t f = 0; f < g->nflavours; f++) {
		doc_open_object(doc, g->flavours[f]);
		put_json(doc, "parameters", group_result(g, g->flavours[f], NULL)->parameters);
		doc_open_object(doc, "arms");
		for (size_t a = 0; a < g->narms; a++)
			put_arm(doc, g, g->flavours[f], g->arms[a]);
		doc_close_object(doc);
		doc_close_object(doc);
	}
	doc_close_object(doc);
	doc_open_array(doc, "metrics");
	for (size_t k = 0; k < g->nrows; k++)
		put_metric(doc, g, &g->rows[k]);
	doc_close_array(doc);
	doc_close_object(doc);
}

void report_json(struct doc *doc, const struct report *report)
{
	doc_str(doc, "schema", NULL, "qbed-report-1");
	doc_open_array(doc, "experiments");
	for (size_t i = 0; i < report->ngroups; i++)
		put_group(doc, &report->groups[i]);
	doc_close_array(doc);
	doc_open_array(doc, "expect");
	for (size_t i = 0; i < report->nexpects; i++) {
		doc_open_object(doc, NULL);
		doc_str(doc, "text", NULL, report->expects[i].text);
		doc_str(doc, "verdict", NULL, verdict_name(report->outcomes[i].verdict));
		doc_str(doc, "found", NULL, report->outcomes[i].text);
		doc_close_object(doc);
	}
	doc_close_array(doc);
}

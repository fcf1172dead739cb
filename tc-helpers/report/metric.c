// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures of an experiment: how they are defined, found and reduced.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "pure/diag.h"
#include "report/metric.h"

static const char *const reduce_names[] = {
	[REDUCE_MEDIAN] = "median",
	[REDUCE_MAX] = "max",
	[REDUCE_MIN] = "min",
	[REDUCE_SUM] = "sum",
};

static const char *const better_names[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NONE] = "none",
};

const char *reduce_name(enum reduce reduce)
{
	return reduce_names[reduce];
}

const char *better_name(enum better better)
{
	return better_names[better];
}

/* Index of the name that is @word up to its end or a comma, -1 for none. */
static int name_index(const char *const *names, int n, const char *word)
{
	size_t len = strcspn(word, ",");

	for (int i = 0; i < n; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], word, len))
			return i;
	return -1;
}

static bool name_ok(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_-", *name))
			return false;
	return true;
}

/* "lower", "lower,cost", "lower,zero,cost" */
static bool better_read(struct metric *m, const char *word)
{
	const struct {
		const char *name;
		bool *to;
	} flags[] = { { "cost", &m->cost }, { "zero", &m->zero }, { "detail", &m->detail } };
	int which = name_index(better_names, 3, word);

	if (which < 0)
		return false;
	m->better = which;
	for (word = strchr(word, ','); word; word = strchr(word, ',')) {
		size_t len, i = 0;

		word++;
		len = strcspn(word, ",");
		while (i < 3 && (strlen(flags[i].name) != len || strncmp(word, flags[i].name, len)))
			i++;
		if (i == 3)
			return false;
		*flags[i].to = true;
	}
	return true;
}

static int metric_read(struct diag *d, const char *file, const json_t *j, size_t at,
		       struct metric *m)
{
	static const char *const members[] = { "name", "path", "reduce", "unit", "better" };
	const char *text[5];
	const json_t *flavour = json_object_get(j, "flavour");
	const json_t *title = json_object_get(j, "title");
	int reduce;

	if (!json_is_object(j))
		return diag_usage(d, -1, "%s: metrics[%zu]: not an object", file, at);
	for (int i = 0; i < 5; i++) {
		text[i] = json_string_value(json_object_get(j, members[i]));
		if (!text[i])
			return diag_usage(d, -1, "%s: metrics[%zu].%s: no such string",
					  file, at, members[i]);
	}
	if (!name_ok(text[0]))
		return diag_usage(d, -1, "%s: metrics[%zu].name: '%s': letters, digits, _ and - only",
				  file, at, text[0]);
	if (!*text[1])
		return diag_usage(d, -1, "%s: metrics[%zu].path: empty", file, at);
	reduce = name_index(reduce_names, 4, text[2]);
	if (reduce < 0 || strchr(text[2], ','))
		return diag_usage(d, -1, "%s: metrics[%zu].reduce: '%s': not median, max, min or sum",
				  file, at, text[2]);
	if (!better_read(m, text[4]))
		return diag_usage(d, -1,
				  "%s: metrics[%zu].better: '%s': not lower, higher or none (with ,cost ,zero or ,detail)",
				  file, at, text[4]);
	if ((flavour && !json_is_string(flavour) && !json_is_null(flavour)) ||
	    (title && !json_is_string(title) && !json_is_null(title)))
		return diag_usage(d, -1, "%s: metrics[%zu]: flavour and title are strings or null",
				  file, at);
	m->name = text[0];
	m->path = text[1];
	m->reduce = reduce;
	m->unit = text[3];
	m->flavour = json_string_value(flavour);
	if (m->flavour && !*m->flavour)
		m->flavour = NULL;
	m->title = json_string_value(title);
	if (!m->title || !*m->title)
		m->title = m->name;
	/* What virtual-clock runs say about contentions is zero or not zero. */
	if (!strcmp(m->unit, "contentions"))
		m->zero = true;
	return 0;
}

int metrics_read(struct diag *d, const char *file, const json_t *array,
		 struct metric **metrics, size_t *n)
{
	struct metric *list;
	size_t count = json_array_size(array);

	if (!json_is_array(array))
		return diag_usage(d, -1, "%s: metrics: no such array", file);
	list = calloc(count + 1, sizeof(*list));
	if (!list)
		return diag_failed(d, ENOMEM, "%s", file);
	for (size_t i = 0; i < count; i++) {
		int err = metric_read(d, file, json_array_get(array, i), i, &list[i]);

		for (size_t k = 0; !err && k < i; k++)
			if (!strcmp(list[k].name, list[i].name) &&
			    (!list[k].flavour || !list[i].flavour ||
			     !strcmp(list[k].flavour, list[i].flavour)))
				err = diag_usage(d, -1, "%s: metrics[%zu].name: '%s' is there twice",
						 file, i, list[i].name);
		if (err) {
			free(list);
			return err;
		}
	}
	*metrics = list;
	*n = count;
	return 0;
}

/* One step down; NULL when there is nothing, @bad when @j cannot have children so named. */
static const json_t *step(const json_t *j, const char *key, size_t len, bool *bad)
{
	size_t index = 0;
	char name[256];

	if (json_is_object(j)) {
		if (len >= sizeof(name))
			return NULL;
		memcpy(name, key, len);
		name[len] = '\0';
		return json_object_get(j, name);
	}
	if (!json_is_array(j) || !len || len > 9) {
		*bad = true;
		return NULL;
	}
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)key[i])) {
			*bad = true;
			return NULL;
		}
		index = index * 10 + (size_t)(key[i] - '0');
	}
	return json_array_get(j, index);
}

/* Where the path leads; NULL for nowhere. Stops at a null. @bad: the key that cannot be followed, or NULL. */
static const json_t *follow(const struct metric *m, const json_t *j, const char **bad)
{
	const char *key = m->path;

	*bad = NULL;
	for (;;) {
		size_t len = strcspn(key, ".");
		bool wrong = false;

		j = step(j, key, len, &wrong);
		if (wrong)
			*bad = key;
		if (!j || json_is_null(j) || !key[len])
			return j;
		key += len + 1;
	}
}

bool metric_leads(const struct metric *m, const json_t *measurements)
{
	const char *bad;

	return follow(m, measurements, &bad);
}

int metric_lookup(struct diag *d, const char *file, const struct metric *m,
		  const json_t *j, struct value *v)
{
	const char *bad;

	*v = (struct value){ .type = VALUE_NONE };
	j = follow(m, j, &bad);
	if (bad)
		return diag_usage(d, -1, "%s: measurements: metric %s: path '%s' cannot be followed at '%.*s'",
				  file, m->name, m->path, (int)strcspn(bad, "."), bad);
	if (!j || json_is_null(j))
		return 0;
	if (json_is_integer(j)) {
		v->type = VALUE_INT;
		v->i = json_integer_value(j);
	} else if (json_is_real(j) && isfinite(json_real_value(j))) {
		v->type = VALUE_REAL;
		v->r = json_real_value(j);
	} else {
		return diag_usage(d, -1, "%s: measurements: metric %s: path '%s' does not lead to a number",
				  file, m->name, m->path);
	}
	return 0;
}

/* Exact: the mantissa of long double takes any int64_t on the machines that qbed knows. */
static long double value_long(const struct value *v)
{
	return v->type == VALUE_INT ? (long double)v->i : (long double)v->r;
}

int value_cmp(const struct value *a, const struct value *b)
{
	long double x = value_long(a), y = value_long(b);

	return (x > y) - (x < y);
}

bool value_is_zero(const struct value *v)
{
	return v->type == VALUE_INT ? v->i == 0 : v->type == VALUE_REAL && v->r == 0.0;
}

static int cmp_void(const void *a, const void *b)
{
	return value_cmp(a, b);
}

static int value_sum(const struct value *v, size_t n, struct value *out)
{
	struct value sum = { .type = VALUE_INT };

	for (size_t i = 0; i < n; i++) {
		if (v[i].type == VALUE_INT && sum.type == VALUE_INT) {
			if (__builtin_add_overflow(sum.i, v[i].i, &sum.i))
				return -EOVERFLOW;
			continue;
		}
		sum.r = (double)(value_long(&sum) + value_long(&v[i]));
		sum.type = VALUE_REAL;
		if (!isfinite(sum.r))
			return -EOVERFLOW;
	}
	*out = sum;
	return 0;
}

int value_reduce(enum reduce reduce, struct value *v, size_t n, struct value *out)
{
	*out = (struct value){ .type = VALUE_NONE };
	if (!n)
		return 0;
	qsort(v, n, sizeof(*v), cmp_void);
	switch (reduce) {
	case REDUCE_MEDIAN:
		*out = v[(n - 1) / 2];
		break;
	case REDUCE_MAX:
		*out = v[n - 1];
		break;
	case REDUCE_MIN:
		*out = v[0];
		break;
	case REDUCE_SUM:
		return value_sum(v, n, out);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Result documents: from bytes to a struct, with a clear word on what is wrong.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "pure/diag.h"
#include "report/result.h"

#define DEPTH_MAX 8	/* of parameters and environment, which reports show whole */
#define SHIFT_MAX 10	/* QEMU's own limit of -icount shift */

const char *result_env(const struct result *r, const char *key)
{
	const char *text = json_string_value(json_object_get(r->environment, key));

	return text && *text ? text : NULL;
}

int64_t result_env_int(const struct result *r, const char *key)
{
	const json_t *j = json_object_get(r->environment, key);

	return json_is_integer(j) ? json_integer_value(j) : -1;
}

/* Names go into expressions and file names; a dot is an expression's separator. */
static bool name_ok(const char *name, bool dots)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_-", *name) &&
		    !(dots && strchr(".+", *name)))
			return false;
	return true;
}

static int read_names(struct diag *d, struct result *r)
{
	const struct {
		const char *key;
		const char **to;
		bool name, dots;
	} members[] = {
		{ "experiment", &r->experiment, true, false },
		{ "base", &r->base, true, true },
		{ "arm", &r->arm, true, true },
		{ "flavour", &r->flavour, true, true },
		{ "title", &r->title },
		{ "command", &r->command },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const json_t *j = json_object_get(r->root, members[i].key);

		if (!json_is_string(j))
			return diag_usage(d, -1, "%s: %s: no such string", r->file, members[i].key);
		*members[i].to = json_string_value(j);
		if (members[i].name && !name_ok(*members[i].to, members[i].dots))
			return diag_usage(d, -1, "%s: %s: '%s' is no name", r->file,
					  members[i].key, *members[i].to);
	}
	return 0;
}

static bool is_deep(const json_t *j, int depth)
{
	const char *key;
	json_t *value;

	if (depth > DEPTH_MAX)
		return true;
	json_object_foreach((json_t *)j, key, value)
		if (is_deep(value, depth + 1))
			return true;
	for (size_t i = 0; i < json_array_size(j); i++)
		if (is_deep(json_array_get(j, i), depth + 1))
			return true;
	return false;
}

static int read_objects(struct diag *d, struct result *r)
{
	const struct {
		const char *key;
		const json_t **to;
	} members[] = {
		{ "environment", &r->environment },
		{ "parameters", &r->parameters },
		{ "measurements", &r->measurements },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		*members[i].to = json_object_get(r->root, members[i].key);
		if (!json_is_object(*members[i].to))
			return diag_usage(d, -1, "%s: %s: no such object", r->file, members[i].key);
		if (members[i].to != &r->measurements && is_deep(*members[i].to, 1))
			return diag_usage(d, -1, "%s: %s: too deep", r->file, members[i].key);
	}
	return 0;
}

static int check_environment(struct diag *d, const struct result *r)
{
	static const struct {
		const char *key;
		int64_t min;
		int64_t max;
	} numbers[] = { { "hz", 0, 100000 }, { "cpus", 1, 65536 }, { "shift", 0, SHIFT_MAX } };
	static const char *const texts[] = {
		"kernel_release", "kernel_sha256", "config_sha256", "initramfs_sha256",
		"source_tree", "compiler", "qemu", "machine", "cpu_model", "clock",
	};
	const char *clock;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const json_t *j = json_object_get(r->environment, numbers[i].key);
		int64_t v = json_integer_value(j);

		if (j && !json_is_null(j) &&
		    (!json_is_integer(j) || v < numbers[i].min || v > numbers[i].max))
			return diag_usage(d, -1, "%s: environment.%s: not a whole number from %lld to %lld",
					  r->file, numbers[i].key, (long long)numbers[i].min,
					  (long long)numbers[i].max);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const json_t *j = json_object_get(r->environment, texts[i]);

		if (j && !json_is_null(j) && !json_is_string(j))
			return diag_usage(d, -1, "%s: environment.%s: not a string", r->file, texts[i]);
	}
	if (!result_env(r, "kernel_release"))
		return diag_usage(d, -1, "%s: environment.kernel_release: no such string", r->file);
	clock = result_env(r, "clock");
	if (!clock || (strcmp(clock, "virtual") && strcmp(clock, "host") && strcmp(clock, "native")))
		return diag_usage(d, -1, "%s: environment.clock: not virtual, host or native", r->file);
	if (!strcmp(clock, "virtual") && result_env_int(r, "shift") < 0)
		return diag_usage(d, -1, "%s: environment.shift: a virtual clock has one", r->file);
	return 0;
}

/* Older results have none, nor have kernels that nobody can tell it of. */
static int read_patches(struct diag *d, struct result *r)
{
	const json_t *j = json_object_get(r->root, "patches");

	if (!j || json_is_null(j))
		return 0;
	if (!json_is_array(j))
		return diag_usage(d, -1, "%s: patches: not an array of strings", r->file);
	for (size_t i = 0; i < json_array_size(j); i++)
		if (!json_is_string(json_array_get(j, i)))
			return diag_usage(d, -1, "%s: patches[%zu]: not a string", r->file, i);
	r->patches = j;
	return 0;
}

static int read_document(struct diag *d, struct result *r)
{
	const char *schema = json_string_value(json_object_get(r->root, "schema"));
	const json_t *seed = json_object_get(r->root, "seed");
	int err;

	if (!schema)
		return diag_usage(d, -1, "%s: schema: no such string: not a result of qbed", r->file);
	if (strcmp(schema, RESULT_SCHEMA)) {
		diag_usage(d, -1, "%s: schema: '%s' where '%s' is needed", r->file, schema,
			   RESULT_SCHEMA);
		return strncmp(schema, "qbed-", 5) ? -EINVAL : -ENOMSG;
	}
	err = read_names(d, r);
	if (!err)
		err = read_objects(d, r);
	if (err)
		return err;
	if (!json_is_integer(seed) || json_integer_value(seed) < 0)
		return diag_usage(d, -1, "%s: seed: not a whole number from 0 on", r->file);
	r->seed = json_integer_value(seed);
	err = read_patches(d, r);
	if (!err)
		err = check_environment(d, r);
	if (err)
		return err;
	return metrics_read(d, r->file, json_object_get(r->root, "metrics"), &r->metrics,
			    &r->nmetrics);
}

static bool is_blank(const char *text, size_t len)
{
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return !len;
}

int result_parse(struct diag *d, const char *file, const char *text, size_t len,
		 struct result **result)
{
	struct result *r = calloc(1, sizeof(*r));
	json_error_t error;
	int err;

	if (r)
		r->file = strdup(file);
	if (!r || !r->file) {
		free(r);
		return diag_failed(d, ENOMEM, "%s", file);
	}
	if (is_blank(text, len)) {
		err = diag_usage(d, -1, "%s: empty", file);
		goto fail;
	}
	r->root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!r->root) {
		err = diag_usage(d, -1, "%s:%d:%d: not JSON: %s", file, error.line, error.column,
				 error.text);
		goto fail;
	}
	if (!json_is_object(r->root)) {
		err = diag_usage(d, -1, "%s: not an object: not a result of qbed", file);
		goto fail;
	}
	err = read_document(d, r);
	if (!err) {
		*result = r;
		return 0;
	}
fail:
	result_free(r);
	return err;
}

void result_free(struct result *r)
{
	if (!r)
		return;
	json_decref(r->root);
	free(r->metrics);
	free(r->file);
	free(r);
}

/* A value in a few words, for a message. */
static void value_text(const json_t *j, char *buf, size_t len)
{
	char *text = j ? json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;

	if (!j)
		snprintf(buf, len, "nothing");
	else if (text && strlen(text) <= 60)
		snprintf(buf, len, "%s", text);
	else
		snprintf(buf, len, "%.56s...", text ? text : "?");
	free(text);
}

bool json_difference(const json_t *a, const json_t *b, const char *prefix, char *buf, size_t len)
{
	char path[512], x[64], y[64];

	if (a && b && json_equal(a, b))
		return false;
	if (json_is_object(a) && json_is_object(b)) {
		const char *key;
		json_t *value;

		json_object_foreach((json_t *)a, key, value) {
			snprintf(path, sizeof(path), "%s.%s", prefix, key);
			if (json_difference(value, json_object_get(b, key), path, buf, len))
				return true;
		}
		json_object_foreach((json_t *)b, key, value) {
			snprintf(path, sizeof(path), "%s.%s", prefix, key);
			if (!json_object_get(a, key))
				return json_difference(NULL, value, path, buf, len);
		}
	}
	if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b))
		for (size_t i = 0; i < json_array_size(a); i++) {
			snprintf(path, sizeof(path), "%s.%zu", prefix, i);
			if (json_difference(json_array_get(a, i), json_array_get(b, i), path, buf, len))
				return true;
		}
	value_text(a, x, sizeof(x));
	value_text(b, y, sizeof(y));
	snprintf(buf, len, "%s: %s against %s", prefix, x, y);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a report says besides figures: on what they were taken, with what
 * workload, and how to take them again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "report/group.h"
#include "report/report.h"
#include "report/result.h"
#include "report/table.h"
#include "pure/units.h"

#define HASH_SHOWN 12
#define FLAVOUR_SHOWN 16

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_image(const struct result *a, const struct result *b)
{
	return a && b && same(result_env(a, "kernel_sha256"), result_env(b, "kernel_sha256")) &&
	       same(result_env(a, "kernel_release"), result_env(b, "kernel_release"));
}

/* One line for each distinct kernel image, with the arms that ran it. */
static void item_kernel(FILE *out, const struct group *g, const char *flavour)
{
	const char *newline = "";

	for (size_t a = 0; a < g->narms; a++) {
		const struct result *r = group_result(g, flavour, g->arms[a]);
		const char *hash, *sep = ": ";
		bool seen = !r;

		for (size_t k = 0; k < a; k++)
			seen = seen || same_image(group_result(g, flavour, g->arms[k]), r);
		if (seen)
			continue;
		hash = result_env(r, "kernel_sha256");
		fprintf(out, "%sLinux %s", newline, result_env(r, "kernel_release"));
		if (hash)
			fprintf(out, ", image %.*s", HASH_SHOWN, hash);
		for (size_t k = a; k < g->narms; k++)
			if (same_image(group_result(g, flavour, g->arms[k]), r)) {
				fprintf(out, "%s%s", sep, g->arms[k]);
				sep = ", ";
			}
		newline = "\n";
	}
}

static const struct result *arm_result(const struct group *g, size_t arm)
{
	for (size_t i = 0; i < g->nresults; i++)
		if (!strcmp(g->results[i]->arm, g->arms[arm]))
			return g->results[i];
	return NULL;
}

static bool same_patches(const struct result *a, const struct result *b)
{
	return a->patches && b->patches && json_equal(a->patches, b->patches);
}

/*
 * "ARM, ARM:" and what they have on top of the base, a line for each patch. A flavour may have
 * fewer arms, but none has other patches.
 */
static void item_patches(FILE *out, const struct group *g, const char *flavour)
{
	const char *newline = "";

	for (size_t a = 0; a < g->narms; a++) {
		const struct result *r = arm_result(g, a);
		const char *sep = "";
		bool seen = !r->patches;

		for (size_t k = 0; k < a; k++)
			seen = seen || same_patches(arm_result(g, k), r);
		if (seen)
			continue;
		fputs(newline, out);
		for (size_t k = a; k < g->narms; k++)
			if (same_patches(arm_result(g, k), r)) {
				fprintf(out, "%s%s", sep, g->arms[k]);
				sep = ", ";
			}
		fputs(json_array_size(r->patches) ? ":" : ": none, the base as it is", out);
		for (size_t i = 0; i < json_array_size(r->patches); i++)
			fprintf(out, "\n- %s", json_string_value(json_array_get(r->patches, i)));
		newline = "\n";
	}
}

static void item_config(FILE *out, const struct group *g, const char *flavour)
{
	const struct result *first = group_result(g, flavour, NULL);
	const char *hash = result_env(first, "config_sha256");
	bool differ = false;

	for (size_t a = 0; a < g->narms; a++) {
		const struct result *r = group_result(g, flavour, g->arms[a]);

		differ = differ || (r && !same(hash, result_env(r, "config_sha256")));
	}
	if (!differ) {
		fprintf(out, "%.*s", HASH_SHOWN, hash ? hash : "not known");
	} else {
		const char *sep = "";

		for (size_t a = 0; a < g->narms; a++) {
			const struct result *r = group_result(g, flavour, g->arms[a]);

			if (!r)
				continue;
			hash = result_env(r, "config_sha256");
			fprintf(out, "%s%s %.*s", sep, g->arms[a], HASH_SHOWN, hash ? hash : "not known");
			sep = ", ";
		}
	}
	if (result_env_int(first, "hz") > 0)
		fprintf(out, ", HZ=%" PRId64, result_env_int(first, "hz"));
}

static void item_compiler(FILE *out, const struct group *g, const char *flavour)
{
	const char *text = result_env(group_result(g, flavour, NULL), "compiler");

	fputs(text ? text : "not known", out);
}

static void item_machine(FILE *out, const struct group *g, const char *flavour)
{
	static const char *const keys[] = { "qemu", "machine", "cpu_model" };
	const struct result *r = group_result(g, flavour, NULL);
	int64_t cpus = result_env_int(r, "cpus");
	const char *sep = "";

	if (cpus >= 0) {
		fprintf(out, "%" PRId64 " CPU%s", cpus, cpus == 1 ? "" : "s");
		sep = "; ";
	}
	for (int i = 0; i < 3; i++) {
		const char *text = result_env(r, keys[i]);

		if (!text)
			continue;
		fprintf(out, "%s%s%s", sep, i || !strncmp(text, "QEMU", 4) ? "" : "QEMU ", text);
		sep = ", ";
	}
	if (!*sep)
		fputs("not known", out);
}

static void item_clock(FILE *out, const struct group *g, const char *flavour)
{
	const struct result *r = group_result(g, flavour, NULL);
	const char *clock = result_env(r, "clock");
	int64_t shift = result_env_int(r, "shift");

	if (!strcmp(clock, "virtual"))
		fprintf(out, "virtual clock, S=%" PRId64 ": one instruction is %" PRId64 " ns",
			shift, (int64_t)1 << shift);
	else if (!strcmp(clock, "host"))
		fputs("wall clock of the host (figures vary with its load)", out);
	else
		fputs("wall clock, the running kernel (figures vary with its load)", out);
}

/* "1-5,9" of the boots of one arm. */
static void seeds_text(FILE *out, const struct group *g, const char *flavour, const char *arm)
{
	const char *sep = "";
	bool open = false;
	int64_t start = 0, last = 0;

	for (size_t i = 0; i <= g->nresults; i++) {
		const struct result *r = i < g->nresults ? g->results[i] : NULL;

		if (r && (strcmp(r->flavour, flavour) || strcmp(r->arm, arm)))
			continue;
		if (r && open && r->seed == last + 1) {
			last = r->seed;
			continue;
		}
		if (open) {
			fprintf(out, "%s%" PRId64, sep, start);
			if (last > start)
				fprintf(out, "%c%" PRId64, last > start + 1 ? '-' : ',', last);
			sep = ",";
		}
		open = true;
		start = last = r ? r->seed : 0;
	}
}

static char *seeds_of(const struct group *g, const char *flavour, const char *arm)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	seeds_text(out, g, flavour, arm);
	fclose(out);
	return text;
}

static void item_seeds(FILE *out, const struct group *g, const char *flavour)
{
	char *first = NULL;
	bool differ = false;

	for (size_t a = 0; a < g->narms; a++) {
		char *text = seeds_of(g, flavour, g->arms[a]);

		if (text && *text && !first) {
			first = text;
			continue;
		}
		differ = differ || (text && *text && first && strcmp(text, first));
		free(text);
	}
	if (!differ) {
		fputs(first ? first : "?", out);
	} else {
		const char *sep = "";

		for (size_t a = 0; a < g->narms; a++) {
			char *text = seeds_of(g, flavour, g->arms[a]);

			if (text && *text) {
				fprintf(out, "%s%s %s", sep, g->arms[a], text);
				sep = "; ";
			}
			free(text);
		}
	}
	free(first);
}

static void put_parameter(FILE *out, const char *key, const json_t *value)
{
	size_t len = strlen(key);
	bool time = len > 3 && !strcmp(key + len - 3, "_ns") && json_is_integer(value);
	char text[32];

	if (json_is_object(value)) {
		const char *inner, *sep = "";
		json_t *j;

		json_object_foreach((json_t *)value, inner, j) {
			char name[256];

			snprintf(name, sizeof(name), "%s %s", key, inner);
			fputs(sep, out);
			put_parameter(out, name, j);
			sep = ", ";
		}
		return;
	}
	for (const char *c = key; c < key + len - (time ? 3 : 0); c++)
		fputc(*c == '_' ? ' ' : *c, out);
	if (json_is_array(value)) {
		for (size_t i = 0; i < json_array_size(value); i++)
			put_parameter(out, "", json_array_get(value, i));
	} else if (time) {
		fprintf(out, " %s", time_format(text, sizeof(text), json_integer_value(value)));
	} else if (json_is_string(value)) {
		fprintf(out, " %s", json_string_value(value));
	} else {
		char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

		fprintf(out, " %s", dump ? dump : "?");
		free(dump);
	}
}

static void item_workload(FILE *out, const struct group *g, const char *flavour)
{
	const struct result *r = group_result(g, flavour, NULL);
	const char *key, *sep = "";
	json_t *value;

	json_object_foreach((json_t *)r->parameters, key, value) {
		fputs(sep, out);
		put_parameter(out, key, value);
		sep = ", ";
	}
	if (!*sep)
		fputs("as the experiment has it", out);
}

static const struct item {
	const char *name;
	void (*put)(FILE *out, const struct group *g, const char *flavour);
} items[] = {
	{ "kernel", item_kernel },
	{ "patches", item_patches },
	{ "config", item_config },
	{ "compiler", item_compiler },
	{ "machine", item_machine },
	{ "clock", item_clock },
	{ "seeds", item_seeds },
	{ "workload", item_workload },
};

static char *item_text(const struct item *item, const struct group *g, const char *flavour)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	item->put(out, g, flavour);
	return fclose(out) ? NULL : text;
}

/*
 * "    name      text", its lines wrapped; where flavours differ, the flavour
 * in a column of @room before the text.
 */
static void put_item(FILE *out, const char *name, const char *flavour, int room, char *text)
{
	char first[128], next[128];

	snprintf(first, sizeof(first), "%*s%-10s%-*.*s", REPORT_INDENT, "", name, room, room,
		 flavour ? flavour : "");
	snprintf(next, sizeof(next), "%*s", REPORT_INDENT + 10 + room, "");
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char deeper[sizeof(next) + 2];

		/* the second line of an item of a list */
		snprintf(deeper, sizeof(deeper), "%s%s", next, strncmp(line, "- ", 2) ? "" : "  ");
		text_wrap(out, first, deeper, line, REPORT_WIDTH, "");
		memcpy(first, next, sizeof(first));
	}
}

void report_environment(FILE *out, const struct group *g)
{
	size_t room = 0;

	for (size_t f = 0; f < g->nflavours; f++)
		room = strlen(g->flavours[f]) > room ? strlen(g->flavours[f]) : room;
	room = room > FLAVOUR_SHOWN ? FLAVOUR_SHOWN : room;
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		char *first = item_text(&items[i], g, g->flavours[0]);
		bool differ = false;

		for (size_t f = 1; f < g->nflavours; f++) {
			char *text = item_text(&items[i], g, g->flavours[f]);

			differ = differ || !same(first, text);
			free(text);
		}
		for (size_t f = 0; f < g->nflavours && (differ || !f); f++) {
			char *text = item_text(&items[i], g, g->flavours[f]);

			if (text)
				put_item(out, f ? "" : items[i].name, differ ? g->flavours[f] : NULL,
					 differ ? (int)room + 2 : 0, text);
			free(text);
		}
		free(first);
	}
}

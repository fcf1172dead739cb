// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "opt.h"
#include "pure/diag.h"
#include "pure/names.h"
#include "pure/units.h"

/* "-5ms" and "-" are words, not options. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]) && word[1] != '.';
}

/* "-x"; "-xx" says a counted one twice. */
static bool is_letter(const struct opt *o, const char *word)
{
	const char letters[] = { o->letter, '\0' };
	size_t n = strlen(word + 1);

	return o->letter && strspn(word + 1, letters) == n && (n == 1 || o->type == OPT_COUNT);
}

/* The row that @word ("--name", "--name=value" or "-x") asks for, and the table it stands in. */
static const struct opt *opt_find(const struct opt_table *tables, size_t ntables,
				  const char *word, void **cfg)
{
	size_t len = strcspn(word, "=");

	for (size_t t = 0; t < ntables; t++) {
		for (const struct opt *o = tables[t].opts; o && o->name; o++) {
			bool found;

			if (word[1] == '-')
				found = strlen(o->name) == len - 2 &&
					!strncmp(o->name, word + 2, len - 2);
			else
				found = is_letter(o, word);
			if (found) {
				*cfg = tables[t].cfg;
				return o;
			}
		}
	}
	return NULL;
}

static int check_bounds(struct diag *d, const char *word, int i, const struct opt *o, uint64_t v)
{
	uint64_t min = o->min;

	if (o->type == OPT_TIME && !min)
		min = 1;
	if (v < min || (o->max && v > o->max)) {
		char low[32], high[32];

		if (o->type == OPT_TIME || o->type == OPT_TIME0) {
			time_format(low, sizeof(low), (int64_t)min);
			time_format(high, sizeof(high), (int64_t)o->max);
		} else {
			snprintf(low, sizeof(low), "%" PRIu64, min);
			snprintf(high, sizeof(high), "%" PRIu64, o->max);
		}
		if (v < min)
			return diag_usage(d, i, "\"%s\": less than %s", word, low);
		return diag_usage(d, i, "\"%s\": more than %s", word, high);
	}
	return 0;
}

/* Reads @words[@i] into the option's field. */
static int opt_value(struct diag *d, const struct opt *o, char **words, int i, void *field)
{
	uint64_t u = 0;
	int64_t t = 0;
	int err;

	switch (o->type) {
	case OPT_FLAG:
	case OPT_COUNT:
		break;
	case OPT_STR:
		*(const char **)field = words[i];
		return 0;
	case OPT_U64:
		return u64_parse(d, words, i, o->min, o->max ? o->max : UINT64_MAX, field);
	case OPT_TIME:
	case OPT_TIME0:
		err = time_parse(d, words, i, &t);
		if (!err)
			err = check_bounds(d, words[i], i, o, (uint64_t)t);
		if (!err)
			*(int64_t *)field = t;
		return err;
	case OPT_SIZE:
		err = size_parse(d, words, i, &u);
		if (!err)
			err = check_bounds(d, words[i], i, o, u);
		if (!err)
			*(uint64_t *)field = u;
		return err;
	case OPT_CPUS:
		return cpus_parse(d, words, i, field);
	case OPT_END:
		return link_end_parse(d, words, i, field);
	case OPT_FN:
		return o->parse(d, words, i, field);
	}
	return diag_usage(d, i, "takes no value");
}

/* Reads one option at @argv[@i]; returns the number of words it took. */
static int opt_one(struct diag *d, const struct opt_table *tables, size_t ntables,
		   int argc, char **argv, int i)
{
	char *equals = argv[i][1] == '-' ? strchr(argv[i], '=') : NULL;
	const struct opt *o;
	char *base = NULL;
	void *cfg;
	int used = 1;
	int err;

	if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
		return OPT_HELP;
	o = opt_find(tables, ntables, argv[i], &cfg);
	if (!o)
		return diag_usage(d, i, "unknown option \"%s\"", argv[i]);
	base = (char *)cfg;
	if (o->type == OPT_FLAG || o->type == OPT_COUNT) {
		if (equals)
			return diag_usage(d, i, "option --%s takes no value: \"%s\"", o->name, argv[i]);
		if (o->type == OPT_FLAG)
			*(bool *)(base + o->offset) = true;
		else
			*(int *)(base + o->offset) += argv[i][1] == '-' ? 1 : (int)strlen(argv[i] + 1);
	} else if (equals) {
		char *value = equals + 1;

		err = opt_value(d, o, &value, 0, base + o->offset);
		if (err)
			return diag_context(d, i, "option --%s", o->name);
	} else {
		if (i + 1 >= argc)
			return diag_usage(d, i, "option \"%s\" needs a value: %s", argv[i],
					  o->arg ? o->arg : "VALUE");
		err = opt_value(d, o, argv, i + 1, base + o->offset);
		if (err)
			return diag_context(d, 0, "option --%s", o->name);
		used = 2;
	}
	if (o->set)
		*(bool *)(base + o->set - 1) = true;
	return used;
}

int opt_parse_tables(struct diag *d, const struct opt_table *tables, size_t ntables,
		     int argc, char **argv)
{
	int i = 0;

	while (i < argc && is_option(argv[i])) {
		int used;

		if (!strcmp(argv[i], "--"))
			return i + 1;
		used = opt_one(d, tables, ntables, argc, argv, i);
		if (used < 0)
			return used;
		i += used;
	}
	return i;
}

int opt_parse(struct diag *d, const struct opt *opts, int argc, char **argv, void *cfg)
{
	struct opt_table table = { opts, cfg };

	return opt_parse_tables(d, &table, 1, argc, argv);
}

int opt_permute(struct diag *d, const struct opt_table *tables, size_t ntables,
		int argc, char **argv, char **words)
{
	int nwords = 0;

	for (int i = 0; i < argc;) {
		int used;

		if (!strcmp(argv[i], "--")) {
			for (i++; i < argc; i++)
				words[nwords++] = argv[i];
		} else if (is_option(argv[i])) {
			used = opt_one(d, tables, ntables, argc, argv, i);
			if (used < 0)
				return used;
			i += used;
		} else {
			words[nwords++] = argv[i++];
		}
	}
	words[nwords] = NULL;
	return nwords;
}

static int opt_left(char *buf, size_t len, const struct opt *o)
{
	const char *arg = o->arg ? o->arg : "VALUE";
	bool valued = o->type != OPT_FLAG && o->type != OPT_COUNT;
	char letter[] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c,", o->letter);
	return snprintf(buf, len, "  %-4s--%s%s%s", letter, o->name, valued ? " " : "",
			valued ? arg : "");
}

size_t opt_describe(const struct opt *opts, int (*line)(void *arg, const char *left,
							 const char *help), void *arg)
{
	size_t n = 0;

	for (; opts && opts->name; opts++, n++) {
		char left[96];

		opt_left(left, sizeof(left), opts);
		line(arg, left, opts->help ? opts->help : "");
	}
	return n;
}

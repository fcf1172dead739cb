/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_OPT_H
#define QBED_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

enum opt_type {
	OPT_FLAG,	/* bool, takes no value */
	OPT_COUNT,	/* int, takes no value, counts how often it is given */
	OPT_STR,	/* const char * */
	OPT_U64,	/* uint64_t within [min, max] */
	OPT_TIME,	/* int64_t ns, > 0 */
	OPT_TIME0,	/* int64_t ns, 0 allowed */
	OPT_SIZE,	/* uint64_t bytes */
	OPT_CPUS,	/* struct cpus */
	OPT_END,	/* struct link_end, written NS:DEV */
	OPT_FN,		/* parse(d, words, i, field) */
};

/**
 * struct opt - one row of a command's option table
 * @name: long name without the dashes
 * @type: how the value is read
 * @offset: of the field in the command's config
 * @arg: the value's name in --help ("TIME")
 * @help: one line; the default is said here
 * @min: least value of %OPT_U64, %OPT_TIME, %OPT_SIZE
 * @max: greatest value, 0 for no limit
 * @parse: reader of %OPT_FN
 * @set: offset + 1 of a bool that tells whether the option was given, 0 for none
 * @letter: the short spelling, 'o' for "-o", 0 for none
 *
 * --help, bash completion and the parser are all made from this table.
 */
struct opt {
	const char *name;
	enum opt_type type;
	size_t offset;
	const char *arg;
	const char *help;
	uint64_t min;
	uint64_t max;
	int (*parse)(struct diag *d, char **words, int i, void *field);
	size_t set;
	char letter;
};

/* Somebody asked for --help (or -h): not an error, no words were wrong. */
#define OPT_HELP (-1000)

/*
 * Reads options from @argv into @cfg; returns the number of words read (the
 * first word that is no option, or the one after "--"), -EINVAL or OPT_HELP.
 * Options may be written --name value and --name=value. A word like "-5ms" is
 * no option. main.c has done this for a command before it runs.
 */
int opt_parse(struct diag *d, const struct opt *opts, int argc, char **argv, void *cfg);

/* A table and the config that its offsets point into. */
struct opt_table {
	const struct opt *opts;
	void *cfg;
};

/* The same over several tables at once: the command's own and the common ones. */
int opt_parse_tables(struct diag *d, const struct opt_table *tables, size_t ntables,
		     int argc, char **argv);

/*
 * Reads options wherever they stand before a "--" and puts the other words
 * into @words (room for @argc + 1); returns how many, -EINVAL or OPT_HELP.
 */
int opt_permute(struct diag *d, const struct opt_table *tables, size_t ntables,
		int argc, char **argv, char **words);

/* Calls @line per row with "-o, --output FILE" and the help; returns the rows. */
size_t opt_describe(const struct opt *opts, int (*line)(void *arg, const char *left,
							 const char *help), void *arg);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CMD_H
#define QBED_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "opt.h"
#include "pure/diag.h"
#include "pure/doc.h"

struct progress;

/**
 * struct ctx - what a command is given besides its own options
 * @json: print the document as JSON
 * @output: file that gets the JSON document (-o), NULL for stdout
 * @verbose: how often -v was given
 * @argc: words of the whole command line, as typed, for the record
 * @argv: see @argc
 * @diag: where errors and warnings go
 * @doc: the answer; main.c prints it once run() returned 0 or set @print_anyway
 * @stands: what was done and stays, to be told when the answer cannot be written; NULL for nothing
 * @print_anyway: show @doc although run() failed (a partial result that says so)
 * @progress: who watches a long work, NULL for nobody
 * @say: prints a diag now, for a command that goes on after it
 * @flush: prints the text of @doc that is there, for a command that has more to come
 * @edge: for these two
 */
struct ctx {
	bool json;
	const char *output;
	int verbose;
	int argc;
	char **argv;
	struct diag *diag;
	struct doc *doc;
	const char *stands;
	bool print_anyway;
	struct progress *progress;
	void (*say)(const struct ctx *ctx, const struct diag *d);
	void (*flush)(const struct ctx *ctx);
	const void *edge;
};

/**
 * struct cmd - a command of qbed
 * @name: the word on the command line
 * @alias: a second whole word, or NULL ("qd" for "qdisc")
 * @summary: one line of --help
 * @usage: the words after the name, one line per form
 * @opts: its options, ended by {0}; NULL for none of its own. main.c reads
 *	them and the common ones (--json, -o, -v, --color, --help) wherever
 *	they stand; for a command that wraps, up to the first word that is none
 * @defaults: a filled config of @cfg_size bytes that run() gets a copy of
 * @cfg_size: bytes of the config
 * @wraps: the words after "--" (or after the options) are a command to run
 * @words: tells bash completion the words (verbs, keywords) besides options, or NULL
 * @run: does the work, with the words that are no options in @argv (ended by
 *	NULL; @argv[0] is the first word after the command's name): 0, or
 *	negative with @ctx->diag filled; a positive value is an exit code to
 *	hand on (of a wrapped command)
 */
struct cmd {
	const char *name;
	const char *alias;
	const char *summary;
	const char *usage;
	const struct opt *opts;
	const void *defaults;
	size_t cfg_size;
	bool wraps;
	void (*words)(void (*emit)(const char *word));
	int (*run)(struct ctx *ctx, void *cfg, int argc, char **argv);
};

#endif

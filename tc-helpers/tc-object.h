/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_OBJECT_H
#define QBED_TC_OBJECT_H

#include <stdbool.h>

#include "cmd.h"
#include "kinds/spec.h"

struct command;

/* The options of the commands that make and show qdiscs and classes. */
struct tc_object_cfg {
	const char *netns;
	bool statistics;
	bool details;
	enum tc_units units;
};

/* "tc-units", for a table of options with a field of enum tc_units. */
#define TC_UNITS_OPT(offset) { "tc-units", OPT_FN, (offset), "VERSION", \
	"times without a unit are what tc 6.1, or 6.9, takes them for", .parse = tc_units_opt }
int tc_units_opt(struct diag *d, char **words, int i, void *field);

extern const struct opt tc_object_opts[];

/* run() of those commands: the words are a verb and tc's own. */
int tc_object_run(struct ctx *ctx, enum tc_object object, const struct tc_object_cfg *cfg,
		  int argc, char **argv);

/* A command that is alone: does it (unless @err) and frees it. */
int tc_command_run(struct ctx *ctx, int err, struct command *cmd);

/* Their words for bash completion. */
void tc_object_words(enum tc_object object, void (*emit)(const char *word));

#endif

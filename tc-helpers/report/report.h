/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_REPORT_H
#define QBED_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct diag;
struct doc;
struct expect;
struct group;
struct outcome;

/**
 * struct report - what is shown
 * @groups: experiments, see group.h
 * @ngroups: length of @groups
 * @expects: bounds, as asked for
 * @outcomes: what became of each
 * @nexpects: length of both
 * @seeds_shown: a line for each seed
 */
struct report {
	const struct group *groups;
	size_t ngroups;
	const struct expect *expects;
	const struct outcome *outcomes;
	size_t nexpects;
	bool seeds_shown;
};

/* Text for a commit message: ASCII, <= 75 columns, set in by 4. 0, -ENOMEM. */
int report_text(struct diag *d, struct doc *doc, const struct report *report);

/* The document of schema qbed-report-1, nothing rounded. */
void report_json(struct doc *doc, const struct report *report);

#define REPORT_INDENT 4
#define REPORT_WIDTH 75

/* Inside report-*.c only: the block above a table, the table with its notes, the lines below it. */
void report_environment(FILE *out, const struct group *g);
int report_table(FILE *out, const struct group *g, bool seeds_shown);
void report_commands(FILE *out, const struct group *g);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_GROUP_H
#define QBED_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/metric.h"

struct diag;
struct result;

/**
 * struct cell - a metric of one arm in one flavour
 * @n: boots of that arm and flavour; 0 when none was run
 * @have: boots that have the figure
 * @seeds: per boot, ascending
 * @values: per boot, %VALUE_NONE where it has no such figure
 * @reduced: one value of them all; %VALUE_NONE unless every boot has it
 * @min: the least of the boots that have it
 * @max: the greatest of them
 */
struct cell {
	size_t n;
	size_t have;
	int64_t *seeds;
	struct value *values;
	struct value reduced;
	struct value min;
	struct value max;
};

/* A metric in one flavour, over all arms. */
struct row {
	const struct metric *metric;
	const char *flavour;
	bool leads;		/* some boot has what the metric's path leads to */
	struct cell *cells;	/* one per arm of the group */
};

/**
 * struct group - all boots of one experiment on one base
 * @results: of the group, by flavour, arm and seed
 * @nresults: length of @results
 * @arms: before, after, migration-off, next, then others by name
 * @narms: length of @arms
 * @flavours: plain, then others by name
 * @nflavours: length of @flavours
 * @rows: by flavour, in the order in which the experiment defines its metrics
 * @nrows: length of @rows
 */
struct group {
	struct result **results;
	size_t nresults;
	const char **arms;
	size_t narms;
	const char **flavours;
	size_t nflavours;
	struct row *rows;
	size_t nrows;
};

/**
 * groups_build() - sort result documents into what can be compared
 * @d: names the two files and the member in which they do not fit together
 * @results: sorted in place; a document that is there twice is freed, and @n reduced
 * @n: how many
 * @groups: result, by experiment and base; it refers to @results
 * @ngroups: length of @groups
 *
 * Boots of one flavour must agree on parameters, metrics, clock and machine;
 * seeds of one arm on everything in "environment"; two boots of one seed on
 * everything. What differs is never averaged away. Metrics whose paths lead to nothing in any boot
 * are warned of: they are more likely misspelt than missing.
 *
 * Return: 0, -EINVAL (exit 1), -ENOMEM.
 */
int groups_build(struct diag *d, struct result **results, size_t *n,
		 struct group **groups, size_t *ngroups);
void groups_free(struct group *groups, size_t ngroups);

/* First boot (least seed) of @flavour and @arm; NULL for @arm: of any. NULL when there is none. */
const struct result *group_result(const struct group *g, const char *flavour, const char *arm);
/* Index into the arms, -1 for none. */
int group_arm(const struct group *g, const char *arm);

#endif

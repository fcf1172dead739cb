// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How to take the figures again: the boots' commands, folded where they
 * differ in arm and seed only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/group.h"
#include "report/report.h"
#include "report/result.h"
#include "report/table.h"

/* @command with "OPTION VALUE" made "OPTION $name"; malloc()ed. */
static char *fold(const char *command, const char *option, const char *value, const char *name,
		  bool *folded)
{
	char pair[256], *text = NULL;
	size_t len;
	const char *at;
	FILE *out;

	snprintf(pair, sizeof(pair), " %s %s", option, value);
	at = strstr(command, pair);
	while (at && at[strlen(pair)] && at[strlen(pair)] != ' ')
		at = strstr(at + 1, pair);
	if (!at)
		return strdup(command);
	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	fprintf(out, "%.*s %s $%s%s", (int)(at - command), command, option, name, at + strlen(pair));
	*folded = true;
	return fclose(out) ? NULL : text;
}

/* Several seeds in the group make the seed a thing to fold. */
static bool many_seeds(const struct group *g)
{
	for (size_t i = 1; i < g->nresults; i++)
		if (g->results[i]->seed != g->results[0]->seed)
			return true;
	return false;
}

static char *fold_result(const struct group *g, const struct result *r, bool *arms, bool *seeds)
{
	char number[32], *a, *b;

	if (g->narms > 1)
		a = fold(r->command, "--arm", r->arm, "arm", arms);
	else
		a = strdup(r->command);
	if (!a || !many_seeds(g))
		return a;
	snprintf(number, sizeof(number), "%" PRId64, r->seed);
	b = fold(a, "--seed", number, "seed", seeds);
	free(a);
	return b;
}

/* An option and its value stay on one line, and so does what is in quotes. */
static void keep_together(char *command)
{
	bool quoted = false;

	for (char *c = command; *c; c++) {
		quoted ^= *c == '\'';
		if (quoted && *c == ' ')
			*c = TEXT_HARD_BLANK;
	}
	for (char *c = strstr(command, " --"); c; c = strstr(c, " --")) {
		c = strchr(c + 1, ' ');
		if (!c)
			return;
		if (c[1] != '-')
			*c = TEXT_HARD_BLANK;
	}
}

void report_commands(FILE *out, const struct group *g)
{
	char **list = calloc(g->nresults, sizeof(*list));
	bool arms = false, seeds = false;
	size_t n = 0;

	for (size_t i = 0; list && i < g->nresults; i++) {
		char *text = fold_result(g, g->results[i], &arms, &seeds);
		bool known = !text || !*text;

		for (size_t k = 0; k < n && !known; k++)
			known = !strcmp(list[k], text);
		if (known)
			free(text);
		else
			list[n++] = text;
	}
	if (n)
		fprintf(out, "\n%*sReproduce%s%s%s%s:\n", REPORT_INDENT, "",
			arms || seeds ? ", for each " : "", arms ? "$arm" : "",
			arms && seeds ? " and " : "", seeds ? "$seed" : "");
	for (size_t k = 0; k < n; k++) {
		char first[16], next[16];

		snprintf(first, sizeof(first), "%*s", REPORT_INDENT + 4, "");
		snprintf(next, sizeof(next), "%*s", REPORT_INDENT + 8, "");
		keep_together(list[k]);
		text_wrap(out, first, next, list[k], REPORT_WIDTH, " \\");
		free(list[k]);
	}
	free(list);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of an experiment, and what is said below it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/group.h"
#include "report/report.h"
#include "report/result.h"
#include "report/table.h"

#define NOTES_MAX 3

/* Footnotes, numbered as they are first needed. */
enum note { NOTE_ZERO, NOTE_TURNS, NOTE_PARTIAL };

static const char *const note_texts[NOTES_MAX] = {
	[NOTE_ZERO] = "Zero or not is all that is claimed: how large this figure is depends on the clock as well.",
	[NOTE_TURNS] = "CPUs take turns on the virtual clock: a time contains the turns of the CPUs that were busy.",
	[NOTE_PARTIAL] = "Some seeds have no such figure; no value is given for all of them.",
};

/**
 * struct sheet - a group being drawn
 * @seeds_shown: a line for each seed
 * @notes: number of each footnote, 0 while it is not used
 * @nnotes: how many are used
 * @rows: drawn so far
 * @change: arms that the change is shown of, -1 for none: [0] from, [1] to
 */
struct sheet {
	const struct group *g;
	struct table *table;
	bool seeds_shown;
	int notes[NOTES_MAX];
	int nnotes;
	int rows;
	int change[2];
};

static int note_number(struct sheet *s, enum note note)
{
	if (!s->notes[note])
		s->notes[note] = ++s->nnotes;
	return s->notes[note];
}

/* Before and after; of two other arms, the second against the first. */
static void choose_change(struct sheet *s)
{
	s->change[0] = group_arm(s->g, "before");
	s->change[1] = group_arm(s->g, "after");
	if ((s->change[0] < 0 || s->change[1] < 0) && s->g->narms == 2) {
		s->change[0] = 0;
		s->change[1] = 1;
	}
	if (s->change[0] < 0 || s->change[1] < 0)
		s->change[0] = s->change[1] = -1;
}

static void start_table(struct sheet *s)
{
	s->table = table_new();
	if (!s->table)
		return;
	table_column(s->table, "", 1);
	table_column(s->table, "unit", 1);
	for (size_t a = 0; a < s->g->narms; a++) {
		table_column(s->table, s->g->arms[a], 0);
		if ((int)a == s->change[1])
			table_column(s->table, "change", 0);
	}
}

static bool has_figure(const struct sheet *s, const struct row *row)
{
	for (size_t a = 0; a < s->g->narms; a++)
		if (row->cells[a].have)
			return true;
	return false;
}

/* All that is written in a row goes into its scale. */
static void row_scale(const struct sheet *s, const struct row *row, struct scale *scale)
{
	size_t narms = s->g->narms;
	struct value *v = calloc(narms * 3, sizeof(*v));

	for (size_t a = 0; v && a < narms; a++) {
		v[a * 3] = row->cells[a].reduced;
		v[a * 3 + 1] = row->cells[a].min;
		v[a * 3 + 2] = row->cells[a].max;
	}
	figure_scale(row->metric, v, v ? narms * 3 : 0, scale);
	/* what is not there has no unit */
	if (!has_figure(s, row))
		scale->unit = "";
	free(v);
}

/* Does any arm's figure differ from seed to seed? */
static bool has_range(const struct sheet *s, const struct row *row)
{
	for (size_t a = 0; a < s->g->narms; a++) {
		const struct cell *c = &row->cells[a];

		if (c->have && value_cmp(&c->min, &c->max))
			return true;
	}
	return false;
}

static bool has_partial(const struct sheet *s, const struct row *row)
{
	for (size_t a = 0; a < s->g->narms; a++)
		if (row->cells[a].have && row->cells[a].have < row->cells[a].n)
			return true;
	return false;
}

static bool is_time_with_turns(const struct sheet *s, const struct row *row)
{
	const struct result *r = group_result(s->g, row->flavour, NULL);

	return unit_time_power(row->metric->unit) >= 0 && result_env_int(r, "cpus") > 1 &&
	       !strcmp(result_env(r, "clock"), "virtual");
}

/* "title, greatest of all seeds [1]" */
static void row_title(struct sheet *s, const struct row *row, char *buf, size_t len)
{
	static const char *const how[] = {
		[REDUCE_MEDIAN] = "",
		[REDUCE_MAX] = ", greatest of all seeds",
		[REDUCE_MIN] = ", least of all seeds",
		[REDUCE_SUM] = ", sum over seeds",
	};
	bool many = false;
	size_t n;

	for (size_t a = 0; a < s->g->narms; a++)
		many = many || row->cells[a].n > 1;
	n = (size_t)snprintf(buf, len, "%s%s", row->metric->title,
			     many ? how[row->metric->reduce] : "");
	for (int note = 0; note < NOTES_MAX && n < len; note++) {
		if ((note == NOTE_ZERO && row->metric->zero) ||
		    (note == NOTE_TURNS && is_time_with_turns(s, row)) ||
		    (note == NOTE_PARTIAL && has_partial(s, row)))
			n += (size_t)snprintf(buf + n, len - n, " [%d]", note_number(s, note));
	}
}

/* "contentions on the root locks" needs no unit beside it; the ms in "tov 2 ms" is not p99's. */
static bool title_has_unit(const struct metric *m)
{
	return unit_time_power(m->unit) < 0 && !unit_is_percent(m->unit) &&
	       strstr(m->title, m->unit);
}

/* One line of the table: a cell's text comes from @cell. */
static void put_line(struct sheet *s, const char *title, const struct row *row, bool change,
		     const struct scale *scale, size_t seed,
		     void (*cell)(char *buf, const struct cell *c, const struct scale *scale,
				  size_t seed))
{
	size_t ncells = s->g->narms + 3, k = 2;
	char (*text)[FIGURE_MAX * 2 + 2] = calloc(ncells, sizeof(*text));
	const char **cells = calloc(ncells, sizeof(*cells));

	if (text && cells) {
		cells[0] = title;
		cells[1] = change && !title_has_unit(row->metric) ? scale->unit : "";
		for (size_t a = 0; a < s->g->narms; a++) {
			cell(text[k], &row->cells[a], scale, seed);
			cells[k] = text[k];
			k++;
			if ((int)a != s->change[1])
				continue;
			if (change)
				figure_change(text[k], row->metric,
					      &row->cells[s->change[0]].reduced, &row->cells[a].reduced);
			cells[k] = text[k];
			k++;
		}
		table_row(s->table, cells);
	}
	free(cells);
	free(text);
}

static void cell_reduced(char *buf, const struct cell *c, const struct scale *scale, size_t seed)
{
	figure_format(buf, &c->reduced, scale);
}

static void cell_range(char *buf, const struct cell *c, const struct scale *scale, size_t seed)
{
	char low[FIGURE_MAX], high[FIGURE_MAX];

	*buf = '\0';
	if (!c->have)
		return;
	figure_format(low, &c->min, scale);
	figure_format(high, &c->max, scale);
	if (value_cmp(&c->min, &c->max))
		sprintf(buf, "%s..%s", low, high);
	else
		strcpy(buf, low);
}

static void cell_min(char *buf, const struct cell *c, const struct scale *scale, size_t seed)
{
	figure_format(buf, &c->min, scale);
}

static void cell_max(char *buf, const struct cell *c, const struct scale *scale, size_t seed)
{
	figure_format(buf, &c->max, scale);
}

static void cell_seed(char *buf, const struct cell *c, const struct scale *scale, size_t seed)
{
	*buf = '\0';
	for (size_t i = 0; i < c->n; i++)
		if (c->seeds[i] == (int64_t)seed)
			figure_format(buf, &c->values[i], scale);
}

static void put_seeds(struct sheet *s, const struct row *row, const struct scale *scale)
{
	const struct group *g = s->g;
	int64_t done = -1;

	for (;;) {
		int64_t next = INT64_MAX;
		char title[40];

		for (size_t i = 0; i < g->nresults; i++)
			if (!strcmp(g->results[i]->flavour, row->flavour) &&
			    g->results[i]->seed > done && g->results[i]->seed < next)
				next = g->results[i]->seed;
		if (next == INT64_MAX)
			return;
		snprintf(title, sizeof(title), "  seed %" PRId64, next);
		put_line(s, title, row, false, scale, (size_t)next, cell_seed);
		done = next;
	}
}

static void put_row(struct sheet *s, const struct row *row)
{
	struct scale scale;
	char title[512];

	row_scale(s, row, &scale);
	row_title(s, row, title, sizeof(title));
	put_line(s, title, row, true, &scale, 0, cell_reduced);
	if (s->seeds_shown) {
		put_seeds(s, row, &scale);
	} else if (has_range(s, row) && s->g->narms <= 2) {
		put_line(s, "  over seeds", row, false, &scale, 0, cell_range);
	} else if (has_range(s, row)) {
		/* narrower, so that a third arm stands beside the others */
		if (row->metric->reduce != REDUCE_MIN)
			put_line(s, "  least seed", row, false, &scale, 0, cell_min);
		if (row->metric->reduce != REDUCE_MAX)
			put_line(s, "  greatest seed", row, false, &scale, 0, cell_max);
	}
}

enum section { HEADLINE, COST, DETAIL };

static enum section section_of(const struct metric *m)
{
	return m->detail ? DETAIL : m->cost ? COST : HEADLINE;
}

/* "plain, cost:" */
static void section_heading(struct sheet *s, const char *flavour, enum section section)
{
	static const char *const names[] = { "", "cost", "details" };
	const char *name = s->g->nflavours > 1 ? flavour : "";
	char text[128];

	if (section == HEADLINE && !*name)
		return;
	snprintf(text, sizeof(text), "%.80s%s%s:", name, *name && section != HEADLINE ? ", " : "",
		 names[section]);
	if (s->rows++)
		table_heading(s->table, "");
	table_heading(s->table, text);
}

static void put_section(struct sheet *s, const char *flavour, enum section section)
{
	bool first = true;

	for (size_t k = 0; k < s->g->nrows; k++) {
		const struct row *row = &s->g->rows[k];

		if (row->flavour != flavour || section_of(row->metric) != section)
			continue;
		if (first)
			section_heading(s, flavour, section);
		first = false;
		s->rows++;
		put_row(s, row);
	}
}

/* Rows of each flavour and what they cost; the many below what is said of them all. */
static void put_rows(struct sheet *s)
{
	const struct group *g = s->g;

	for (size_t f = 0; f < g->nflavours; f++) {
		put_section(s, g->flavours[f], HEADLINE);
		put_section(s, g->flavours[f], COST);
	}
	for (size_t f = 0; f < g->nflavours; f++)
		put_section(s, g->flavours[f], DETAIL);
}

static size_t boots_of(const struct group *g, const char *flavour, const char *arm)
{
	size_t n = 0;

	for (size_t i = 0; i < g->nresults; i++)
		n += !strcmp(g->results[i]->flavour, flavour) && !strcmp(g->results[i]->arm, arm);
	return n;
}

/* Flavours with an arm of one seed; their names into @where, "" if that is all of them. */
static size_t one_seed_of(const struct group *g, char *where, size_t len)
{
	size_t n = 0, used = 0;

	*where = '\0';
	for (size_t f = 0; f < g->nflavours; f++)
		for (size_t a = 0; a < g->narms; a++) {
			if (boots_of(g, g->flavours[f], g->arms[a]) != 1)
				continue;
			if (used < len)
				used += (size_t)snprintf(where + used, len - used, "%s%.40s",
							 n ? ", " : " of ", g->flavours[f]);
			n++;
			break;
		}
	if (n == g->nflavours)
		*where = '\0';
	return n;
}

static bool median_of_many(const struct group *g)
{
	for (size_t k = 0; k < g->nrows; k++)
		for (size_t a = 0; a < g->narms; a++)
			if (g->rows[k].metric->reduce == REDUCE_MEDIAN && g->rows[k].cells[a].n > 1)
				return true;
	return false;
}

static void put_notes(FILE *out, const struct sheet *s, const char *lead)
{
	char mark[24], next[24];

	for (int number = 1; number <= s->nnotes; number++)
		for (int note = 0; note < NOTES_MAX; note++) {
			if (s->notes[note] != number)
				continue;
			snprintf(mark, sizeof(mark), "%s[%d] ", lead, number);
			snprintf(next, sizeof(next), "%s    ", lead);
			text_wrap(out, mark, next, note_texts[note], REPORT_WIDTH, "");
		}
}

int report_table(FILE *out, const struct group *g, bool seeds_shown)
{
	struct sheet s = { .g = g, .seeds_shown = seeds_shown };
	char lead[REPORT_INDENT + 1], where[256], text[320];
	bool medians = median_of_many(g);
	size_t ones = one_seed_of(g, where, sizeof(where));
	int err;

	choose_change(&s);
	start_table(&s);
	put_rows(&s);
	err = table_print(s.table, out, REPORT_INDENT, REPORT_WIDTH);
	table_free(s.table);

	snprintf(lead, sizeof(lead), "%*s", REPORT_INDENT, "");
	if (medians || ones || s.nnotes)
		fputc('\n', out);
	if (medians)
		text_wrap(out, lead, lead, "Figures are medians over the seeds unless they say otherwise.",
			  REPORT_WIDTH, "");
	if (ones) {
		snprintf(text, sizeof(text), "One seed%s: the spread over seeds is not known.", where);
		text_wrap(out, lead, lead, text, REPORT_WIDTH, "");
	}
	put_notes(out, &s, lead);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables and paragraphs in plain ASCII.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/table.h"

#define GAP 2
#define WORDS_MIN 20	/* the first column is not made narrower before columns move below */

struct column {
	char *head;
	bool kept;
	int width;
};

/* @heading, or @cells of as many entries as columns */
struct line {
	char *heading;
	char **cells;
};

struct table {
	struct column *columns;
	size_t ncolumns;
	struct line *lines;
	size_t nlines;
	bool broken;
};

/* Printable ASCII; a hard blank stays only for text_wrap(). */
static char *ascii(const char *text, char hard)
{
	char *copy = strdup(text);

	for (char *c = copy; c && *c; c++)
		if ((*c < ' ' || *c > '~') && (!hard || *c != hard))
			*c = '?';
	return copy;
}

char *text_ascii(const char *text)
{
	return ascii(text, '\0');
}

struct table *table_new(void)
{
	return calloc(1, sizeof(struct table));
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nlines; i++) {
		for (size_t k = 0; t->lines[i].cells && k < t->ncolumns; k++)
			free(t->lines[i].cells[k]);
		free(t->lines[i].cells);
		free(t->lines[i].heading);
	}
	for (size_t k = 0; k < t->ncolumns; k++)
		free(t->columns[k].head);
	free(t->columns);
	free(t->lines);
	free(t);
}

static void widen(struct column *c, const char *text)
{
	int width = (int)strlen(text);

	if (width > c->width)
		c->width = width;
}

void table_column(struct table *t, const char *head, int kept)
{
	struct column *more;

	if (!t || t->broken)
		return;
	more = realloc(t->columns, (t->ncolumns + 1) * sizeof(*more));
	if (!more || t->nlines) {
		t->columns = more ? more : t->columns;
		t->broken = true;
		return;
	}
	t->columns = more;
	more += t->ncolumns;
	*more = (struct column){ .head = text_ascii(head), .kept = kept || !t->ncolumns };
	t->ncolumns++;
	if (more->head)
		widen(more, more->head);
	else
		t->broken = true;
}

static struct line *add_line(struct table *t)
{
	struct line *more;

	if (!t || t->broken)
		return NULL;
	more = realloc(t->lines, (t->nlines + 1) * sizeof(*more));
	if (!more) {
		t->broken = true;
		return NULL;
	}
	t->lines = more;
	more += t->nlines++;
	*more = (struct line){ 0 };
	return more;
}

void table_row(struct table *t, const char *const *cells)
{
	struct line *line = add_line(t);

	if (!line)
		return;
	line->cells = calloc(t->ncolumns + 1, sizeof(*line->cells));
	if (!line->cells) {
		t->broken = true;
		return;
	}
	for (size_t k = 0; k < t->ncolumns; k++) {
		line->cells[k] = text_ascii(cells[k] ? cells[k] : "");
		if (line->cells[k])
			widen(&t->columns[k], line->cells[k]);
		else
			t->broken = true;
	}
}

void table_heading(struct table *t, const char *text)
{
	struct line *line = add_line(t);

	if (!line)
		return;
	line->heading = text_ascii(text);
	if (!line->heading)
		t->broken = true;
}

/* Bytes of @text that go into one line of @width: up to a blank, else cut. */
static int line_length(const char *text, int width)
{
	int len = (int)strlen(text), at;

	if (len <= width)
		return len;
	for (at = width; at > 0; at--)
		if (text[at] == ' ')
			return at;
	return width;
}

/* Writes blanks only where something follows them. */
static void put_cell(FILE *out, int *pending, const char *text, int len, int width, bool left)
{
	if (!left)
		*pending += width - len;
	if (len)
		fprintf(out, "%*s%.*s", *pending, "", len, text);
	*pending = (len ? 0 : *pending + len) + (left ? width - len : 0);
}

/* One row of the columns [@from, @to) and the kept ones. */
static void put_row(const struct table *t, FILE *out, char *const *cells, int indent, int words,
		    size_t from, size_t to)
{
	const char *text = cells[0], *next;
	int pending = indent, len = line_length(text, words);

	next = text + len;
	put_cell(out, &pending, text, len, words, true);
	for (size_t k = 1; k < t->ncolumns; k++) {
		if (!t->columns[k].kept && (k < from || k >= to))
			continue;
		pending += GAP;
		put_cell(out, &pending, cells[k], (int)strlen(cells[k]), t->columns[k].width, false);
	}
	fputc('\n', out);
	while (*(next += strspn(next, " "))) {
		/* what goes on is set in, so that it does not look like a row */
		len = line_length(next, words - 2);
		fprintf(out, "%*s%.*s\n", indent + 2, "", len, next);
		next += len;
	}
}

/* Width of all kept columns but the first. */
static int kept_width(const struct table *t)
{
	int width = 0;

	for (size_t k = 1; k < t->ncolumns; k++)
		if (t->columns[k].kept)
			width += GAP + t->columns[k].width;
	return width;
}

static void put_part(const struct table *t, FILE *out, int indent, int words, size_t from,
		     size_t to)
{
	char **heads = calloc(t->ncolumns + 1, sizeof(*heads));

	if (!heads)
		return;
	for (size_t k = 0; k < t->ncolumns; k++)
		heads[k] = t->columns[k].head;
	put_row(t, out, heads, indent, words, from, to);
	free(heads);
	for (size_t i = 0; i < t->nlines; i++) {
		const struct line *line = &t->lines[i];

		if (line->heading)
			fprintf(out, "%*s%s\n", *line->heading ? indent : 0, "", line->heading);
		else
			put_row(t, out, line->cells, indent, words, from, to);
	}
}

int table_print(const struct table *t, FILE *out, int indent, int width)
{
	size_t from = 1, to;

	if (!t || t->broken || !t->ncolumns)
		return -ENOMEM;
	width -= indent;
	do {
		int natural = t->columns[0].width;
		int room = natural < WORDS_MIN ? natural : WORDS_MIN;
		int used = kept_width(t);

		for (to = from; to < t->ncolumns; to++) {
			int more = t->columns[to].kept ? 0 : GAP + t->columns[to].width;

			if (to > from && used + more + room > width)
				break;
			used += more;
		}
		room = width - used < room ? room : width - used;
		if (from > 1)
			fputc('\n', out);
		put_part(t, out, indent, natural < room ? natural : room, from, to);
		from = to;
	} while (from < t->ncolumns);
	return 0;
}

void text_wrap(FILE *out, const char *first, const char *next, const char *text, int width,
	       const char *more)
{
	char *copy = ascii(text, TEXT_HARD_BLANK), *p = copy;
	const char *lead = first;

	for (size_t n = p ? strlen(p) : 0; n && p[n - 1] == ' '; n--)
		p[n - 1] = '\0';
	while (p && *(p += strspn(p, " "))) {
		int room = width - (int)strlen(lead) - (int)strlen(more);
		int len = line_length(p, room > 1 ? room : 1);

		/* a word is never cut */
		if (p[len] && p[len] != ' ')
			len += (int)strcspn(p + len, " ");
		fputs(lead, out);
		for (int i = 0; i < len; i++)
			fputc(p[i] == TEXT_HARD_BLANK ? ' ' : p[i], out);
		fprintf(out, "%s\n", p[len + (int)strspn(p + len, " ")] ? more : "");
		p += len;
		lead = next;
	}
	free(copy);
}

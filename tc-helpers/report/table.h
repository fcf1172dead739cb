/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TABLE_H
#define QBED_TABLE_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct table - a table of text, drawn in ASCII with blanks alone
 *
 * The first column is for words: it is aligned left and broken into lines
 * when the table is too wide. The others are aligned right and never broken.
 * Columns that still do not fit make a second table below, with the "kept"
 * columns again. A mistake or lack of memory shows when it is printed.
 */
struct table;

struct table *table_new(void);
void table_free(struct table *t);

/* A column; all of them before the first row. @kept: first column, or one that each part repeats. */
void table_column(struct table *t, const char *head, int kept);
/* A row of as many cells as columns; NULL for a blank one. */
void table_row(struct table *t, const char *const *cells);
/* A line of its own above the next rows. */
void table_heading(struct table *t, const char *text);

/* Draws it, each line indented and, with the indent, of at most @width columns. 0, -ENOMEM. */
int table_print(const struct table *t, FILE *out, int indent, int width);

/*
 * Text in lines of at most @width columns: the first after @first, the next
 * ones after @next; a word that is longer keeps a line of its own. @more is
 * put at the end of a line that goes on ("" or " \\"). A hard blank is a blank
 * that no line is broken at.
 */
#define TEXT_HARD_BLANK '\t'
void text_wrap(FILE *out, const char *first, const char *next, const char *text, int width,
	       const char *more);

/* @text with all but printable ASCII made "?"; malloc()ed. */
char *text_ascii(const char *text);

#endif

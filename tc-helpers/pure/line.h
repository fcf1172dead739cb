/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_LINE_H
#define QBED_LINE_H

#include <stdbool.h>

struct diag;

#define LINE_WORDS_MAX 512

/*
 * Lines of a batch as tc -batch and ip -batch have them: words apart by white
 * space; a word that begins with ' or " goes to the next one of these and has
 * white space and # in it; # outside of that begins a comment; a \ at the end
 * continues the line.
 */

/* Is @line (up to its newline) continued by the next one? The \ and the newline are cut off. */
bool line_continues(char *line);

/*
 * Cuts @line into @words (room for LINE_WORDS_MAX + 1, a NULL at the end) that
 * point into it. Returns how many, 0 for a line without any; -EINVAL with @d.
 */
int line_split(struct diag *d, char *line, char **words);

#endif

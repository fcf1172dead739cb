// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/line.h"

static bool is_white(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the comment of @line begins, or its end. */
static size_t comment_at(const char *line)
{
	bool between = true;	/* the next character may begin a word */
	char quote = '\0';
	size_t i;

	for (i = 0; line[i]; i++) {
		if (quote) {
			if (line[i] == quote)
				quote = '\0';
		} else if (line[i] == '#') {
			break;
		} else if (between && (line[i] == '\'' || line[i] == '"')) {
			quote = line[i];
		}
		between = !quote && is_white(line[i]);
	}
	return i;
}

bool line_continues(char *line)
{
	size_t len = strcspn(line, "\n");

	/* what stands in a comment continues nothing */
	if (!len || line[len - 1] != '\\' || comment_at(line) < len)
		return false;
	line[len - 1] = '\0';
	return true;
}

int line_split(struct diag *d, char *line, char **words)
{
	int n = 0;

	line[comment_at(line)] = '\0';
	for (;;) {
		char quote;

		while (is_white(*line))
			line++;
		if (!*line)
			break;
		quote = *line == '\'' || *line == '"' ? *line : '\0';

		if (n == LINE_WORDS_MAX)
			return diag_usage(d, n, "more than %d words", LINE_WORDS_MAX);
		words[n] = quote ? ++line : line;
		if (quote && !strchr(line, quote))
			return diag_usage(d, n, "\"%c%s\": the quote does not end", quote, line);
		while (*line && (quote ? *line != quote : !is_white(*line)))
			line++;
		n++;
		if (*line)
			*line++ = '\0';
	}
	words[n] = NULL;
	return n;
}

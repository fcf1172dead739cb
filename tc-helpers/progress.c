// SPDX-License-Identifier: GPL-2.0-or-later
/* The edge: how far a long work is, for who sits at a terminal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "pure/progress.h"

#define PARTS_MIN 500		/* less is over before it can be read */
#define EVERY_NS 100000000L

/**
 * struct line - the line on the terminal
 * @progress: what others know of it
 * @doing: what it was about
 * @when: when it was written
 * @width: characters that are there, 0 for none
 */
struct line {
	struct progress progress;
	const char *doing;
	struct timespec when;
	int width;
};

static bool is_time(struct line *line, const char *doing)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (line->doing && strcmp(line->doing, doing) == 0 &&
	    (now.tv_sec - line->when.tv_sec) * 1000000000L + now.tv_nsec - line->when.tv_nsec < EVERY_NS)
		return false;
	line->doing = doing;
	line->when = now;
	return true;
}

/* Blanks and no escape sequences: they are the same on every terminal. */
static void tell(struct progress *progress, const char *doing, int done, int total)
{
	struct line *line = (struct line *)progress;
	int width;

	if (total < PARTS_MIN || !is_time(line, doing))
		return;
	width = fprintf(stderr, "\rqbed: %s: %d of %d", doing, done, total) - 1;
	if (width < line->width)
		fprintf(stderr, "%*s", line->width - width, "");
	line->width = width > line->width ? width : line->width;
	fflush(stderr);
}

struct progress *progress_on_terminal(void)
{
	static struct line line = { .progress = { tell } };

	return isatty(STDERR_FILENO) ? &line.progress : NULL;
}

void progress_clear(struct progress *progress)
{
	struct line *line = (struct line *)progress;

	if (!line || !line->width)
		return;
	fprintf(stderr, "\r%*s\r", line->width, "");
	fflush(stderr);
	line->width = 0;
	line->doing = NULL;
}

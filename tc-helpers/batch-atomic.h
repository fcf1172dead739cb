/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_BATCH_ATOMIC_H
#define QBED_BATCH_ATOMIC_H

#include <stddef.h>

#include "command.h"

/**
 * struct batch_line - a line of a batch
 * @line: its number, from 1
 * @text: what the words of @cmd point into
 * @cmd: its words, read
 */
struct batch_line {
	int line;
	char *text;
	struct command cmd;
};

/*
 * A batch that is done whole or not at all. What is added is deleted again;
 * what happens to a device or a namespace of the batch's own goes with it; all
 * else cannot be taken back and is refused before anything is done.
 */
struct atomic;

struct atomic *atomic_new(struct diag *d);
void atomic_free(struct atomic *a);

/*
 * Is the line one that can be undone? The lines are to be given in order,
 * before any is done. -EINVAL with @d.
 */
int atomic_check(struct atomic *a, struct diag *d, const struct batch_line *line);
/* All are: from here on the lines that are done are given. */
void atomic_begin(struct atomic *a);

/*
 * Does the line and remembers how to undo it. @line must stay as it is until
 * atomic_free(). 0 or -errno with @d.
 */
int atomic_run(struct atomic *a, struct diag *d, struct session *s, struct batch_line *line,
	       struct doc *doc);

/* Nothing was done that has to be undone. */
bool atomic_is_empty(const struct atomic *a);

/*
 * Undoes what was done, the last first. What cannot be undone is a warning of
 * @d, "FILE:LINE: ..."; returns how many lines that were.
 */
unsigned int atomic_undo(struct atomic *a, struct diag *d, struct session *s, const char *file);

#endif

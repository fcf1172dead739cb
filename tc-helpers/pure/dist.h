/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_DIST_H
#define QBED_DIST_H

#include <stddef.h>
#include <stdint.h>

struct diag;

#define DIST_MAX 16384		/* NETEM_DIST_MAX, the kernel takes no more */
#define DIST_SCALE 8192		/* NETEM_DIST_SCALE: this value is one jitter away from the delay */

/**
 * struct dist - a table of a distribution: how far samples are from the mean
 * @n: number of values, 1 .. %DIST_MAX
 * @value: malloc()ed, in units of jitter / %DIST_SCALE
 */
struct dist {
	size_t n;
	int16_t *value;
};

/*
 * Reads iproute2's form of a table: numbers apart by spaces, and lines that
 * begin with # or are empty. @name is for messages.
 *
 * Return: 0, -EINVAL with @d saying which line is wrong, -ENOMEM.
 */
int dist_parse(struct diag *d, const char *name, const char *text, size_t len, struct dist *dist);

/* What the kernel does without a table, as a table: the way to be rid of another one. */
int dist_uniform(struct diag *d, struct dist *dist);

void dist_free(struct dist *dist);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ENV_H
#define QBED_ENV_H

#include <stddef.h>
#include <stdint.h>

#include "pure/units.h"

struct diag;
struct link_end;

/**
 * struct tc_env - what tc's words stand for that they do not say themselves
 * @units: what a time without a unit is
 * @netns: namespace of a device that is named without one, "" for the caller's
 * @table: reads a table of numbers that a word names (netem's "distribution"):
 *	malloc()ed @text, or -errno with @d blaming words[@i]; NULL: there are none
 * @speed: speed of a link in bit/s, for rates such as "50%"; NULL: it is not known
 *
 * Kinds open no files: the caller lends them these. net/tc-env.c has the usual ones.
 */
struct tc_env {
	enum tc_units units;
	const char *netns;
	int (*table)(struct diag *d, char **words, int i, char **text, size_t *len);
	int (*speed)(struct diag *d, const char *netns, const struct link_end *end, uint64_t *bps);
};

#endif

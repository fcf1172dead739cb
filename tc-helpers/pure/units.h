/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_UNITS_H
#define QBED_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

/*
 * Each parser reads the whole of one word and returns 0, or -EINVAL with
 * @d saying what was wrong with @words[@i]. Nothing is rounded silently.
 */

/* A time with its unit (ns us ms s, and tc's spellings) -> ns. */
int time_parse(struct diag *d, char **words, int i, int64_t *ns);
/* A rate as tc(8) reads it (bare = bit/s) -> bit/s. Warns below 8 kbit when bare. */
int rate_parse(struct diag *d, char **words, int i, uint64_t *bps);
/* A size as tc(8) reads it (bare = bytes, b k kb m mb g gb, kbit...) -> bytes. */
int size_parse(struct diag *d, char **words, int i, uint64_t *bytes);
/* Unsigned decimal (or 0x) number within [@min, @max]. */
int u64_parse(struct diag *d, char **words, int i, uint64_t min, uint64_t max, uint64_t *v);
/* A whole decimal number with or without a sign within [@min, @max]. */
int i64_parse(struct diag *d, char **words, int i, int64_t min, int64_t max, int64_t *v);
/*
 * "60%" -> 0..UINT32_MAX, rounded as tc rounds it, but never to 0 for a
 * positive percentage. @rest, unless NULL, gets what is missing to 100 %.
 */
int percent_parse(struct diag *d, char **words, int i, uint32_t *p, uint32_t *rest);
/* "50%" of a link of @link_bps -> bit/s, cut to a whole number. */
int rate_share_parse(struct diag *d, char **words, int i, uint64_t link_bps, uint64_t *bps);

/*
 * What a time without a unit means depends on the tc that a script was
 * written for: refused unless one is named.
 */
enum tc_units {
	TC_UNITS_NONE,
	TC_UNITS_6_1,	/* us, and ns for some options */
	TC_UNITS_6_9,	/* netem's delay is in ns too */
};

/* "6.1" or "6.9" */
int tc_units_parse(struct diag *d, char **words, int i, enum tc_units *units);
/* Digits, and a point perhaps, and nothing else */
bool number_is_bare(const char *word);

/* Text for people, exact: "6ms", "147us", "1500Kbit"; @buf of at least 32 bytes. Return @buf. */
char *time_format(char *buf, size_t len, int64_t ns);
char *rate_format(char *buf, size_t len, uint64_t bps);
char *size_format(char *buf, size_t len, uint64_t bytes);
char *us_format(char *buf, size_t len, int64_t ns);	/* us, three decimals, no unit: a cell of a table */
/* From here on in tc's form, which rounds. Before anything is formatted, by who is called tc. */
void units_as_tc(bool yes);

#endif

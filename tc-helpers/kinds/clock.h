/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLOCK_H
#define QBED_CLOCK_H

#include <stdint.h>

struct diag;

/* What etf and taprio are timed by. */

/* "CLOCK_TAI", "TAI", "tai" -> its number, an int32_t at @field */
int clockid_parse(struct diag *d, char **words, int i, void *field);
/* "TAI"; "invalid" for one that tc has no name for */
const char *clockid_name(int32_t clockid);

/*
 * A time in ns of at most @max. These are ns to every tc, which takes no unit
 * there: a bare number is ns, and a time with its unit is taken as well.
 */
int nanos_parse(struct diag *d, char **words, int i, int64_t max, int64_t *ns);
/* The same for an int64_t at @field, within 31, 32 and 63 bits */
int nanos31_parse(struct diag *d, char **words, int i, void *field);
int nanos32_parse(struct diag *d, char **words, int i, void *field);
int nanos63_parse(struct diag *d, char **words, int i, void *field);

#endif

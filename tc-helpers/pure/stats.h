/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_STATS_H
#define QBED_STATS_H

#include <stddef.h>
#include <stdint.h>

struct doc;
struct hist;

/*
 * Puts the summary of @h into @doc as the object @key (NULL: members go into
 * the object that is open): count, min_ns, p50_ns, p90_ns, p99_ns, p999_ns, max_ns.
 * What @h has too few values for is null. No text; see stats_line().
 */
void stats_doc(struct doc *doc, const char *key, const struct hist *h);

/*
 * One cell of a text table: the quantile @q_ppm of @h in us with three
 * decimals, "-" when there are too few values; HIST_MIN and HIST_MAX for the ends.
 * @buf >= 24 bytes. Returns @buf.
 */
#define HIST_MIN	0u
#define HIST_MAX	1000000u
char *stats_us(char *buf, size_t len, const struct hist *h, uint32_t q_ppm);

#endif

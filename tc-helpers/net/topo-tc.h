/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_TC_H
#define QBED_TOPO_TC_H

#include <stdbool.h>

struct diag;
struct tc_spec;
struct topo;
struct topo_qdisc;

/* Between topo-qdisc.c, which makes, and topo-tc-check.c, which judges. */

/* Reads the words of @q; errors at FILE:LINE:COLUMN. @spec is to be freed whatever is returned. */
int topo_tc_spec(struct diag *d, const struct topo *topo, const struct topo_qdisc *q,
		 struct tc_spec *spec);

/* topo-filter.c: all filters of @topo, judged; errors at FILE:LINE:COLUMN. */
int topo_filters_check(struct diag *d, const struct topo *topo);

/* Do the two differ in their place alone? Many children of one tree do. */
bool topo_tc_same_words(const struct topo_qdisc *a, const struct topo_qdisc *b);

#endif

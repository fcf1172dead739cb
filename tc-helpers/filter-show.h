/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FILTER_SHOW_H
#define QBED_FILTER_SHOW_H

#include <stdbool.h>

struct diag;
struct doc;
struct filter_spec;
struct rtnl;

/* Puts the filters that @spec chooses into @doc, with the keys and in the order of tc -j. */
int filter_show(struct diag *d, struct rtnl *rtnl, const struct filter_spec *spec,
		bool statistics, struct doc *doc);

#endif

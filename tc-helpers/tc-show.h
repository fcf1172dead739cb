/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_SHOW_H
#define QBED_TC_SHOW_H

#include <stdbool.h>

struct diag;
struct doc;
struct rtnl;
struct tc_spec;

/*
 * Puts the qdiscs or classes that @filter (its object, device, parent and
 * handle) chooses into @doc, with the keys and in the order of tc -j.
 * Without a device: the qdiscs of all devices. @details: all settings of a class.
 */
int tc_show(struct diag *d, struct rtnl *rtnl, const struct tc_spec *filter, bool statistics,
	    bool details, struct doc *doc);

#endif

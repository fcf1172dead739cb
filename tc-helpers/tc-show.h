/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_SHOW_H
#define QBED_TC_SHOW_H

struct diag;
struct doc;
struct rtnl;
struct tc_object_cfg;
struct tc_spec;

/*
 * Puts the qdiscs or classes that @filter (its object, device, parent and
 * handle) chooses into @doc, with the keys and in the order of tc -j.
 * Without a device: the qdiscs of all devices. @cfg says how much is shown.
 */
int tc_show(struct diag *d, struct rtnl *rtnl, const struct tc_spec *filter,
	    const struct tc_object_cfg *cfg, struct doc *doc);

#endif

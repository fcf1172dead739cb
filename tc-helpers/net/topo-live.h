/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_LIVE_H
#define QBED_TOPO_LIVE_H

#include <stdbool.h>

struct diag;
struct doc;
struct nets;
struct rtnl;

/*
 * Parts of topo_live(), of one device: @name is how it is written in the
 * text (NS:DEV). Each adds an array to the object that is open in @doc.
 */
int topo_live_addrs(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		    struct doc *doc);
int topo_live_neighs(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		     struct doc *doc);
int topo_live_qdiscs(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		     bool exact, struct doc *doc);

/* One line for each filter at the ingress of the device, with the device that frames go to: "ingress". */
int topo_live_ingress(struct diag *d, struct rtnl *rtnl, int ifindex, const char *name,
		      struct doc *doc);

/*
 * Routes of the main table of @netns, one line each; those that the kernel
 * makes by itself for an address are left out. Adds one object per route to
 * the array that is open in @doc.
 */
int topo_live_routes(struct diag *d, struct nets *nets, const char *netns, struct doc *doc);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_LIVE_H
#define QBED_TOPO_LIVE_H

#include <stdbool.h>

#include "topo/topo.h"

struct diag;
struct doc;
struct snap;

/**
 * struct fact_dev - a device that facts are about
 * @number: topo_dev_number()
 * @netns: index into topo.netns, -1 for the caller's
 * @name: NS:DEV, as it is written in the text
 */
struct fact_dev {
	int number;
	int netns;
	const char *name;
};

/*
 * Parts of topo_facts(). Each adds an array to the object that is open in
 * @doc; what it asks @snap for, topo_verify() has to ask for too.
 */
int topo_live_addrs(struct diag *d, struct snap *snap, const struct fact_dev *dev, struct doc *doc);
int topo_live_neighs(struct diag *d, struct snap *snap, const struct fact_dev *dev, struct doc *doc);
int topo_live_qdiscs(struct diag *d, struct snap *snap, const struct fact_dev *dev, bool exact,
		     struct doc *doc);
int topo_live_ingress(struct diag *d, struct snap *snap, const struct fact_dev *dev,
		      struct doc *doc);
/* Filters at the parents that the topology has some at. */
int topo_live_filters(struct diag *d, struct snap *snap, const struct topo *topo, struct topo_ref ref,
		      const char *name, struct doc *doc);
/* Of the namespace @netns, whose name is @name. */
int topo_live_routes(struct diag *d, struct snap *snap, int netns, const char *name,
		     struct doc *doc);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_GONE_H
#define QBED_TOPO_GONE_H

struct diag;
struct journal;
struct progress;

/* Whose is what stands under the name of a namespace of ours? */
enum topo_whose {
	TOPO_NOBODYS,	/* there is nothing */
	TOPO_OTHERS,
	TOPO_OURS,
	TOPO_OUR_FILE,	/* the file that the namespace was to be bound to, or was */
};

/*
 * Deletes the devices that @j names or that are in its namespaces, and tells
 * in @whose, one per namespace, whose each is. The namespaces stay: the kernel takes one apart some
 * time after its last user has gone, a device at once. Returns when the devices are gone.
 */
int topo_devs_gone(struct diag *d, const struct journal *j, enum topo_whose *whose,
		   struct progress *progress);

#endif

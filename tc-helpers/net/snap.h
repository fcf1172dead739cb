/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SNAP_H
#define QBED_SNAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topo/topo.h"

struct dev;
struct diag;
struct nets;
struct nlmsghdr;

/**
 * struct snap - what the kernel says of a topology, byte for byte
 *
 * Answers by question: which namespace, what, and about which of several. A
 * snapshot of what stands asks the kernel when it is asked; one that was
 * recorded by "topo up" has what was asked for then, and for the rest no
 * answer, which stands for what a fresh device has. So facts are worded when
 * somebody reads them, from both in the same way.
 *
 * Of devices it knows those of the topology; what is said of others is passed over.
 */
struct snap;

/* Kinds of questions besides dumps, which are RTM_GET...; @key is what they are about. */
enum {
	SNAP_NETNS = 0x1000,	/* uint64_t: its cookie; no answer when it is not there */
	SNAP_QUEUES,		/* @key: device. 2 uint32_t: tx and rx queues in use */
	SNAP_XPS,		/* @key: device. A struct cpus per queue */
	SNAP_RPS,
	SNAP_OFFLOAD,		/* @key: device. A struct offloads */
	SNAP_SYSCTL,		/* @key: index into topo.sysctls. Its value, a string */
	SNAP_FILTERS,		/* @key: index into topo.filters. RTM_NEWTFILTER of all at its parent */
};

/* A device as a @key: topo_dev_number(). */

/* @nets: asked when there is no answer yet; NULL for one that is filled and not asking. */
struct snap *snap_new(struct diag *d, const struct topo *topo, struct nets *nets);
void snap_free(struct snap *snap);

/*
 * The answer, valid until the next one is asked for; NULL and 0 bytes for none. @netns is an
 * index into topo.netns, -1 for the caller's. Dumps are of a whole namespace with
 * the @key 0: RTM_GETLINK, RTM_GETADDR, RTM_GETNEIGH (permanent ones), RTM_GETQDISC, RTM_GETROUTE; or
 * of a device: RTM_GETTCLASS, RTM_GETTFILTER (at its ingress).
 */
int snap_get(struct snap *snap, struct diag *d, int netns, int type, int key, const void **data,
	     size_t *len);
/* Each message of a dump that is about the device @dev, or -1 for all. */
int snap_each(struct snap *snap, struct diag *d, int netns, int type, int key, int dev,
	      int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg);
/* The answer is given. */
int snap_put(struct snap *snap, struct diag *d, int netns, int type, int key, const void *data,
	     size_t len);
/* It is to be asked again. */
void snap_forget(struct snap *snap, int netns, int type, int key);

/* The device number @dev as RTM_GETLINK has it; NULL when it is not there. */
int snap_dev(struct snap *snap, struct diag *d, int dev, const struct dev **found);
/* The name of the device @ifindex of @netns into @name (IFNAMSIZ bytes). */
int snap_ifname(struct snap *snap, struct diag *d, int netns, int ifindex, char *name);

/* All of it as bytes, owned by @snap, and back. Bytes that do not read are -EBADMSG with @d. */
void snap_bytes(const struct snap *snap, const void **data, size_t *len);
int snap_load(struct snap *snap, struct diag *d, const void *data, size_t len);

#endif

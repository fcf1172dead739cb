/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_OFFLOAD_H
#define QBED_OFFLOAD_H

struct diag;
struct link_end;
struct nets;

/**
 * struct offloads - what a device does with more than one frame at a time
 * @on: 1 << the number of topo_offload_name() for those that are on
 * @gso_max_segs: frames that a sender may hand over as one packet
 */
struct offloads {
	unsigned int on;
	unsigned int gso_max_segs;
};

/* Of the device @end. What a step of "topo up" does is in topo-make.h. */
int offload_read(struct diag *d, struct nets *nets, const struct link_end *end,
		 struct offloads *offloads);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_LINK_H
#define QBED_LINK_H

#include <stdint.h>

struct diag;
struct nets;
struct topo_addr;
struct topo_dev;
struct topo_link;

/*
 * What a link of a topology is made of. @what stands before the kernel's
 * words in a message; 0 or -errno with @d.
 */

/*
 * Makes both ends in one message, each in its namespace from the first moment,
 * with name, MAC, MTU and queues set, and no automatic IPv6 address. Then
 * reads both back: -EIO when the kernel (or who renames devices) made
 * something else.
 */
int link_create(struct diag *d, struct nets *nets, const struct topo_link *link, const char *what);

/* Both ends up; returns when packets can pass (carrier on, qdiscs active), waits for at most 5 s. */
int link_up(struct diag *d, struct nets *nets, const struct topo_link *link, const char *what);

/* lo of a namespace up. */
int link_lo_up(struct diag *d, struct nets *nets, const char *netns, const char *what);

/* The address is usable at once (IFA_F_NODAD). */
int link_addr(struct diag *d, struct nets *nets, const struct topo_dev *dev,
	      const struct topo_addr *addr, const char *what);

/* @dev learns for good that @addr is at @mac. */
int link_neigh(struct diag *d, struct nets *nets, const struct topo_dev *dev,
	       const struct topo_addr *addr, const uint8_t *mac, const char *what);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLASS_KNOWN_H
#define QBED_CLASS_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/qdisc.h"

struct diag;
struct nlattr;
struct rtnl;

/* A qdisc of the device, as it was read. */
struct known_qdisc {
	uint32_t handle;
	bool root;
	char kind[32];
	struct nlattr *opts;	/* a copy, or NULL */
};

/* A class of it, with how many there are below it. */
struct known_class {
	uint32_t classid;
	uint32_t parent;
	uint32_t children;
};

/**
 * struct class_known - what is known of the qdiscs and classes of one device
 * @dev: the device; dev.ifindex is 0 while nothing is known
 *
 * Asking for it anew for each class of a long batch would take the square of
 * their number; so it is read once and kept up with what is done. All zeroes
 * to begin with.
 */
struct class_known {
	struct qdisc_dev dev;
	struct known_qdisc *qdiscs;
	size_t nqdiscs;
	struct known_class *classes;	/* by classid */
	size_t nclasses;
	size_t room;
};

/* Reads all of it, unless it is of @end already. 0 or -errno with @d. */
int class_known_read(struct rtnl *rtnl, struct diag *d, const struct link_end *end,
		     struct class_known *known);
void class_known_forget(struct class_known *known);

/* NULL when there is none; @handle 0: the one at the root. */
const struct known_qdisc *class_known_qdisc(const struct class_known *known, uint32_t handle);
const struct known_class *class_known_find(const struct class_known *known, uint32_t classid);

/* A class was made, or removed. Without memory for it, all is forgotten. */
void class_known_add(struct class_known *known, uint32_t classid, uint32_t parent);
void class_known_del(struct class_known *known, uint32_t classid);

#endif

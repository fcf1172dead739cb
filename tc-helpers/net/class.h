/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLASS_H
#define QBED_CLASS_H

#include "kinds/spec.h"

struct class_known;
struct diag;
struct rtnl;

/*
 * Does @op to a class. @rtnl must be in the namespace of @spec->end. What the
 * kernel would take for something else (a class of another kind than its
 * qdisc's, a parent that is not there) is refused here, and what it refuses
 * without a word gets one. A kind that the kernel lacks is exit 4. @known is
 * kept for the next class; who changes qdiscs of the device forgets it.
 */
int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
	     struct class_known *known);

/* After @op to a qdisc: warns when its default class is not there. */
int class_warn_default(struct rtnl *rtnl, struct diag *d, enum tc_op op,
		       const struct tc_spec *spec);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLASS_H
#define QBED_CLASS_H

#include "kinds/spec.h"

struct diag;
struct rtnl;

/*
 * Does @op to a class. @rtnl must be in the namespace of @spec->end. What the
 * kernel would take for something else (a class of another kind than its
 * qdisc's, a parent that is not there) and what it refuses without a word is
 * refused here. A kind that the kernel lacks is exit 4.
 */
int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec);

/* Warns when the default class of the qdisc @spec, just made or changed, is not there. */
int class_warn_default(struct rtnl *rtnl, struct diag *d, const struct tc_spec *spec);

#endif

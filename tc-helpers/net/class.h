/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLASS_H
#define QBED_CLASS_H

#include "kinds/spec.h"

struct diag;
struct rtnl;

/* Does @op to a class. @rtnl must be in the namespace of @spec->end. A kind that the kernel lacks is exit 4. */
int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec);

#endif

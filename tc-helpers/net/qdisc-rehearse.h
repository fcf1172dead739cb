/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_QDISC_REHEARSE_H
#define QBED_QDISC_REHEARSE_H

#include "kinds/spec.h"

struct diag;
struct rtnl;

/*
 * Before a change (or a replace that the kernel treats as one): what its kind
 * wants to be tried first, see struct kind. @what is the step for messages. 0,
 * or the kernel's -errno and words, and nothing was changed.
 */
int qdisc_rehearse(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
		   int ifindex, const char *what);

#endif

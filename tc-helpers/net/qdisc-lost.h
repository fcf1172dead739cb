/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_QDISC_LOST_H
#define QBED_QDISC_LOST_H

#include "net/qdisc.h"

struct diag;
struct rtnl;

/*
 * Before anything is done: does the kernel know all that @spec asks for? Asked
 * in a namespace of its own, so that nothing of the user's is touched; where
 * none can be made, qdisc_check_lost() finds out.
 */
int qdisc_ask_lost(struct diag *d, const struct tc_spec *spec, const struct link_end *end);

/*
 * After @op: is all that @spec asks for there? A setting that the kernel took
 * and does not know would make an experiment other than the one asked for, so
 * that is exit 4, and an add is taken back.
 */
int qdisc_check_lost(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec,
		     const struct qdisc_dev *dev);

#endif

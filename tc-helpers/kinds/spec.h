/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SPEC_H
#define QBED_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/kinds.h"
#include "pure/names.h"

struct diag;
struct nl_msg;

enum qdisc_op {
	QDISC_ADD,
	QDISC_CHANGE,
	QDISC_REPLACE,
	QDISC_DEL,
	QDISC_SHOW,
};

/**
 * struct qdisc_spec - a qdisc as it is asked for
 * @end: the device; @end.dev is "" when the words had no "dev"
 * @parent: TC_H_ROOT, a class id, 0 when not given
 * @handle: 0 when not given: the kernel chooses
 * @est: a rate estimator is wanted
 * @est_interval: its struct tc_estimator.interval, the log2 of seconds
 * @est_ewma_log: its struct tc_estimator.ewma_log
 * @kind: NULL when not given (%QDISC_DEL, %QDISC_SHOW)
 * @cfg: what @kind read
 */
struct qdisc_spec {
	struct link_end end;
	uint32_t parent;
	uint32_t handle;
	bool est;
	int8_t est_interval;
	uint8_t est_ewma_log;
	const struct kind *kind;
	union kind_cfg cfg;
};

/*
 * Reads tc's words "[dev D] [root|parent H] [handle H:] [est A B] [KIND OPTIONS]".
 * A device is NS:DEV or DEV. Whether what is there is enough for @op is
 * checked too, except for the device, which a topology names elsewhere.
 */
int qdisc_spec_parse(struct diag *d, enum qdisc_op op, char **words, int n,
		     struct qdisc_spec *spec);

/* The words that are no kind's own, ended by NULL: for bash completion. */
extern const char *const qdisc_spec_words[];

/* "add", "change", ... */
const char *qdisc_op_name(enum qdisc_op op);

/* RTM_NEWQDISC or RTM_DELQDISC for the device @ifindex. 0 or -ENOMEM, -EMSGSIZE. */
int qdisc_spec_msg(const struct qdisc_spec *spec, enum qdisc_op op, int ifindex,
		   struct nl_msg **msg);

#endif

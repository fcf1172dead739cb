/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SPEC_H
#define QBED_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/env.h"
#include "kinds/est.h"
#include "kinds/kinds.h"
#include "kinds/stab.h"
#include "pure/names.h"

struct diag;
struct nl_msg;

enum tc_object {
	OBJECT_QDISC,
	OBJECT_CLASS,
};

enum tc_op {
	OP_ADD,
	OP_CHANGE,
	OP_REPLACE,
	OP_DEL,
	OP_SHOW,
};

/**
 * struct tc_spec - a qdisc or class as it is asked for
 * @object: which of the two
 * @end: the device; @end.dev is "" when the words had no "dev"
 * @parent: TC_H_ROOT, a class id, 0 when not given
 * @handle: of a qdisc, the classid of a class; 0 when not given: the kernel chooses
 * @est: the rate estimator that is wanted
 * @stab: the size table that is wanted
 * @ingress_block: shared block of filters of a qdisc that has such, 0 for none
 * @egress_block: the same for what is sent
 * @kind: NULL when not given (%OP_DEL, %OP_SHOW)
 * @cfg: what @kind (or its class) read; NULL without a kind
 */
struct tc_spec {
	enum tc_object object;
	struct link_end end;
	uint32_t parent;
	uint32_t handle;
	struct est est;
	struct stab stab;
	uint32_t ingress_block;
	uint32_t egress_block;
	const struct kind *kind;
	void *cfg;
};

/*
 * Reads tc's words "[dev D] [root|parent H] [handle H:|classid H] [est A B] [stab ...]
 * [KIND OPTIONS]". A device is NS:DEV or DEV. Whether what is there is enough
 * for @op is checked too, except for the device, which a topology names
 * elsewhere. @env gives meaning to what the words leave open; with NULL the
 * words are only judged, and what needs a table cannot become a message. @spec is to be given to tc_spec_free() whatever is returned. -ENOENT
 * for a kind that is none, -EINVAL for other wrong words.
 */
int tc_spec_parse(struct diag *d, const struct tc_env *env, enum tc_object object,
		  enum tc_op op, char **words, int n, struct tc_spec *spec);
void tc_spec_free(struct tc_spec *spec);

/* Emits the words of @object that are no kind's own: for bash completion. */
void tc_spec_words(enum tc_object object, void (*emit)(const char *word));

/* "add", "change", ... */
const char *tc_op_name(enum tc_op op);
/* "qdisc", "class" */
const char *tc_object_name(enum tc_object object);

/* RTM_NEW... or RTM_DEL... for the device @ifindex; without @spec->cfg, without options. 0 or -ENOMEM, -EMSGSIZE. */
int tc_spec_msg(const struct tc_spec *spec, enum tc_op op, int ifindex, struct nl_msg **msg);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FILTER_SPEC_H
#define QBED_FILTER_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "kinds/spec.h"
#include "pure/names.h"

struct nl_msg;

/**
 * struct filter_spec - a filter as it is asked for
 * @end: the device; @end.dev is "" when the words had no "dev"
 * @parent: qdisc or class it is attached to; 0: the root qdisc
 * @protocol: ETH_P_... in host order, 0 for not given
 * @prio: preference, 0 for not given: the kernel chooses
 * @handle: 0 for not given: the kernel chooses
 * @chain: see @has_chain
 * @has_chain: a chain was named
 * @has_handle: a handle was named
 * @kind: NULL when not given
 * @given: bits of the words that were there, see struct filter_word
 * @has_options: a word came after the kind's name
 * @classid: where matching packets go, see @given
 * @flags: TCA_CLS_FLAGS_SKIP_...
 * @actions: what is done with matching packets
 * @cfg: what @kind read; NULL without a kind
 */
struct filter_spec {
	struct link_end end;
	uint32_t parent;
	uint16_t protocol;
	uint32_t prio;
	uint32_t handle;
	uint32_t chain;
	bool has_chain;
	bool has_handle;
	const struct classifier *kind;
	uint32_t given;
	bool has_options;
	uint32_t classid;
	uint32_t flags;
	struct actions actions;
	void *cfg;
};

/* Bits of @given that are every classifier's; a kind's own begin at %FILTER_OWN. */
enum { FILTER_CLASSID, FILTER_ACTION, FILTER_SKIP_HW, FILTER_SKIP_SW, FILTER_OWN };

/*
 * Reads tc's words "[dev D] [parent H|root|ingress|egress] [protocol P] [prio N]
 * [handle H] [chain N] [KIND ...]" and checks that they are enough for @op,
 * except for the device. @spec is to be given to filter_spec_free() whatever
 * is returned. -ENOENT for a classifier that is none, -EINVAL for other wrong words.
 */
int filter_spec_parse(struct diag *d, enum tc_op op, char **words, int n,
		      struct filter_spec *spec);
void filter_spec_free(struct filter_spec *spec);

/* Emits every word of filters, classifiers and actions, for bash completion. */
void filter_spec_words(void (*emit)(const char *word));

/* RTM_NEWTFILTER or RTM_DELTFILTER for the device @ifindex. 0 or -ENOMEM, -EMSGSIZE. */
int filter_spec_msg(const struct filter_spec *spec, enum tc_op op, int ifindex,
		    struct nl_msg **msg);

/* "ip", "802.1Q", "[2048]"; @buf of 16 bytes. Returns @buf. */
char *protocol_format(char *buf, uint16_t protocol);
int protocol_parse(struct diag *d, char **words, int i, uint16_t *protocol);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ACTION_H
#define QBED_ACTION_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr-desc.h"

struct diag;
struct doc;
struct filter_view;
struct nlattr;
struct nlb;

/* The kernel's TCA_ACT_MAX_PRIO. */
#define ACTIONS_MAX 32

/**
 * struct filter_action - one action as it is asked for
 * @kind: which
 * @control: what becomes of the packet after it, TC_ACT_...
 * @index: number of the action, 0: the kernel chooses
 * @dev: the device that it needs, "" for none
 * @ifindex: its index, to be filled in before the message is made
 * @cfg: what @kind read
 */
struct filter_action {
	const struct action *kind;
	int control;
	uint32_t index;
	char dev[IFNAMSIZ];
	int ifindex;
	void *cfg;
};

/**
 * struct actions - the actions of a filter, done in this order
 */
struct actions {
	struct filter_action act[ACTIONS_MAX];
	int n;
};

/**
 * struct action - a kind of action: words in, attributes out, and back
 * @name: as the kernel calls it
 * @config: the CONFIG_ option that brings it
 * @words: its words, ended by NULL
 * @cfg_size: bytes of @act->cfg, zero before
 * @parse: reads the words from @i on (the one after the name) and returns the
 *	index of the first one that is not its own; negative with @d filled
 * @fill: writes its attributes into the open TCA_ACT_OPTIONS
 * @options: what is in TCA_ACT_OPTIONS, ATTR_OPTIONS()
 * @show: puts the options into the open object and the text
 */
struct action {
	const char *name;
	const char *config;
	const char *const *words;
	size_t cfg_size;
	int (*parse)(struct diag *d, char **words, int i, int n, struct filter_action *act);
	void (*fill)(struct nlb *nlb, const struct filter_action *act);
	const struct attr_desc *options;
	void (*show)(struct doc *doc, struct nlattr *opts, const struct filter_view *view);
};

/* One per file; action.c lists them. */
extern const struct action action_mirred;
extern const struct action action_skbedit;
extern const struct action action_gact;

/* The list ends with NULL. */
extern const struct action *const action_kinds[];

const struct action *action_find(const char *name);

/* The bytes of tc_gen and struct tcf_t, for struct attr_desc */
#define ATTR_TC_GEN "index=u32 capab=u32 action=s32 refcnt=s32 bindcnt=s32"
#define ATTR_TCF_T "install=u64 lastuse=u64 expires=u64 firstuse=u64"

/* The attributes of actions_fill(), one per action */
extern const struct attr_desc actions_attrs[];

/* Reads "KIND WORDS [[action] KIND WORDS ...]" from @i on; returns the index of the word after. */
int actions_parse(struct diag *d, char **words, int i, int n, struct actions *actions);
void actions_free(struct actions *actions);
/* The attribute @type with all of them, unless there are none. */
void actions_fill(struct nlb *nlb, uint16_t type, const struct actions *actions);
void actions_show(struct doc *doc, struct nlattr *attr, const struct filter_view *view);

/* "pass", "drop", "goto chain 3" ...: the index after it, or @i when words[@i] is none of them. */
int control_parse(struct diag *d, char **words, int i, int n, int *control);
void control_show(struct doc *doc, int control);
/* The words of control_parse(), ended by NULL. */
extern const char *const control_words[];

/* "index N": the index after it, or @i when it is not there. */
int index_parse(struct diag *d, char **words, int i, int n, uint32_t *index);
/* index, ref and bind; @lead before the index; the times of the attribute @tm with statistics */
void index_show(struct doc *doc, const char *lead, uint32_t index, int ref, int bind,
		struct nlattr *tm, const struct filter_view *view);

#endif

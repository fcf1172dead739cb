// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "filters/filter-spec.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

/* A word before the kind's name; @value: one follows it. */
struct place_word {
	const char *word;
	bool value;
	int (*parse)(struct diag *d, char **words, int i, struct filter_spec *spec);
};

static int twice(struct diag *d, char **words, int i)
{
	return diag_usage(d, i, "\"%s\" is there twice", words[i]);
}

static int dev_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return spec->end.dev[0] ? twice(d, words, i) : link_end_parse(d, words, i + 1, &spec->end);
}

static int fixed_parent(struct diag *d, char **words, int i, struct filter_spec *spec,
			uint32_t parent)
{
	if (spec->parent)
		return diag_usage(d, i, "\"%s\": the parent is there twice", words[i]);
	spec->parent = parent;
	return 0;
}

static int root_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return fixed_parent(d, words, i, spec, TC_H_ROOT);
}

static int ingress_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return fixed_parent(d, words, i, spec, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS));
}

static int egress_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return fixed_parent(d, words, i, spec, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS));
}

static int parent_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	uint32_t parent;

	if (classid_parse(d, words, i + 1, &parent))
		return diag_context(d, 0, "parent");
	return fixed_parent(d, words, i, spec, parent);
}

static int protocol_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return spec->protocol ? twice(d, words, i) :
	       protocol_parse(d, words, i + 1, &spec->protocol);
}

static int prio_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	uint64_t v = 0;

	if (spec->prio)
		return twice(d, words, i);
	if (u64_parse(d, words, i + 1, 1, UINT16_MAX, &v))
		return diag_context(d, 0, "%s", words[i]);
	spec->prio = (uint32_t)v;
	return 0;
}

/* What a handle looks like is the kind's affair: it is read once that is known. */
static int handle_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	if (spec->has_handle)
		return twice(d, words, i);
	spec->has_handle = true;
	return 0;
}

static int chain_place(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	uint64_t v = 0;

	if (spec->has_chain)
		return twice(d, words, i);
	/* above TC_ACT_EXT_VAL_MASK no "goto chain" could name it */
	if (u64_parse(d, words, i + 1, 0, TC_ACT_EXT_VAL_MASK, &v))
		return diag_context(d, 0, "chain");
	spec->chain = (uint32_t)v;
	spec->has_chain = true;
	return 0;
}

static const struct place_word place_words[] = {
	{ "dev", true, dev_place },
	{ "root", false, root_place },
	{ "ingress", false, ingress_place },
	{ "egress", false, egress_place },
	{ "parent", true, parent_place },
	{ "protocol", true, protocol_place },
	{ "proto", true, protocol_place },
	{ "prio", true, prio_place },
	{ "pref", true, prio_place },
	{ "priority", true, prio_place },
	{ "preference", true, prio_place },
	{ "handle", true, handle_place },
	{ "chain", true, chain_place },
	{ NULL }
};

static int classid_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	int err;

	if (i >= n)
		return diag_usage(d, i - 1, "needs a class, such as 1:10");
	err = classid_parse(d, words, i, &spec->classid);
	return err ? err : i + 1;
}

static int action_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	return actions_parse(d, words, i, n, &spec->actions);
}

static int skip_hw_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	spec->flags |= TCA_CLS_FLAGS_SKIP_HW;
	return i;
}

static int skip_sw_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	spec->flags |= TCA_CLS_FLAGS_SKIP_SW;
	return i;
}

/* Those that not every classifier has come last. */
static const struct filter_word common_words[] = {
	{ "classid", FILTER_CLASSID, .take = classid_take },
	{ "flowid", FILTER_CLASSID, .take = classid_take },
	{ "action", FILTER_ACTION, .many = true, .take = action_take },
	{ "skip_hw", FILTER_SKIP_HW, .take = skip_hw_take },
	{ "skip_sw", FILTER_SKIP_SW, .take = skip_sw_take },
	{ NULL }
};

static int kind_parse(struct diag *d, char **words, int i, int n, int handle_at,
		      struct filter_spec *spec)
{
	const struct classifier *kind = classifier_find(words[i]);
	char names[256];
	uint64_t v = 0;
	int err = 0;

	spec->kind = kind;
	if (!kind) {
		diag_usage(d, i, "unknown word \"%s\": neither a word of tc's filters nor a classifier (%s)",
			   words[i], classifiers_names(names, sizeof(names)));
		return -ENOENT;
	}
	spec->cfg = calloc(1, kind->cfg_size ? kind->cfg_size : 1);
	if (!spec->cfg)
		return diag_failed(d, ENOMEM, "%s", kind->name);
	if (handle_at && kind->handle) {
		err = kind->handle(d, words, handle_at, spec);
	} else if (handle_at) {
		err = u64_parse(d, words, handle_at, 0, UINT32_MAX, &v);
		spec->handle = (uint32_t)v;
	}
	if (err)
		return diag_context(d, 0, "handle");
	spec->has_options = ++i < n;
	i = filter_words_take(d, kind->words, common_words, words, i, n, spec);
	if (i >= 0 && i < n)
		i = diag_usage(d, i, "unknown word \"%s\"", words[i]);
	if (i >= 0 && spec->flags && !kind->flags_attr)
		i = diag_usage(d, -1, "skip_hw and skip_sw are not for it");
	if (i >= 0 && spec->flags == (TCA_CLS_FLAGS_SKIP_HW | TCA_CLS_FLAGS_SKIP_SW))
		i = diag_usage(d, -1, "skip_hw and skip_sw exclude each other");
	return i < 0 ? diag_context(d, 0, "%s", kind->name) : 0;
}

static int spec_check(struct diag *d, enum tc_op op, const struct filter_spec *spec)
{
	char names[256];

	if (op == OP_SHOW)
		return spec->kind || spec->has_handle ?
		       diag_usage(d, -1, "show takes dev, root, parent, ingress, egress, protocol, prio and chain only") : 0;
	if (spec->has_handle && !spec->kind)
		return diag_usage(d, -1, "a handle needs the kind of its filter: %s",
				  classifiers_names(names, sizeof(names)));
	if (op == OP_DEL)
		return 0;
	if (!spec->kind)
		return diag_usage(d, -1, "a classifier is needed: %s",
				  classifiers_names(names, sizeof(names)));
	/* Without it the kernel takes the filter for a new one of a preference of its own. */
	if (op == OP_CHANGE && !spec->prio)
		return diag_usage(d, -1, "\"prio N\" of the filter is needed");
	if ((op == OP_ADD || op == OP_REPLACE) && spec->kind->check && spec->kind->check(d, spec))
		return diag_context(d, 0, "%s", spec->kind->name);
	return 0;
}

static const struct place_word *place_word_find(const char *word)
{
	for (const struct place_word *pw = place_words; pw->word; pw++)
		if (!strcmp(pw->word, word))
			return pw;
	return NULL;
}

int filter_spec_parse(struct diag *d, enum tc_op op, char **words, int n,
		      struct filter_spec *spec)
{
	int handle_at = 0;
	int err;

	memset(spec, 0, sizeof(*spec));
	for (int i = 0; i < n;) {
		const struct place_word *pw = place_word_find(words[i]);

		if (!pw) {
			/* as tc: a new filter is for all protocols, one that is there has one */
			if (!spec->protocol && (op == OP_ADD || op == OP_REPLACE))
				spec->protocol = ETH_P_ALL;
			err = kind_parse(d, words, i, n, handle_at, spec);
			if (err)
				return err;
			break;
		}
		if (pw->value && i + 1 >= n)
			return diag_usage(d, i, "\"%s\" needs a value", words[i]);
		err = pw->parse(d, words, i, spec);
		if (err)
			return err;
		if (pw->parse == handle_place)
			handle_at = i + 1;
		i += pw->value + 1;
	}
	return spec_check(d, op, spec);
}

void filter_spec_free(struct filter_spec *spec)
{
	actions_free(&spec->actions);
	free(spec->cfg);
	spec->cfg = NULL;
}

void filter_spec_words(void (*emit)(const char *word))
{
	for (const struct place_word *pw = place_words; pw->word; pw++)
		emit(pw->word);
	for (const struct filter_word *fw = common_words; fw->word; fw++)
		emit(fw->word);
	for (const struct classifier *const *kind = classifiers; *kind; kind++) {
		emit((*kind)->name);
		for (const struct filter_word *fw = (*kind)->words; fw->word; fw++)
			emit(fw->word);
		for (const char *const *value = (*kind)->values; value && *value; value++)
			emit(*value);
	}
	for (const struct action *const *kind = action_kinds; *kind; kind++) {
		emit((*kind)->name);
		for (const char *const *word = (*kind)->words; *word; word++)
			emit(*word);
	}
}

static void options_fill(struct nlb *nlb, const struct filter_spec *spec)
{
	const struct classifier *kind = spec->kind;
	size_t nest;

	/* tc's way: what only names a filter has no options */
	if (!spec->has_options && !kind->bare)
		return;
	nest = nlb_nest(nlb, TCA_OPTIONS);
	if (spec->given & 1u << FILTER_CLASSID)
		nlb_put_u32(nlb, kind->classid_attr, spec->classid);
	if (kind->fill)
		kind->fill(nlb, spec);
	if (kind->flags_attr && (spec->flags || kind->bare))
		nlb_put_u32(nlb, kind->flags_attr, spec->flags);
	actions_fill(nlb, kind->act_attr, &spec->actions);
	nlb_nest_end(nlb, nest);
}

int filter_spec_msg(const struct filter_spec *spec, enum tc_op op, int ifindex,
		    struct nl_msg **msg)
{
	static const uint16_t flags[] = {
		[OP_ADD] = NLM_F_CREATE | NLM_F_EXCL,
		[OP_CHANGE] = 0,
		[OP_REPLACE] = NLM_F_CREATE,
		[OP_DEL] = 0,
	};
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = ifindex,
		.tcm_handle = spec->handle,
		.tcm_parent = spec->parent,
		.tcm_info = TC_H_MAKE(spec->prio << 16, htons(spec->protocol)),
	};
	struct nlb nlb;

	nlb_init(&nlb, op == OP_DEL ? RTM_DELTFILTER : RTM_NEWTFILTER, flags[op]);
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	if (spec->has_chain)
		nlb_put_u32(&nlb, TCA_CHAIN, spec->chain);
	if (spec->kind) {
		nlb_put_str(&nlb, TCA_KIND, spec->kind->name);
		options_fill(&nlb, spec);
	}
	return nlb_finish(&nlb, msg);
}

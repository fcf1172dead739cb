// SPDX-License-Identifier: GPL-2.0-or-later
/* The actions of a filter: one after the other, as tc has them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "kinds/stats.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

const struct action *const action_kinds[] = {
	&action_mirred,
	&action_skbedit,
	&action_gact,
	NULL
};

/* Counters of an action are those of a qdisc; they are told, never sent. */
static const struct attr_desc action_attrs[] = {
	ATTR_KIND(TCA_ACT_KIND),
	ATTR_KINDS_OWN(TCA_ACT_OPTIONS, ATTR_BY_ACTION),
	ATTR(TCA_ACT_INDEX, "u32"),
	ATTR(TCA_ACT_STATS, "hex"),
	ATTR(TCA_ACT_COOKIE, "hex"),
	ATTR(TCA_ACT_FLAGS, "hex"),
	ATTR(TCA_ACT_HW_STATS, "hex"),
	ATTR(TCA_ACT_USED_HW_STATS, "hex"),
	ATTR(TCA_ACT_IN_HW_COUNT, "u32"),
	ATTR_END
};

const struct attr_desc actions_attrs[] = {
	{ .type = ATTR_ANY, .name = "action", .value = "+", .sub = action_attrs },
	ATTR_END
};

const struct action *action_find(const char *name)
{
	for (const struct action *const *kind = action_kinds; *kind; kind++)
		if (!strcmp((*kind)->name, name))
			return *kind;
	return NULL;
}

/* A bare "drop" is gact's. */
static bool is_control(char **words, int i, int n)
{
	struct diag quiet;
	int control, next;

	diag_init(&quiet);
	next = control_parse(&quiet, words, i, n, &control);
	diag_free(&quiet);
	return next != i;
}

static bool is_action(char **words, int i, int n)
{
	return i < n && (action_find(words[i]) || is_control(words, i, n));
}

static int one_parse(struct diag *d, char **words, int i, int n, struct filter_action *act)
{
	int at = i;

	act->kind = action_find(words[i]);
	if (act->kind)
		i++;
	else
		act->kind = &action_gact;
	if (act->kind->cfg_size) {
		act->cfg = calloc(1, act->kind->cfg_size);
		if (!act->cfg)
			return diag_failed(d, ENOMEM, "%s", act->kind->name);
	}
	i = act->kind->parse(d, words, i, n, act);
	return i < 0 && act->kind != &action_gact ? diag_context(d, 0, "%s", words[at]) : i;
}

int actions_parse(struct diag *d, char **words, int i, int n, struct actions *actions)
{
	char names[256] = "";

	for (const struct action *const *kind = action_kinds; *kind; kind++) {
		strncat(names, (*kind)->name, sizeof(names) - strlen(names) - 1);
		strncat(names, ", ", sizeof(names) - strlen(names) - 1);
	}
	if (i >= n)
		return diag_usage(d, i - 1, "\"%s\" needs an action: %spass, drop ...",
				  words[i - 1], names);
	if (!is_action(words, i, n))
		return diag_usage(d, i, "unknown action \"%s\": %spass, drop ...", words[i], names);
	/* tc lets the word "action" between two of them be left out */
	while (is_action(words, i, n)) {
		if (actions->n == ACTIONS_MAX)
			return diag_usage(d, i, "more than %d actions", ACTIONS_MAX);
		i = one_parse(d, words, i, n, &actions->act[actions->n++]);
		if (i < 0)
			return i;
	}
	return i;
}

void actions_free(struct actions *actions)
{
	for (int i = 0; i < actions->n; i++)
		free(actions->act[i].cfg);
	actions->n = 0;
}

void actions_fill(struct nlb *nlb, uint16_t type, const struct actions *actions)
{
	size_t all, one, opts;

	if (!actions->n)
		return;
	all = nlb_nest(nlb, type);
	for (int i = 0; i < actions->n; i++) {
		const struct filter_action *act = &actions->act[i];

		one = nlb_nest(nlb, (uint16_t)(i + 1));
		nlb_put_str(nlb, TCA_ACT_KIND, act->kind->name);
		opts = nlb_nest(nlb, TCA_ACT_OPTIONS | NLA_F_NESTED);
		act->kind->fill(nlb, act);
		nlb_nest_end(nlb, opts);
		nlb_nest_end(nlb, one);
	}
	nlb_nest_end(nlb, all);
}

static void one_show(struct doc *doc, int order, struct nlattr *attr,
		     const struct filter_view *view)
{
	struct nlattr *tb[TCA_ACT_MAX + 1];
	const struct action *kind;

	if (nla_parse_nested(tb, TCA_ACT_MAX, attr, NULL) < 0 || !tb[TCA_ACT_KIND])
		return;
	doc_open_object(doc, NULL);
	doc_u64(doc, "order", "\n\taction order %" PRIu64 ":", (uint64_t)order);
	doc_str(doc, "kind", " %s", nla_get_string(tb[TCA_ACT_KIND]));
	kind = action_find(nla_get_string(tb[TCA_ACT_KIND]));
	if (kind && tb[TCA_ACT_OPTIONS])
		kind->show(doc, tb[TCA_ACT_OPTIONS], view);
	else
		doc_text(doc, "\n");
	if (view->statistics && tb[TCA_ACT_STATS]) {
		doc_text(doc, "\tAction statistics:\n");
		doc_open_object(doc, "stats");
		stats_show(doc, tb[TCA_ACT_STATS], "\t");
		doc_close_object(doc);
		doc_text(doc, "\n");
	}
	doc_close_object(doc);
}

void actions_show(struct doc *doc, struct nlattr *attr, const struct filter_view *view)
{
	struct nlattr *tb[ACTIONS_MAX + 1];

	if (!attr || nla_parse_nested(tb, ACTIONS_MAX, attr, NULL) < 0)
		return;
	doc_open_array(doc, "actions");
	for (int i = 1; i <= ACTIONS_MAX; i++)
		if (tb[i])
			one_show(doc, i, tb[i], view);
	doc_close_array(doc);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the commands of qdiscs and classes share: tc's verbs and words. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "net/class.h"
#include "net/qdisc.h"
#include "net/rtnl.h"
#include "net/tc-env.h"
#include "tc-object.h"
#include "tc-show.h"

const struct opt tc_object_opts[] = {
	{ "netns", OPT_STR, offsetof(struct tc_object_cfg, netns), "NS",
	  "network namespace of the device", .letter = 'n' },
	{ "statistics", OPT_FLAG, offsetof(struct tc_object_cfg, statistics), NULL,
	  "show: with the counters", .letter = 's' },
	{ "details", OPT_FLAG, offsetof(struct tc_object_cfg, details), NULL,
	  "show: all settings of a class, and size tables", .letter = 'd' },
	TC_UNITS_OPT(offsetof(struct tc_object_cfg, units)),
	{ 0 }
};

int tc_units_opt(struct diag *d, char **words, int i, void *field)
{
	return tc_units_parse(d, words, i, field);
}

static int make(struct diag *d, struct rtnl *rtnl, enum tc_op op, const struct tc_spec *spec)
{
	struct qdisc_dev dev;
	int err;

	if (spec->object == OBJECT_CLASS)
		return class_do(rtnl, d, op, spec);
	err = qdisc_dev_read(rtnl, d, &spec->end, &dev);
	if (!err)
		err = qdisc_do(rtnl, d, op, spec, &dev);
	if (!err && op != OP_DEL)
		err = class_warn_default(rtnl, d, spec);
	return err;
}

int tc_verb_parse(struct diag *d, const char *object, char **words, int n, enum tc_op *op)
{
	if (!n) {
		*op = OP_SHOW;	/* as in tc */
		return 0;
	}
	for (*op = OP_ADD; *op <= OP_SHOW; ++*op)
		if (!strcmp(words[0], tc_op_name(*op)))
			return 0;
	if (!strcmp(words[0], "delete") || !strcmp(words[0], "list") || !strcmp(words[0], "ls")) {
		*op = words[0][0] == 'd' ? OP_DEL : OP_SHOW;
		return 0;
	}
	return diag_usage(d, 0, "%s: unknown word \"%s\": add, change, replace, del or show",
			  object, words[0]);
}

/* Where the device is: in the name (NS:DEV), in -n, not in both differently. */
int tc_netns_choose(struct diag *d, const char *object, const char *option, struct link_end *end)
{
	int err;

	if (!option)
		return 0;
	err = netns_name_check(d, -1, option);
	if (err)
		return err;
	if (end->netns[0] && strcmp(end->netns, option))
		return diag_usage(d, -1, "%s: the device is in \"%s\" by its name and in \"%s\" by -n",
				  object, end->netns, option);
	strcpy(end->netns, option);
	return 0;
}

static int run_spec(struct ctx *ctx, const struct tc_object_cfg *cfg, enum tc_op op,
		    struct tc_spec *spec)
{
	const char *object = tc_object_name(spec->object);
	struct rtnl *rtnl = NULL;
	int err;

	if (!spec->end.dev[0] && (op != OP_SHOW || spec->object == OBJECT_CLASS))
		return diag_usage(ctx->diag, -1, "%s %s: \"dev D\" is needed", object, tc_op_name(op));
	err = tc_netns_choose(ctx->diag, object, cfg->netns, &spec->end);
	if (!err)
		err = rtnl_open(ctx->diag, spec->end.netns, &rtnl);
	if (err)
		return err;
	if (op == OP_SHOW)
		err = tc_show(ctx->diag, rtnl, spec, cfg, ctx->doc);
	else
		err = make(ctx->diag, rtnl, op, spec);
	rtnl_close(rtnl);
	return err;
}

int tc_object_run(struct ctx *ctx, enum tc_object object, const struct tc_object_cfg *cfg,
		  int argc, char **argv)
{
	struct tc_env env = tc_env_machine(cfg->units, cfg->netns);
	struct tc_spec spec;
	enum tc_op op;
	int skip = argc > 0;
	int err;

	err = tc_verb_parse(ctx->diag, tc_object_name(object), argv, argc, &op);
	if (err)
		return err;
	err = tc_spec_parse(ctx->diag, &env, object, op, argv + skip, argc - skip, &spec);
	if (err)
		diag_context(ctx->diag, skip, "%s %s", tc_object_name(object), tc_op_name(op));
	else
		err = run_spec(ctx, cfg, op, &spec);
	tc_spec_free(&spec);
	return err;
}

void tc_verb_words(void (*emit)(const char *word))
{
	for (enum tc_op op = OP_ADD; op <= OP_SHOW; op++)
		emit(tc_op_name(op));
}

void tc_object_words(enum tc_object object, void (*emit)(const char *word))
{
	tc_verb_words(emit);
	tc_spec_words(object, emit);
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		if (object == OBJECT_CLASS ? !(*kind)->class || !(*kind)->class->parse : !(*kind)->parse)
			continue;
		emit((*kind)->name);
		keywords_emit(object == OBJECT_CLASS ? (*kind)->class->words : (*kind)->words, emit);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed filter: tc's words for what sends packets to a class, a queue or a device. */
#include <stddef.h>

#include "filter-show.h"
#include "filters/filter-spec.h"
#include "net/filter.h"
#include "net/rtnl.h"
#include "tc-object.h"

struct filter_cfg {
	const char *netns;
	bool statistics;
};

static const struct opt filter_opts[] = {
	{ "netns", OPT_STR, offsetof(struct filter_cfg, netns), "NS",
	  "network namespace of the device", .letter = 'n' },
	{ "statistics", OPT_FLAG, offsetof(struct filter_cfg, statistics), NULL,
	  "show: with the counters", .letter = 's' },
	{ 0 }
};

static int run_spec(struct ctx *ctx, const struct filter_cfg *cfg, enum tc_op op,
		    struct filter_spec *spec)
{
	struct rtnl *rtnl = NULL;
	int err;

	if (!spec->end.dev[0])
		return diag_usage(ctx->diag, -1, "filter %s: \"dev D\" is needed", tc_op_name(op));
	err = tc_netns_choose(ctx->diag, "filter", cfg->netns, &spec->end);
	if (!err)
		err = rtnl_open(ctx->diag, spec->end.netns, &rtnl);
	if (err)
		return err;
	if (op == OP_SHOW)
		err = filter_show(ctx->diag, rtnl, spec, cfg->statistics, ctx->doc);
	else
		err = filter_do(rtnl, ctx->diag, op, spec);
	rtnl_close(rtnl);
	return err;
}

static int filter_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	struct filter_spec spec;
	int skip = argc > 0;
	enum tc_op op;
	int err;

	err = tc_verb_parse(ctx->diag, "filter", argv, argc, &op);
	if (err)
		return err;
	err = filter_spec_parse(ctx->diag, op, argv + skip, argc - skip, &spec);
	if (err)
		diag_context(ctx->diag, skip, "filter %s", tc_op_name(op));
	else
		err = run_spec(ctx, cfg, op, &spec);
	filter_spec_free(&spec);
	return err;
}

static void filter_words(void (*emit)(const char *word))
{
	tc_verb_words(emit);
	filter_spec_words(emit);
}

extern const struct cmd cmd_filter;
const struct cmd cmd_filter = {
	.name = "filter",
	.summary = "add, change, replace, delete and show filters, in tc's words",
	.usage = "[-n NS] add|change|replace dev D [root|ingress|egress|parent H] [protocol P] [prio N] [handle H] [chain N] KIND OPTIONS\n"
		 "[-n NS] del dev D [root|ingress|egress|parent H] [protocol P] [prio N] [handle H] [chain N] [KIND]\n"
		 "[-n NS] [-s] show dev D [root|ingress|egress|parent H] [protocol P] [prio N] [chain N]",
	.opts = filter_opts,
	.cfg_size = sizeof(struct filter_cfg),
	.words = filter_words,
	.run = filter_run,
};

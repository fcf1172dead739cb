// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed filter: tc's words for what sends packets to a class, a queue or a device. */
#include <stddef.h>

#include "command.h"
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

static int filter_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	const struct filter_cfg *c = cfg;
	struct command cmd = { .cfg = { .netns = c->netns, .statistics = c->statistics } };

	return tc_command_run(ctx, command_filter(ctx->diag, argv, argc, &cmd), &cmd);
}

static void filter_words(void (*emit)(const char *word))
{
	command_verbs(emit);
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

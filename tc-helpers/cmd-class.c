// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed class: tc's words for the classes of a qdisc. */
#include "tc-object.h"

static int class_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	return tc_object_run(ctx, OBJECT_CLASS, cfg, argc, argv);
}

static void class_words(void (*emit)(const char *word))
{
	tc_object_words(OBJECT_CLASS, emit);
}

extern const struct cmd cmd_class;
const struct cmd cmd_class = {
	.name = "class",
	.alias = "cl",
	.summary = "add, change, replace, delete and show classes, in tc's words",
	.usage = "[-n NS] add|change|replace dev D [root|parent H] classid H [est A B] KIND OPTIONS\n"
		 "[-n NS] del dev D classid H\n"
		 "[-n NS] [-s] [-d] show dev D [root|parent H] [classid H]",
	.opts = tc_object_opts,
	.cfg_size = sizeof(struct tc_object_cfg),
	.words = class_words,
	.run = class_run,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed qdisc: tc's words for the qdiscs of a device. */
#include "tc-object.h"

static int qdisc_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	return tc_object_run(ctx, OBJECT_QDISC, cfg, argc, argv);
}

static void qdisc_words(void (*emit)(const char *word))
{
	tc_object_words(OBJECT_QDISC, emit);
}

extern const struct cmd cmd_qdisc;
const struct cmd cmd_qdisc = {
	.name = "qdisc",
	.alias = "qd",
	.summary = "add, change, replace, delete and show qdiscs, in tc's words",
	.usage = "[-n NS] add|change|replace dev D [root|parent H] [handle H:] [est A B] [stab ...] KIND OPTIONS\n"
		 "[-n NS] del dev D root|parent H [handle H:]\n"
		 "[-n NS] [-s] [-d] show [dev D] [root|parent H] [handle H:]",
	.opts = tc_object_opts,
	.cfg_size = sizeof(struct tc_object_cfg),
	.words = qdisc_words,
	.run = qdisc_run,
};

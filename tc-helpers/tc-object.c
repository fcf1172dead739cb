// SPDX-License-Identifier: GPL-2.0-or-later
/* What the commands of qdiscs and classes share. */
#include <errno.h>
#include <stddef.h>

#include "command.h"
#include "tc-object.h"

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

int tc_command_run(struct ctx *ctx, int err, struct command *cmd)
{
	struct session *s = err ? NULL : session_new(ctx->diag);

	if (s)
		err = command_run(ctx->diag, s, cmd, ctx->doc, NULL);
	else if (!err)
		err = -ENOMEM;
	session_free(s);
	command_free(cmd);
	return err;
}

int tc_object_run(struct ctx *ctx, enum tc_object object, const struct tc_object_cfg *cfg,
		  int argc, char **argv)
{
	struct command cmd = { .cfg = *cfg };

	return tc_command_run(ctx, command_tc(ctx->diag, object, argv, argc, &cmd), &cmd);
}

static void keyword_words(const struct keyword *words, void (*emit)(const char *word))
{
	for (const struct keyword *kw = words; kw && kw->word; kw++)
		emit(kw->word);
}

void tc_object_words(enum tc_object object, void (*emit)(const char *word))
{
	command_verbs(emit);
	tc_spec_words(object, emit);
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		if (object == OBJECT_CLASS ? !(*kind)->class || !(*kind)->class->parse : !(*kind)->parse)
			continue;
		emit((*kind)->name);
		keyword_words(object == OBJECT_CLASS ? (*kind)->class->words : (*kind)->words, emit);
	}
}

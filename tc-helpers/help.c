// SPDX-License-Identifier: GPL-2.0-or-later
/* --help and the words of bash completion, both made from the tables. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "opt.h"

static int help_line(void *arg, const char *left, const char *help)
{
	return fprintf(arg, "%-28s  %s\n", left, help);
}

void help_main(const struct cmd *const *cmds, const struct opt *common, const struct opt *first)
{
	printf("Usage: qbed [OPTIONS] COMMAND ...\n\nCommands:\n");
	for (; *cmds; cmds++)
		printf("  %-10s %s\n", (*cmds)->name, (*cmds)->summary);
	printf("\nOptions:\n");
	opt_describe(common, help_line, stdout);
	opt_describe(first, help_line, stdout);
	printf("%-28s  %s\n", "  -h, --help", "this text; after a command, its own");
	printf("\nExit codes: 0 done, 1 wrong words, 2 refused or failed, 4 this machine cannot.\n");
}

void help_cmd(const struct cmd *cmd, const struct opt *common)
{
	const char *line = cmd->usage ? cmd->usage : "";

	for (const char *lead = "Usage:"; ; lead = "      ") {
		int len = (int)strcspn(line, "\n");

		printf("%s qbed %s%s%.*s\n", lead, cmd->name, len ? " " : "", len, line);
		line += len;
		if (!*line || !line[1])
			break;
		line++;
	}
	printf("\n%s\n", cmd->summary);
	if (cmd->alias)
		printf("\"%s\" is short for \"%s\".\n", cmd->alias, cmd->name);
	printf("\nOptions:\n");
	opt_describe(cmd->opts, help_line, stdout);
	opt_describe(common, help_line, stdout);
	printf("%-28s  %s\n\nSee qbed-%s(8).\n", "  -h, --help", "this text", cmd->name);
}

static void emit_word(const char *word)
{
	printf(" %s", word);
}

static void emit_opts(const struct opt *opts)
{
	for (; opts && opts->name; opts++)
		printf(" --%s", opts->name);
}

/* "NAME: WORD WORD --OPTION ..." per command; qbed's own as "qbed: ..." */
void help_words(const struct cmd *const *cmds, const struct opt *common, const struct opt *first)
{
	printf("qbed:");
	for (const struct cmd *const *cmd = cmds; *cmd; cmd++)
		printf(" %s", (*cmd)->name);
	printf(" help");
	emit_opts(common);
	emit_opts(first);
	printf(" --help\n");
	for (; *cmds; cmds++) {
		printf("%s:", (*cmds)->name);
		if ((*cmds)->words)
			(*cmds)->words(emit_word);
		emit_opts((*cmds)->opts);
		emit_opts(common);
		printf(" --help\n");
	}
}

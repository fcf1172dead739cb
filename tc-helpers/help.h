/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_HELP_H
#define QBED_HELP_H

#include "cmd.h"

/*
 * All print to standard output. @cmds ends with NULL; @common are the options
 * of every command, @first those before the command only.
 */
void help_main(const struct cmd *const *cmds, const struct opt *common, const struct opt *first);
void help_cmd(const struct cmd *cmd, const struct opt *common);
/* "NAME: WORD WORD --OPTION ..." per command, qbed's own as "qbed: ...". */
void help_words(const struct cmd *const *cmds, const struct opt *common, const struct opt *first);

#endif

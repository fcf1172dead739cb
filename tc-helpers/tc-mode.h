/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_MODE_H
#define QBED_TC_MODE_H

#include <stdbool.h>

/* Whether @argv0 calls this program "tc". */
bool tc_mode_is(const char *argv0);

/* main() as tc(8) has it: its options, words, text and exit codes. Prints. */
int tc_mode_main(int argc, char **argv);

#endif

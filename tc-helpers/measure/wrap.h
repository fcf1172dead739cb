/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_WRAP_H
#define QBED_WRAP_H

#include <signal.h>

struct diag;

/**
 * struct wrap - a command that runs while something is measured
 * @signal: the signal that asked qbed itself to end, 0 for none
 * @set: signals that are waited for instead of handled
 * @old: mask to go back to; the command runs with it
 *
 * Armed before anything is set up that must be taken down again: from then
 * on no signal but SIGKILL ends qbed in between. One that was ignored when
 * qbed started (nohup, a shell's "&") stays ignored.
 */
struct wrap {
	int signal;
	sigset_t set;
	sigset_t old;
};

void wrap_arm(struct wrap *w);
void wrap_disarm(struct wrap *w);	/* a signal that came after the command ended takes effect here */

/**
 * wrap_run() - run a command and sleep until it has ended
 * @w: armed
 * @d: gets the error when it cannot be started
 * @argv: its words, ended by NULL
 *
 * A signal sent to qbed alone is handed on to the command; one from the
 * terminal has reached it already. The command is asked to end (SIGTERM)
 * when qbed is killed.
 *
 * Return: the command's exit code, 128 + N when signal N ended it or qbed, or -errno.
 */
int wrap_run(struct wrap *w, struct diag *d, char **argv);

#endif

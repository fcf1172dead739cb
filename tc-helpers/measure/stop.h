/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_STOP_H
#define QBED_STOP_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "measure/clock.h"

/**
 * struct stop - SIGINT, SIGTERM and SIGHUP as an event of the main thread
 * @flag: set once the run must end; threads look at it between sleeps
 * @signal: the signal that came, 0 for none
 * @set: the signals that are waited for
 * @old: mask to go back to
 *
 * The signals are blocked while armed, so no call of any thread is
 * interrupted. Arm before threads are created: they inherit the mask.
 * A signal that was ignored when qbed started (nohup, a shell's "&") stays ignored.
 */
struct stop {
	atomic_bool flag;
	int signal;
	sigset_t set;
	sigset_t old;
};

void stop_arm(struct stop *s);
void stop_disarm(struct stop *s);
/* Sleeps until @until or a signal; true (and @flag set) for a signal. */
bool stop_wait_until(struct stop *s, struct mono until);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PROGRESS_H
#define QBED_PROGRESS_H

struct progress;

/* A line on the terminal that standard error is, written over and over; NULL when it is none. */
struct progress *progress_on_terminal(void);

/* Takes the line away, for what is printed then. */
void progress_clear(struct progress *progress);

#endif

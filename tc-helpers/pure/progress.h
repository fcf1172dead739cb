/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PURE_PROGRESS_H
#define QBED_PURE_PROGRESS_H

/**
 * struct progress - whoever wants to know how far a long work is
 * @tell: is told, often and from one thread at a time, that of @total parts of
 *	what is being done (@doing: "making") @done are over; must not fail
 */
struct progress {
	void (*tell)(struct progress *progress, const char *doing, int done, int total);
};

/* NULL: nobody wants to. */
static inline void progress_tell(struct progress *progress, const char *doing, int done, int total)
{
	if (progress)
		progress->tell(progress, doing, done, total);
}

#endif

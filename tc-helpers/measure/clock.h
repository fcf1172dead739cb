/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CLOCK_H
#define QBED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A stamp's type is its clock. Only stamps of one type can be subtracted, so
 * that CLOCK_REALTIME minus CLOCK_MONOTONIC does not compile.
 */
struct mono {	/* CLOCK_MONOTONIC */
	int64_t ns;
};

struct wall {	/* CLOCK_REALTIME: SO_TIMESTAMPNS, the stamps of a packet ring */
	int64_t ns;
};

struct mono mono_now(void);
struct wall wall_now(void);

static inline struct mono mono_add(struct mono t, int64_t ns)
{
	return (struct mono){ t.ns + ns };
}

static inline int64_t mono_sub(struct mono a, struct mono b)
{
	return a.ns - b.ns;
}

static inline int64_t wall_sub(struct wall a, struct wall b)
{
	return a.ns - b.ns;
}

/*
 * Sleeps until @until, absolute; returns at once when it has passed.
 * Not ended early by signals (block them, see stop.h).
 */
void mono_sleep_until(struct mono until);

/* Timer slack of the calling thread: 1 ns instead of 50 us (PR_SET_TIMERSLACK). */
void clock_no_slack(void);

/**
 * struct wall_watch - tells whether CLOCK_REALTIME was stepped
 * @offset_ns: wall minus monotonic when the watch began
 * @since: when that was
 */
struct wall_watch {
	int64_t offset_ns;
	struct mono since;
};

void wall_watch_start(struct wall_watch *w);
/*
 * Nanoseconds that the wall clock was stepped by since the start, 0 for none.
 * What adjtimex() may slew (500 ppm) plus 100 us of reading error is no step.
 */
int64_t wall_watch_step(const struct wall_watch *w);

#endif

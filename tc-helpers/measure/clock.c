// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks, one type each. */
#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "measure/clock.h"

#define NSEC_PER_SEC	INT64_C(1000000000)

static int64_t read_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

struct mono mono_now(void)
{
	return (struct mono){ read_clock(CLOCK_MONOTONIC) };
}

struct wall wall_now(void)
{
	return (struct wall){ read_clock(CLOCK_REALTIME) };
}

void mono_sleep_until(struct mono until)
{
	struct timespec ts = {
		.tv_sec = until.ns / NSEC_PER_SEC,
		.tv_nsec = until.ns % NSEC_PER_SEC,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

void clock_no_slack(void)
{
	prctl(PR_SET_TIMERSLACK, 1UL);
}

/* Wall minus monotonic, from the tightest of a few readings. */
static int64_t read_offset(struct mono *when)
{
	int64_t best_gap = INT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < 8; i++) {
		struct mono before = mono_now();
		struct wall wall = wall_now();
		struct mono after = mono_now();
		int64_t gap = mono_sub(after, before);

		if (gap >= best_gap)
			continue;
		best_gap = gap;
		offset = wall.ns - (before.ns + gap / 2);
		*when = after;
	}
	return offset;
}

void wall_watch_start(struct wall_watch *w)
{
	w->offset_ns = read_offset(&w->since);
}

int64_t wall_watch_step(const struct wall_watch *w)
{
	struct mono now = { 0 };
	int64_t moved = read_offset(&now) - w->offset_ns;
	int64_t allowed = mono_sub(now, w->since) / 2000 + 100000;

	return moved > allowed || moved < -allowed ? moved : 0;
}

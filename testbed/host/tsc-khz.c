// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tsc-khz: prints the rate, in kHz, of the counter that QEMU hands to a guest as its TSC when the
 * guest's clock is the host's.
 *
 * A guest that is busy beside others cannot measure it: its calibration against the PIT fails, it
 * gives its TSC up, is left with jiffies for a clock, and has no high resolution timer and no tick
 * that stops. It is told instead (tsc_early_khz=).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#define NS 1000000000
#define LONG_NS 100000000	/* what an interrupt in between does is then some 1e-5 of it */

/* What QEMU reads (cpu_get_host_ticks()); 0 where it is not known. */
static uint64_t ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return 0;
#endif
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS + t.tv_nsec;
}

/* Time and counter at one moment: of some tries the one that took least time. */
static int64_t moment(uint64_t *count)
{
	int64_t best = INT64_MAX, at = 0;

	for (int i = 0; i < 20; i++) {
		int64_t before = now_ns();
		uint64_t c = ticks();
		int64_t after = now_ns();

		if (after - before < best) {
			best = after - before;
			at = before + best / 2;
			*count = c;
		}
	}
	return at;
}

int main(void)
{
	struct timespec pause = { .tv_nsec = LONG_NS };
	uint64_t first = 0, last = 0;
	int64_t begin = moment(&first), end;

	while (nanosleep(&pause, &pause) < 0 && errno == EINTR)
		;
	end = moment(&last);
	if (last <= first) {
		fputs("tsc-khz: which counter QEMU reads on this machine is not known\n", stderr);
		return 4;
	}
	printf("%.0f\n", (double)(last - first) * 1e6 / (double)(end - begin));
	return 0;
}

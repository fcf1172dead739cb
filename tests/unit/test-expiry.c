// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace events folded: whose timer, at home or away, how late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"
#include "pure/expiry.h"
#include "pure/hist.h"

#define Q(i) (0xffff888000100000u + (uint64_t)(i) * 1024)	/* Qdiscs side by side, as a slab has them */
#define T(i) (Q(i) + 432)

static struct expiry_event enqueue(int64_t ns, uint32_t cpu, unsigned int i)
{
	return (struct expiry_event){
		.ns = ns, .cpu = cpu, .kind = EXPIRY_ENQUEUE, .object = Q(i),
		.ifindex = 2, .parent = 0x10000 + i + 1, .handle = 0x100000 * (i + 1),
	};
}

static struct expiry_event start(int64_t ns, uint32_t cpu, uint64_t timer, int64_t deadline)
{
	return (struct expiry_event){
		.ns = ns, .cpu = cpu, .kind = EXPIRY_START, .object = timer, .value = deadline,
	};
}

static struct expiry_event fire(int64_t ns, uint32_t cpu, uint64_t timer, int64_t now)
{
	return (struct expiry_event){
		.ns = ns, .cpu = cpu, .kind = EXPIRY_FIRE, .object = timer, .value = now,
	};
}

static const struct expiry_window always;

static void fold(struct expiry_event *e, size_t n, const struct expiry_window *w,
		 uint32_t ifindex, struct expiry *x)
{
	struct diag d;

	diag_init(&d);
	assert_int_equal(expiry_fold(&d, e, n, w, ifindex, x), 0);
	diag_free(&d);
}

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void test_at_home_and_away(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 1100),
		enqueue(120, 1, 1), start(130, 1, T(1), 1120),
		enqueue(140, 2, 2), start(150, 2, T(2), 1140),
		fire(1105, 0, T(0), 1102),
		fire(1125, 7, T(1), 1123),
		fire(1145, 2, T(2), 1144),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.noffsets, 1);
	assert_int_equal(x.offsets[0], 432);
	assert_int_equal(x.nqueues, 3);
	assert_int_equal(x.expiries, 3);
	assert_int_equal(x.away, 1);
	assert_int_equal(x.unmatched_timers, 0);
	assert_int_equal(x.queues[1].parent, 0x10002);
	assert_int_equal(x.queues[1].away, 1);
	assert_int_equal(x.queues[0].away + x.queues[2].away, 0);
	assert_int_equal(x.queues[0].lateness->min, 2);
	assert_int_equal(x.lateness->max, 4);
	assert_int_equal(x.ncpus, 8);
	assert_int_equal(x.cpus[7].expiries, 1);
	assert_int_equal(x.cpus[7].away, 1);
	assert_int_equal(x.cpus[0].away, 0);
	expiry_free(&x);
}

/* Three Qdiscs at equal distances, but only the timer of the last one: any of three distances fits. */
static void test_work_decides_between_equal_distances(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), enqueue(110, 1, 1),
		enqueue(120, 2, 2), start(130, 2, T(2), 1000), fire(1001, 2, T(2), 1000),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.offsets[0], 432);
	assert_int_equal(x.queues[2].expiries, 1);
	assert_int_equal(x.queues[2].away, 0);
	assert_int_equal(x.queues[0].expiries + x.queues[1].expiries, 0);
	expiry_free(&x);
}

static void test_a_timer_of_nobody_is_counted_and_shown(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 1000), fire(1001, 0, T(0), 1000),
		/* near a Qdisc, but never started by its work */
		fire(1200, 3, Q(0) + 4000, 1199), fire(1300, 3, Q(0) + 4000, 1299),
		/* far from any */
		fire(1400, 3, 0xffff888700000000u, 1399),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.expiries, 1);
	assert_int_equal(x.unmatched_timers, 2);
	assert_int_equal(x.unmatched_expiries, 3);
	assert_int_equal(x.cpus[3].unmatched, 3);
	assert_int_equal(x.cpus[3].expiries, 0);
	expiry_free(&x);
}

static void test_two_kinds_have_two_distances(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 1000), fire(1000, 0, T(0), 1000),
		enqueue(200, 1, 1), start(210, 1, T(1), 1000), fire(1001, 1, T(1), 1000),
		enqueue(300, 2, 5), start(310, 2, Q(5) + 640, 1000), fire(1002, 3, Q(5) + 640, 1000),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.noffsets, 2);
	assert_int_equal(x.offsets[0], 432);
	assert_int_equal(x.offsets[1], 640);
	assert_int_equal(x.expiries, 3);
	assert_int_equal(x.away, 1);
	expiry_free(&x);
}

static void test_only_the_window_counts(void **state)
{
	struct expiry_event e[] = {
		/* set-up traffic from another CPU, before the window: not a home of the queue */
		enqueue(10, 5, 0), start(20, 5, T(0), 400),
		fire(400, 0, T(0), 400),
		enqueue(1000, 0, 0), start(1010, 0, T(0), 1500), fire(1500, 5, T(0), 1500),
		enqueue(1600, 0, 0), start(1610, 0, T(0), 2000), fire(2000, 0, T(0), 2000),
		fire(2001, 5, T(0), 2001),
	};
	const struct expiry_window w = { .begin_ns = 1000, .end_ns = 2000, .given = true };
	struct expiry x;

	fold(e, N(e), &w, 0, &x);
	assert_int_equal(x.queues[0].enqueues, 2);
	assert_int_equal(cpus_count(&x.queues[0].home), 1);
	assert_int_equal(x.expiries, 2);
	assert_int_equal(x.away, 1);
	expiry_free(&x);

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(cpus_count(&x.queues[0].home), 2);
	assert_int_equal(x.expiries, 4);
	assert_int_equal(x.away, 0);
	expiry_free(&x);
}

static void test_an_expiry_without_a_start_has_no_lateness(void **state)
{
	struct expiry_event e[] = {
		fire(50, 0, T(0), 50),
		enqueue(100, 0, 0), start(110, 0, T(0), 900), start(120, 0, T(0), 1000),
		fire(1003, 0, T(0), 1003),
		/* restarted by its own callback */
		fire(2000, 0, T(0), 2000),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.expiries, 3);
	assert_int_equal(x.queues[0].undated, 2);
	assert_int_equal(x.lateness->n, 1);
	assert_int_equal(x.lateness->max, 3);	/* of the last start, not of the first */
	expiry_free(&x);
}

/* CPU 0 arms the timer again before CPU 7, where it has just expired, gets to trace that. */
static void test_a_start_that_overtakes_an_expiry_is_the_next_ones(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 1000),
		start(1002, 0, T(0), 3000), fire(1003, 7, T(0), 1001),
		fire(3004, 0, T(0), 3002),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.queues[0].undated, 0);
	assert_int_equal(x.lateness->n, 2);
	assert_int_equal(x.lateness->min, 1);
	assert_int_equal(x.lateness->max, 2);
	expiry_free(&x);
}

static void test_other_devices_are_left_out(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 1000), fire(1000, 0, T(0), 1000),
		enqueue(200, 1, 1), start(210, 1, T(1), 1000), fire(1001, 3, T(1), 1000),
	};
	struct expiry x;

	e[3].ifindex = 9;
	fold(e, N(e), &always, 2, &x);
	assert_int_equal(x.nqueues, 1);
	assert_int_equal(x.expiries, 1);
	assert_int_equal(x.away, 0);
	assert_int_equal(x.unmatched_expiries, 0);
	expiry_free(&x);
}

static void test_a_reused_address_is_another_queue(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 200), fire(200, 0, T(0), 200),
		enqueue(300, 1, 0), start(310, 1, T(0), 400), fire(400, 1, T(0), 400),
	};
	struct expiry x;

	e[3].parent = 0x10007;
	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.nqueues, 2);
	assert_int_equal(x.queues[0].expiries, 1);
	assert_int_equal(x.queues[1].expiries, 1);
	assert_int_equal(x.away, 0);
	expiry_free(&x);
}

/* Devices of two namespaces may share ifindex, parent and handle: one's homes are not the other's. */
static void test_twins_are_kept_apart(void **state)
{
	struct expiry_event e[] = {
		enqueue(100, 0, 0), start(110, 0, T(0), 200), fire(200, 0, T(0), 200),
		enqueue(300, 1, 3), start(310, 1, T(3), 400), fire(400, 0, T(3), 400),
	};
	struct expiry x;

	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.twins, 0);
	expiry_free(&x);

	e[3].parent = e[0].parent;
	e[3].handle = e[0].handle;
	fold(e, N(e), &always, 0, &x);
	assert_int_equal(x.nqueues, 2);
	assert_int_equal(x.twins, 1);
	assert_int_equal(x.queues[0].away, 0);
	assert_int_equal(x.queues[1].away, 1);
	expiry_free(&x);
}

/* CPUs are read one after the other, so events come in any order. */
static void test_the_order_of_reading_is_of_no_matter(void **state)
{
	enum { QUEUES = 8, ROUNDS = 50 };
	struct expiry_event sorted[QUEUES * ROUNDS * 3];
	struct expiry_event mixed[N(sorted)];
	struct expiry a, b;
	size_t n = 0;
	unsigned int i, r;

	for (r = 0; r < ROUNDS; r++) {
		for (i = 0; i < QUEUES; i++) {
			int64_t t = (int64_t)r * 10000 + i * 100;

			sorted[n++] = enqueue(t, i, i);
			sorted[n++] = start(t + 10, i, T(i), t + 5000);
			sorted[n++] = fire(t + 5001, (r + i) % 3 ? i : 7, T(i), t + 5000 + i);
		}
	}
	/* CPU by CPU, the last one first; a CPU's own order stays */
	n = 0;
	for (i = QUEUES; i-- > 0; ) {
		for (r = 0; r < N(sorted); r++) {
			if (sorted[r].cpu == i)
				mixed[n++] = sorted[r];
		}
	}
	assert_int_equal(n, N(sorted));
	fold(sorted, N(sorted), &always, 0, &a);
	fold(mixed, N(mixed), &always, 0, &b);
	assert_int_equal(a.nqueues, QUEUES);
	assert_true(a.away > 0);
	assert_int_equal(a.away, b.away);
	assert_int_equal(a.expiries, b.expiries);
	for (i = 0; i < QUEUES; i++) {
		assert_int_equal(a.queues[i].parent, b.queues[i].parent);
		assert_int_equal(a.queues[i].away, b.queues[i].away);
		assert_memory_equal(a.queues[i].lateness, b.queues[i].lateness, sizeof(struct hist));
	}
	expiry_free(&a);
	expiry_free(&b);
}

static void test_nothing_at_all(void **state)
{
	struct expiry x;

	fold(NULL, 0, &always, 0, &x);
	assert_int_equal(x.nqueues, 0);
	assert_int_equal(x.expiries, 0);
	assert_int_equal(x.lateness->n, 0);
	expiry_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_home_and_away),
		cmocka_unit_test(test_work_decides_between_equal_distances),
		cmocka_unit_test(test_a_timer_of_nobody_is_counted_and_shown),
		cmocka_unit_test(test_two_kinds_have_two_distances),
		cmocka_unit_test(test_only_the_window_counts),
		cmocka_unit_test(test_an_expiry_without_a_start_has_no_lateness),
		cmocka_unit_test(test_a_start_that_overtakes_an_expiry_is_the_next_ones),
		cmocka_unit_test(test_other_devices_are_left_out),
		cmocka_unit_test(test_a_reused_address_is_another_queue),
		cmocka_unit_test(test_twins_are_kept_apart),
		cmocka_unit_test(test_the_order_of_reading_is_of_no_matter),
		cmocka_unit_test(test_nothing_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

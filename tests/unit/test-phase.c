// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/sender.h"
#include "pure/phase.h"

/* First outputs of the published generator for two seeds. */
static void the_generator_is_splitmix64(void **state)
{
	uint64_t zero = 0, seed = 1234567;

	(void)state;
	assert_int_equal(splitmix64(&zero), UINT64_C(0xe220a8397b1dcdaf));
	assert_int_equal(splitmix64(&zero), UINT64_C(0x6e789e6aa1b965f4));
	assert_int_equal(splitmix64(&seed), UINT64_C(6457827717110365317));
	assert_int_equal(splitmix64(&seed), UINT64_C(3203168211198807973));
}

static void a_phase_is_within_the_period_and_repeats(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		for (uint32_t cpu = 0; cpu < 16; cpu++) {
			uint64_t phase = phase_ns(seed, cpu, 2000000);

			assert_true(phase < 2000000);
			assert_int_equal(phase, phase_ns(seed, cpu, 2000000));
		}
	}
	assert_int_equal(phase_ns(5, 3, 0), 0);
	assert_int_equal(phase_ns(5, 3, 1), 0);
}

static void senders_and_seeds_have_different_phases(void **state)
{
	unsigned int equal = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++)
		for (uint32_t cpu = 1; cpu < 8; cpu++) {
			equal += phase_ns(seed, 0, 2000000) == phase_ns(seed, cpu, 2000000);
			/* the next seed is not this one's senders, moved by one */
			equal += phase_ns(seed, cpu, 2000000) == phase_ns(seed + 1, cpu - 1, 2000000);
		}
	assert_true(equal <= 1);
}

static void phases_fill_the_period_evenly(void **state)
{
	unsigned int in[10] = { 0 };

	(void)state;
	for (uint64_t seed = 0; seed < 1000; seed++)
		for (uint32_t cpu = 0; cpu < 10; cpu++)
			in[phase_ns(seed, cpu, 2000000) / 200000]++;
	for (int i = 0; i < 10; i++)	/* 1000 wanted, 5 standard deviations are 150 */
		assert_in_range(in[i], 850, 1150);
}

static void a_run_has_rate_times_duration_packets(void **state)
{
	(void)state;
	assert_int_equal(send_planned(500, 4000000000), 2000);
	assert_int_equal(send_planned(6803, 1000000000), 6803);
	assert_int_equal(send_planned(1, 999999999), 0);
	assert_int_equal(send_planned(3, 1500000000), 4);
	assert_int_equal(send_planned(1000000000, 86400000000000), UINT64_C(86400000000000));
}

static void the_period_follows_rate_and_burst(void **state)
{
	(void)state;
	assert_int_equal(send_period_ns(500, 1), 2000000);
	assert_int_equal(send_period_ns(2000, 8), 4000000);
	assert_int_equal(send_period_ns(3, 1), 333333333);
	assert_int_equal(send_period_ns(3, 3), 1000000000);
	assert_int_equal(send_period_ns(1000000000, 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_is_splitmix64),
		cmocka_unit_test(a_phase_is_within_the_period_and_repeats),
		cmocka_unit_test(senders_and_seeds_have_different_phases),
		cmocka_unit_test(phases_fill_the_period_evenly),
		cmocka_unit_test(a_run_has_rate_times_duration_packets),
		cmocka_unit_test(the_period_follows_rate_and_burst),
	};

	return cmocka_run_group_tests_name("phase", tests, NULL, NULL);
}

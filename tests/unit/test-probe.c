// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "pure/probe.h"

static const struct probe sample = {
	.run = UINT64_C(0x0123456789abcdef),
	.flow = 0xfedcba98,
	.cpu = 7,
	.seq = UINT64_C(0x1122334455667788),
	.sent_ns = 1468274028941,
};

static void what_is_put_is_got(void **state)
{
	uint8_t buf[PROBE_BYTES];
	struct probe p;

	(void)state;
	probe_put(buf, &sample);
	assert_true(probe_get(buf, sizeof(buf), &p));
	assert_int_equal(p.run, sample.run);
	assert_int_equal(p.flow, sample.flow);
	assert_int_equal(p.cpu, sample.cpu);
	assert_int_equal(p.seq, sample.seq);
	assert_int_equal(p.sent_ns, sample.sent_ns);
}

/* The layout of the header, byte by byte: captures are read by other programs too. */
static void the_layout_is_the_documented_one(void **state)
{
	static const uint8_t want[PROBE_BYTES] = {
		'q', 'b', 'e', 'd', 'p', 'r', 'b', '1',
		0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
		0xfe, 0xdc, 0xba, 0x98,
		0, 0, 0, 7,
		0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
		0, 0, 0x01, 0x55, 0xdb, 0xf3, 0xb1, 0x8d,
	};
	uint8_t buf[PROBE_BYTES];

	(void)state;
	probe_put(buf, &sample);
	assert_memory_equal(buf, want, sizeof(want));
}

static void short_or_foreign_packets_are_no_probes(void **state)
{
	uint8_t buf[PROBE_BYTES];
	struct probe p;

	(void)state;
	probe_put(buf, &sample);
	assert_false(probe_get(buf, PROBE_BYTES - 1, &p));
	assert_false(probe_get(buf, 0, &p));
	for (int i = 0; i < 8; i++) {
		buf[i] ^= 1;
		assert_false(probe_get(buf, sizeof(buf), &p));
		buf[i] ^= 1;
	}
	assert_true(probe_get(buf, sizeof(buf), &p));
}

static void see(struct track *t, const uint64_t *seq, size_t n)
{
	for (size_t i = 0; i < n; i++)
		track_see(t, seq[i]);
}

#define SEE(t, ...) see(t, (const uint64_t[]){ __VA_ARGS__ }, \
			sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void packets_in_order_are_only_received(void **state)
{
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 130), 0);
	for (uint64_t i = 0; i < 130; i++)
		assert_true(track_see(&t, i));
	assert_int_equal(t.received, 130);
	assert_int_equal(t.duplicates, 0);
	assert_int_equal(t.inversions, 0);
	assert_int_equal(t.alien, 0);
	track_free(&t);
}

static void a_gap_is_no_inversion_but_filling_it_is_one(void **state)
{
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 100), 0);
	SEE(&t, 0, 1, 5, 6);
	assert_int_equal(t.inversions, 0);
	SEE(&t, 3, 2, 7);
	assert_int_equal(t.inversions, 2);
	assert_int_equal(t.received, 7);
	track_free(&t);
}

static void a_duplicate_is_no_sample_and_no_inversion(void **state)
{
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 100), 0);
	SEE(&t, 0, 1, 2);
	assert_false(track_see(&t, 1));
	assert_false(track_see(&t, 2));
	assert_int_equal(t.received, 3);
	assert_int_equal(t.duplicates, 2);
	assert_int_equal(t.inversions, 0);
	track_free(&t);
}

static void numbers_that_were_never_sent_are_alien(void **state)
{
	struct track t;

	(void)state;
	assert_int_equal(track_init(&t, 64), 0);
	assert_false(track_see(&t, 64));
	assert_false(track_see(&t, UINT64_MAX));
	assert_true(track_see(&t, 63));
	assert_int_equal(t.alien, 2);
	assert_int_equal(t.received, 1);
	track_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_is_got),
		cmocka_unit_test(the_layout_is_the_documented_one),
		cmocka_unit_test(short_or_foreign_packets_are_no_probes),
		cmocka_unit_test(packets_in_order_are_only_received),
		cmocka_unit_test(a_gap_is_no_inversion_but_filling_it_is_one),
		cmocka_unit_test(a_duplicate_is_no_sample_and_no_inversion),
		cmocka_unit_test(numbers_that_were_never_sent_are_alien),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}

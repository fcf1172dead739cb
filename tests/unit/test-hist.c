// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pure/doc.h"
#include "pure/hist.h"
#include "pure/phase.h"
#include "pure/stats.h"

static int make(void **state)
{
	*state = hist_new();
	return *state ? 0 : -1;
}

static int drop(void **state)
{
	hist_free(*state);
	return 0;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void an_empty_one_has_no_quantile(void **state)
{
	int64_t v = 77;

	assert_false(hist_quantile(*state, HIST_P50, &v));
	assert_int_equal(v, 77);
}

static void ends_and_count_are_exact(void **state)
{
	struct hist *h = *state;

	hist_add(h, 6000123457);
	hist_add(h, -123456789);
	hist_add_n(h, 17, 3);
	hist_add_n(h, INT64_MIN, 0);
	assert_int_equal(h->n, 5);
	assert_int_equal(h->min, -123456789);
	assert_int_equal(h->max, 6000123457);
}

static void small_values_are_exact(void **state)
{
	struct hist *h = *state;
	int64_t v;

	for (int64_t i = -256; i <= 256; i++) {
		hist_reset(h);
		hist_add_n(h, i, 3);
		hist_add(h, 100000);	/* so that the clamp to max does not help */
		hist_add(h, -100000);
		assert_true(hist_quantile(h, HIST_P50, &v));
		assert_int_equal(v, i);
	}
}

/* The error that the header promises, against every value's own. */
static void a_quantile_is_never_below_and_at_most_a_256th_above(void **state)
{
	struct hist *h = *state;
	uint64_t rng = 1;

	for (int round = 0; round < 20000; round++) {
		int64_t v = (int64_t)(splitmix64(&rng) >> (splitmix64(&rng) % 63 + 1));
		int64_t got, mag = v;

		if (round & 1)
			v = -v;
		hist_reset(h);
		hist_add_n(h, v, 3);
		hist_add(h, INT64_MAX);
		hist_add(h, INT64_MIN);
		assert_true(hist_quantile(h, HIST_P50, &got));
		assert_true(got >= v);
		assert_true(got - v <= mag / 256);
	}
}

static void quantiles_agree_with_sorting(void **state)
{
	enum { N = 5000 };
	static const uint32_t qs[] = { HIST_P50, HIST_P90, HIST_P99 };
	int64_t *all = calloc(N, sizeof(*all));
	struct hist *h = *state;
	uint64_t rng = 7;

	assert_non_null(all);
	for (int i = 0; i < N; i++) {
		all[i] = (int64_t)(splitmix64(&rng) % 20000000) - 1000000;
		hist_add(h, all[i]);
	}
	qsort(all, N, sizeof(*all), by_value);
	for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]); i++) {
		int64_t want = all[(uint64_t)N * qs[i] / 1000000 - 1];
		int64_t got;

		assert_true(hist_quantile(h, qs[i], &got));
		assert_true(got >= want);
		assert_true(got - want <= llabs(want) / 256 + 1);
	}
	free(all);
}

static void a_quantile_needs_ten_values_beyond_it(void **state)
{
	struct hist *h = *state;
	int64_t v;

	hist_add_n(h, 5, 999);
	assert_false(hist_quantile(h, HIST_P99, &v));
	hist_add(h, 5);
	assert_true(hist_quantile(h, HIST_P99, &v));
	assert_false(hist_quantile(h, HIST_P999, &v));
	hist_add_n(h, 5, 9000);
	assert_true(hist_quantile(h, HIST_P999, &v));
	hist_reset(h);
	hist_add(h, 5);
	assert_true(hist_quantile(h, HIST_P50, &v));
	assert_false(hist_quantile(h, HIST_P90, &v));
}

static void merging_is_adding_all_values(void **state)
{
	struct hist *all = *state, *a = hist_new(), *b = hist_new(), *ba = hist_new();
	uint64_t rng = 3;

	assert_true(a && b && ba);
	for (int i = 0; i < 3000; i++) {
		int64_t v = (int64_t)splitmix64(&rng) >> (i % 40);

		hist_add(all, v);
		hist_add(i % 3 ? a : b, v);
	}
	hist_merge(ba, b);
	hist_merge(ba, a);
	hist_merge(a, b);
	assert_memory_equal(a, all, sizeof(*all));
	assert_memory_equal(ba, all, sizeof(*all));
	hist_reset(b);
	hist_merge(a, b);
	assert_memory_equal(a, all, sizeof(*all));
	hist_free(a);
	hist_free(b);
	hist_free(ba);
}

static void extreme_values_have_a_bucket(void **state)
{
	struct hist *h = *state;
	int64_t v;

	hist_add(h, INT64_MIN);
	assert_true(hist_quantile(h, HIST_P50, &v));
	assert_int_equal(v, INT64_MIN);
	hist_reset(h);
	hist_add(h, INT64_MAX);
	assert_true(hist_quantile(h, HIST_P50, &v));
	assert_int_equal(v, INT64_MAX);
}

static void what_rests_on_too_few_values_is_null_in_json(void **state)
{
	struct hist *h = *state;
	struct doc *doc = doc_new();
	char *json;

	hist_add(h, 2500);
	stats_doc(doc, "delay", h);
	json = doc_as_json(doc);
	assert_string_equal(json, "{\"delay\":{\"count\":1,\"min_ns\":2500,\"p50_ns\":2500,"
			    "\"p90_ns\":null,\"p99_ns\":null,\"p999_ns\":null,\"max_ns\":2500}}");
	free(json);
	doc_free(doc);
}

static void microseconds_keep_their_sign_and_all_digits(void **state)
{
	struct hist *h = *state;
	char buf[24];

	assert_string_equal(stats_us(buf, sizeof(buf), h, HIST_MIN), "-");
	hist_add(h, -5);
	hist_add(h, 6000001);
	assert_string_equal(stats_us(buf, sizeof(buf), h, HIST_MIN), "-0.005");
	assert_string_equal(stats_us(buf, sizeof(buf), h, HIST_MAX), "6000.001");
	assert_string_equal(stats_us(buf, sizeof(buf), h, HIST_P99), "-");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_one_has_no_quantile),
		TEST(ends_and_count_are_exact),
		TEST(small_values_are_exact),
		TEST(a_quantile_is_never_below_and_at_most_a_256th_above),
		TEST(quantiles_agree_with_sorting),
		TEST(a_quantile_needs_ten_values_beyond_it),
		TEST(merging_is_adding_all_values),
		TEST(extreme_values_have_a_bucket),
		TEST(what_rests_on_too_few_values_is_null_in_json),
		TEST(microseconds_keep_their_sign_and_all_digits),
	};

	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}

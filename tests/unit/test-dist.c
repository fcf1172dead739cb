// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of distributions: every value arrives, and what is no table is told by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"
#include "pure/dist.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_read(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		int16_t first, last;
	} tables[] = {
		{ "1 2 3\n", 3, 1, 3 },
		{ "# a comment 5\n-32768 32767", 2, -32768, 32767 },
		{ "\n\n  7\n", 1, 7, 7 },
		{ "1\t2\r\n3\n# 4 5\n6", 4, 1, 6 },
		{ "  # 9\n+8\n#", 1, 8, 8 },
		{ "007 -0", 2, 7, 0 },
		{ "#\n1\n#", 1, 1, 1 },
	};

	for (size_t i = 0; i < COUNT(tables); i++) {
		struct dist dist;
		struct diag d;

		diag_init(&d);
		if (dist_parse(&d, "t", tables[i].text, strlen(tables[i].text), &dist))
			fail_msg("table %zu: %s", i, d.text);
		assert_int_equal(dist.n, tables[i].n);
		assert_int_equal(dist.value[0], tables[i].first);
		assert_int_equal(dist.value[dist.n - 1], tables[i].last);
		dist_free(&dist);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		const char *say;
	} tables[] = {
		{ "", "no value" },
		{ "# nothing but a comment\n", "no value" },
		{ " \n\n", "no value" },
		{ "1 2\n3 x4\n", "t:2: \"x4\": not a whole number" },
		{ "1 2 # three", "t:1: \"#\": not a whole number" },
		{ "1.5", "t:1: \"1.5\": not a whole number" },
		{ "0x10", "t:1: \"0x10\": not a whole number" },
		{ "5,6", "not a whole number" },
		{ "-", "not a whole number" },
		{ "--5", "not a whole number" },
		{ "\n\n32768", "t:3: \"32768\": outside of -32768 to 32767" },
		{ "-32769", "outside" },
		{ "99999999999999999999999999", "outside" },
	};

	for (size_t i = 0; i < COUNT(tables); i++) {
		struct dist dist;
		struct diag d;

		diag_init(&d);
		if (!dist_parse(&d, "t", tables[i].text, strlen(tables[i].text), &dist))
			fail_msg("table %zu was taken", i);
		assert_int_equal(d.exit, EXIT_USAGE);
		if (!strstr(d.text, tables[i].say))
			fail_msg("table %zu: \"%s\" is not in: %s", i, tables[i].say, d.text);
		assert_null(dist.value);
		diag_free(&d);
	}
}

/* The text ends where its length says, with or without a NUL behind it (ASan watches). */
static void test_length(void **state)
{
	static const char text[] = "# c\n-12 34 567";

	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = malloc(len ? len : 1);
		struct dist dist;
		struct diag d;

		assert_non_null(copy);
		memcpy(copy, text, len);
		diag_init(&d);
		if (!dist_parse(&d, "t", copy, len, &dist))
			dist_free(&dist);
		diag_free(&d);
		free(copy);
	}
}

static void test_most(void **state)
{
	size_t len = 0, room = (DIST_MAX + 1) * 6;
	char *text = malloc(room);
	struct dist dist;
	struct diag d;

	assert_non_null(text);
	for (int i = 0; i < DIST_MAX; i++)
		len += (size_t)snprintf(text + len, room - len, "%d\n", i - 8192);
	diag_init(&d);
	assert_int_equal(dist_parse(&d, "t", text, len, &dist), 0);
	assert_int_equal(dist.n, DIST_MAX);
	for (int i = 0; i < DIST_MAX; i++)
		assert_int_equal(dist.value[i], i - 8192);
	dist_free(&dist);
	len += (size_t)snprintf(text + len, room - len, "1\n");
	assert_int_not_equal(dist_parse(&d, "t", text, len, &dist), 0);
	assert_non_null(strstr(d.text, "t:16385: more than 16384 values"));
	free(text);
}

/* Each sample the kernel draws is the value times jitter / 8192: from one jitter below to one above. */
static void test_uniform(void **state)
{
	struct dist dist;
	struct diag d;
	int64_t sum = 0;

	diag_init(&d);
	assert_int_equal(dist_uniform(&d, &dist), 0);
	assert_int_equal(dist.n, DIST_MAX);
	assert_int_equal(dist.value[0], -DIST_SCALE);
	assert_int_equal(dist.value[dist.n - 1], DIST_SCALE - 1);
	for (size_t i = 0; i < dist.n; i++)
		sum += dist.value[i];
	assert_int_equal(sum, -DIST_SCALE);	/* half a step below zero, as without a table */
	dist_free(&dist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_uniform),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

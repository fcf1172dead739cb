// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers with units: what each word means, to the last digit, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"
#include "pure/units.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Refused with exit 1, the word at fault is @i, and @say is in the message. */
static void assert_refused(struct diag *d, int i, const char *say)
{
	assert_int_equal(d->exit, EXIT_USAGE);
	assert_int_equal(d->word, i);
	if (!strstr(d->text, say))
		fail_msg("\"%s\" is not in: %s", say, d->text);
	diag_free(d);
}

static void test_time(void **state)
{
	static const struct {
		const char *word;
		int64_t ns;
	} good[] = {
		{ "6ms", 6000000 }, { "0.5us", 500 }, { ".5us", 500 }, { "1.50ms", 1500000 },
		{ "1sec", 1000000000 }, { "4secs", 4000000000 }, { "10usec", 10000 },
		{ "10us", 10000 }, { "7nsecs", 7 }, { "0ms", 0 }, { "275s", 275000000000 },
		{ "300s", 300000000000 }, { "274.877906944s", 274877906944 }, { "1MS", 1000000 },
		{ "0.000000001s", 1 }, { "1.000000000000s", 1000000000 }, { "+2us", 2000 },
		{ "9223372036854775807ns", INT64_MAX }, { "9223372036.854775807s", INT64_MAX },
	};

	for (size_t i = 0; i < COUNT(good); i++) {
		char *words[] = { "x", (char *)good[i].word };
		struct diag d;
		int64_t ns = -1;

		diag_init(&d);
		if (time_parse(&d, words, 1, &ns))
			fail_msg("%s: %s", good[i].word, d.text);
		assert_int_equal(ns, good[i].ns);
		diag_free(&d);
	}
}

static void test_time_refused(void **state)
{
	static const struct {
		const char *word;
		const char *say;
	} bad[] = {
		{ "10", "needs its unit" }, { "0", "needs its unit" }, { "", "not a time" },
		{ "nan", "not a time" }, { "inf", "not a time" }, { "ms", "not a time" },
		{ "-5ms", "cannot be negative" }, { "-0ms", "cannot be negative" },
		{ "5 ms", "no unit of time" }, { "5m", "no unit of time" },
		{ "5mss", "no unit of time" }, { "0x10ms", "no unit of time" },
		{ "1e3us", "no unit of time" }, { "1.2.3ms", "no unit of time" },
		{ "0.5ns", "finer than 1 ns" }, { "1.0000000001s", "finer than 1 ns" },
		{ "9223372036854775808ns", "too large" }, { "99999999999s", "too large" },
		{ "99999999999999999999999999999999s", "more than" },
		{ "0.0000000000000000000000000000000000000001s", "more than" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { "x", "y", (char *)bad[i].word };
		struct diag d;
		int64_t ns;

		diag_init(&d);
		if (!time_parse(&d, words, 2, &ns))
			fail_msg("\"%s\" was taken", bad[i].word);
		assert_refused(&d, 2, bad[i].say);
	}
}

static void test_rate(void **state)
{
	static const struct {
		const char *word;
		uint64_t bps;
		size_t warnings;
	} good[] = {
		{ "10kbps", 80000 }, { "1mbps", 8000000 }, { "1mibit", 1048576 },
		{ "1kibps", 8192 }, { "10", 10, 1 }, { "7999", 7999, 1 }, { "8000", 8000 },
		{ "100Mbit", 100000000 }, { "1.5mbit", 1500000 }, { "40gbit", 40000000000 },
		{ "100gbit", 100000000000 }, { "1tbit", 1000000000000 }, { "5bit", 5 },
		{ "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = {
		"100M", "100%", "", "bit", "-1mbit", "1.5bit", "nan", "inf", "1mb", "99999999tbps",
	};

	for (size_t i = 0; i < COUNT(good); i++) {
		char *words[] = { (char *)good[i].word };
		struct diag d;
		uint64_t bps = 0;

		diag_init(&d);
		if (rate_parse(&d, words, 0, &bps))
			fail_msg("%s: %s", good[i].word, d.text);
		assert_int_equal(bps, good[i].bps);
		assert_int_equal(d.nwarnings, good[i].warnings);
		diag_free(&d);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { (char *)bad[i] };
		struct diag d;
		uint64_t bps;

		diag_init(&d);
		if (!rate_parse(&d, words, 0, &bps))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_refused(&d, 0, bad[i]);
	}
}

static void test_size(void **state)
{
	static const struct {
		const char *word;
		uint64_t bytes;
	} good[] = {
		{ "3000", 3000 }, { "3000b", 3000 }, { "3k", 3072 }, { "3KB", 3072 }, { "1m", 1048576 },
		{ "1gb", 1073741824 }, { "16kbit", 2048 }, { "1mbit", 131072 }, { "1.5k", 1536 },
		{ "1gbit", 134217728 }, { "0", 0 },
	};
	static const char *const bad[] = { "1.5", "0.3k", "k", "-1", "1kib", "1x", "" };

	for (size_t i = 0; i < COUNT(good); i++) {
		char *words[] = { (char *)good[i].word };
		struct diag d;
		uint64_t bytes = 1;

		diag_init(&d);
		if (size_parse(&d, words, 0, &bytes))
			fail_msg("%s: %s", good[i].word, d.text);
		assert_int_equal(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { (char *)bad[i] };
		struct diag d;
		uint64_t bytes;

		diag_init(&d);
		if (!size_parse(&d, words, 0, &bytes))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_refused(&d, 0, bad[i]);
	}
}

static void test_number(void **state)
{
	static const struct {
		const char *word;
		int ok;
		uint64_t v;
	} words_of[] = {
		{ "3", 1, 3 }, { "9", 1, 9 }, { "0x9", 1, 9 }, { "0xA", 0, 0 }, { "2", 0, 0 },
		{ "10", 0, 0 }, { "-3", 0, 0 }, { "03", 0, 0 }, { "", 0, 0 }, { "0x", 0, 0 },
		{ "3.0", 0, 0 }, { " 3", 0, 0 }, { "3 ", 0, 0 }, { "18446744073709551616", 0, 0 },
	};

	for (size_t i = 0; i < COUNT(words_of); i++) {
		char *words[] = { (char *)words_of[i].word };
		struct diag d;
		uint64_t v = 0;

		diag_init(&d);
		if ((u64_parse(&d, words, 0, 3, 9, &v) == 0) != words_of[i].ok)
			fail_msg("\"%s\": %s", words_of[i].word, d.text);
		assert_int_equal(v, words_of[i].v);
		if (!words_of[i].ok)
			assert_refused(&d, 0, words_of[i].word);
	}
}

static void test_percent(void **state)
{
	static const struct {
		const char *word;
		uint32_t p;
	} good[] = {
		{ "0%", 0 }, { "100%", UINT32_MAX }, { "60%", 2576980377 }, { "0.00001%", 429 },
		{ "50", 2147483648 }, { "0.00000000001%", 1 }, { "100.000%", UINT32_MAX },
	};
	static const char *const bad[] = { "101%", "-1%", "100.0001%", "%", "nan%", "5%%", "5 %", "" };

	for (size_t i = 0; i < COUNT(good); i++) {
		char *words[] = { (char *)good[i].word };
		struct diag d;
		uint32_t p = 7;

		diag_init(&d);
		if (percent_parse(&d, words, 0, &p, NULL))
			fail_msg("%s: %s", good[i].word, d.text);
		assert_int_equal(p, good[i].p);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { (char *)bad[i] };
		struct diag d;
		uint32_t p;

		diag_init(&d);
		if (!percent_parse(&d, words, 0, &p, NULL))
			fail_msg("\"%s\" was taken", bad[i]);
		assert_refused(&d, 0, bad[i]);
	}
}

/* What is shown reads back as what was shown. */
static void test_formats(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} times[] = {
		{ 0, "0s" }, { 1, "1ns" }, { 999, "999ns" }, { 1000, "1us" }, { 147000, "147us" },
		{ 6000000, "6ms" }, { 6000001, "6.000001ms" }, { 1500000000, "1.5s" },
		{ 275000000001, "275.000000001s" }, { -1500, "-1.5us" },
	};
	char buf[40];

	for (size_t i = 0; i < COUNT(times); i++) {
		char *words[] = { buf };
		struct diag d;
		int64_t ns;

		assert_string_equal(time_format(buf, sizeof(buf), times[i].ns), times[i].text);
		if (times[i].ns < 0)
			continue;
		diag_init(&d);
		assert_int_equal(time_parse(&d, words, 0, &ns), 0);
		assert_int_equal(ns, times[i].ns);
	}
	assert_string_equal(rate_format(buf, sizeof(buf), 100000000), "100Mbit");
	assert_string_equal(rate_format(buf, sizeof(buf), 1500000), "1500Kbit");
	assert_string_equal(rate_format(buf, sizeof(buf), 1234567), "1234567bit");
	assert_string_equal(rate_format(buf, sizeof(buf), 0), "0bit");
	assert_string_equal(size_format(buf, sizeof(buf), 2097152), "2Mb");
	assert_string_equal(size_format(buf, sizeof(buf), 3072), "3Kb");
	assert_string_equal(size_format(buf, sizeof(buf), 3000), "3000b");
	assert_string_equal(time_format(buf, 3, 147000), "14");
	assert_string_equal(us_format(buf, sizeof(buf), 1999000), "1999.000");
	assert_string_equal(us_format(buf, sizeof(buf), -1), "-0.001");
	assert_string_equal(us_format(buf, sizeof(buf), INT64_MIN), "-9223372036854775.808");
}

static void test_signed_number(void **state)
{
	static const struct {
		const char *word;
		int ok;
		int64_t v;
	} words_of[] = {
		{ "0", 1, 0 }, { "-5", 1, -5 }, { "+5", 1, 5 }, { "7", 1, 7 }, { "-0", 1, 0 },
		{ "8", 0, 0 }, { "-6", 0, 0 }, { "", 0, 0 }, { "-", 0, 0 }, { "05", 0, 0 }, { "0x5", 0, 0 },
		{ "5.0", 0, 0 }, { "5b", 0, 0 }, { "--5", 0, 0 }, { "99999999999999999999", 0, 0 },
		{ "-9223372036854775808", 0, 0 }, { "9223372036854775808", 0, 0 },
	};

	for (size_t i = 0; i < COUNT(words_of); i++) {
		char *words[] = { (char *)words_of[i].word };
		struct diag d;
		int64_t v = 0;

		diag_init(&d);
		if ((i64_parse(&d, words, 0, -5, 7, &v) == 0) != words_of[i].ok)
			fail_msg("\"%s\": %s", words_of[i].word, d.text);
		assert_int_equal(v, words_of[i].v);
		if (!words_of[i].ok)
			assert_refused(&d, 0, words_of[i].word);
	}
}

/* A percentage is what tc makes of it, to the last bit of 32, and so is what is missing to 100 %. */
static void test_percent_as_tc_rounds(void **state)
{
	static const struct {
		const char *word;
		uint32_t p, rest;
	} of[] = {
		{ "0%", 0, UINT32_MAX }, { "100%", UINT32_MAX, 0 }, { "10%", 429496730, 3865470566 },
		{ "30%", 1288490188, 3006477106 }, { "33.333%", 1431641448, 2863325847 },
		{ "0.00000000001%", 1, UINT32_MAX },
	};

	for (size_t i = 0; i < COUNT(of); i++) {
		char *words[] = { (char *)of[i].word };
		uint32_t p, rest;
		struct diag d;

		diag_init(&d);
		assert_int_equal(percent_parse(&d, words, 0, &p, &rest), 0);
		if (p != of[i].p || rest != of[i].rest)
			fail_msg("%s: %u, rest %u", of[i].word, p, rest);
	}
}

static void test_share_of_a_link(void **state)
{
	static const struct {
		const char *word;
		uint64_t link_bps, bps;
	} of[] = {
		{ "50%", 1000000000, 500000000 }, { "100%", 1, 1 }, { "0.1%", 999, 0 },
		{ "33.3%", 10000000000, 3330000000 }, { "100%", UINT64_MAX, UINT64_MAX },
	};
	static const char *const bad[] = { "101%", "-1%", "%", "x%" };

	for (size_t i = 0; i < COUNT(of); i++) {
		char *words[] = { (char *)of[i].word };
		struct diag d;
		uint64_t bps;

		diag_init(&d);
		assert_int_equal(rate_share_parse(&d, words, 0, of[i].link_bps, &bps), 0);
		assert_int_equal(bps, of[i].bps);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { (char *)bad[i] };
		struct diag d;
		uint64_t bps;

		diag_init(&d);
		assert_int_not_equal(rate_share_parse(&d, words, 0, 1000, &bps), 0);
		assert_refused(&d, 0, bad[i]);
	}
}

static void test_units_of_tc(void **state)
{
	static const char *const bad[] = { "", "6", "6.10", "6.5", "tc" };
	char *first[] = { "6.1" }, *later[] = { "6.9" };
	enum tc_units units;
	struct diag d;

	diag_init(&d);
	assert_int_equal(tc_units_parse(&d, first, 0, &units), 0);
	assert_int_equal(units, TC_UNITS_6_1);
	assert_int_equal(tc_units_parse(&d, later, 0, &units), 0);
	assert_int_equal(units, TC_UNITS_6_9);
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *words[] = { (char *)bad[i] };

		diag_init(&d);
		assert_int_not_equal(tc_units_parse(&d, words, 0, &units), 0);
		assert_refused(&d, 0, bad[i]);
	}
}

/* The texts are those that tc 6.1 prints. */
static void test_as_tc(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} times[] = {
		{ 4999000, "5ms" }, { 99999000, "100ms" }, { 1234000, "1.23ms" }, { 6000000, "6ms" },
		{ 275000000000, "275s" }, { 12345, "12.3us" }, { 999, "999ns" },
	};
	static const struct {
		uint64_t bps;
		const char *text;
	} rates[] = {
		{ 8, "8bit" }, { 1000, "1Kbit" }, { 1500, "1500bit" }, { 1500000, "1500Kbit" },
		{ 1234567890, "1234Mbit" }, { 40000000000, "40Gbit" }, { 1048576, "1048Kbit" },
	};
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {
		{ 1500, "1500b" }, { 1600, "1600b" }, { 2047, "2Kb" }, { 2032, "2032b" }, { 3072, "3Kb" },
		{ 33554432, "32Mb" }, { 33554000, "32Mb" }, { 1514000, "1514000b" }, { 100000, "100000b" },
	};
	char text[32];

	units_as_tc(true);
	for (size_t i = 0; i < COUNT(times); i++)
		assert_string_equal(time_format(text, sizeof(text), times[i].ns), times[i].text);
	for (size_t i = 0; i < COUNT(rates); i++)
		assert_string_equal(rate_format(text, sizeof(text), rates[i].bps), rates[i].text);
	for (size_t i = 0; i < COUNT(sizes); i++)
		assert_string_equal(size_format(text, sizeof(text), sizes[i].bytes), sizes[i].text);
	units_as_tc(false);
	assert_string_equal(time_format(text, sizeof(text), 4999000), "4.999ms");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_time_refused),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_signed_number),
		cmocka_unit_test(test_percent_as_tc_rounds),
		cmocka_unit_test(test_share_of_a_link),
		cmocka_unit_test(test_units_of_tc),
		cmocka_unit_test(test_as_tc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

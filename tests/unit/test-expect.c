// SPDX-License-Identifier: GPL-2.0-or-later
/* Bounds on figures: how they are written, and that they are judged without rounding. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "pure/diag.h"
#include "report/expect.h"
#include "report/group.h"
#include "report/result.h"

static void a_bound_is_read_in_all_its_forms(void **state)
{
	struct expect e;
	struct diag d;

	diag_init(&d);
	assert_int_equal(expect_parse(&d, 0, "retire.after.p99_ns <= 2.1ms", &e), 0);
	assert_string_equal(e.base, "");
	assert_string_equal(e.experiment, "retire");
	assert_string_equal(e.arm, "after");
	assert_string_equal(e.metric, "p99_ns");
	assert_int_equal(e.op, OP_LE);
	assert_int_equal(e.bound.mantissa, 21);
	assert_int_equal(e.bound.exponent, -1);
	assert_string_equal(e.bound.unit, "ms");
	assert_false(e.every || e.one_seed);
	expect_free(&e);

	assert_int_equal(expect_parse(&d, 0, "6.1:mq-netem.migration-off.away_percent@every==0", &e), 0);
	assert_string_equal(e.base, "6.1");
	assert_string_equal(e.arm, "migration-off");
	assert_true(e.every);
	assert_int_equal(e.op, OP_EQ);
	expect_free(&e);

	assert_int_equal(expect_parse(&d, 0, "  x.v6.2-rc1.m[12] > -0.50 % ", &e), 0);
	assert_string_equal(e.arm, "v6.2-rc1");
	assert_true(e.one_seed);
	assert_int_equal(e.seed, 12);
	assert_int_equal(e.bound.mantissa, -50);
	assert_int_equal(e.bound.exponent, -2);
	assert_string_equal(e.bound.unit, "%");
	expect_free(&e);
}

static void a_faulty_bound_is_refused_at_its_column(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} cases[] = {
		{ "", "column 1: EXPERIMENT.ARM.METRIC" },
		{ "p99 <= 2", "column 1: EXPERIMENT.ARM.METRIC" },
		{ "a.b <= 2", "column 1: EXPERIMENT.ARM.METRIC" },
		{ "a..m <= 2", "column 3: an arm's name" },
		{ ".b.m <= 2", "column 1: an experiment's name" },
		{ "a.b. <= 2", "column 5: a metric's name" },
		{ "a.b.m$ <= 2", "column 5: a metric's name" },
		{ ":a.b.m <= 2", "column 1: a base" },
		{ "a.b.m", "column 6: one of <=" },
		{ "a.b.m 2", "column 7: one of <=" },
		{ "a.b.m = 2", "column 7: one of <=" },
		{ "a.b.m => 2", "column 7: one of <=" },
		{ "a.b.m@each == 2", "column 6: only @every" },
		{ "a.b.m@everyone == 2", "column 6: only @every" },
		{ "a.b.m[] == 2", "column 6: a seed" },
		{ "a.b.m[-1] == 2", "column 6: a seed" },
		{ "a.b.m[1 == 2", "column 6: a seed" },
		{ "a.b.m <=", "column 9: a number" },
		{ "a.b.m <= ms", "column 10: a number" },
		{ "a.b.m <= -", "column 10: a number" },
		{ "a.b.m <= 2.", "column 10: a number" },
		{ "a.b.m <= nan", "column 10: a number" },
		{ "a.b.m <= 1234567890123456789", "column 10: too many digits" },
		{ "a.b.m <= 0.0000000000000000001", "column 10: too many digits" },
		{ "a.b.m <= 2 ms 3", "column 12: what follows" },
		{ "a.b.m <= 1 <= 2", "column 12: what follows" },
		{ "a.b.m <= 1.2.3", "column 13: what follows" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expect e;
		struct diag d;

		diag_init(&d);
		if (expect_parse(&d, 3, cases[i].text, &e) != -EINVAL)
			fail_msg("'%s' was taken", cases[i].text);
		if (!strstr(d.text, cases[i].says))
			fail_msg("'%s' is not in '%s'", cases[i].says, d.text);
		assert_int_equal(d.exit, EXIT_USAGE);
		assert_int_equal(d.word, 3);
	}
}

/* A group of one row in one flavour: seeds 1, 2, 3 of the arm "after". */
static int judge(const char *text, const char *name, const char *unit,
			  struct value values[3], struct outcome *o)
{
	struct metric m = { .name = name, .unit = unit };
	int64_t seeds[] = { 1, 2, 3 };
	struct cell cell = { .n = 3, .seeds = seeds, .values = values };
	struct row row = { .metric = &m, .flavour = "plain", .cells = &cell };
	struct result r = { .experiment = "x", .base = "6.1", .arm = "after", .flavour = "plain" };
	struct result *results[] = { &r };
	const char *arms[] = { "after" }, *flavours[] = { "plain" };
	struct group g = { .results = results, .nresults = 1, .arms = arms, .narms = 1,
			   .flavours = flavours, .nflavours = 1, .rows = &row, .nrows = 1 };
	struct value sorted[3];
	struct expect e;
	struct diag d;
	int err;

	for (int i = 0; i < 3; i++)
		if (values[i].type != VALUE_NONE)
			sorted[cell.have++] = values[i];
	if (cell.have == 3)
		value_reduce(REDUCE_MEDIAN, sorted, 3, &cell.reduced);
	diag_init(&d);
	if (expect_parse(&d, 0, text, &e))
		fail_msg("%s: %s", text, d.text);
	err = expect_judge(&d, &e, &g, 1, o);
	if (err)
		snprintf(o->text, sizeof(o->text), "%.250s", d.text);
	expect_free(&e);
	return err ? -1 : (int)o->verdict;
}

#define INTS(a, b, c) (struct value[3]){ { VALUE_INT, .i = a }, { VALUE_INT, .i = b }, { VALUE_INT, .i = c } }
#define REALS(a, b, c) (struct value[3]){ { VALUE_REAL, .r = a }, { VALUE_REAL, .r = b }, { VALUE_REAL, .r = c } }

static void bounds_are_judged_without_rounding(void **state)
{
	const struct {
		const char *text;
		struct value *v;
		enum verdict verdict;
	} cases[] = {
		{ "x.after.p99_ns <= 2.1ms", INTS(1, 2100000, 9999999), EXPECT_HELD },
		{ "x.after.p99_ns <= 2.1ms", INTS(1, 2100001, 9999999), EXPECT_BROKEN },
		{ "x.after.p99_ns == 2.1ms", INTS(2100000, 2100000, 2100000), EXPECT_HELD },
		{ "x.after.p99_ns != 2100000", INTS(2100000, 2100000, 2100000), EXPECT_BROKEN },
		{ "x.after.p99 < 2100.001 us", INTS(2100000, 2100000, 2100000), EXPECT_HELD },
		{ "x.after.p99 < 2100.000us", INTS(2100000, 2100000, 2100000), EXPECT_BROKEN },
		{ "x.after.p99 > 0.0000000000000001ns", INTS(1, 1, 1), EXPECT_HELD },
		{ "x.after.p99 > 0.000000000000000001s", INTS(0, 0, 0), EXPECT_BROKEN },
		{ "x.after.p99 >= 0", INTS(0, 0, 0), EXPECT_HELD },
		{ "x.after.p99 < 9223372036.85477581s", INTS(INT64_MAX, INT64_MAX, INT64_MAX), EXPECT_HELD },
		{ "x.after.p99 < 9223372036.85477580s", INTS(INT64_MAX, INT64_MAX, INT64_MAX), EXPECT_BROKEN },
		{ "x.after.p99 > 999999999999999999s", INTS(INT64_MAX, INT64_MAX, INT64_MAX), EXPECT_BROKEN },
		{ "x.after.p99 > -5us", INTS(-4999, -4999, -4999), EXPECT_HELD },
		{ "x.after.p99 <= 2.1ns", REALS(2.1, 2.1, 2.1), EXPECT_HELD },
		{ "x.after.p99 == 2.1ns", REALS(2.1, 2.1, 2.1), EXPECT_HELD },
		{ "x.after.p99 == 0.0021us", REALS(2.1, 2.1, 2.1), EXPECT_HELD },
		{ "6.1:x.after.p99 <= 2ns", INTS(1, 2, 3), EXPECT_HELD },
		{ "6.12:x.after.p99 <= 2ns", INTS(1, 2, 3), EXPECT_CANNOT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome o;

		if (judge(cases[i].text, "p99_ns", "ns", cases[i].v, &o) != (int)cases[i].verdict)
			fail_msg("%s: not %s: %s", cases[i].text, verdict_name(cases[i].verdict), o.text);
	}
}

static void seeds_can_be_asked_for_one_by_one(void **state)
{
	struct outcome o;

	assert_int_equal(judge("x.after.n@every == 0", "n", "", INTS(0, 0, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.n == 0", "n", "", INTS(0, 1, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.n@every == 0", "n", "", INTS(0, 1, 0), &o), EXPECT_BROKEN);
	assert_string_equal(o.text, "6.1 plain, seed 2: 1");
	assert_int_equal(judge("x.after.n[2] == 1", "n", "", INTS(0, 1, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.n[3] == 1", "n", "", INTS(0, 1, 0), &o), EXPECT_BROKEN);
	assert_int_equal(judge("x.after.n[4] == 1", "n", "", INTS(0, 1, 0), &o), EXPECT_CANNOT);
	assert_string_equal(o.text, "no such seed");
}

static void what_is_not_there_is_never_a_pass(void **state)
{
	struct value holes[3] = { { VALUE_INT, .i = 0 }, { VALUE_NONE }, { VALUE_INT, .i = 0 } };
	struct value bad_holes[3] = { { VALUE_INT, .i = 1 }, { VALUE_NONE }, { VALUE_INT, .i = 0 } };
	struct outcome o;

	assert_int_equal(judge("x.after.n == 0", "n", "", holes, &o), EXPECT_CANNOT);
	assert_string_equal(o.text, "6.1 plain: 2 of 3 seeds have the figure");
	assert_int_equal(judge("x.after.n@every == 0", "n", "", holes, &o), EXPECT_CANNOT);
	assert_int_equal(judge("x.after.n@every == 0", "n", "", bad_holes, &o), EXPECT_BROKEN);
	assert_int_equal(judge("x.after.n != 7", "n", "", holes, &o), EXPECT_CANNOT);
	assert_int_equal(judge("y.after.n == 0", "n", "", INTS(0, 0, 0), &o), EXPECT_CANNOT);
	assert_string_equal(o.text, "no result of that experiment");
	assert_int_equal(judge("x.next.n == 0", "n", "", INTS(0, 0, 0), &o), EXPECT_CANNOT);
	assert_string_equal(o.text, "no result of that arm");
	assert_int_equal(judge("x.after.m == 0", "n", "", INTS(0, 0, 0), &o), EXPECT_CANNOT);
	assert_string_equal(o.text, "that arm has no such metric");
}

static void a_unit_that_does_not_fit_is_a_fault_of_the_words(void **state)
{
	struct outcome o;

	assert_int_equal(judge("x.after.p99 <= 2%", "p99_ns", "ns", INTS(0, 0, 0), &o), -1);
	assert_non_null(strstr(o.text, "measured in 'ns', not in '%'"));
	assert_int_equal(judge("x.after.p99 <= 2", "p99_ns", "ns", INTS(0, 0, 0), &o), -1);
	assert_non_null(strstr(o.text, "a time needs its unit"));
	assert_int_equal(judge("x.after.away <= 30%", "away_percent", "percent", INTS(0, 0, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.away <= 30", "away_percent", "%", INTS(0, 0, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.n <= 3packets", "n", "packets", INTS(0, 0, 0), &o), EXPECT_HELD);
	assert_int_equal(judge("x.after.n <= 3ms", "n", "packets", INTS(0, 0, 0), &o), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bound_is_read_in_all_its_forms),
		cmocka_unit_test(a_faulty_bound_is_refused_at_its_column),
		cmocka_unit_test(bounds_are_judged_without_rounding),
		cmocka_unit_test(seeds_can_be_asked_for_one_by_one),
		cmocka_unit_test(what_is_not_there_is_never_a_pass),
		cmocka_unit_test(a_unit_that_does_not_fit_is_a_fault_of_the_words),
	};

	return cmocka_run_group_tests_name("expect", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics: how they are defined, found in measurements and reduced over seeds. */
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
#include "report/metric.h"

#define METRIC(name, more) \
	"{'name':'" name "','path':'a','reduce':'median','unit':'ns','better':'lower'" more "}"

/* JSON with ' for " */
static json_t *json(const char *text)
{
	char *copy = strdup(text);
	json_error_t error;
	json_t *j;

	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	j = json_loads(copy, 0, &error);
	if (!j)
		fail_msg("the test's own JSON: %s: %s", copy, error.text);
	free(copy);
	return j;
}

static void definitions_are_read_with_their_flags(void **state)
{
	json_t *j = json("[" METRIC("p99_ns", "") ",{'name':'n','path':'b.0','reduce':'sum',"
			 "'unit':'1/s','better':'none,cost,zero,detail','flavour':'plain','title':'T'},"
			 "{'name':'c','path':'b','reduce':'max','unit':'contentions','better':'lower','flavour':''}]");
	struct metric *m;
	struct diag d;
	size_t n;

	diag_init(&d);
	assert_int_equal(metrics_read(&d, "f", j, &m, &n), 0);
	assert_int_equal(n, 3);
	assert_string_equal(m[0].title, "p99_ns");
	assert_null(m[0].flavour);
	assert_false(m[0].cost || m[0].zero || m[0].detail);
	assert_int_equal(m[1].reduce, REDUCE_SUM);
	assert_int_equal(m[1].better, BETTER_NONE);
	assert_true(m[1].cost && m[1].zero && m[1].detail);
	assert_string_equal(m[1].flavour, "plain");
	assert_string_equal(m[1].title, "T");
	assert_true(m[2].zero);
	assert_null(m[2].flavour);
	free(m);
	json_decref(j);
}

static void a_faulty_definition_is_named(void **state)
{
	static const struct {
		const char *json;
		const char *says;
	} cases[] = {
		{ "{}", "f: metrics: no such array" },
		{ "[1]", "f: metrics[0]: not an object" },
		{ "[" METRIC("a", "") ",{'name':'b'}]", "f: metrics[1].path: no such string" },
		{ "[" METRIC("a.b", "") "]", "metrics[0].name: 'a.b'" },
		{ "[" METRIC("", "") "]", "metrics[0].name: ''" },
		{ "[" METRIC("a", "") "," METRIC("a", "") "]", "metrics[1].name: 'a' is there twice" },
		{ "[" METRIC("a", ",'flavour':7") "]", "flavour and title are strings" },
		{ "[{'name':'a','path':'','reduce':'max','unit':'','better':'none'}]", "metrics[0].path: empty" },
		{ "[{'name':'a','path':'b','reduce':'mean','unit':'','better':'none'}]", "reduce: 'mean'" },
		{ "[{'name':'a','path':'b','reduce':'max,cost','unit':'','better':'none'}]", "reduce: 'max,cost'" },
		{ "[{'name':'a','path':'b','reduce':'max','unit':'','better':'less'}]", "better: 'less'" },
		{ "[{'name':'a','path':'b','reduce':'max','unit':'','better':'lower,'}]", "better: 'lower,'" },
		{ "[{'name':'a','path':'b','reduce':'max','unit':'','better':'lower,free'}]", "better: 'lower,free'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *j = json(cases[i].json);
		struct metric *m;
		struct diag d;
		size_t n;

		diag_init(&d);
		assert_int_equal(metrics_read(&d, "f", j, &m, &n), -EINVAL);
		if (!strstr(d.text, cases[i].says))
			fail_msg("'%s' is not in '%s'", cases[i].says, d.text);
		assert_int_equal(d.exit, EXIT_USAGE);
		json_decref(j);
	}
}

static void a_path_leads_to_a_number_to_nothing_or_to_an_error(void **state)
{
	static const struct {
		const char *path;
		int ret;
		struct value v;
	} cases[] = {
		{ "a.b", 0, { VALUE_INT, .i = 7 } },
		{ "a.r", 0, { VALUE_REAL, .r = 0.5 } },
		{ "l.1.x", 0, { VALUE_INT, .i = -3 } },
		{ "big", 0, { VALUE_INT, .i = INT64_MAX } },
		{ "z", 0, { VALUE_INT, .i = 0 } },
		{ "a.none", 0, { VALUE_NONE } },
		{ "nothing.at.all", 0, { VALUE_NONE } },
		{ "l.2", 0, { VALUE_NONE } },
		{ "null", 0, { VALUE_NONE } },
		{ "null.x", 0, { VALUE_NONE } },
		{ "a", -EINVAL, { VALUE_NONE } },
		{ "s", -EINVAL, { VALUE_NONE } },
		{ "t", -EINVAL, { VALUE_NONE } },
		{ "s.x", -EINVAL, { VALUE_NONE } },
		{ "l.x", -EINVAL, { VALUE_NONE } },
		{ "l.-1", -EINVAL, { VALUE_NONE } },
		{ "l.", -EINVAL, { VALUE_NONE } },
	};
	json_t *j = json("{'a':{'b':7,'r':0.5},'l':[0,{'x':-3}],'null':null,'s':'7','t':true,"
			 "'z':0,'big':9223372036854775807}");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metric m = { .name = "m", .path = cases[i].path };
		struct value v;
		struct diag d;

		diag_init(&d);
		if (metric_lookup(&d, "f", &m, j, &v) != cases[i].ret)
			fail_msg("%s: not %d: %s", m.path, cases[i].ret, d.text);
		if (v.type != cases[i].v.type || v.i != cases[i].v.i || v.r != cases[i].v.r)
			fail_msg("%s: another value", m.path);
		if (cases[i].ret && !strstr(d.text, m.path))
			fail_msg("%s: not named in '%s'", m.path, d.text);
	}
	json_decref(j);
}

static struct value num(int64_t i)
{
	return (struct value){ VALUE_INT, .i = i };
}

static void whole_numbers_and_reals_compare_exactly(void **state)
{
	struct value big = num(INT64_MAX), less = num(INT64_MAX - 1);
	struct value half = { VALUE_REAL, .r = 0.5 };
	struct value two63 = { VALUE_REAL, .r = 9223372036854775808.0 };

	assert_true(value_cmp(&big, &less) > 0);
	assert_true(value_cmp(&less, &big) < 0);
	assert_true(value_cmp(&big, &two63) < 0);
	assert_true(value_cmp(&half, &big) < 0);
	assert_int_equal(value_cmp(&half, &half), 0);
}

static void values_are_reduced_without_inventing_any(void **state)
{
	struct value odd[] = { num(5), num(1), num(3) }, even[] = { num(4), num(1), num(2), num(9) };
	struct value mixed[] = { num(2), { VALUE_REAL, .r = 0.5 } };
	struct value high[] = { num(INT64_MAX), num(1) };
	struct value v;

	assert_int_equal(value_reduce(REDUCE_MEDIAN, odd, 3, &v), 0);
	assert_true(v.type == VALUE_INT && v.i == 3);
	value_reduce(REDUCE_MEDIAN, even, 4, &v);
	assert_true(v.type == VALUE_INT && v.i == 2);
	value_reduce(REDUCE_MIN, even, 4, &v);
	assert_int_equal(v.i, 1);
	value_reduce(REDUCE_MAX, even, 4, &v);
	assert_int_equal(v.i, 9);
	value_reduce(REDUCE_SUM, even, 4, &v);
	assert_true(v.type == VALUE_INT && v.i == 16);
	value_reduce(REDUCE_SUM, mixed, 2, &v);
	assert_true(v.type == VALUE_REAL && v.r == 2.5);
	assert_int_equal(value_reduce(REDUCE_SUM, high, 2, &v), -EOVERFLOW);
	assert_int_equal(v.type, VALUE_NONE);
	value_reduce(REDUCE_MEDIAN, odd, 0, &v);
	assert_int_equal(v.type, VALUE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_are_read_with_their_flags),
		cmocka_unit_test(a_faulty_definition_is_named),
		cmocka_unit_test(a_path_leads_to_a_number_to_nothing_or_to_an_error),
		cmocka_unit_test(whole_numbers_and_reals_compare_exactly),
		cmocka_unit_test(values_are_reduced_without_inventing_any),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}

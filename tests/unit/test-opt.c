// SPDX-License-Identifier: GPL-2.0-or-later
/* Option tables: every type, every way to write an option, every way to get it wrong. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "opt.h"
#include "pure/diag.h"
#include "pure/names.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

struct cfg {
	bool flag;
	int verbose;
	const char *str;
	uint64_t num;
	int64_t time;
	int64_t time0;
	uint64_t size;
	struct cpus cpus;
	struct link_end end;
	int fn;
	bool num_set;
};

static int parse_even(struct diag *d, char **words, int i, void *field)
{
	if ((words[i][0] - '0') % 2)
		return diag_usage(d, i, "\"%s\" is odd", words[i]);
	*(int *)field = words[i][0] - '0';
	return 0;
}

#define O(name) offsetof(struct cfg, name)

static const struct opt opts[] = {
	{ "flag", OPT_FLAG, O(flag) },
	{ "verbose", OPT_COUNT, O(verbose), .letter = 'v' },
	{ "str", OPT_STR, O(str), "TEXT", "a text", .letter = 's' },
	{ "num", OPT_U64, O(num), .min = 2, .max = 8, .set = O(num_set) + 1 },
	{ "time", OPT_TIME, O(time), .max = 1000000000 },
	{ "time0", OPT_TIME0, O(time0) },
	{ "size", OPT_SIZE, O(size), .min = 64, .max = 1024 },
	{ "cpus", OPT_CPUS, O(cpus) },
	{ "end", OPT_END, O(end) },
	{ "fn", OPT_FN, O(fn), .parse = parse_even },
	{ 0 }
};

static void test_every_type(void **state)
{
	char *argv[] = { "--flag", "-v", "-vv", "--verbose", "--str", "a b", "--num=0x8", "--time", "5ms",
			 "--time0=0s", "--size", "1k", "--cpus", "0-2", "--end=tx:eth1", "--fn", "4",
			 "word", "--num", "3" };
	struct cfg cfg = { 0 };
	struct diag d;

	diag_init(&d);
	assert_int_equal(opt_parse(&d, opts, COUNT(argv), argv, &cfg), 17);
	assert_true(cfg.flag);
	assert_int_equal(cfg.verbose, 4);
	assert_string_equal(cfg.str, "a b");
	assert_int_equal(cfg.num, 8);
	assert_true(cfg.num_set);
	assert_int_equal(cfg.time, 5000000);
	assert_int_equal(cfg.time0, 0);
	assert_int_equal(cfg.size, 1024);
	assert_int_equal(cpus_count(&cfg.cpus), 3);
	assert_string_equal(cfg.end.netns, "tx");
	assert_int_equal(cfg.fn, 4);
}

static void test_where_it_stops(void **state)
{
	char *dashes[] = { "--flag", "--", "--num", "3" };
	char *negative[] = { "-5ms", "--flag" };
	char *single[] = { "-", "--flag" };
	struct cfg cfg = { 0 };
	struct diag d;

	diag_init(&d);
	assert_int_equal(opt_parse(&d, opts, 4, dashes, &cfg), 2);
	assert_int_equal(cfg.num, 0);
	assert_int_equal(opt_parse(&d, opts, 2, negative, &cfg), 0);
	assert_int_equal(opt_parse(&d, opts, 2, single, &cfg), 0);
	assert_int_equal(opt_parse(&d, opts, 0, dashes, &cfg), 0);
	assert_int_equal(d.exit, EXIT_DONE);
}

static void test_refused(void **state)
{
	static const struct {
		char *words[3];
		int word;
		const char *say;
	} bad[] = {
		{ { "--foo" }, 0, "unknown option \"--foo\"" },
		{ { "--fla" }, 0, "unknown option \"--fla\"" },
		{ { "--flagx" }, 0, "unknown option \"--flagx\"" },
		{ { "-x" }, 0, "unknown option \"-x\"" },
		{ { "-vs" }, 0, "unknown option \"-vs\"" },
		{ { "-ss" }, 0, "unknown option \"-ss\"" },
		{ { "--=3" }, 0, "unknown option" },
		{ { "--flag=1" }, 0, "takes no value" },
		{ { "--flag", "--num" }, 1, "needs a value" },
		{ { "--str" }, 0, "needs a value: TEXT" },
		{ { "--num", "1" }, 1, "option --num: \"1\": less than 2" },
		{ { "--num=9" }, 0, "more than 8" },
		{ { "--flag", "--num", "x" }, 2, "option --num: \"x\"" },
		{ { "--time", "5" }, 1, "needs its unit" },
		{ { "--time", "0s" }, 1, "less than 1ns" },
		{ { "--time", "2s" }, 1, "more than 1s" },
		{ { "--size", "63" }, 1, "less than 64" },
		{ { "--size", "1025" }, 1, "more than 1024" },
		{ { "--cpus", "x" }, 1, "option --cpus" },
		{ { "--end", "a/b:c" }, 1, "option --end" },
		{ { "--fn", "3" }, 1, "option --fn: \"3\" is odd" },
	};

	for (int i = 0; i < COUNT(bad); i++) {
		struct cfg cfg = { 0 };
		struct diag d;
		int n = 0;

		while (n < 3 && bad[i].words[n])
			n++;
		diag_init(&d);
		assert_int_equal(opt_parse(&d, opts, n, (char **)bad[i].words, &cfg), -EINVAL);
		assert_int_equal(d.exit, EXIT_USAGE);
		assert_int_equal(d.word, bad[i].word);
		if (!strstr(d.text, bad[i].say))
			fail_msg("\"%s\" is not in: %s", bad[i].say, d.text);
	}
}

static void test_help(void **state)
{
	char *argv[] = { "--flag", "--help", "--foo" };
	char *as_value[] = { "--str", "--help" };
	struct cfg cfg = { 0 };
	struct diag d;

	diag_init(&d);
	assert_int_equal(opt_parse(&d, opts, 3, argv, &cfg), OPT_HELP);
	assert_int_equal(d.exit, EXIT_DONE);
	assert_int_equal(opt_parse(&d, opts, 2, as_value, &cfg), 2);
	assert_string_equal(cfg.str, "--help");
}

static void test_permute(void **state)
{
	static const struct opt more[] = { { "extra", OPT_FLAG, 0 }, { 0 } };
	char *argv[] = { "add", "--num", "3", "dev", "-5ms", "--extra", "x", "--", "--flag" };
	char *words[COUNT(argv) + 1];
	bool extra = false;
	struct cfg cfg = { 0 };
	const struct opt_table tables[] = { { opts, &cfg }, { more, &extra } };
	struct diag d;

	diag_init(&d);
	assert_int_equal(opt_permute(&d, tables, 2, COUNT(argv), argv, words), 5);
	assert_string_equal(words[0], "add");
	assert_string_equal(words[1], "dev");
	assert_string_equal(words[2], "-5ms");
	assert_string_equal(words[3], "x");
	assert_string_equal(words[4], "--flag");
	assert_null(words[5]);
	assert_int_equal(cfg.num, 3);
	assert_true(extra);
	assert_false(cfg.flag);
}

static int add_line(void *arg, const char *left, const char *help)
{
	char *all = arg;

	sprintf(all + strlen(all), "%s|%s\n", left, help);
	return 0;
}

static void test_describe(void **state)
{
	char all[1024] = "";

	assert_int_equal(opt_describe(opts, add_line, all), 10);
	assert_non_null(strstr(all, "  -s, --str TEXT|a text\n"));
	assert_non_null(strstr(all, "      --flag|\n"));
	assert_non_null(strstr(all, "      --num VALUE|\n"));
	assert_int_equal(opt_describe(NULL, add_line, all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type),
		cmocka_unit_test(test_where_it_stops),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_permute),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

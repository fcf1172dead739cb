// SPDX-License-Identifier: GPL-2.0-or-later
/* Text of reports: figures as people read them, tables, paragraphs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/figure.h"
#include "report/metric.h"
#include "report/table.h"

static struct value num(int64_t i)
{
	return (struct value){ VALUE_INT, .i = i };
}

static struct value real(double r)
{
	return (struct value){ VALUE_REAL, .r = r };
}

static void a_row_has_one_scale(void **state)
{
	static const struct value none;
	const struct {
		const char *unit;
		struct value v[3];
		const char *shown_unit;
		const char *text[3];
	} cases[] = {
		{ "ns", { num(7940000), num(2010049), num(0) }, "ms", { "7.940", "2.010", "0" } },
		{ "ns", { num(7940000), num(499), num(502) }, "ms", { "7.940", "<0.001", "0.001" } },
		{ "ns", { num(999), num(1), none }, "ns", { "999", "1", "n/a" } },
		{ "ns", { num(1000), num(999), num(-4) }, "us", { "1.000", "0.999", "-0.004" } },
		{ "ns", { num(-7940000), num(-12), num(5000) }, "ms", { "-7.940", ">-0.001", "0.005" } },
		{ "us", { num(123456), num(2), none }, "ms", { "123.5", "<0.1", "n/a" } },
		{ "s", { num(12345), num(2), none }, "s", { "12345", "2", "n/a" } },
		{ "percent", { real(53.2478), real(0.004), num(0) }, "%", { "53.25", "<0.01", "0" } },
		{ "%", { real(0.0317), real(0.02), num(0) }, "%", { "0.0317", "0.0200", "0" } },
		{ "packets", { num(INT64_MAX), num(-1), num(0) }, "packets",
		  { "9223372036854775807", "-1", "0" } },
		{ "1/s", { real(400.0), real(12.0), none }, "1/s", { "400", "12", "n/a" } },
		{ "x", { none, none, none }, "x", { "n/a", "n/a", "n/a" } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metric m = { .unit = cases[i].unit };
		char buf[FIGURE_MAX];
		struct scale s;

		figure_scale(&m, cases[i].v, 3, &s);
		assert_string_equal(s.unit, cases[i].shown_unit);
		for (int k = 0; k < 3; k++)
			assert_string_equal(figure_format(buf, &cases[i].v[k], &s), cases[i].text[k]);
	}
}

static void change_is_never_rounded_to_all_or_to_nothing(void **state)
{
	static const struct value none;
	const struct {
		struct value before;
		struct value after;
		bool zero;
		const char *text;
	} cases[] = {
		{ num(100), num(50), false, "-50.0%" },
		{ num(100), num(0), false, "-100%" },
		{ num(1000000), num(1), false, "-99.9%" },
		{ num(1000000), num(999999), false, "<0.1%" },
		{ num(100), num(150), false, "+50.0%" },
		{ num(100), num(200), false, "x2.0" },
		{ num(3), num(400), false, "x133" },
		{ num(5), num(5), false, "same" },
		{ num(0), num(0), false, "-" },
		{ num(0), num(7), false, "-" },
		{ num(-5), num(7), false, "-" },
		{ none, num(7), false, "n/a" },
		{ num(7), none, false, "n/a" },
		{ num(954), num(0), true, "to 0" },
		{ num(954), num(7), true, "-" },
		{ num(0), num(7), true, "from 0" },
		{ real(53.25), real(26.625), false, "-50.0%" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metric m = { .unit = "", .zero = cases[i].zero };
		char buf[FIGURE_MAX];

		assert_string_equal(figure_change(buf, &m, &cases[i].before, &cases[i].after),
				    cases[i].text);
	}
}

static void an_exact_figure_keeps_its_digits_and_unit(void **state)
{
	struct metric m = { .unit = "ns" }, bare = { .unit = "" };
	struct value v = num(2010049), r = real(48.5);
	char buf[FIGURE_MAX];

	assert_string_equal(figure_exact(buf, &m, &v), "2010049 ns");
	assert_string_equal(figure_exact(buf, &bare, &r), "48.5");
}

static char *draw(const struct table *t, int indent, int width)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(table_print(t, out, indent, width), 0);
	fclose(out);
	return text;
}

static struct table *sample(int arms)
{
	static const char *const names[] = { "before", "after", "migration-off", "next" };
	const char *cells[8] = { "packets that were late", "ms" };
	struct table *t = table_new();

	table_column(t, "", 1);
	table_column(t, "unit", 1);
	for (int i = 0; i < arms; i++) {
		table_column(t, names[i], 0);
		cells[i + 2] = "12.34";
	}
	table_heading(t, "plain:");
	table_row(t, cells);
	cells[0] = "b";
	cells[1] = NULL;
	cells[2] = NULL;
	table_row(t, cells);
	return t;
}

static void columns_are_aligned_and_nothing_trails(void **state)
{
	struct table *t = sample(2);
	char *text = draw(t, 4, 75);

	assert_string_equal(text, "                            unit  before  after\n"
				  "    plain:\n"
				  "    packets that were late    ms   12.34  12.34\n"
				  "    b                                     12.34\n");
	free(text);
	table_free(t);
}

static void words_are_wrapped_before_columns_move_below(void **state)
{
	struct table *t = sample(2);
	char *text = draw(t, 4, 45);

	assert_string_equal(text, "                          unit  before  after\n"
				  "    plain:\n"
				  "    packets that were       ms   12.34  12.34\n"
				  "      late\n"
				  "    b                                   12.34\n");
	free(text);
	text = draw(t, 4, 43);
	assert_string_equal(text, "                            unit  before\n"
				  "    plain:\n"
				  "    packets that were late    ms   12.34\n"
				  "    b\n"
				  "\n"
				  "                            unit  after\n"
				  "    plain:\n"
				  "    packets that were late    ms  12.34\n"
				  "    b                             12.34\n");
	free(text);
	table_free(t);
}

static void no_line_is_wider_than_asked(void **state)
{
	struct table *t = sample(4);

	for (int width = 50; width < 90; width++) {
		char *text = draw(t, 4, width);

		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if ((int)strlen(line) > width)
				fail_msg("%d: '%s'", width, line);
		free(text);
	}
	table_free(t);
}

static void control_characters_and_foreign_bytes_do_not_come_through(void **state)
{
	char *text = text_ascii("a\033[1m\tb\xc3\xa4\n");

	assert_string_equal(text, "a?[1m?b???");
	free(text);
}

static void a_table_used_wrongly_is_not_drawn(void **state)
{
	struct table *t = sample(1);
	FILE *out = fopen("/dev/null", "w");

	table_column(t, "late", 0);
	assert_int_equal(table_print(t, out, 0, 75), -ENOMEM);
	assert_int_equal(table_print(NULL, out, 0, 75), -ENOMEM);
	fclose(out);
	table_free(t);
}

static void paragraphs_are_wrapped_and_words_kept_whole(void **state)
{
	const struct {
		const char *text;
		const char *more;
		const char *want;
	} cases[] = {
		{ "one two three", "", "> one two\n+ three\n" },
		{ "one two three", " \\", "> one two \\\n+ three\n" },
		{ "longer-than-a-line two", "", "> longer-than-a-line\n+ two\n" },
		{ "  a   b  ", "", "> a   b\n" },
		{ "four --x\tyy z", "", "> four\n+ --x yy z\n" },
		{ "", "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		text_wrap(out, "> ", "+ ", cases[i].text, 12, cases[i].more);
		fclose(out);
		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_one_scale),
		cmocka_unit_test(change_is_never_rounded_to_all_or_to_nothing),
		cmocka_unit_test(an_exact_figure_keeps_its_digits_and_unit),
		cmocka_unit_test(columns_are_aligned_and_nothing_trails),
		cmocka_unit_test(words_are_wrapped_before_columns_move_below),
		cmocka_unit_test(no_line_is_wider_than_asked),
		cmocka_unit_test(control_characters_and_foreign_bytes_do_not_come_through),
		cmocka_unit_test(a_table_used_wrongly_is_not_drawn),
		cmocka_unit_test(paragraphs_are_wrapped_and_words_kept_whole),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}

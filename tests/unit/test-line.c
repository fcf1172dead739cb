// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a batch: words, quotes, comments, lines that are continued. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"
#include "pure/line.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_words(void **state)
{
	static const struct {
		const char *line;
		const char *words;	/* each in [] */
	} cases[] = {
		{ "", "" },
		{ " \t\r\n", "" },
		{ "# nothing", "" },
		{ "a b\tc\n", "[a][b][c]" },
		{ "  a  # b\n", "[a]" },
		{ "a#b c", "[a]" },
		{ "'a b' \"c d\"", "[a b][c d]" },
		{ "'a # b' c # d", "[a # b][c]" },
		{ "''", "[]" },
		{ "a'b c'd", "[a'b][c'd]" },
		{ "a' # '", "[a']" },
		{ "'a'b", "[a][b]" },
		{ "\"it's\"", "[it's]" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char line[64], all[128] = "";
		char *words[LINE_WORDS_MAX + 1];
		struct diag d;
		int n;

		diag_init(&d);
		strcpy(line, cases[i].line);
		n = line_split(&d, line, words);
		assert_true(n >= 0);
		assert_null(words[n]);
		for (int w = 0; w < n; w++)
			sprintf(all + strlen(all), "[%s]", words[w]);
		if (strcmp(all, cases[i].words))
			fail_msg("%s: %s", cases[i].line, all);
	}
}

static void test_refused(void **state)
{
	char many[2 * (LINE_WORDS_MAX + 1) + 1];
	char *words[LINE_WORDS_MAX + 1];
	char open[] = "a 'b c";
	struct diag d;

	diag_init(&d);
	assert_true(line_split(&d, open, words) < 0);
	assert_int_equal(d.word, 1);
	assert_non_null(strstr(d.text, "the quote does not end"));

	for (int i = 0; i <= LINE_WORDS_MAX; i++)
		memcpy(many + 2 * i, "a ", 3);
	diag_init(&d);
	assert_true(line_split(&d, many, words) < 0);
	assert_non_null(strstr(d.text, "more than 512 words"));
	many[2 * LINE_WORDS_MAX] = '\0';
	diag_init(&d);
	memset(many, 'a', sizeof(many) - 1);
	for (int i = 0; i < LINE_WORDS_MAX; i++)
		many[2 * i + 1] = ' ';
	many[2 * LINE_WORDS_MAX] = '\0';
	assert_int_equal(line_split(&d, many, words), LINE_WORDS_MAX);
}

static void test_continued(void **state)
{
	static const struct {
		const char *line;
		bool continues;
		const char *left;
	} cases[] = {
		{ "a \\\n", true, "a " },
		{ "a \\", true, "a " },
		{ "a\n", false, "a\n" },
		{ "\\\n", true, "" },
		{ "a \\ \n", false, "a \\ \n" },
		{ "a # b \\\n", false, "a # b \\\n" },
		{ "'a # b' \\\n", true, "'a # b' " },
		{ "", false, "" },
		{ "\n", false, "\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char line[64];

		strcpy(line, cases[i].line);
		assert_int_equal(line_continues(line), cases[i].continues);
		assert_string_equal(line, cases[i].left);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_continued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

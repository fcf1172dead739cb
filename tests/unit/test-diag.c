// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages: the first error stays, its word is told, one line only. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"

static void test_first_error_stays(void **state)
{
	struct diag d;

	diag_init(&d);
	assert_int_equal(d.exit, EXIT_DONE);
	assert_int_equal(d.word, -1);
	assert_int_equal(diag_usage(&d, 3, "\"%s\"", "foo"), -EINVAL);
	assert_int_equal(diag_failed(&d, ENOENT, "later"), -ENOENT);
	assert_int_equal(diag_cannot(&d, "later still"), -EOPNOTSUPP);
	assert_int_equal(d.exit, EXIT_USAGE);
	assert_int_equal(d.word, 3);
	assert_string_equal(d.text, "\"foo\"");
	diag_free(&d);
}

static void test_failed_has_the_errno_text(void **state)
{
	struct diag d;

	diag_init(&d);
	assert_int_equal(diag_failed(&d, ENODEV, "device %s", "eth9"), -ENODEV);
	diag_append(&d, "and the %s words", "kernel's");
	assert_string_equal(d.text, "device eth9: No such device: and the kernel's words");
	assert_int_equal(d.exit, EXIT_FAILED);
	diag_init(&d);
	assert_int_equal(diag_failed(&d, 0, "no errno"), -EIO);
	assert_string_equal(d.text, "no errno");
}

static void test_context(void **state)
{
	struct diag d;

	diag_init(&d);
	diag_usage(&d, 1, "bad");
	assert_int_equal(diag_context(&d, 4, "qdisc %s", "add"), -EINVAL);
	assert_int_equal(d.word, 5);
	assert_string_equal(d.text, "qdisc add: bad");
	diag_init(&d);
	diag_usage(&d, -1, "no word is to blame");
	diag_context(&d, 4, "x");
	assert_int_equal(d.word, -1);
}

static void test_one_line(void **state)
{
	struct diag d;

	diag_init(&d);
	diag_usage(&d, 0, "\"%s\"", "a\nb\033[31m");
	diag_warn(&d, "w\n%d", 5);
	diag_warn(&d, "w\n%d", 5);	/* said once */
	assert_string_equal(d.text, "\"a?b?[31m\"");
	assert_int_equal(d.nwarnings, 1);
	assert_string_equal(d.warnings[0], "w?5");
	assert_int_equal(d.exit, EXIT_USAGE);
	diag_free(&d);
	assert_int_equal(d.nwarnings, 0);
}

static void test_long_texts_are_cut(void **state)
{
	char longer[3 * sizeof(((struct diag *)0)->text)];
	struct diag d;

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	diag_init(&d);
	diag_usage(&d, 0, "%s", longer);
	diag_append(&d, "%s", longer);
	diag_context(&d, 0, "%s", longer);
	assert_int_equal(strlen(d.text), sizeof(d.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_error_stays),
		cmocka_unit_test(test_failed_has_the_errno_text),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

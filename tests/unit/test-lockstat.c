// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/lock_stat, read: names with blanks and colons, times in us, what must not be taken for figures. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pure/diag.h"
#include "pure/lockstat.h"

#define HEADER(warning) \
	"lock_stat version 0.4\n" warning \
	"----------\n" \
	"                              class name    con-bounces    contentions   waittime-min" \
	"   waittime-max waittime-total   waittime-avg    acq-bounces   acquisitions" \
	"   holdtime-min   holdtime-max holdtime-total   holdtime-avg\n" \
	"----------\n\n"

static const char two_roots[] = HEADER("")
"                      &sch->root_lock_key#1:            10             12           0.05         987.65        2000.10         166.68            500           2000           0.10          12.34        4000.00           2.00\n"
"                      ---------------------\n"
"                      &sch->root_lock_key#1             7          [<00000000abcdef01>] __dev_queue_xmit+0x123/0x9a0\n"
"                      &sch->root_lock_key#1             5          [<00000000abcdef02>] net_tx_action+0x80/0x200 [a:b]\n"
"                      ---------------------\n"
"                      &sch->root_lock_key#1            12          [<00000000abcdef02>] net_tx_action+0x80/0x200\n"
"\n"
".............................................................\n"
"\n"
"                        &sch->root_lock_key:             0              3           1.00          50.00          60.00          20.00              9           1000           0.10           2.00         100.00           0.10\n"
"   dev->qdisc_tx_busylock ?: &qdisc_tx_b:             1              2           0.03           0.04           0.07           0.03              4              8           0.01           0.02           0.03           0.01\n"
"                         tasklist_lock-W:             0              0           0.00           0.00           0.00           0.00              3             41           0.25          10.00          70.00           1.70\n"
"                         tasklist_lock-R:             0              0           0.00           0.00           0.00           0.00              0             12           0.25          10.00          70.00           5.80\n"
"                        &sch->root_lock_key:             0              0           0.00           0.00           0.00           0.00              0              1           0.10           0.10           0.10           0.10\n";

static void parse(const char *text, struct lockstat *ls)
{
	struct diag d;

	diag_init(&d);
	assert_int_equal(lockstat_parse(&d, text, ls), 0);
	assert_int_equal(d.exit, EXIT_DONE);
	diag_free(&d);
}

static void test_classes_and_figures(void **state)
{
	struct lockstat ls;

	parse(two_roots, &ls);
	assert_false(ls.disabled);
	assert_int_equal(ls.nclasses, 6);
	assert_string_equal(ls.classes[0].name, "&sch->root_lock_key#1");
	assert_int_equal(ls.classes[0].bounces, 10);
	assert_int_equal(ls.classes[0].contentions, 12);
	assert_int_equal(ls.classes[0].acquisitions, 2000);
	assert_int_equal(ls.classes[0].wait_max_ns, 987650);
	assert_int_equal(ls.classes[0].wait_total_ns, 2000100);
	assert_int_equal(ls.classes[0].hold_max_ns, 12340);
	assert_int_equal(ls.classes[0].hold_total_ns, 4000000);
	assert_string_equal(ls.classes[2].name, "dev->qdisc_tx_busylock ?: &qdisc_tx_b");
	assert_int_equal(ls.classes[2].wait_max_ns, 40);
	assert_string_equal(ls.classes[3].name, "tasklist_lock-W");
	lockstat_free(&ls);
}

static void test_sums_over_all_qdiscs(void **state)
{
	struct lockstat_class sum;
	struct lockstat ls;

	parse(two_roots, &ls);
	assert_int_equal(lockstat_sum(&ls, LOCKSTAT_ROOT, &sum), 3);
	assert_int_equal(sum.contentions, 15);
	assert_int_equal(sum.acquisitions, 3001);
	assert_int_equal(sum.wait_max_ns, 987650);
	assert_int_equal(sum.wait_total_ns, 2060100);
	assert_int_equal(lockstat_sum(&ls, LOCKSTAT_BUSY, &sum), 1);
	assert_int_equal(sum.contentions, 2);
	assert_int_equal(lockstat_sum(&ls, "no such class", &sum), 0);
	assert_int_equal(sum.contentions, 0);
	lockstat_free(&ls);
}

static void test_order_does_not_depend_on_ties(void **state)
{
	struct lockstat ls;

	parse(two_roots, &ls);
	lockstat_sort(&ls);
	assert_string_equal(ls.classes[0].name, "&sch->root_lock_key");
	assert_int_equal(ls.classes[0].contentions, 3);
	assert_string_equal(ls.classes[1].name, "&sch->root_lock_key");
	assert_int_equal(ls.classes[1].contentions, 0);
	assert_string_equal(ls.classes[2].name, "&sch->root_lock_key#1");
	assert_string_equal(ls.classes[5].name, "tasklist_lock-W");
	lockstat_free(&ls);
}

static void test_lockdep_off_is_told(void **state)
{
	struct lockstat ls;

	parse(HEADER("*WARNING* lock debugging disabled!! - possibly due to a lockdep warning\n"), &ls);
	assert_true(ls.disabled);
	assert_int_equal(ls.nclasses, 0);
	lockstat_free(&ls);
}

static void test_a_step_back_of_the_clock_is_no_time(void **state)
{
	struct lockstat ls;

	parse(HEADER("") " x: 0 1 -0.03 0.01 -1.00 0.00 0 1 0.00 0.00 0.00 0.00\n", &ls);
	assert_int_equal(ls.nclasses, 1);
	assert_int_equal(ls.classes[0].wait_total_ns, 0);
	assert_int_equal(ls.classes[0].wait_max_ns, 10);
	lockstat_free(&ls);
}

static void test_other_texts_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"lock_stat version 0.4\n",
		"lock_stat version 9.0\n class name  contentions acquisitions\n",
		"not " HEADER(""),
		/* one column short, one too many, a count with a point, a time without */
		HEADER("") " x: 0 1 0.03 0.01 1.00 0.00 0 1 0.00 0.00 0.00\n",
		HEADER("") " x: 0 1 0.03 0.01 1.00 0.00 0 1 0.00 0.00 0.00 0.00 7\n",
		HEADER("") " x: 0 1.00 0.03 0.01 1.00 0.00 0 1 0.00 0.00 0.00 0.00\n",
		HEADER("") " x: 0 1 3 0.01 1.00 0.00 0 1 0.00 0.00 0.00 0.00\n",
		HEADER("") " : 0 1 0.03 0.01 1.00 0.00 0 1 0.00 0.00 0.00 0.00\n",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct lockstat ls;
		struct diag d;

		diag_init(&d);
		if (lockstat_parse(&d, texts[i], &ls) == 0)
			fail_msg("taken: %s", texts[i]);
		assert_int_equal(d.exit, EXIT_FAILED);
		assert_null(ls.classes);
		diag_free(&d);
	}
}

static void test_every_beginning_of_the_file_is_survived(void **state)
{
	char text[sizeof(two_roots)];
	size_t len;

	for (len = 0; len < sizeof(two_roots); len++) {
		struct lockstat ls;
		struct diag d;

		memcpy(text, two_roots, len);
		text[len] = '\0';
		diag_init(&d);
		if (lockstat_parse(&d, text, &ls) == 0)
			lockstat_free(&ls);
		diag_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes_and_figures),
		cmocka_unit_test(test_sums_over_all_qdiscs),
		cmocka_unit_test(test_order_does_not_depend_on_ties),
		cmocka_unit_test(test_lockdep_off_is_told),
		cmocka_unit_test(test_a_step_back_of_the_clock_is_no_time),
		cmocka_unit_test(test_other_texts_are_refused),
		cmocka_unit_test(test_every_beginning_of_the_file_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Names, handles and sets of CPUs: judged before any kernel call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <linux/pkt_sched.h>

#include "pure/diag.h"
#include "pure/names.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_names(void **state)
{
	static const char *const bad_both[] = {
		"", ".", "..", "a/b", "../x", "a b", "a\tb", "a\nb", "a\033b", "-x", "a:b",
	};
	char longest[NETNS_NAME_MAX + 2];
	struct diag d;

	for (size_t i = 0; i < COUNT(bad_both); i++) {
		diag_init(&d);
		assert_int_not_equal(netns_name_check(&d, 4, bad_both[i]), 0);
		assert_int_equal(d.word, 4);
		assert_null(strchr(d.text, '\n'));
		diag_init(&d);
		assert_int_not_equal(dev_name_check(&d, 4, bad_both[i]), 0);
		assert_int_equal(d.exit, EXIT_USAGE);
	}
	diag_init(&d);
	assert_int_equal(dev_name_check(&d, 0, "abcdefghijklmno"), 0);
	assert_int_equal(dev_name_check(&d, 0, "eth0.100"), 0);
	assert_int_not_equal(dev_name_check(&d, 0, "abcdefghijklmnop"), 0);
	assert_int_not_equal(dev_name_check(&d, 0, "eth%d"), 0);
	memset(longest, 'n', sizeof(longest));
	longest[NETNS_NAME_MAX] = '\0';
	diag_init(&d);
	assert_int_equal(netns_name_check(&d, 0, longest), 0);
	longest[NETNS_NAME_MAX] = 'n';
	longest[NETNS_NAME_MAX + 1] = '\0';
	assert_int_not_equal(netns_name_check(&d, 0, longest), 0);
}

static void test_link_end(void **state)
{
	static const char *const bad[] = { "", ":", "tx:", ":eth1", "a/b:eth1", "tx:eth1:2", "tx:a/b" };
	char *words[] = { "tx:eth1", "eth1" };
	struct link_end end;
	struct diag d;

	diag_init(&d);
	assert_int_equal(link_end_parse(&d, words, 0, &end), 0);
	assert_string_equal(end.netns, "tx");
	assert_string_equal(end.dev, "eth1");
	assert_int_equal(link_end_parse(&d, words, 1, &end), 0);
	assert_string_equal(end.netns, "");
	assert_string_equal(end.dev, "eth1");
	for (size_t i = 0; i < COUNT(bad); i++) {
		char *word[] = { (char *)bad[i] };

		diag_init(&d);
		if (!link_end_parse(&d, word, 0, &end))
			fail_msg("\"%s\" was taken", bad[i]);
	}
}

static void test_long_namespace_in_end(void **state)
{
	char word[NETNS_NAME_MAX + 8];
	char *words[] = { word };
	struct link_end end;
	struct diag d;

	memset(word, 'n', sizeof(word));
	strcpy(word + NETNS_NAME_MAX, ":eth1");
	diag_init(&d);
	assert_int_equal(link_end_parse(&d, words, 0, &end), 0);
	assert_int_equal(strlen(end.netns), NETNS_NAME_MAX);
	memset(word, 'n', sizeof(word));
	strcpy(word + NETNS_NAME_MAX + 1, ":eth1");
	assert_int_not_equal(link_end_parse(&d, words, 0, &end), 0);
}

static void test_handles(void **state)
{
	static const struct {
		const char *word;
		uint32_t v;	/* 0: refused */
	} handles[] = {
		{ "10:", 0x100000 }, { "ffff:", 0xffff0000 }, { "aBc:", 0xabc0000 }, { "1:", 0x10000 },
		{ "10", 0 }, { "0:", 0 }, { ":", 0 }, { "12345:", 0 }, { "1:2", 0 }, { "g:", 0 },
		{ "", 0 }, { "root", 0 }, { "-1:", 0 }, { "0x1:", 0 },
	}, classes[] = {
		{ "1:2", 0x10002 }, { "1:", 0x10000 }, { ":2", 2 }, { "root", TC_H_ROOT },
		{ "ffff:ffff", 0xffffffff }, { "1:a", 0x1000a }, { "1", 0 }, { "1:10000", 0 },
		{ "10000:1", 0 }, { ":", 0 }, { "0:0", 0 }, { "1:2:3", 0 }, { "1:-2", 0 }, { "", 0 },
		{ "1:2 ", 0 }, { "none", 0 },
	};
	struct diag d;
	uint32_t v;

	for (size_t i = 0; i < COUNT(handles); i++) {
		char *words[] = { (char *)handles[i].word };

		diag_init(&d);
		v = 0;
		if (!handle_parse(&d, words, 0, &v) != !!handles[i].v || v != handles[i].v)
			fail_msg("handle \"%s\" gave %x", handles[i].word, v);
	}
	for (size_t i = 0; i < COUNT(classes); i++) {
		char *words[] = { (char *)classes[i].word };

		diag_init(&d);
		v = 0;
		if (!classid_parse(&d, words, 0, &v) != !!classes[i].v || v != classes[i].v)
			fail_msg("class \"%s\" gave %x", classes[i].word, v);
	}
}

static void test_handle_format(void **state)
{
	char buf[12];

	assert_string_equal(handle_format(buf, TC_H_ROOT), "root");
	assert_string_equal(handle_format(buf, 0), "none");
	assert_string_equal(handle_format(buf, 0x100000), "10:");
	assert_string_equal(handle_format(buf, 0x1000a), "1:a");
	assert_string_equal(handle_format(buf, 3), ":3");
	assert_string_equal(handle_format(buf, 0xfffefffe), "fffe:fffe");
}

static void test_cpus(void **state)
{
	static const struct {
		const char *word;
		const char *back;	/* NULL: refused */
		unsigned int n;
	} sets[] = {
		{ "0", "0", 1 }, { "0-6,8", "0-6,8", 8 }, { "8,0-6", "0-6,8", 8 }, { "1,2,3", "1-3", 3 },
		{ "5-5", "5", 1 }, { "1023", "1023", 1 }, { "63-65", "63-65", 3 }, { "0-1023", "0-1023", 1024 },
		{ "1024", NULL }, { "", NULL }, { "3-1", NULL }, { "1,", NULL }, { ",1", NULL },
		{ "1-", NULL }, { "-1", NULL }, { "a", NULL }, { "1 2", NULL }, { "99999999999999999999", NULL },
	};
	char buf[256];

	for (size_t i = 0; i < COUNT(sets); i++) {
		char *words[] = { (char *)sets[i].word };
		struct cpus set;
		struct diag d;

		diag_init(&d);
		if (!cpus_parse(&d, words, 0, &set) != !!sets[i].back)
			fail_msg("\"%s\": %s", sets[i].word, d.text);
		if (!sets[i].back)
			continue;
		assert_int_equal(cpus_count(&set), sets[i].n);
		assert_string_equal(cpus_format(buf, sizeof(buf), &set), sets[i].back);
	}
}

static void test_cpus_walk(void **state)
{
	struct cpus set = { 0 };

	assert_int_equal(cpus_next(&set, -1), -1);
	cpus_add(&set, 3);
	cpus_add(&set, 64);
	cpus_add(&set, CPUS_MAX);	/* beyond: nothing */
	assert_true(cpus_has(&set, 64));
	assert_false(cpus_has(&set, CPUS_MAX));
	assert_int_equal(cpus_next(&set, -1), 3);
	assert_int_equal(cpus_next(&set, 3), 64);
	assert_int_equal(cpus_next(&set, 64), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_link_end),
		cmocka_unit_test(test_long_namespace_in_end),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_handle_format),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_cpus_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

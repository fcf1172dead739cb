// SPDX-License-Identifier: GPL-2.0-or-later
/* Documents: text and JSON from one call. jansson reads the JSON back. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pure/doc.h"

static void assert_json(struct doc *doc, const char *expected)
{
	char *json = doc_as_json(doc);

	assert_string_equal(json, expected);
	free(json);
}

static void test_object(void **state)
{
	struct doc *doc = doc_new();

	assert_true(doc_is_empty(doc));
	assert_json(doc, "");
	assert_string_equal(doc_as_text(doc), "");
	doc_str(doc, "kind", "qdisc %s", "mq");
	doc_u64(doc, "n", " n %" PRIu64, UINT64_MAX);
	doc_i64(doc, "i", NULL, INT64_MIN);
	doc_bool(doc, "root", " root", true);
	doc_bool(doc, "ecn", " ecn", false);
	doc_null(doc, "nothing");
	doc_str(doc, "none", " [%s]", NULL);
	doc_text(doc, " %d\n", 5);
	doc_str(doc, NULL, "text only %s", "x");
	assert_json(doc, "{\"kind\":\"mq\",\"n\":18446744073709551615,\"i\":-9223372036854775808,\"root\":true,\"ecn\":false,\"nothing\":null,\"none\":null}");
	assert_string_equal(doc_as_text(doc), "qdisc mq n 18446744073709551615 root [-] 5\ntext only x");
	assert_false(doc_is_empty(doc));
	doc_free(doc);
}

static void test_nesting(void **state)
{
	struct doc *doc = doc_new();

	doc_open_array(doc, NULL);
	doc_open_object(doc, NULL);
	doc_open_array(doc, "list");
	doc_u64(doc, "", NULL, 1);
	doc_u64(doc, NULL, NULL, 2);	/* no key: left out */
	doc_str(doc, "", NULL, "b");
	doc_close_array(doc);
	doc_open_object(doc, "empty");
	doc_close_object(doc);
	doc_close_object(doc);
	doc_open_object(doc, NULL);
	doc_open_array(doc, "left open");
	assert_json(doc, "[{\"list\":[1,\"b\"],\"empty\":{}},{\"left open\":[]}]");
	doc_free(doc);
}

static void test_counts(void **state)
{
	struct two {
		int before;
		uint64_t a, b;
	} two = { -1, UINT64_MAX, 2 };
	static const struct doc_count counts[] = {
		{ "second", offsetof(struct two, b) }, { "first", offsetof(struct two, a) },
	};
	struct doc *doc = doc_new();

	doc_counts(doc, counts, 2, &two);
	assert_json(doc, "{\"second\":2,\"first\":18446744073709551615}");
	assert_string_equal(doc_as_text(doc), "");
	doc_free(doc);
}

static void test_strings(void **state)
{
	static const char *const strings[] = {
		"plain", "a\"b\\c", "tab\tnew\nline\001", "\x7f", "gr\xc3\xbc\xc3\x9f" "e",
		"\xe2\x82\xac", "\xf0\x9f\x98\x80", "", "/",
	};
	static const char *const broken[] = {
		"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "a\x80z",
	};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct doc *doc = doc_new();
		json_t *read;
		char *json;

		doc_str(doc, "s", NULL, strings[i]);
		json = doc_as_json(doc);
		read = json_loads(json, 0, NULL);
		assert_non_null(read);
		assert_string_equal(json_string_value(json_object_get(read, "s")), strings[i]);
		json_decref(read);
		free(json);
		doc_free(doc);
	}
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct doc *doc = doc_new();
		json_t *read;
		char *json;

		doc_str(doc, "s", NULL, broken[i]);
		json = doc_as_json(doc);
		read = json_loads(json, 0, NULL);	/* refuses what is no UTF-8 */
		if (!read)
			fail_msg("no JSON: %s", json);
		assert_non_null(strstr(json, "\xef\xbf\xbd"));
		json_decref(read);
		free(json);
		doc_free(doc);
	}
}

/* A real reads back as the same double, and needs no more digits than that. */
static void test_reals(void **state)
{
	static const struct {
		double v;
		const char *json;
	} reals[] = {
		{ 0.006, "0.006" }, { 0, "0" }, { 300, "300" }, { 5e-07, "5e-07" }, { -1.5, "-1.5" },
		{ 0.1 + 0.2, "0.30000000000000004" }, { 274.877906944, "274.877906944" },
	};

	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		struct doc *doc = doc_new();
		char expected[64];

		doc_open_array(doc, NULL);
		doc_real(doc, "", NULL, reals[i].v);
		snprintf(expected, sizeof(expected), "[%s]", reals[i].json);
		assert_json(doc, expected);
		assert_true(strtod(reals[i].json, NULL) == reals[i].v);
		doc_free(doc);
	}
}

static void test_no_number_is_null(void **state)
{
	struct doc *doc = doc_new();

	doc_open_array(doc, NULL);
	doc_real(doc, "", NULL, (double)NAN);
	doc_real(doc, "", NULL, (double)INFINITY);
	assert_json(doc, "[null,null]");
	doc_free(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_object),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_reals),
		cmocka_unit_test(test_no_number_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_KIND_TABLES_H
#define TESTS_KIND_TABLES_H

/* Tables for the kinds of qdiscs: words to bytes, words to what is shown, words that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/doc.h"

#define TABLE_WORDS_MAX 128
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* @hex: what TCA_OPTIONS holds, NULL when there is none */
struct bytes_row {
	const char *line;
	const char *hex;
};

/* @text: what is shown of @line, which need not have said all of it */
struct shown_row {
	const char *line;
	const char *text;
};

/* @word: index of the word to blame, -1 for none; @say: part of the message */
struct refused_row {
	const char *line;
	int word;
	const char *say;
};

struct warned_row {
	const char *line;
	const char *say;
};

static inline int table_parse(struct diag *d, const char *text, struct tc_spec *spec)
{
	static char line[2048];
	char *words[TABLE_WORDS_MAX];
	int n = 0;

	assert_true(strlen(text) < sizeof(line));
	strcpy(line, text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
		assert_true(n < TABLE_WORDS_MAX);
		words[n++] = word;
	}
	diag_init(d);
	return tc_spec_parse(d, NULL, OBJECT_QDISC, OP_ADD, words, n, spec);
}

static inline struct nl_msg *table_message(const char *line)
{
	struct tc_spec spec;
	struct nl_msg *msg;
	struct diag d;

	if (table_parse(&d, line, &spec))
		fail_msg("%s: %s", line, d.text);
	assert_int_equal(tc_spec_msg(&spec, OP_ADD, 7, &msg), 0);
	tc_spec_free(&spec);
	diag_free(&d);
	return msg;
}

static inline struct nlattr *table_options(struct nl_msg *msg)
{
	return nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_OPTIONS);
}

static inline void check_bytes(const struct bytes_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct nl_msg *msg = table_message(rows[i].line);
		struct nlattr *opts = table_options(msg);
		char hex[8192] = "";

		assert_int_equal(!opts, !rows[i].hex);
		for (int k = 0; opts && k < nla_len(opts); k++)
			sprintf(hex + 2 * k, "%02x", ((unsigned char *)nla_data(opts))[k]);
		if (opts && strcmp(hex, rows[i].hex))
			fail_msg("%s:\n%s is not\n%s", rows[i].line, hex, rows[i].hex);
		nlmsg_free(msg);
	}
}

/* The bytes of the words, shown as if the kernel had sent them. */
static inline void check_shown(const struct shown_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct nl_msg *msg = table_message(rows[i].line);
		struct nlattr *kind = nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_KIND);
		struct doc *doc = doc_new();

		doc_open_object(doc, NULL);
		kind_find(nla_get_string(kind))->show(doc, table_options(msg));
		if (strcmp(doc_as_text(doc), rows[i].text))
			fail_msg("%s:\n%s is not\n%s", rows[i].line, doc_as_text(doc), rows[i].text);
		doc_free(doc);
		nlmsg_free(msg);
	}
}

static inline void check_refused(const struct refused_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tc_spec spec;
		struct diag d;

		if (!table_parse(&d, rows[i].line, &spec))
			fail_msg("taken: %s", rows[i].line);
		if (!strstr(d.text, rows[i].say))
			fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].line, d.text, rows[i].say);
		if (d.word != rows[i].word)
			fail_msg("%s: word %d is blamed, not %d (%s)", rows[i].line, d.word,
				 rows[i].word, d.text);
		assert_int_equal(d.exit, EXIT_USAGE);
		tc_spec_free(&spec);
		diag_free(&d);
	}
}

/* @say NULL: there must be no warning */
static inline void check_warned(const struct warned_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tc_spec spec;
		struct diag d;

		if (table_parse(&d, rows[i].line, &spec))
			fail_msg("%s: %s", rows[i].line, d.text);
		if (!rows[i].say && d.nwarnings)
			fail_msg("%s: %s", rows[i].line, d.warnings[0]);
		if (rows[i].say && (d.nwarnings != 1 || !strstr(d.warnings[0], rows[i].say)))
			fail_msg("%s: %zu warnings: %s", rows[i].line, d.nwarnings,
				 d.nwarnings ? d.warnings[0] : "-");
		tc_spec_free(&spec);
		diag_free(&d);
	}
}

/* The counters in @bytes as text */
static inline void check_xstats(const struct kind *kind, const void *bytes, size_t len,
				const char *text)
{
	struct nlattr *app = calloc(1, NLA_HDRLEN + len);
	struct doc *doc = doc_new();

	assert_non_null(app);
	app->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memcpy((char *)app + NLA_HDRLEN, bytes, len);
	doc_open_object(doc, NULL);
	kind->xstats(doc, app);
	assert_string_equal(doc_as_text(doc), text);
	doc_free(doc);
	free(app);
}

#endif

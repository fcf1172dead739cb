// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every number of every kind: a time wants its unit, unless a tc is named that a script was written
 * for; what is not finite, or negative where that means nothing, is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kinds/spec.h"
#include "pure/diag.h"

#define WORDS_MAX 16

/* What stands on the line before the value in question. */
struct line {
	enum tc_object object;
	char *words[WORDS_MAX];
	int n;
};

static bool is_time(enum kw_type type)
{
	return type == KW_TIME || type == KW_TIME_US || type == KW_TIME_NS || type == KW_TIME_NETEM;
}

/* A value of @type that @kw takes; kept until the word after next. */
static const char *sample(const struct keyword *kw, enum kw_type type)
{
	static char text[8][24];
	static unsigned int at;
	uint64_t v = kw->max && kw->max < 1000 ? kw->max : 1000;

	switch (type) {
	case KW_RATE:
		return "1mbit";
	case KW_PERCENT:
	case KW_SHARE:
		return "1%";
	case KW_WORD:
		return "normal";
	default:
		if (is_time(type))
			return "1ms";
		at = (at + 1) % 8;
		snprintf(text[at], sizeof(text[at]), "%llu",
			 (unsigned long long)(v < kw->min ? kw->min : v));
		return text[at];
	}
}

static int parse(struct diag *d, enum tc_units units, const struct line *line)
{
	struct tc_env env = { .units = units };
	struct tc_spec spec;
	int err;

	diag_init(d);
	err = tc_spec_parse(d, &env, line->object, OP_ADD, (char **)line->words, line->n, &spec);
	tc_spec_free(&spec);
	return err;
}

/* A curve of hfsc: its words stand behind one of the table's first. */
static void put_inside(struct line *line, const char *first)
{
	struct diag d;

	parse(&d, TC_UNITS_NONE, line);
	if (strstr(d.text, "unknown word")) {
		memmove(line->words + 6, line->words + 5, (size_t)(line->n - 5) * sizeof(*line->words));
		line->words[5] = (char *)first;
		line->n++;
	}
	diag_free(&d);
}

/* The line's last word is a bare time. */
static void check(struct line copy, const char *first)
{
	struct line *line = &copy;
	static const enum tc_units units[] = { TC_UNITS_6_1, TC_UNITS_6_9 };
	struct diag d;

	put_inside(line, first);
	if (!parse(&d, TC_UNITS_NONE, line) || d.exit != EXIT_USAGE || d.word != line->n - 1 ||
	    !strstr(d.text, "a time needs its unit"))
		fail_msg("%s ... %s: word %d: %s", line->words[2], line->words[line->n - 2], d.word, d.text);
	diag_free(&d);
	for (size_t u = 0; u < sizeof(units) / sizeof(units[0]); u++) {
		parse(&d, units[u], line);	/* more words may be wanted */
		if (strstr(d.text, "unit"))
			fail_msg("%s ... %s: %s", line->words[2], line->words[line->n - 2], d.text);
		diag_free(&d);
	}
}

/* The line ends with the word whose value @type is next. */
static void check_refused(struct line copy, const struct keyword *kw, enum kw_type type,
			  const char *first)
{
	static const char *const bad[] = { "inf", "nan", "-inf", "+nan", "infinity", "-1", "-1ms", "-1%" };
	struct diag d;

	copy.words[copy.n++] = (char *)sample(kw, type);
	put_inside(&copy, first);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (type == KW_S32 && !strcmp(bad[i], "-1"))
			continue;
		copy.words[copy.n - 1] = (char *)bad[i];
		if (!parse(&d, TC_UNITS_6_1, &copy) || d.exit != EXIT_USAGE || d.word != copy.n - 1)
			fail_msg("%s ... %s %s: word %d: %s", copy.words[2], copy.words[copy.n - 2], bad[i],
				 d.word, d.text);
		diag_free(&d);
	}
}

static int table(struct line *line, const struct keyword *kw)
{
	const char *first = kw ? kw->word : NULL;
	int found = 0;

	for (; kw && kw->word; kw++) {
		int n = line->n;

		line->words[line->n++] = (char *)kw->word;
		if (kw->sub)
			found += table(line, kw->sub);
		for (int v = 0; !kw->take && v < KW_VALUES && kw->value[v].type != KW_NONE; v++) {
			if (v < (int)kw->required && kw->value[v].type != KW_WORD)
				check_refused(*line, kw, kw->value[v].type, first);
			if (is_time(kw->value[v].type)) {
				line->words[line->n++] = (char *)"4000";
				check(*line, first);
				line->n--;
				found++;
			}
			line->words[line->n++] = (char *)sample(kw, kw->value[v].type);
		}
		line->n = n;
	}
	return found;
}

static void test_every_number(void **state)
{
	int found = 0;

	for (const struct kind *const *kind = kinds; *kind; kind++) {
		struct line qdisc = { OBJECT_QDISC, { (char *)"root", (char *)"handle", (char *)"1:" }, 3 };
		struct line class = {
			OBJECT_CLASS,
			{ (char *)"parent", (char *)"1:", (char *)"classid", (char *)"1:1" }, 4,
		};

		qdisc.words[qdisc.n++] = class.words[class.n++] = (char *)(*kind)->name;
		if ((*kind)->parse)
			found += table(&qdisc, (*kind)->words);
		if ((*kind)->class && (*kind)->class->parse)
			found += table(&class, (*kind)->class->words);
	}
	assert_true(found >= 9);	/* netem and tbf alone have so many */
}

static void test_estimator(void **state)
{
	struct line line = {
		OBJECT_QDISC, { (char *)"root", (char *)"est", (char *)"4000" }, 3,
	};
	struct diag d;

	line.words[line.n++] = (char *)"16000";
	assert_int_not_equal(parse(&d, TC_UNITS_NONE, &line), 0);
	assert_int_equal(d.word, 2);
	assert_non_null(strstr(d.text, "a time needs its unit"));
	diag_free(&d);
	line.words[2] = (char *)"1s";
	assert_int_not_equal(parse(&d, TC_UNITS_NONE, &line), 0);
	assert_int_equal(d.word, 3);
	diag_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number),
		cmocka_unit_test(test_estimator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

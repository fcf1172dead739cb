// SPDX-License-Identifier: GPL-2.0-or-later
/* netem's words: the meaning that an environment lends them, and what is advised. */
#include "netem-words.h"

static void test_tables_are_sent_whole(void **state)
{
	static const int16_t few[] = { -1, 0, 1 };
	struct nl_msg *msg = message(&env, "delay 9ms 1ms distribution few");
	struct nlattr *dist = option(msg, TCA_NETEM_DELAY_DIST);

	assert_int_equal(nla_len(dist), sizeof(few));
	assert_memory_equal(nla_data(dist), few, sizeof(few));
	nlmsg_free(msg);

	msg = message(&env, "distribution big delay 9ms 1ms");
	dist = option(msg, TCA_NETEM_DELAY_DIST);
	assert_int_equal(nla_len(dist), DIST_MAX * sizeof(int16_t));
	for (int i = 0; i < DIST_MAX; i++)
		assert_int_equal(((int16_t *)nla_data(dist))[i], 5);
	nlmsg_free(msg);

	msg = message(&env, "delay 9ms 1ms distribution uniform");
	assert_int_equal(nla_len(option(msg, TCA_NETEM_DELAY_DIST)), DIST_MAX * sizeof(int16_t));
	nlmsg_free(msg);
}

static void test_tables_refused(void **state)
{
	static const struct {
		const char *words;
		int word, exit;
		const char *say;
	} bad[] = {
		{ "root netem delay 9ms 1ms distribution none", 6, EXIT_FAILED, "netem: distribution: table \"none\"" },
		{ "root netem delay 9ms 1ms distribution bad", 6, EXIT_USAGE, "bad:1: \"one\": not a whole number" },
		{ "root netem slot distribution none 9ms 1ms", 4, EXIT_FAILED, "table \"none\"" },
		{ "root netem delay 9ms 1ms distribution big slot distribution big 9ms 1ms", -1, EXIT_USAGE, "do not fit" },
		{ "root netem delay 9ms distribution few", -1, EXIT_USAGE, "without a delay and a jitter" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct tc_spec spec;
		struct diag d;

		if (!parse(&d, &env, bad[i].words, &spec))
			fail_msg("%s was taken", bad[i].words);
		tc_spec_free(&spec);
		assert_int_equal(d.exit, bad[i].exit);
		if (d.word != bad[i].word || !strstr(d.text, bad[i].say))
			fail_msg("%s: word %d: %s", bad[i].words, d.word, d.text);
		diag_free(&d);
	}
}

/* Judged without an environment, such words are fine, but never become a message without the table. */
static void test_no_table_no_message(void **state)
{
	struct tc_spec spec;
	struct nl_msg *msg;
	struct diag d;

	assert_int_equal(parse(&d, NULL, "root netem delay 9ms 1ms distribution few", &spec), 0);
	assert_int_not_equal(tc_spec_msg(&spec, OP_ADD, 7, &msg), 0);
	tc_spec_free(&spec);
}

/* A time without its unit, for every word that takes one. */
static void test_bare_times(void **state)
{
	static const struct {
		const char *words;
		int64_t ns_6_1, ns_6_9;
	} bare[] = {
		{ "root netem limit 9 delay 64", 64000, 64 },
		{ "root netem limit 9 delay 1ms 64", 64000, 64 },
		{ "root netem limit 9 latency 64.5", 64500, 0 },
		{ "root netem limit 9 slot 64", 64, 64 },
		{ "root netem limit 9 slot 1ns 64", 64, 64 },
		{ "root netem limit 9 slot distribution few 64 1ms", 64, 64 },
		{ "root netem limit 9 slot distribution few 1ms 64", 64, 64 },
		{ "root tbf rate 8mbit burst 2000 latency 64", 64000, 64000 },
		{ "root est 500000 2000000 netem", 0, 0 },
	};
	static const enum tc_units units[] = { TC_UNITS_NONE, TC_UNITS_6_1, TC_UNITS_6_9 };

	for (size_t i = 0; i < COUNT(bare); i++) {
		for (size_t u = 0; u < COUNT(units); u++) {
			struct tc_env e = { .units = units[u], .table = table };
			int64_t want = u == 1 ? bare[i].ns_6_1 : bare[i].ns_6_9;
			struct netem_cfg *c;
			struct tc_spec spec;
			struct diag d;
			int err = parse(&d, &e, bare[i].words, &spec);

			if (!u || (u == 2 && strchr(bare[i].words, '.'))) {
				assert_int_not_equal(err, 0);	/* no unit; or half a nanosecond */
				assert_non_null(strstr(d.text, u ? "finer" : "needs its unit"));
			} else if (err) {
				fail_msg("%s: %s", bare[i].words, d.text);
			} else if (spec.est.given) {
				assert_int_equal(spec.est.interval, -1);
				assert_int_equal(spec.est.ewma_log, 2);
			} else if (spec.kind == &kind_netem) {
				c = spec.cfg;
				if (c->delay_ns != want && c->jitter_ns != want &&
				    c->slot_min_ns != want && c->slot_max_ns != want &&
				    c->slot_delay_ns != want && c->slot_jitter_ns != want)
					fail_msg("%s in units %zu", bare[i].words, u);
			}
			tc_spec_free(&spec);
			diag_free(&d);
		}
	}
}

static void test_rate_as_a_share(void **state)
{
	static const struct {
		const char *words;
		uint64_t bytes;
	} rates[] = {
		{ "rate 50%", 625000000 }, { "rate 100%", 1250000000 }, { "rate 12.5%", 156250000 },
		{ "loss 5% rate 0.001%", 12500 },
	};
	struct tc_spec spec;
	struct diag d;

	for (size_t i = 0; i < COUNT(rates); i++) {
		struct nl_msg *msg = message(&env, rates[i].words);

		assert_int_equal(((struct tc_netem_rate *)nla_data(option(msg, TCA_NETEM_RATE)))->rate,
				 rates[i].bytes);
		nlmsg_free(msg);
	}
	assert_int_not_equal(parse(&d, &env, "dev eth1 root netem rate 101%", &spec), 0);
	tc_spec_free(&spec);
	assert_non_null(strstr(d.text, "more than 100%"));
	assert_int_not_equal(parse(&d, &env, "dev eth2 root netem rate 10%", &spec), 0);
	tc_spec_free(&spec);
	assert_non_null(strstr(d.text, "eth2: its speed is unknown"));
}

/* The limit that the advice names is one that it has nothing against. */
static void test_advice_holds(void **state)
{
	static const struct {
		const char *words;
		const char *say;	/* and the limit behind it */
	} advised[] = {
		{ "rate 100mbit delay 1s", "delay: limit " },
		{ "rate 100mbit delay 700ms 300ms", "delay: limit " },
		{ "delay 1s", "rest: limit " },
		{ "delay 275s", "rest: limit " },
	};

	for (size_t i = 0; i < COUNT(advised); i++) {
		char line[128];
		const char *at;
		struct tc_spec spec;
		struct diag d;

		snprintf(line, sizeof(line), "root netem %s", advised[i].words);
		assert_int_equal(parse(&d, NULL, line, &spec), 0);
		kind_netem.advise(&d, spec.cfg, 1514);
		tc_spec_free(&spec);
		assert_int_equal(d.nwarnings, 1);
		at = strstr(d.warnings[0], advised[i].say);
		if (!at)
			fail_msg("%s", d.warnings[0]);
		snprintf(line, sizeof(line), "root netem %s limit %lu", advised[i].words,
			 strtoul(at + strlen(advised[i].say), NULL, 10));
		diag_free(&d);
		assert_int_equal(parse(&d, NULL, line, &spec), 0);
		kind_netem.advise(&d, spec.cfg, 1514);
		tc_spec_free(&spec);
		if (d.nwarnings)
			fail_msg("%s: %s", line, d.warnings[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_are_sent_whole),
		cmocka_unit_test(test_tables_refused),
		cmocka_unit_test(test_no_table_no_message),
		cmocka_unit_test(test_bare_times),
		cmocka_unit_test(test_rate_as_a_share),
		cmocka_unit_test(test_advice_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* tc's words for a qdisc: what is taken, what is refused and which word is to blame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <linux/pkt_sched.h>

#include "kinds/spec.h"
#include "pure/diag.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 32

/* What the kind read is freed at once: tests/unit/test-kinds.c looks at that. */
static int parse(struct diag *d, enum tc_op op, const char *text, struct tc_spec *spec)
{
	static char line[512];
	char *words[WORDS_MAX];
	int n = 0, err;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	diag_init(d);
	err = tc_spec_parse(d, NULL, OBJECT_QDISC, op, words, n, spec);
	tc_spec_free(spec);
	return err;
}

static void test_taken(void **state)
{
	struct tc_spec spec;
	struct diag d;

	assert_int_equal(parse(&d, OP_ADD, "dev tx:eth1 parent 1:a handle 20: est 1sec 4sec netem limit 70000 delay 6ms 1ms", &spec), 0);
	assert_string_equal(spec.end.netns, "tx");
	assert_string_equal(spec.end.dev, "eth1");
	assert_int_equal(spec.parent, 0x1000a);
	assert_int_equal(spec.handle, 0x200000);
	assert_true(spec.est.given);
	assert_ptr_equal(spec.kind, &kind_netem);

	assert_int_equal(parse(&d, OP_ADD, "handle 1: root dev eth1 mq", &spec), 0);
	assert_int_equal(spec.parent, TC_H_ROOT);
	assert_ptr_equal(spec.kind, &kind_mq);

	assert_int_equal(parse(&d, OP_DEL, "dev eth1 root", &spec), 0);
	assert_null(spec.kind);
	assert_int_equal(parse(&d, OP_CHANGE, "dev eth1 handle 20: netem", &spec), 0);
	assert_int_equal(parse(&d, OP_SHOW, "", &spec), 0);
	assert_int_equal(parse(&d, OP_ADD, "root pfifo", &spec), 0);	/* a topology names the device */
	assert_string_equal(spec.end.dev, "");
}

static void test_estimator(void **state)
{
	/* the logs are those that tc 6.1 sends for the words */
	static const struct {
		const char *words;
		int interval, ewma;	/* ewma 0: refused */
	} ests[] = {
		{ "1sec 4sec", 0, 2 }, { "1sec 8sec", 0, 3 }, { "1sec 16sec", 0, 4 },
		{ "0.25s 1s", -2, 2 }, { "250ms 500ms", -2, 1 }, { "2s 8s", 1, 2 }, { "8s 32s", 3, 2 },
		{ "9s 36s", 0, 0 }, { "1s 1s", 0, 0 }, { "0s 1s", 0, 0 }, { "1 4", 0, 0 },
		{ "1s -4s", 0, 0 },
	};

	for (size_t i = 0; i < COUNT(ests); i++) {
		struct tc_spec spec;
		char line[64];
		struct diag d;

		snprintf(line, sizeof(line), "root est %s pfifo", ests[i].words);
		if (!parse(&d, OP_ADD, line, &spec) != !!ests[i].ewma)
			fail_msg("%s: %s", line, d.text);
		if (!ests[i].ewma)
			continue;
		assert_int_equal(spec.est.interval, ests[i].interval);
		assert_int_equal(spec.est.ewma_log, ests[i].ewma);
	}
}

static void test_mq_with_estimator(void **state)
{
	struct tc_spec spec;
	struct diag d;

	assert_int_equal(parse(&d, OP_ADD, "root handle 1: est 1sec 4sec mq", &spec), 0);
	assert_false(spec.est.given);
	assert_int_equal(d.nwarnings, 1);
	diag_free(&d);
}

static void test_warnings(void **state)
{
	static const struct {
		const char *line;
		const char *say;
	} warned[] = {
		{ "root netem delay 0ms 5ms", "jitter is larger" },
		{ "root netem rate 10bit", "cut to 8 bit/s" },
		{ "root tbf rate 100 burst 2000 latency 1s", "no unit" },
		{ "root tbf rate 1mbit burst 2000 limit 9000 mtu 2000", "without peakrate" },
		{ "root pfifo limit 0", "drops every packet" },
		{ "root bfifo limit 0", "drops every packet" },
	};

	for (size_t i = 0; i < COUNT(warned); i++) {
		struct tc_spec spec;
		struct diag d;

		assert_int_equal(parse(&d, OP_ADD, warned[i].line, &spec), 0);
		assert_true(d.nwarnings > 0);
		assert_non_null(strstr(d.warnings[0], warned[i].say));
		diag_free(&d);
	}
}

static void test_refused(void **state)
{
	static const struct {
		enum tc_op op;
		const char *line;
		int word;
		const char *say;
	} bad[] = {
		{ OP_ADD, "root foo", 1, "unknown word \"foo\"" },
		{ OP_ADD, "root NETEM", 1, "unknown word \"NETEM\"" },
		{ OP_ADD, "root net", 1, "unknown word \"net\"" },
		{ OP_ADD, "root pfifo_fast", 1, "pfifo_fast" },
		{ OP_ADD, "root", -1, "a kind of qdisc is needed" },
		{ OP_ADD, "netem", -1, "\"root\" or \"parent H\"" },
		{ OP_ADD, "handle 1: netem", -1, "\"root\" or \"parent H\"" },
		{ OP_ADD, "root parent 1:1 netem", 1, "twice" },
		{ OP_ADD, "root handle 1: handle 2: netem", 3, "twice" },
		{ OP_ADD, "dev a dev b root netem", 2, "twice" },
		{ OP_ADD, "root est 1s 4s est 1s 4s netem", 4, "twice" },
		{ OP_ADD, "parent", 0, "needs a value" },
		{ OP_ADD, "root est 1s", 1, "needs two values" },
		{ OP_ADD, "parent 1 netem", 1, "colon" },
		{ OP_ADD, "parent 1:10000 netem", 1, "1:10000" },
		{ OP_ADD, "root handle 10 netem", 2, "colon" },
		{ OP_ADD, "root handle 12345: netem", 2, "12345:" },
		{ OP_ADD, "dev a/b root netem", 1, "a/b" },
		{ OP_ADD, "dev abcdefghijklmnop root netem", 1, "too long" },
		{ OP_ADD, "parent 1:1 mq", -1, "can only be the root" },
		{ OP_ADD, "parent 1: ingress", 2, "the parent is there twice" },
		{ OP_ADD, "root clsact", 1, "the parent is there twice" },
		{ OP_ADD, "ingress foo", 1, "unknown word \"foo\"" },
		{ OP_SHOW, "ingress foo", 1, "unknown word \"foo\"" },
		{ OP_ADD, "root mq limit 5", 2, "mq has no options" },
		{ OP_ADD, "root netem delay 10", 3, "netem: delay: \"10\": a time needs its unit" },
		{ OP_ADD, "root netem delay", 2, "\"delay\" needs a value" },
		{ OP_ADD, "root netem delay 1ms 2", 4, "needs its unit" },
		{ OP_ADD, "root netem delay 1ms 2ms 3% 4", 6, "unknown word \"4\"" },
		{ OP_ADD, "root netem delay -5ms", 3, "negative" },
		{ OP_ADD, "root netem delay inf", 3, "not a time" },
		{ OP_ADD, "root netem delay 1ms delay 2ms", 4, "twice" },
		{ OP_ADD, "root netem delay 1ms latency 2ms", 4, "twice" },
		{ OP_ADD, "root netem limit 0", 3, "less than 1" },
		{ OP_ADD, "root netem limit 4294967296", 3, "more than" },
		{ OP_ADD, "root netem loss 101%", 3, "more than 100%" },
		{ OP_ADD, "root netem loss -1%", 3, "negative" },
		{ OP_ADD, "root netem reorder 25%", -1, "overtake" },
		{ OP_ADD, "root netem delay 1ms gap 3", -1, "without reorder" },
		{ OP_ADD, "root netem ecn", -1, "without loss" },
		{ OP_ADD, "root netem distribution normal", -1, "nothing to distribute" },
		{ OP_ADD, "root netem delay 5ms distribution normal", -1, "nothing to distribute" },
		{ OP_ADD, "root netem distribution", 2, "needs a value" },
		{ OP_ADD, "root netem loss", 2, "random, state or gemodel" },
		{ OP_ADD, "root netem loss burst 5%", 3, "random, state or gemodel" },
		{ OP_ADD, "root netem loss state", 3, "\"state\" needs a value" },
		{ OP_ADD, "root netem loss state 5% 200%", 5, "more than 100%" },
		{ OP_ADD, "root netem loss gemodel -5%", 4, "negative" },
		{ OP_ADD, "root netem loss 5% loss state 5%", 4, "twice" },
		{ OP_ADD, "root netem loss gemodel 5% drop 5%", 5, "twice" },
		{ OP_ADD, "root netem loss state 1% 2% 3% 4% 5% 6%", 9, "unknown word" },
		{ OP_ADD, "root netem loss 0% ecn", -1, "nothing to mark" },
		{ OP_ADD, "root netem rate 1mbit x", 4, "unknown word" },
		{ OP_ADD, "root netem rate 1mbit 5 -6", 5, "not a whole number" },
		{ OP_ADD, "root netem rate 1mbit 2147483648", 4, "more than" },
		{ OP_ADD, "root netem rate 1mbit 0 53 -54", -1, "cell overhead" },
		{ OP_ADD, "root netem rate 5bit", -1, "at least 8" },
		{ OP_ADD, "root netem slot", 2, "or distribution" },
		{ OP_ADD, "root netem slot 5", 3, "needs its unit" },
		{ OP_ADD, "root netem slot 5ms 4ms", -1, "shorter" },
		{ OP_ADD, "root netem slot random 4ms", 3, "neither a value nor distribution" },
		{ OP_ADD, "root netem slot distribution normal 5ms", 3, "needs a value" },
		{ OP_ADD, "root netem slot distribution normal 5ms 0ms", -1, "needs a jitter" },
		{ OP_ADD, "root netem slot distribution normal 5ms 3s", -1, "2.147483647 s" },
		{ OP_ADD, "root netem slot 5ms packets -1", 5, "at least 0" },
		{ OP_ADD, "root netem slot 5ms bytes 2gb", 5, "more than" },
		{ OP_ADD, "root netem packets 5", -1, "without slot" },
		{ OP_ADD, "root netem seed -1", 3, "at least 0" },
		{ OP_ADD, "root netem seed 18446744073709551616", 3, "too large" },
		{ OP_ADD, "root stab netem", 1, "\"stab\" does nothing" },
		{ OP_ADD, "root stab mtu 100 netem", 1, "\"stab\" does nothing" },
		{ OP_ADD, "root stab overhead netem", 3, "not a whole" },
		{ OP_ADD, "root stab linklayer token-ring netem", 3, "ethernet, atm or adsl" },
		{ OP_ADD, "root stab mpu 64 mpu 65 netem", 4, "twice" },
		{ OP_ADD, "root stab mpu 64 stab mpu 65 netem", 4, "twice" },
		{ OP_ADD, "root stab tsize 16385 mpu 64 netem", 3, "more than" },
		{ OP_ADD, "root ingress_block 0 netem", 2, "less than 1" },
		{ OP_SHOW, "root stab mpu 64", -1, "show takes" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000/9 limit 9000", 5, "power of two" },
		{ OP_ADD, "root tbf rate 1mbit burst /8 limit 9000", 5, "not a size" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000/ limit 9000", 5, "not a size" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000 limit 9000 overhead -4", 9, "at least 0" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000 limit 9000 linklayer isdn", 9, "ethernet, atm or adsl" },
		{ OP_ADD, "root tbf rate 50% burst 2000 limit 9000", 3, "share of the link's speed" },
		{ OP_ADD, "root netem delay 300s 3s", -1, "2.147483647 s" },
		{ OP_ADD, "root tbf rate 1mbit latency 1ms", -1, "are needed" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000", -1, "\"limit\" or \"latency\"" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000 limit 1 latency 1ms", -1, "\"limit\" or \"latency\"" },
		{ OP_ADD, "root tbf rate 1mbit burst 2000 limit 9000 peakrate 2mbit", -1, "needs \"mtu\"" },
		{ OP_ADD, "root tbf rate 2mbit burst 2000 limit 9000 peakrate 2mbit mtu 2000", -1, "above" },
		{ OP_ADD, "root tbf rate 0 burst 2000 limit 9000", -1, "at least 8" },
		{ OP_ADD, "root tbf rate 100gbit burst 2000 latency 1s", -1, "4 GiB" },
		{ OP_ADD, "root tbf rate 100M burst 2000 latency 1s", 3, "100M" },
		{ OP_ADD, "root pfifo limit x", 3, "not a whole number" },
		{ OP_ADD, "root bfifo limit 5g", 3, "more than" },
		{ OP_CHANGE, "netem delay 1ms", -1, "is needed" },
		{ OP_DEL, "dev eth1", -1, "is needed" },
		{ OP_DEL, "dev eth1 handle 1:", -1, "is needed" },
		{ OP_SHOW, "root netem", -1, "show takes" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct tc_spec spec;
		struct diag d;

		if (!parse(&d, bad[i].op, bad[i].line, &spec))
			fail_msg("\"%s\" was taken", bad[i].line);
		assert_int_equal(d.exit, EXIT_USAGE);
		if (d.word != bad[i].word)
			fail_msg("\"%s\": word %d is blamed: %s", bad[i].line, d.word, d.text);
		if (!strstr(d.text, bad[i].say))
			fail_msg("\"%s\": \"%s\" is not in: %s", bad[i].line, bad[i].say, d.text);
		diag_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_estimator),
		cmocka_unit_test(test_mq_with_estimator),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

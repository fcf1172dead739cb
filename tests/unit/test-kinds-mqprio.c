// SPDX-License-Identifier: GPL-2.0-or-later
/* etf, mqprio and taprio. The bytes are those that tc sends for the same words. */
#include <errno.h>

#include "kind-tables.h"

static void test_bytes(void **state)
{
	static const struct bytes_row rows[] = {
		{ "root etf clockid CLOCK_TAI delta 300000 offload deadline_mode skip_sock_check",
		  "10000100e09304000b00000007000000" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0",
		  "020001000000000000000000000000000000040004000000000000000000000000000000"
		  "000000000000000000000000000000000400000000000000000000000000000000000000"
		  "000000000000000000000000" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 1 mode channel shaper bw_rlimit min_rate 1gbit 2gbit max_rate 4gbit 50gbit",
		  "020001000000000000000000000000000001040004000000000000000000000000000000"
		  "000000000000000000000000000000000400000000000000000000000000000000000000"
		  "00000000000000000000000006000100010000000600020001000000c40003800c000300"
		  "40597307000000000c00030080b2e60e000000000c00030000000000000000000c000300"
		  "00000000000000000c00030000000000000000000c00030000000000000000000c000300"
		  "00000000000000000c00030000000000000000000c00030000000000000000000c000300"
		  "00000000000000000c00030000000000000000000c00030000000000000000000c000300"
		  "00000000000000000c00030000000000000000000c00030000000000000000000c000300"
		  "0000000000000000c40004800c0004000065cd1d000000000c000400806e877401000000"
		  "0c00040000000000000000000c00040000000000000000000c0004000000000000000000"
		  "0c00040000000000000000000c00040000000000000000000c0004000000000000000000"
		  "0c00040000000000000000000c00040000000000000000000c0004000000000000000000"
		  "0c00040000000000000000000c00040000000000000000000c0004000000000000000000"
		  "0c00040000000000000000000c0004000000000000000000" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 fp E P",
		  "020001000000000000000000000000000001040004000000000000000000000000000000"
		  "000000000000000000000000000000000400000000000000000000000000000000000000"
		  "000000000000000000000000140005800800010000000000080002000100000014000580"
		  "08000100010000000800020002000000" },
		{ "root taprio num_tc 2 map 0 1 queues 1@0 1@1 base-time 5 cycle-time 600000 cycle-time-extension 7 sched-entry S 01 300000 sched-entry S 02 300000 clockid CLOCK_TAI",
		  "080005000b00000056000100020001000000000000000000000000000000010001000000"
		  "000000000000000000000000000000000000000000000000000000000100000000000000"
		  "0000000000000000000000000000000000000000000000000c0003000500000000000000"
		  "0c000800c0270900000000000c00090007000000000000003c0002801c00010005000200"
		  "00000000080003000100000008000400e09304001c000100050002000000000008000300"
		  "0200000008000400e0930400" },
		{ "root taprio num_tc 2 map 0 1 queues 1@0 1@1 sched-entry H 3 300000 sched-entry R 3 300000 flags 0x2 max-sdu 200 fp E P",
		  "08000a000200000056000100020001000000000000000000000000000000010001000000"
		  "000000000000000000000000000000000000000000000000000000000100000000000000"
		  "0000000000000000000000000000000000000000000000001c000c800800010000000000"
		  "08000200c8000000080003000100000014000c8008000100010000000800030002000000"
		  "3c0002801c0001000500020001000000080003000300000008000400e09304001c000100"
		  "0500020002000000080003000300000008000400e0930400" },
		{ "root taprio clockid CLOCK_TAI flags 0x1 txtime-delay 500 sched-entry S 1 1000",
		  "080005000b00000008000a000100000008000b00f4010000200002801c00010005000200"
		  "00000000080003000100000008000400e8030000" },
	};

	check_bytes(rows, COUNT(rows));
}

static void test_shown(void **state)
{
	static const struct shown_row rows[] = {
		{ "root etf clockid tai delta 300us offload",
		  " clockid TAI delta 300000 offload on deadline_mode off skip_sock_check off" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 3@4 hw 0",
		  " tc 2 map 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n             queues:(0:3) (4:6)" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 mode channel fp P E shaper bw_rlimit min_rate 1gbit 2gbit",
		  " tc 2 map 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n             queues:(0:3) (4:7)"
		  "\n             mode:channel\n             shaper:bw_rlimit\tmin_rate:1Gbit 2Gbit"
		  "\n             fp: P E" },
		{ "root mqprio num_tc 1 map 0 queues 4@0 fp E",
		  " tc 1 map 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n             queues:(0:3)"
		  "\n             mode:dcb\n             shaper:dcb\n             fp: E" },
		{ "root taprio num_tc 1 map 0 queues 8@0 sched-entry S f 1ms sched-entry H 0x10 2us clockid TAI base-time 5s cycle-time 3ms flags 1 txtime-delay 200us max-sdu 700",
		  " tc 1 map 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nqueues offset 0 count 8"
		  "\nclockid TAI flags 0x1 txtime delay 200000\tbase-time 5000000000 cycle-time 3000000"
		  "\n\tindex 0 cmd S gatemask 0xf interval 1000000\n\tindex 0 cmd H gatemask 0x10 interval 2000"
		  "\nmax-sdu 700" },
	};

	check_shown(rows, COUNT(rows));
}

#define TAP "root taprio num_tc 2 map 0 1 queues 1@0 1@1 "

static void test_refused(void **state)
{
	static const struct refused_row rows[] = {
		{ "root etf", -1, "\"clockid\" is needed" },
		{ "root etf delta 5", -1, "\"clockid\" is needed" },
		{ "root etf clockid CLOCK_FOO", 3, "clockid: \"CLOCK_FOO\": CLOCK_TAI" },
		{ "root etf clockid", 2, "needs a value" },
		{ "root etf clockid TAI delta 3s", 5, "too large" },
		{ "root etf clockid TAI delta 2147483648", 5, "more than 2147483647" },
		{ "root etf clockid TAI delta -1", 5, "negative" },
		{ "root etf clockid TAI delta 1.5ns", 5, "finer than 1 ns" },
		{ "root etf clockid TAI delta 5x", 5, "no unit of time" },
		{ "root etf clockid TAI offload offload", 5, "twice" },
		{ "root etf clockid TAI off", 4, "unknown word \"off\"" },
		{ "root mqprio num_tc 0", 3, "less than 1" },
		{ "root mqprio num_tc 17", 3, "more than 16" },
		{ "root mqprio num_tc 2 queues 1@0 1@1 hw 0", -1, "\"map\" is needed: without it priority 2 is of traffic class 2" },
		{ "root mqprio num_tc 2 map 0 2 queues 1@0 1@1 hw 0", -1, "map: priority 1: traffic class 2: there are 2" },
		{ "root mqprio num_tc 2 map 0 16", 6, "more than 15" },
		{ "root mqprio num_tc 2 map 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 21, "more than 16 values" },
		{ "root mqprio num_tc 2 map", 4, "needs a value" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 hw 0", -1, "traffic class 1 of 2, counted from 0, has none" },
		{ "root mqprio num_tc 1 map 0 queues 4@0 4@4 hw 0", -1, "2 ranges for 1 traffic classes" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@3 hw 0", -1, "4@0 and 4@3 overlap" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 0@4 hw 0", 9, "less than 1" },
		{ "root mqprio num_tc 2 map 0 1 queues 4 4", 8, "\"4\": not COUNT@OFFSET" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@x", 8, "not a whole number" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@65536", 8, "more than 65535" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 2", 11, "more than 1" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0 mode channel", -1, "mode: only where the device does the work" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0 fp E P", -1, "fp: only where the device does the work" },
		{ "root mqprio num_tc 2 map 0 1 mode foo", 8, "mode: \"foo\": dcb or channel" },
		{ "root mqprio num_tc 2 map 0 1 mode chan", 8, "dcb or channel" },
		{ "root mqprio num_tc 2 map 0 1 shaper foo", 8, "dcb or bw_rlimit" },
		{ "root mqprio num_tc 2 map 0 1 shaper bw_rlimit", -1, "only with mode channel" },
		{ "root mqprio num_tc 2 map 0 1 min_rate 1mbit 2mbit", -1, "min_rate: only with shaper bw_rlimit" },
		{ "root mqprio num_tc 2 map 0 1 mode channel shaper bw_rlimit min_rate 1mbit", -1, "1 rates for 2 traffic classes" },
		{ "root mqprio num_tc 2 map 0 1 mode channel shaper bw_rlimit max_rate 1mbit x", 13, "unknown word \"x\"" },
		{ "root mqprio num_tc 2 map 0 1 mode channel shaper bw_rlimit min_rate 5mbit 5mbit max_rate 6mbit 4mbit", -1, "traffic class 1 is above its max_rate" },
		{ "root mqprio num_tc 2 map 0 1 fp E Q", 9, "\"Q\": E (express) or P (preemptible)" },
		{ "root mqprio num_tc 2 map 0 1 fp E P E", -1, "fp: 3 values for 2 traffic classes" },
		{ "parent 1:1 mqprio", -1, "can only be the root" },
		{ TAP "clockid TAI", -1, "\"sched-entry\" is needed" },
		{ TAP "sched-entry S 1 1000", -1, "\"clockid\" is needed" },
		{ TAP "sched-entry S 1 1000 clockid TAI flags 2", -1, "clockid: with flags 0x2" },
		{ TAP "sched-entry S 1 1000 clockid TAI txtime-delay 5", -1, "txtime-delay: only with flags 0x1" },
		{ TAP "sched-entry S 1", 10, "needs a command, a mask of gates and an interval" },
		{ TAP "sched-entry X 1 1000", 11, "S (set gates)" },
		{ TAP "sched-entry S g 1000", 12, "not a mask of gates, in hex" },
		{ TAP "sched-entry S 0x 1000", 12, "not a mask of gates" },
		{ TAP "sched-entry S 100000000 1000", 12, "more than 32 gates" },
		{ TAP "sched-entry S 1 0", 13, "no packet can be sent in no time" },
		{ TAP "sched-entry S 1 5s", 13, "too large" },
		{ TAP "sched-entry S 1 -5", 13, "negative" },
		{ TAP "sched-entry S 3 1000 clockid TAI cycle-time 0", -1, "cycle-time: a cycle takes time" },
		{ TAP "sched-entry S 3 1000 clockid TAI cycle-time 3s", 17, "too large" },
		{ TAP "sched-entry S 3 1000 clockid TAI base-time -5", 17, "negative" },
		{ TAP "sched-entry S 3 2s sched-entry S 3 2s clockid TAI", -1, "together they take 4000000000 ns" },
		{ TAP "sched-entry S 3 1000 clockid TAI cycle-time 1", -1, "cycle-time: less than 1000 ns" },
		{ TAP "sched-entry S 3 1us sched-entry S 3 999 clockid TAI", -1, "an interval of 999 ns: less than 1000 ns" },
		{ TAP "sched-entry S 3 1000 clockid TAI max-sdu 1 2 3", -1, "max-sdu: 3 values for 2 traffic classes" },
		{ TAP "sched-entry S 3 1000 clockid TAI max-sdu", 16, "needs a value" },
		{ "root taprio map 0 sched-entry S 1 1000 clockid TAI", -1, "\"num_tc\" is needed" },
		{ "root taprio num_tc 2 map 0 1 queues 4@0 4@3 sched-entry S 3 1000 clockid TAI", -1, "overlap" },
		{ "root taprio num_tc 2 map 0 1 sched-entry S 3 1000 clockid TAI", -1, "has none" },
	};

	check_refused(rows, COUNT(rows));
}

static void test_warned(void **state)
{
	static const struct warned_row rows[] = {
		{ TAP "sched-entry S 3 1000 clockid TAI", NULL },
		{ TAP "sched-entry S 1 1000 sched-entry S 2 1000 clockid TAI", NULL },
		{ TAP "sched-entry S 1 1000 clockid TAI", "gate of traffic class 1 is never open" },
		{ TAP "sched-entry S 7 1000 clockid TAI", "opens gates of traffic classes that are not there: there are 2" },
		{ TAP "sched-entry S 3 2000 clockid TAI cycle-time 1500", "shorter than the entries together, 2000 ns" },
		{ "root taprio sched-entry S f 1000 clockid TAI", NULL },
		{ "root taprio sched-entry S f 10 flags 2", NULL },
		{ "root taprio num_tc 2 map 0 1 queues 4@0 4@3 sched-entry S 3 1000 clockid TAI flags 0x1", NULL },
	};

	check_warned(rows, COUNT(rows));
}

/* Ranges of queues against the device's count */
static void test_judged(void **state)
{
	static const struct {
		const char *line;
		unsigned int queues;
		const char *say;
	} rows[] = {
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0", 8, NULL },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0", 7, "queues 4@4: the device has 7 transmit queues in use, 0 to 6" },
		{ "root mqprio num_tc 2 map 0 1 queues 4@0 1@65535 hw 0", 8, "queues 1@65535" },
		{ TAP "sched-entry S 3 1000 clockid TAI", 2, NULL },
		{ TAP "sched-entry S 3 1000 clockid TAI", 1, "queues 1@1" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tc_spec spec;
		struct diag d;
		int err;

		assert_int_equal(table_parse(&d, rows[i].line, &spec), 0);
		err = spec.kind->judge(&d, spec.cfg, rows[i].queues);
		assert_int_equal(!err, !rows[i].say);
		if (err) {
			assert_non_null(strstr(d.text, rows[i].say));
			assert_int_equal(d.exit, EXIT_FAILED);
		}
		tc_spec_free(&spec);
		diag_free(&d);
	}
}

/* As many entries as there is room for in a message, and more. */
static void test_long_schedule(void **state)
{
	static char *words[20 + 4 * 2400];
	static char *const head[] = { "root", "taprio", "num_tc", "1", "queues", "1@0", "clockid", "TAI" };

	for (int entries = 2000; entries <= 2400; entries += 400) {
		struct nl_msg *msg = NULL;
		struct tc_spec spec;
		struct diag d;
		int n = 0;

		for (size_t i = 0; i < COUNT(head); i++)
			words[n++] = head[i];
		for (int i = 0; i < entries; i++) {
			words[n++] = "sched-entry";
			words[n++] = "S";
			words[n++] = "1";
			words[n++] = "1000";
		}
		diag_init(&d);
		assert_int_equal(tc_spec_parse(&d, NULL, OBJECT_QDISC, OP_ADD, words, n, &spec), 0);
		assert_int_equal(tc_spec_msg(&spec, OP_ADD, 7, &msg), entries == 2000 ? 0 : -EMSGSIZE);
		nlmsg_free(msg);
		tc_spec_free(&spec);
		diag_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_warned),
		cmocka_unit_test(test_judged),
		cmocka_unit_test(test_long_schedule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

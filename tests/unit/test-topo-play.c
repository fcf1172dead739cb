// SPDX-License-Identifier: GPL-2.0-or-later
/* Schedules of a topology: "at" lines and trace files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo-texts.h"

#define NETEM LINK1 "qdisc tx:eth1 root handle 1: netem limit 500 delay 6ms 1ms rate 1mbit\n"
#define MQ2 TWO "link tx:eth1 rx:eth1 queues 2\nqdisc tx:eth1 root handle 1: mq\n" \
	"qdisc tx:eth1 parent 1:* netem delay 6ms\n"
#define HTB LINK1 "qdisc tx:eth1 root handle 1: htb\nclass tx:eth1 parent 1: classid 1:1 htb rate 1mbit\n"

static const struct bad_text bad[] = {
	{ NETEM "at\n", "f:5:4: ", "missing" },
	{ NETEM "at 5\n", "f:5:4: ", "unit" },
	{ NETEM "at -5s\n", "f:5:4: ", "negative" },
	{ NETEM "at 5s\n", "f:5:7: ", "missing" },
	{ NETEM "at 5s filter change\n", "f:5:7: ", "\"filter\"" },
	{ NETEM "at 5s qdisc\n", "f:5:13: ", "missing" },
	{ NETEM "at 5s qdisc replace tx:eth1 root netem\n", "f:5:13: ", "\"change\"" },
	{ NETEM "at 5s qdisc change\n", "f:5:20: ", "missing" },
	{ NETEM "at 5s qdisc change tx:eth2 root netem\n", "f:5:20: ", "no link" },
	{ NETEM "at 5s qdisc change tx:eth1 netem delay 5ms\n", "f:5:28: ", "say where" },
	{ NETEM "at 5s qdisc change tx:eth1 root tbf\n", "f:5:33: ", "is netem (line 4)" },
	{ NETEM "at 5s qdisc change tx:eth1 parent 1:1 netem\n", "f:5:35: ", "no qdisc line" },
	{ NETEM "at 5s qdisc change rx:eth1 root netem\n", "f:5:33: ", "no qdisc line" },
	{ NETEM "at 5s qdisc change tx:eth1 root handle 2: netem\n", "f:5:40: ", "another handle" },
	{ NETEM "at 5s qdisc change tx:eth1 root netem delay 6ms step 1ms\n", "f:5:49: ", "1:*" },
	{ "at 5s qdisc change tx:eth1 root netem\n", "f:1:20: ", "netns tx" },
	{ HTB "at 5s class change tx:eth1 parent 1: classid 1:2 htb rate 1mbit\n", "f:6:46: ", "no class line" },
	{ HTB "at 5s class change tx:eth1 parent 1: classid 1:1 hfsc\n", "f:6:50: ", "is htb" },
	{ NETEM "trace\n", "f:5:7: ", "missing" },
	{ NETEM "trace tx:eth1\n", "f:5:15: ", "missing" },
	{ NETEM "trace tx:eth1 delay x\n", "f:5:15: ", "say of what" },
	{ NETEM "trace tx:eth1 parent 1:1 delay x\n", "f:5:22: ", "makes that" },
	{ NETEM "trace tx:eth1 classid 1:1 delay x\n", "f:5:23: ", "makes that" },
	{ NETEM "trace rx:eth1 root delay x\n", "f:5:15: ", "makes that" },
	{ NETEM "trace tx:eth1 root\n", "f:5:20: ", "missing" },
	{ NETEM "trace tx:eth1 root delay\n", "f:5:26: ", "missing" },
	{ NETEM "trace tx:eth1 root delay x y\n", "f:5:28: ", "\"y\"" },
};

static void each_fault_is_named_at_its_place(void **state)
{
	(void)state;
	all_refused(bad, sizeof(bad) / sizeof(bad[0]));
}

/* The events after @trace was read for the first trace, if there is one. */
static void events_are(const char *text, const char *trace, const char *events)
{
	struct topo *topo = parse_ok(text, NULL);
	char all[4096] = "";
	struct diag d;

	diag_init(&d);
	if (trace && topo_trace_read(&d, topo, 0, "tr", trace, strlen(trace)))
		fail_msg("refused: %s", d.text);
	topo_events_sort(topo);
	for (int i = 0; i < topo->nevents; i++) {
		char *line = topo_event_text(topo, &topo->events[i]);

		strcat(all, line);
		strcat(all, "\n");
		free(line);
	}
	assert_string_equal(all, events);
	diag_free(&d);
	topo_free(topo);
}

static void events_come_by_time_and_a_star_is_one_per_queue(void **state)
{
	(void)state;
	events_are(MQ2 "at 2s qdisc change tx:eth1 parent 1:2 netem delay 1ms\n"
		   "at 500ms qdisc change tx:eth1 parent 1:* netem delay 20ms step 1ms\n"
		   "at 2s qdisc change tx:eth1 parent 1:1 netem delay 2ms\n", NULL,
		   "at 500ms qdisc change tx:eth1 parent 1:1 netem delay 20ms\n"
		   "at 500ms qdisc change tx:eth1 parent 1:2 netem delay 21ms\n"
		   "at 2s qdisc change tx:eth1 parent 1:2 netem delay 1ms\n"
		   "at 2s qdisc change tx:eth1 parent 1:1 netem delay 2ms\n");
}

static void a_trace_replaces_the_values_of_its_option(void **state)
{
	(void)state;
	events_are(NETEM "trace tx:eth1 root delay tr\nat 1s qdisc change tx:eth1 root netem\n",
		   "# a trace\n0s 10ms\r\n\n 1s\t20ms 2ms 25% # more\n1s 7ms",
		   "at 0s qdisc change tx:eth1 root handle 1: netem limit 500 delay 10ms rate 1mbit\n"
		   "at 1s qdisc change tx:eth1 root netem\n"
		   "at 1s qdisc change tx:eth1 root handle 1: netem limit 500 delay 20ms 2ms 25% rate 1mbit\n"
		   "at 1s qdisc change tx:eth1 root handle 1: netem limit 500 delay 7ms rate 1mbit\n");
}

static void an_option_that_the_qdisc_does_not_have_comes_last(void **state)
{
	(void)state;
	events_are(NETEM "trace tx:eth1 root loss tr\n", "1s 5%\n",
		   "at 1s qdisc change tx:eth1 root handle 1: netem limit 500 delay 6ms 1ms rate 1mbit loss 5%\n");
	events_are(HTB "trace tx:eth1 classid 1:1 rate tr\n", "1s 5mbit\n",
		   "at 1s class change tx:eth1 parent 1: classid 1:1 htb rate 5mbit\n");
}

static const struct {
	const char *trace;
	size_t len;
	const char *at;
	const char *say;
} bad_traces[] = {
	{ "", 0, "tr: ", "nothing in it" },
	{ "# only\n", 7, "tr: ", "nothing in it" },
	{ "1s\n", 3, "tr:1:4: ", "missing" },
	{ "1 5ms\n", 6, "tr:1:1: ", "unit" },
	{ "1s 5ms\n\n0.5s 5ms\n", 17, "tr:3:1: ", "earlier" },
	{ "1s 5\0ms\n", 8, "tr:1: ", "zero byte" },
	{ "1s 1 2 3 4 5 6 7 8 9\n", 21, "tr:1:18: ", "more than 8" },
};

static void each_fault_of_a_trace_is_named_at_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_traces) / sizeof(bad_traces[0]); i++) {
		struct topo *topo = parse_ok(NETEM "trace tx:eth1 root delay tr\n", NULL);
		struct diag d;

		diag_init(&d);
		assert_int_equal(topo_trace_read(&d, topo, 0, "tr", bad_traces[i].trace,
						 bad_traces[i].len), -EINVAL);
		if (strncmp(d.text, bad_traces[i].at, strlen(bad_traces[i].at)) != 0 ||
		    !strstr(d.text, bad_traces[i].say))
			fail_msg("wanted: %s...%s\ngot: %s", bad_traces[i].at, bad_traces[i].say, d.text);
		diag_free(&d);
		topo_free(topo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_named_at_its_place),
		cmocka_unit_test(events_come_by_time_and_a_star_is_one_per_queue),
		cmocka_unit_test(a_trace_replaces_the_values_of_its_option),
		cmocka_unit_test(an_option_that_the_qdisc_does_not_have_comes_last),
		cmocka_unit_test(each_fault_of_a_trace_is_named_at_its_place),
	};

	return cmocka_run_group_tests_name("topo-play", tests, NULL, NULL);
}

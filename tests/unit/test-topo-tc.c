// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs and classes of a topology: places, stars, steps, ingress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo-texts.h"

#define MQ8 LINK8 "qdisc tx:eth1 root handle 1: mq\n"
#define HTB LINK1 "qdisc tx:eth1 root handle 1: htb\n"
#define INGRESS LINK8 "ingress rx:eth1\n"

static const struct bad_text bad[] = {
	{ LINK1 "qdisc tx:eth1 root handle 1: mq\n", "f:4:30: ", "1 tx queue" },
	{ LINK1 "qdisc tx:eth1 mq\n", "f:4:15: ", "say where" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:9 pfifo\n", "f:5:22: ", "8 tx queues" },
	{ LINK8 "qdisc tx:eth1 root mq\nqdisc tx:eth1 parent :1 pfifo\n", "f:5:22: ", "handle of its own" },
	{ LINK8 "qdisc tx:eth1 root mq\nqdisc tx:eth1 parent 1:1 pfifo\n", "f:5:22: ", "has the handle 1:" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:1 handle 10: pfifo\n"
	  "qdisc tx:eth1 parent 1:2 handle 10: pfifo\n", "f:6:33: ", "used" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:1 handle 10: pfifo\n"
	  "qdisc tx:eth1 parent 1:1 handle 11: pfifo\n", "f:6:22: ", "taken by the qdisc of line 5" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:1 pfifo\n"
	  "qdisc tx:eth1 parent 1:* pfifo\n", "f:6:22: ", "taken" },
	{ LINK8 "qdisc tx:eth1 root handle 1: htb\nqdisc tx:eth1 parent 1:* pfifo\n", "f:5:22: ", "htb" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:* handle 2: pfifo\n", "f:5:33: ", "8 qdiscs" },
	{ LINK8 "qdisc tx:eth1 root pfifo\nqdisc tx:eth1 root pfifo\n", "f:5:20: ", "taken" },
	{ LINK8 "qdisc tx:eth1 root dev eth1 pfifo\n", "f:4:20: ", "dev" },
	{ LINK8 "qdisc tx:eth1 root parent 1:1 pfifo\n", "f:4:20: ", "already" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:* netem step 2ms\n", "f:5:32: ", "\"netem\" is no time" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:* netem delay 6ms step 2\n", "f:5:47: ", "2" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mq\nqdisc tx:eth1 parent 1:1 netem delay 6ms step 2ms\n", "f:5:42: ", "1:*" },
	{ LINK1 "qdisc tx:eth1 root est\n", "f:4:24: ", "missing" },
	{ LINK1 "qdisc tx:eth1 root est 1sec\n", "f:4:29: ", "missing" },
	{ LINK1 "qdisc tx:eth1 root est 1sec 4sec\n", "f:4:34: ", "missing" },
	{ MQ8 "qdisc tx:eth1 parent 1: pfifo\n", "f:5:22: ", "no place" },
	{ MQ8 "qdisc tx:eth1 classid 1:1 pfifo\n", "f:5:15: ", "\"handle\"" },
	{ MQ8 "qdisc tx:eth1 parent\n", "f:5:22: ", "missing" },
	{ MQ8 "qdisc tx:eth1 parent :*\n", "f:5:22: ", "" },
	{ LINK8 "qdisc tx:eth1 root handle 1: mqprio\nqdisc tx:eth1 parent 1:9 pfifo\n", "f:5:22: ", "8 tx queues" },
	{ LINK1 "qdisc tx:eth1 root taprio\n", "f:4:20: ", "taprio needs 2" },
	/* steps */
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step\n", "f:5:47: ", "missing" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step 1mbit\n", "f:5:47: ", "unit of time" },
	{ MQ8 "qdisc tx:eth1 parent 1:* tbf rate 6mbit step 1ms\n", "f:5:46: ", "unit of rate" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem loss 1% step 1\n", "f:5:45: ", "no share" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem loss 1% step 0.0000000001%\n", "f:5:45: ", "9 digits" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem limit 10 step 1ms\n", "f:5:46: ", "1ms" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step 1ms step 1ms\n", "f:5:51: ", "twice" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step 100000d\n", "f:5:47: ", "unit of time" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step 9000000000s\n", "f:5:47: ", "too large a step" },
	{ MQ8 "qdisc tx:eth1 parent 1:* netem delay 6ms step -1ms\n", "f:5:47: ", "negative" },
	{ MQ8 "qdisc tx:eth1 parent 1:* tbf rate 1mbit burst 10kb step 1kb\n", "f:5:52: ", "\"10kb\" is no time" },
	{ LINK1 "qdisc tx:eth1 root netem delay 6ms step 1ms\n", "f:4:36: ", "1:*" },
	/* classes */
	{ HTB "class tx:eth1\n", "f:5:15: ", "missing" },
	{ HTB "class tx:eth1 parent 1: htb rate 1mbit\n", "f:5:25: ", "classid" },
	{ HTB "class tx:eth1 classid 1:1 htb rate 1mbit\n", "f:5:27: ", "say where" },
	{ HTB "class tx:eth1 parent 1: handle 1: htb rate 1mbit\n", "f:5:25: ", "\"classid\"" },
	{ HTB "class tx:eth1 parent 1: classid 1: htb rate 1mbit\n", "f:5:33: ", "both numbers" },
	{ HTB "class tx:eth1 parent 1: classid 2:1 htb rate 1mbit\n", "f:5:33: ", "1:N" },
	{ HTB "class tx:eth1 parent 2: classid 2:1 htb rate 1mbit\n", "f:5:22: ", "handle 2:" },
	{ HTB "class tx:eth1 parent 1:5 classid 1:6 htb rate 1mbit\n", "f:5:22: ", "no class line" },
	{ HTB "class tx:eth1 parent 1: classid 1:1 hfsc sc rate 1mbit\n", "f:5:37: ", "is htb" },
	{ HTB "class tx:eth1 root classid 2:1 htb rate 1mbit\n", "f:5:28: ", "another handle" },
	{ HTB "class tx:eth1 parent 1:* classid 1:1 htb rate 1mbit\n", "f:5:22: ", "one by one" },
	/* filters */
	{ HTB "filter tx:eth1\n", "f:5:16: ", "say first where" },
	{ HTB "filter tx:eth1 root matchall\n", "f:5:16: ", "say first where" },
	{ HTB "filter tx:eth1 parent\n", "f:5:23: ", "missing" },
	{ HTB "filter tx:eth1 parent 7: matchall\n", "f:5:23: ", "handle 7:" },
	{ HTB "filter tx:eth1 parent :1 matchall\n", "f:5:23: ", "handle of its own" },
	{ HTB "filter tx:eth9 parent 1: matchall\n", "f:5:8: ", "no link" },
	{ HTB "ingress tx:eth1\nfilter tx:eth1 ingress matchall\n", "f:6:16: ", "ifb-eth1" },
	{ HTB "filter tx:eth1 ingress matchall\ningress tx:eth1\n", "f:6:9: ", "line 5" },
	{ HTB "class tx:eth1 parent 1: classid 1:1 htb rate 1mbit\nclass tx:eth1 parent 1: classid 1:1 htb rate 2mbit\n",
	  "f:6:33: ", "already" },
	/* ingress */
	{ LINK1 "ingress\n", "f:4:9: ", "missing" },
	{ LINK1 "ingress rx:eth2\n", "f:4:9: ", "no link" },
	{ LINK1 "ingress rx:eth1\ningress rx:eth1\n", "f:5:9: ", "line 4" },
	{ LINK1 "ingress rx:eth1 root netem\n", "f:4:17: ", "root already" },
	{ LINK1 "ingress rx:eth1 parent 1:1 netem\n", "f:4:17: ", "root already" },
	{ LINK1 "ingress rx:eth1 handle 1:\n", "f:4:27: ", "kind" },
	{ LINK1 "link tx:x rx:ifb-eth1\ningress rx:eth1\n", "f:5:9: ", "is a link's" },
	{ LINK1 "ingress rx:eth1\nlink tx:x rx:ifb-eth1\n", "f:5:11: ", "another link" },
	{ INGRESS "addr rx:ifb-eth1 10.0.0.1/24\n", "f:5:6: ", "ifb of an ingress" },
	{ INGRESS "xps rx:ifb-eth1 cpu-per-queue\n", "f:5:5: ", "ifb of an ingress" },
	{ INGRESS "ingress rx:ifb-eth1\n", "f:5:9: ", "ifb of an ingress" },
	{ INGRESS "qdisc rx:ifb-eth1 root handle 1: mq\nqdisc rx:ifb-eth1 parent 1:9 pfifo\n", "f:6:26: ", "8 tx queues" },
	{ LINK1 "ingress rx:eth1 pfifo\nqdisc rx:ifb-eth1 root pfifo\n", "f:5:24: ", "line 4" },
};

static void each_fault_is_named_at_its_place(void **state)
{
	(void)state;
	all_refused(bad, sizeof(bad) / sizeof(bad[0]));
}

static void a_star_is_one_qdisc_per_queue_and_step_adds_to_its_delay(void **state)
{
	struct topo *topo = parse_ok(TWO "link tx:eth1 rx:eth1 queues 11\n"
				     "qdisc tx:eth1 root handle 1: mq\n"
				     "qdisc tx:eth1 parent 1:* est 1sec 4sec netem limit 70000 delay 6ms step 1500us loss 1%\n",
				     NULL);
	const struct topo_qdisc *q;

	(void)state;
	assert_int_equal(topo->nqdiscs, 12);
	q = &topo->qdiscs[11];
	assert_int_equal(q->queue, 11);
	assert_int_equal(q->parent, 0x1000b);
	assert_string_equal(q->words[q->kind], "netem");
	assert_string_equal(q->words[1], "1:b");
	assert_string_equal(q->words[9], "21ms");
	assert_int_equal(q->nwords, 12);
	assert_int_equal(q->cols[10], 80);
	assert_string_equal(topo->qdiscs[2].words[9], "7.5ms");
	assert_string_equal(topo->qdiscs[1].words[9], "6ms");
	topo_free(topo);
}

/* Word @i of the qdisc of the last queue but @back. */
static const char *last_word(const struct topo *topo, int back, int i)
{
	return topo->qdiscs[topo->nqdiscs - 1 - back].words[i];
}

static void any_time_rate_share_or_number_steps(void **state)
{
	struct topo *topo = parse_ok(MQ8 "qdisc tx:eth1 parent 1:* netem limit 100 step 10 delay 500us step 250us "
				     "1ms step 0s loss 0.5% step 0.25% rate 1mbit step 1500kbit\n", NULL);

	(void)state;
	/* parent 1:8 netem limit N delay T J loss P rate R */
	assert_string_equal(last_word(topo, 0, 4), "170");
	assert_string_equal(last_word(topo, 0, 6), "2.25ms");
	assert_string_equal(last_word(topo, 0, 7), "1ms");
	assert_string_equal(last_word(topo, 0, 9), "2.25%");
	assert_string_equal(last_word(topo, 0, 11), "11500Kbit");
	assert_string_equal(last_word(topo, 7, 4), "100");
	assert_string_equal(last_word(topo, 7, 9), "0.5%");
	topo_free(topo);
}

static void filters_come_when_what_they_name_is_there(void **state)
{
	(void)state;
	steps_are(HTB "filter tx:eth1 egress protocol ip matchall action mirred egress redirect dev ifb-eth1\n"
		  "filter tx:eth1 parent 1: protocol ip prio 1 u32 match ip dport 80 0xffff flowid 1:1\n"
		  "class tx:eth1 parent 1: classid 1:1 htb rate 10mbit\n"
		  "ingress tx:eth1 pfifo\n",
		  TWO "link tx:eth1 rx:eth1 queues 1 mac 02:f8:30:1d:37:10 02:f4:45:5e:87:d4\n"
		  "ifb tx:ifb-eth1 queues 1 mac 02:d0:7a:8f:ca:91\n"
		  "qdisc tx:eth1 root handle 1: htb\n"
		  "class tx:eth1 parent 1: classid 1:1 htb rate 10mbit\n"
		  "qdisc tx:ifb-eth1 root pfifo\n"
		  "ingress tx:eth1 to ifb-eth1\n"
		  "filter tx:eth1 egress protocol ip matchall action mirred egress redirect dev ifb-eth1\n"
		  "filter tx:eth1 parent 1: protocol ip prio 1 u32 match ip dport 80 0xffff flowid 1:1\n"
		  "up tx:eth1\n"
		  "up rx:eth1\n");
}

static void classes_and_what_is_below_them_keep_their_order(void **state)
{
	(void)state;
	steps_are(HTB "class tx:eth1 parent 1: classid 1:1 htb rate 10mbit\n"
		  "class tx:eth1 parent 1:1 classid 1:10 htb rate 1mbit\n"
		  "qdisc tx:eth1 parent 1:10 handle 10: netem delay 5ms\n",
		  "netns tx\nnetns rx\n"
		  "link tx:eth1 rx:eth1 queues 1 mac 02:f8:30:1d:37:10 02:f4:45:5e:87:d4\n"
		  "qdisc tx:eth1 root handle 1: htb\n"
		  "class tx:eth1 parent 1: classid 1:1 htb rate 10mbit\n"
		  "class tx:eth1 parent 1:1 classid 1:10 htb rate 1mbit\n"
		  "qdisc tx:eth1 parent 1:10 handle 10: netem delay 5ms\n"
		  "up tx:eth1\nup rx:eth1\n");
}

static void an_ingress_is_an_ifb_with_the_queues_of_the_end(void **state)
{
	(void)state;
	steps_are(TWO "link tx:eth1 rx:eth1 queues 2 4\n"
		  "ingress rx:eth1 handle 1: mq\n"
		  "qdisc rx:ifb-eth1 parent 1:4 netem delay 5ms\n"
		  "ingress tx:eth1 est 1sec 4sec netem delay 9ms\n",
		  "netns tx\nnetns rx\n"
		  "link tx:eth1 rx:eth1 queues 2 4 mac 02:f8:30:1d:37:10 02:f4:45:5e:87:d4\n"
		  "ifb tx:ifb-eth1 queues 2 mac 02:d0:7a:8f:ca:91\n"
		  "qdisc tx:ifb-eth1 root est 1sec 4sec netem delay 9ms\n"
		  "ingress tx:eth1 to ifb-eth1\n"
		  "up tx:eth1\n"
		  "ifb rx:ifb-eth1 queues 4 mac 02:5c:95:b0:9f:09\n"
		  "qdisc rx:ifb-eth1 root handle 1: mq\n"
		  "qdisc rx:ifb-eth1 parent 1:4 netem delay 5ms\n"
		  "ingress rx:eth1 to ifb-eth1\n"
		  "up rx:eth1\n");
}

static void an_ifb_of_a_long_name_is_told_by_a_hash(void **state)
{
	struct topo *topo = parse_ok(TWO "link tx:fifteen-letter1 rx:fifteen-letter2\n"
				     "ingress tx:fifteen-letter1\ningress rx:fifteen-letter2\n", NULL);
	const char *a = topo->ingress[0].ifb.end.dev, *b = topo->ingress[1].ifb.end.dev;

	(void)state;
	assert_int_equal(strlen(a), 14);
	assert_int_equal(strncmp(a, "ifb-", 4), 0);
	assert_string_not_equal(a, b);
	assert_int_equal(topo_ingress_of(topo, (struct topo_ref){ 0, 1 }), 1);
	assert_int_equal(topo_ingress_of(topo, (struct topo_ref){ 1, 0 }), -1);
	topo_free(topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_named_at_its_place),
		cmocka_unit_test(a_star_is_one_qdisc_per_queue_and_step_adds_to_its_delay),
		cmocka_unit_test(any_time_rate_share_or_number_steps),
		cmocka_unit_test(classes_and_what_is_below_them_keep_their_order),
		cmocka_unit_test(filters_come_when_what_they_name_is_there),
		cmocka_unit_test(an_ingress_is_an_ifb_with_the_queues_of_the_end),
		cmocka_unit_test(an_ifb_of_a_long_name_is_told_by_a_hash),
	};

	return cmocka_run_group_tests_name("topo-tc", tests, NULL, NULL);
}

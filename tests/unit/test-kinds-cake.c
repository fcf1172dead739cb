// SPDX-License-Identifier: GPL-2.0-or-later
/* cake and cake_mq. The bytes are those that tc sends for the same words. */
#include "kind-tables.h"

#include "kinds/uapi-compat.h"
#include "wire/nlb.h"

static void test_bytes(void **state)
{
	static const struct bytes_row rows[] = {
		{ "root cake",
		  "" },
		{ "root cake bandwidth 10mbit",
		  "0c000200d0121300000000000800090000000000" },
		{ "root cake unlimited autorate-ingress",
		  "0c00020000000000000000000800090001000000" },
		{ "root cake bandwidth 100gbit rtt 50ms",
		  "0c00020000dd0ee9020000000800070050c3000008000800c40900000800090000000000" },
		{ "root cake interplanetary besteffort dual-srchost",
		  "080003000300000008000500050000000800070000ca9a3b0800080080f0fa02" },
		{ "root cake raw mpu 64",
		  "0800040000000000080006000000000008000c000000000008000e0040000000" },
		{ "root cake conservative memlimit 4mb fwmark 0xff",
		  "0800040001000000080006003000000008000a000000400008001200ff000000" },
		{ "root cake docsis ether-vlan ether-vlan",
		  "0800040000000000080006001a00000008000e0040000000" },
		{ "root cake pppoe-vcmux noatm overhead -4",
		  "080004000000000008000600fcffffff" },
		{ "root cake nat wash no-split-gso ingress ack-filter-aggressive diffserv4 triple-isolate",
		  "0800030001000000080005000700000008000b000100000008000d000100000008001100"
		  "0000000008000f00010000000800100002000000" },
		{ "root cake_mq",
		  "" },
		{ "root cake_mq bandwidth 10mbit",
		  "0c000200d0121300000000000800090000000000" },
	};

	check_bytes(rows, COUNT(rows));
}

static void test_shown(void **state)
{
	static const struct shown_row rows[] = {
		{ "root cake", " nonat nowash no-ack-filter no-split-gso noatm overhead 0" },
		{ "root cake bandwidth 10mbit autorate-ingress diffserv8 hosts nat wash ingress ack-filter split-gso lan",
		  " bandwidth 10Mbit autorate-ingress diffserv8 hosts nat wash ingress ack-filter split-gso rtt 1ms noatm overhead 0" },
		{ "root cake unlimited precedence flowblind ack-filter-aggressive raw",
		  " bandwidth unlimited precedence flowblind nonat nowash ack-filter-aggressive no-split-gso raw overhead 0" },
		{ "root cake pppoe-ptm ether-vlan mpu 64 memlimit 4mb fwmark 0xff",
		  " nonat nowash no-ack-filter no-split-gso ptm overhead 34 mpu 64 memlimit 4Mb fwmark 0xff" },
		{ "root cake_mq conservative bandwidth 1gbit",
		  " bandwidth 1Gbit nonat nowash no-ack-filter no-split-gso atm overhead 48" },
	};

	check_shown(rows, COUNT(rows));
}

static void test_refused(void **state)
{
	static const struct refused_row rows[] = {
		{ "root cake bandwidth", 2, "needs a value" },
		{ "root cake bandwidth 0", -1, "bandwidth: at least 8 bit/s; without any it is \"unlimited\"" },
		{ "root cake bandwidth 10M", 3, "no unit of rate" },
		{ "root cake bandwidth 1mbit unlimited", 4, "\"unlimited\" after \"bandwidth\"" },
		{ "root cake rtt 50", 3, "a time needs its unit" },
		{ "root cake rtt 0us", 3, "less than 1 us" },
		{ "root cake rtt 1.5us", 3, "finer than 1 us" },
		{ "root cake rtt 5000s", 3, "more than" },
		{ "root cake rtt 50ms lan", 4, "\"lan\" after \"rtt\"" },
		{ "root cake lan internet", 3, "\"internet\" after \"lan\"" },
		{ "root cake diffserv diffserv4", 3, "\"diffserv4\" after \"diffserv\"" },
		{ "root cake flows hosts", 3, "\"hosts\" after \"flows\"" },
		{ "root cake nat nonat", 3, "\"nonat\" after \"nat\"" },
		{ "root cake atm ptm", 3, "\"ptm\" after \"atm\"" },
		{ "root cake ethernet docsis", 3, "\"docsis\" after \"ethernet\"" },
		{ "root cake raw conservative", 3, "\"conservative\" after \"raw\"" },
		{ "root cake ingress egress", 3, "\"egress\" after \"ingress\"" },
		{ "root cake wash wash", 3, "twice" },
		{ "root cake overhead", 2, "needs a value" },
		{ "root cake overhead 257", 3, "more than 256" },
		{ "root cake overhead -65", 3, "less than -64" },
		{ "root cake overhead 5x", 3, "overhead: \"5x\"" },
		{ "root cake overhead 256 ether-vlan", -1, "overhead: the words are 260 bytes together" },
		{ "root cake mpu 257", 3, "more than 256" },
		{ "root cake mpu", 2, "needs a value" },
		{ "root cake memlimit 5gb", 3, "more than 4294967295" },
		{ "root cake fwmark 4294967296", 3, "more than 4294967295" },
		{ "root cake besteffort4", 2, "unknown word \"besteffort4\"" },
		{ "root cake diff", 2, "unknown word \"diff\"" },
		{ "parent 1:1 cake_mq", -1, "cake_mq: can only be the root" },
	};

	check_refused(rows, COUNT(rows));
}

static void test_warned(void **state)
{
	static const struct warned_row rows[] = {
		{ "root cake bandwidth 12345bit", "cut to 12344 bit/s" },
		{ "root cake via-ethernet", "via-ethernet does nothing" },
		{ "root cake ethernet ether-vlan ether-vlan", NULL },
		{ "root cake autorate-ingress bandwidth 1mbit", NULL },
	};

	check_warned(rows, COUNT(rows));
}

/* An attribute of counters as the kernel would send it */
static struct nl_msg *counters(uint32_t tins)
{
	struct nl_msg *msg;
	struct nlb nlb;
	size_t app, nest;

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	app = nlb_nest(&nlb, 4);	/* TCA_STATS_APP */
	nlb_put_u64(&nlb, TCA_CAKE_STATS_CAPACITY_ESTIMATE64, 125000);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_MEMORY_LIMIT, 4194304);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_MEMORY_USED, 640);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_AVG_NETOFF, 14);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_MIN_NETLEN, 28);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_MAX_NETLEN, 1500);
	nlb_put_u32(&nlb, TCA_CAKE_STATS_ACTIVE_QUEUES, 3);
	nest = nlb_nest(&nlb, TCA_CAKE_STATS_TIN_STATS);
	for (uint32_t i = 1; i <= tins; i++) {
		size_t tin = nlb_nest(&nlb, (uint16_t)i);

		nlb_put_u64(&nlb, TCA_CAKE_TIN_STATS_THRESHOLD_RATE64, 125000 * i);
		nlb_put_u32(&nlb, TCA_CAKE_TIN_STATS_TARGET_US, 5000);
		nlb_put_u32(&nlb, TCA_CAKE_TIN_STATS_PEAK_DELAY_US, 0);
		nlb_put_u32(&nlb, TCA_CAKE_TIN_STATS_BACKLOG_BYTES, 1024 * i);
		nlb_put_u32(&nlb, TCA_CAKE_TIN_STATS_SENT_PACKETS, i);
		nlb_nest_end(&nlb, tin);
	}
	nlb_nest_end(&nlb, nest);
	nlb_nest_end(&nlb, app);
	assert_int_equal(nlb_finish(&nlb, &msg), 0);
	return msg;
}

static void check_counters(uint32_t tins, const char *text, const char *json)
{
	struct nl_msg *msg = counters(tins);
	struct doc *doc = doc_new();
	char *got;

	doc_open_object(doc, NULL);
	kind_cake.xstats(doc, nlmsg_find_attr(nlmsg_hdr(msg), 0, 4));
	assert_string_equal(doc_as_text(doc), text);
	got = doc_as_json(doc);
	if (json)
		assert_non_null(strstr(got, json));
	free(got);
	doc_free(doc);
	nlmsg_free(msg);
}

#define WHOLE "\n memory used: 640b of 4Mb\n capacity estimate: 1Mbit" \
	"\n min/max network layer size:           28 /    1500" \
	"\n active queues:                         3" \
	"\n average network hdr offset:           14\n"

static void test_counters(void **state)
{
	check_counters(0, WHOLE, "\"active_queues\":3");
	check_counters(1, WHOLE
		       "\n                  Tin 0"
		       "\n  thresh          1Mbit"
		       "\n  target            5ms"
		       "\n  pk_delay          0us"
		       "\n  backlog           1Kb"
		       "\n  pkts                1", "\"tins\":[{\"threshold_rate\":125000,\"backlog_bytes\":1024");
	check_counters(3, WHOLE
		       "\n                   Bulk  Best Effort        Voice"
		       "\n  thresh          1Mbit        2Mbit        3Mbit"
		       "\n  target            5ms          5ms          5ms"
		       "\n  pk_delay          0us          0us          0us"
		       "\n  backlog           1Kb          2Kb          3Kb"
		       "\n  pkts                1            2            3", NULL);
	check_counters(4, WHOLE
		       "\n                   Bulk  Best Effort        Video        Voice"
		       "\n  thresh          1Mbit        2Mbit        3Mbit        4Mbit"
		       "\n  target            5ms          5ms          5ms          5ms"
		       "\n  pk_delay          0us          0us          0us          0us"
		       "\n  backlog           1Kb          2Kb          3Kb          4Kb"
		       "\n  pkts                1            2            3            4", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_warned),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

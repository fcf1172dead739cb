// SPDX-License-Identifier: GPL-2.0-or-later
/* fq, fq_codel and codel. The bytes are those that tc sends for the same words. */
#include "kind-tables.h"

#include "kinds/uapi-compat.h"

static void test_bytes(void **state)
{
	static const struct bytes_row rows[] = {
		{ "root fq",
		  "" },
		{ "root fq limit 100 flow_limit 50",
		  "08000100640000000800020032000000" },
		{ "root fq quantum 3000 initial_quantum 9000 buckets 1000",
		  "080008000a00000008000300b80b00000800040028230000" },
		{ "root fq buckets 256 nopacing",
		  "08000800080000000800050000000000" },
		{ "root fq pacing maxrate 10mbit",
		  "080005000100000008000700d0121300" },
		{ "root fq maxrate 34gbit low_rate_threshold 1mbit",
		  "0800070080da51fd08000b0048e80100" },
		{ "root fq refill_delay 40ms orphan_mask 255",
		  "08000900409c000008000a00ff000000" },
		{ "root fq ce_threshold 500us timer_slack 20us",
		  "08000c00f401000008000d00204e0000" },
		{ "root fq ce_threshold 0us",
		  "08000c0000000000" },
		{ "root fq horizon 10s horizon_cap",
		  "08000e008096980005000f0000000000" },
		{ "root fq horizon_drop low_rate_threshold 0bit",
		  "08000b000000000005000f0001000000" },
		{ "root fq defrate 1mbit timer_slack 4294967295ns",
		  "0800060048e8010008000d00ffffffff" },
		{ "root fq bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1 weights 16384 32768 65536",
		  "180010000300000001020202010200000101010101010101100011000040000000800000"
		  "00000100" },
		{ "root fq offload_horizon 1ms limit 7",
		  "080001000700000008001200e8030000" },
		{ "root fq_codel",
		  "" },
		{ "root fq_codel limit 1000 flows 256 quantum 300",
		  "08000200e80300000800050000010000080006002c010000" },
		{ "root fq_codel target 5ms interval 100ms noecn",
		  "08000300a086010008000100881300000800040000000000" },
		{ "root fq_codel ecn ce_threshold 1ms",
		  "080004000100000008000700e8030000" },
		{ "root fq_codel ce_threshold 0us ce_threshold_selector 0x02/0x3",
		  "080007000000000005000b000300000005000a0002000000" },
		{ "root fq_codel memory_limit 4mb drop_batch 32",
		  "08000900000040000800080020000000" },
		{ "root codel",
		  "" },
		{ "root codel limit 500 target 20ms interval 200ms ecn",
		  "08000200f401000008000300400d030008000100204e00000800040001000000" },
		{ "root codel noecn ce_threshold 1ms",
		  "080004000000000008000500e8030000" },
	};

	check_bytes(rows, COUNT(rows));
}

static void test_shown(void **state)
{
	static const struct shown_row rows[] = {
		{ "root fq", "" },
		{ "root fq horizon_cap limit 5 horizon 2s nopacing maxrate 10mbit",
		  " limit 5p nopacing maxrate 10Mbit horizon 2s horizon_cap" },
		{ "root fq flow_limit 7 buckets 1000 orphan_mask 3 quantum 3000 initial_quantum 15k",
		  " flow_limit 7p buckets 1024 orphan_mask 3 quantum 3000b initial_quantum 15Kb" },
		{ "root fq low_rate_threshold 0 refill_delay 1ms ce_threshold 5us timer_slack 1ns offload_horizon 3us",
		  " refill_delay 1ms ce_threshold 5us timer_slack 1ns offload_horizon 3us" },
		{ "root fq bands 3 priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 weights 16384 16384 20000",
		  " bands 3 priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 weights 16384 16384 20000" },
		{ "root fq_codel limit 5 flows 6 quantum 700 target 1ms interval 10ms memory_limit 1mb ecn drop_batch 3",
		  " limit 5p flows 6 quantum 700 target 1ms interval 10ms memory_limit 1Mb ecn drop_batch 3" },
		{ "root fq_codel ce_threshold 5ms ce_threshold_selector 1/3 noecn",
		  " ce_threshold 5ms ce_threshold_selector 0x1/0x3" },
		{ "root codel limit 5 target 1ms interval 10ms ecn ce_threshold 2s",
		  " limit 5p target 1ms ce_threshold 2s interval 10ms ecn" },
	};

	check_shown(rows, COUNT(rows));
}

static void test_refused(void **state)
{
	static const struct refused_row rows[] = {
		{ "root fq limit 0", 3, "less than 1" },
		{ "root fq limit", 2, "needs a value" },
		{ "root fq limit 5 limit 6", 4, "twice" },
		{ "root fq flow_limit 0", 3, "less than 1" },
		{ "root fq quantum 0", 3, "less than 1" },
		{ "root fq quantum 2mb", 3, "more than 1048576" },
		{ "root fq initial_quantum 3gb", 3, "more than 2147483647" },
		{ "root fq buckets 1", 3, "less than 2" },
		{ "root fq buckets 262145", 3, "more than 262144" },
		{ "root fq maxrate 0", -1, "maxrate: at least 8 bit/s" },
		{ "root fq maxrate 40gbit", -1, "maxrate: the kernel holds at most 34359738352 bit/s" },
		{ "root fq maxrate 100M", 3, "no unit of rate" },
		{ "root fq low_rate_threshold 35gbit", -1, "low_rate_threshold: the kernel holds" },
		{ "root fq refill_delay 40", 3, "a time needs its unit" },
		{ "root fq ce_threshold 1500ns", 3, "finer than 1 us" },
		{ "root fq ce_threshold 5", 3, "a time needs its unit" },
		{ "root fq timer_slack 5s", -1, "at most 4.294967295 s" },
		{ "root fq timer_slack 5", 3, "a time needs its unit" },
		{ "root fq horizon 4295s", 3, "more than" },
		{ "root fq horizon -1s", 3, "negative" },
		{ "root fq horizon_cap horizon_drop", 3, "\"horizon_drop\" after \"horizon_cap\"" },
		{ "root fq pacing nopacing", 3, "\"nopacing\" after \"pacing\"" },
		{ "root fq bands 2", 3, "less than 3" },
		{ "root fq bands 3", -1, "\"bands\" and \"priomap\" go together" },
		{ "root fq priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0", -1, "go together" },
		{ "root fq bands 3 priomap 0 1 2 limit 5", 4, "needs 16 values, there are 3" },
		{ "root fq bands 3 priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 3", 20, "more than 2" },
		{ "root fq bands 3 priomap 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1", 21, "more than 16 values" },
		{ "root fq weights 20000 20000", 2, "needs a value" },
		{ "root fq weights 20000 20000 100", 5, "less than 16384" },
		{ "root fq offload_horizon 1ns", 3, "finer than 1 us" },
		{ "root fq help", 2, "unknown word \"help\"" },
		{ "root fq_codel limit 0", 3, "less than 1" },
		{ "root fq_codel flows 0", 3, "less than 1" },
		{ "root fq_codel flows 65537", 3, "more than 65536" },
		{ "root fq_codel quantum 1048577", 3, "more than 1048576" },
		{ "root fq_codel drop_batch 0", 3, "less than 1" },
		{ "root fq_codel memory_limit 3gb", 3, "more than 2147483648" },
		{ "root fq_codel target 5", 3, "a time needs its unit" },
		{ "root fq_codel target 0ms", 3, "less than 1 us" },
		{ "root fq_codel interval 0.5us", 3, "finer than 1 us" },
		{ "root fq_codel ecn noecn", 3, "\"noecn\" after \"ecn\"" },
		{ "root fq_codel ce_threshold_selector", 2, "needs a value" },
		{ "root fq_codel ce_threshold_selector 3", 3, "not VALUE/MASK" },
		{ "root fq_codel ce_threshold_selector 256/3", 3, "more than 255" },
		{ "root fq_codel ce_threshold_selector 1/x", 3, "not a whole number" },
		{ "root fq_codel ce_threshold_selector 1/", 3, "not a number" },
		{ "root codel limit 0", 3, "less than 1" },
		{ "root codel target 5", 3, "a time needs its unit" },
		{ "root codel interval 0ms", 3, "less than 1 us" },
		{ "root codel flows 5", 2, "unknown word \"flows\"" },
	};

	check_refused(rows, COUNT(rows));
}

static void test_warned(void **state)
{
	static const struct warned_row rows[] = {
		{ "root fq buckets 1000", "buckets 1000 becomes 1024" },
		{ "root fq buckets 1024", NULL },
		{ "root fq defrate 1mbit", "defrate is obsolete" },
		{ "root fq maxrate 1mbit nopacing", "does nothing with nopacing" },
		{ "root fq maxrate 8001bit", "cut to 8000 bit/s" },
		{ "root fq limit 10 flow_limit 20", "flow_limit 20 is above limit 10" },
		{ "root fq_codel quantum 100", "quantum 100 becomes 256" },
		{ "root fq_codel target 1us", "target 1us becomes 0" },
		{ "root fq_codel target 5ms interval 5ms", "not below the interval" },
		{ "root fq_codel ce_threshold_selector 1/1", "ce_threshold, which is not there" },
		{ "root codel ce_threshold 1us", "ce_threshold 1us becomes 0" },
		{ "root codel target 5ms interval 100ms", NULL },
	};

	check_warned(rows, COUNT(rows));
}

static void test_counters(void **state)
{
	struct fq_stats fq = {
		.gc_flows = 1, .highprio_packets = 2, .throttled = 3, .flows = 4,
		.inactive_flows = 5, .throttled_flows = 6,
	};
	struct tc_fq_codel_xstats fqc = { .type = TCA_FQ_CODEL_XSTATS_QDISC };
	struct tc_codel_xstats codel = { .count = 3, .ldelay = 1500, .dropping = 1, .drop_next = -2 };

	/* what a kernel before 6.7 has */
	check_xstats(&kind_fq, &fq, offsetof(struct fq_stats, fastpath_packets),
		     "\n  flows 4 (inactive 5 throttled 6)\n  gc 1 highprio 2 throttled 3");
	fq.time_next_delayed_flow = 1000000;
	fq.unthrottle_latency_ns = 1500;
	fq.band_drops[2] = 9;
	fq.band_pkt_count[0] = 8;
	fq.fastpath_packets = 7;
	check_xstats(&kind_fq, &fq, sizeof(fq),
		     "\n  flows 4 (inactive 5 throttled 6) band0_pkts 8 band1_pkts 0 band2_pkts 0 next_packet_delay 1ms"
		     "\n  gc 1 highprio 2 fastpath 7 throttled 3 latency 1.5us\n  band2_drops 9");
	fqc.qdisc_stats.maxpacket = 1514;
	fqc.qdisc_stats.memory_usage = 5;
	check_xstats(&kind_fq_codel, &fqc, sizeof(fqc),
		     "\n  maxpacket 1514 drop_overlimit 0 new_flow_count 0 ecn_mark 0 memory_used 5"
		     "\n  new_flows_len 0 old_flows_len 0");
	check_xstats(&kind_fq_codel, &fqc, 3, "");
	memset(&fqc, 0, sizeof(fqc));
	fqc.type = TCA_FQ_CODEL_XSTATS_CLASS;
	fqc.class_stats.deficit = -14;
	fqc.class_stats.dropping = 1;
	fqc.class_stats.drop_next = 5;
	check_xstats(&kind_fq_codel, &fqc, sizeof(fqc),
		     "\n  deficit -14 count 0 lastcount 0 ldelay 0us dropping drop_next 5us");
	check_xstats(&kind_codel, &codel, sizeof(codel),
		     "\n  count 3 lastcount 0 ldelay 1.5ms dropping drop_next -2us"
		     "\n  maxpacket 0 ecn_mark 0 drop_overlimit 0");
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

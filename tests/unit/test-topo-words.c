// SPDX-License-Identifier: GPL-2.0-or-later
/* Links, routes, xps and rps of a topology. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo-texts.h"

static const struct bad_text bad[] = {
	/* queues and offloads of a link */
	{ TWO "link tx:eth1 rx:eth1 queues 8 0\n", "f:3:31: ", "0" },
	{ TWO "link tx:eth1 rx:eth1 queues 8 4 2\n", "f:3:33: ", "\"2\"" },
	{ TWO "link tx:eth1 rx:eth1 txqueues 8 rxqueues 4097\n", "f:3:42: ", "4097" },
	{ TWO "link tx:eth1 rx:eth1 queues 8 txqueues 4\n", "f:3:31: ", "either" },
	{ TWO "link tx:eth1 rx:eth1 rxqueues 8 queues 4\n", "f:3:33: ", "either" },
	{ TWO "link tx:eth1 rx:eth1 txqueues 8 txqueues 4\n", "f:3:33: ", "twice" },
	{ TWO "link tx:eth1 rx:eth1 offload\n", "f:3:30: ", "missing" },
	{ TWO "link tx:eth1 rx:eth1 offload of\n", "f:3:30: ", "on or off" },
	{ TWO "link tx:eth1 rx:eth1 gso\n", "f:3:26: ", "on or off" },
	{ TWO "link tx:eth1 rx:eth1 gso 0\n", "f:3:26: ", "on or off" },
	{ TWO "link tx:eth1 rx:eth1 gso off gso on\n", "f:3:30: ", "already" },
	{ TWO "link tx:eth1 rx:eth1 offload off tso on\n", "f:3:34: ", "already" },
	{ TWO "link tx:eth1 rx:eth1 lro off\n", "f:3:22: ", "\"lro\"" },
	{ TWO "link tx:eth1 rx:eth1 down down\n", "f:3:27: ", "twice" },
	/* routes */
	{ LINK1 "route\n", "f:4:7: ", "missing" },
	{ LINK1 "route zz default via 10.0.0.1\n", "f:4:7: ", "netns zz" },
	{ LINK1 "route tx\n", "f:4:10: ", "missing" },
	{ LINK1 "route tx 10.1.0.0/16\n", "f:4:22: ", "missing" },
	{ LINK1 "route tx 10.1.0.1/16 via 10.0.0.1\n", "f:4:10: ", "beyond the prefix" },
	{ LINK1 "route tx fd00::1/64 via fd00::2\n", "f:4:10: ", "beyond the prefix" },
	{ LINK1 "route tx 10.1.0.0/33 via 10.0.0.1\n", "f:4:10: ", "33" },
	{ LINK1 "route tx tenth via 10.0.0.1\n", "f:4:10: ", "not an IPv4" },
	{ LINK1 "route tx default via\n", "f:4:22: ", "missing" },
	{ LINK1 "route tx default via 10.0.0.1/24\n", "f:4:22: ", "without a length" },
	{ LINK1 "route tx default via eth1\n", "f:4:22: ", "not an IPv4" },
	{ LINK1 "route tx default via 10.0.0.1 via 10.0.0.2\n", "f:4:31: ", "twice" },
	{ LINK1 "route tx fd00::/64 via 10.0.0.1\n", "f:4:10: ", "no IPv4 next hop" },
	{ LINK1 "route tx default dev eth2\n", "f:4:22: ", "no link" },
	{ LINK1 "route tx default dev tx:eth1\n", "f:4:22: ", "':'" },
	{ LINK1 "ingress tx:eth1\nroute tx default dev ifb-eth1\n", "f:5:22: ", "no link" },
	{ LINK1 "route tx 10.1.0.0/16 via 10.0.0.1 src fd00::1\n", "f:4:39: ", "another family" },
	{ LINK1 "route tx 10.1.0.0/16 via 10.0.0.1 src 10.0.0.2/32\n", "f:4:39: ", "without a length" },
	{ LINK1 "route tx 10.1.0.0/16 via 10.0.0.1 metric 0\n", "f:4:42: ", "0" },
	{ LINK1 "route tx 10.1.0.0/16 via 10.0.0.1 table 5\n", "f:4:35: ", "\"table\"" },
	{ LINK1 "route tx 10.1.0.0/16 via 10.0.0.1 onlink\n", "f:4:42: ", "\"dev DEV\"" },
	{ LINK1 "route tx default via 10.0.0.1\nroute tx 0.0.0.0/0 via 10.0.0.2\n", "f:5:10: ", "line 4" },
	/* xps and rps */
	{ LINK1 "xps tx:eth1 all\n", "f:4:13: ", "\"all\"" },
	{ LINK1 "xps tx:eth1\n", "f:4:13: ", "missing" },
	{ LINK1 "xps tx:eth1 cpu-per-queue 3\n", "f:4:27: ", "\"3\"" },
	{ LINK1 "rps tx:eth1\n", "f:4:13: ", "missing" },
	{ LINK1 "rps tx:eth1 3\n", "f:4:13: ", "no map of rps" },
	{ LINK1 "rps tx:eth1 cpus\n", "f:4:18: ", "missing" },
	{ LINK1 "rps tx:eth1 cpus 0-\n", "f:4:18: ", "0-" },
	{ LINK1 "rps tx:eth1 mask 0\n", "f:4:18: ", "no CPU" },
	{ LINK1 "rps tx:eth1 mask xyz\n", "f:4:18: ", "hex" },
	{ LINK1 "rps tx:eth1 cpus 0 1\n", "f:4:20: ", "\"1\"" },
	{ LINK1 "rps tx:eth1 cpus 0\nxps tx:eth1 cpus 0\nrps tx:eth1 cpus 1\n", "f:6:5: ", "line 4" },
};

static void each_fault_is_named_at_its_place(void **state)
{
	(void)state;
	all_refused(bad, sizeof(bad) / sizeof(bad[0]));
}

static void a_mask_beyond_the_cpus_is_refused(void **state)
{
	char text[512] = LINK1 "rps tx:eth1 mask 1", zeros[258];
	const struct bad_text one = { text, "f:4:18: ", "CPU 1024 of at most 1023" };

	(void)state;
	memset(zeros, '0', 256);
	zeros[256] = '\n';
	zeros[257] = '\0';
	strcat(text, zeros);
	all_refused(&one, 1);
}

#define MACS " mac 02:f8:30:1d:37:10 02:f4:45:5e:87:d4\n"

static void the_two_ends_may_have_other_queues(void **state)
{
	(void)state;
	steps_are(TWO "link tx:eth1 rx:eth1 queues 8 4 down\n",
		  TWO "link tx:eth1 rx:eth1 queues 8 4" MACS);
	steps_are(TWO "link tx:eth1 rx:eth1 rxqueues 1 4 txqueues 8 down\n",
		  TWO "link tx:eth1 rx:eth1 txqueues 8 rxqueues 1 4" MACS);
	steps_are(TWO "link tx:eth1 rx:eth1 txqueues 3 down\n",
		  TWO "link tx:eth1 rx:eth1 txqueues 3 rxqueues 1" MACS);
}

static void offload_stands_for_what_makes_large_frames(void **state)
{
	(void)state;
	steps_are(TWO "link tx:eth1 rx:eth1 down offload off tx off sg on\n",
		  TWO "link tx:eth1 rx:eth1 queues 1" MACS
		  "offload tx:eth1 gso off tso off gro off tx off sg on\n"
		  "offload rx:eth1 gso off tso off gro off tx off sg on\n");
}

static void routes_come_last_and_masks_are_lists(void **state)
{
	(void)state;
	steps_are(LINK8
		  "route rx default via 10.0.0.1\n"
		  "route rx default via fd00::1 dev eth1 metric 5 onlink\n"
		  "route rx 10.9.0.0/16 dev eth1 src 10.0.0.2\n"
		  "route rx 10.8.0.1 via fd00::1\n"
		  "rps rx:eth1 mask ff,0000000f\n"
		  "xps rx:eth1 cpus 0,2-3\n"
		  "addr rx:eth1 10.0.0.2/24\n",
		  TWO "link tx:eth1 rx:eth1 queues 8" MACS
		  "up tx:eth1\n"
		  "neigh tx:eth1 10.0.0.2 lladdr 02:f4:45:5e:87:d4 permanent\n"
		  "rps rx:eth1 cpus 0-3,32-39\n"
		  "xps rx:eth1 cpus 0,2-3\n"
		  "up rx:eth1\n"
		  "addr rx:eth1 10.0.0.2/24\n"
		  "route rx 0.0.0.0/0 via 10.0.0.1\n"
		  "route rx ::/0 via fd00::1 dev eth1 metric 5 onlink\n"
		  "route rx 10.9.0.0/16 dev eth1 src 10.0.0.2\n"
		  "route rx 10.8.0.1/32 via fd00::1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_named_at_its_place),
		cmocka_unit_test(a_mask_beyond_the_cpus_is_refused),
		cmocka_unit_test(the_two_ends_may_have_other_queues),
		cmocka_unit_test(offload_stands_for_what_makes_large_frames),
		cmocka_unit_test(routes_come_last_and_masks_are_lists),
	};

	return cmocka_run_group_tests_name("topo-words", tests, NULL, NULL);
}

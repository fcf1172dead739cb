// SPDX-License-Identifier: GPL-2.0-or-later
/* Topology files: what is read, what is refused and where, what steps come out. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo-texts.h"

/* Each line is refused at FILE:LINE:COLUMN with a text that names the word. */
static const struct bad_text bad[] = {
	{ "", "f: ", "nothing in it" },
	{ "# only a comment\n\n", "f: ", "nothing in it" },
	{ "foo bar\n", "f:1:1: ", "\"foo\" begins no line" },
	{ "netns tx\n  netnss rx\n", "f:2:3: ", "\"netnss\"" },
	{ "netns\n", "f:1:7: ", "missing" },
	{ "netns tx more\n", "f:1:10: ", "\"more\"" },
	{ "netns tx\nnetns tx\n", "f:2:7: ", "twice" },
	{ "netns a/b\n", "f:1:7: ", "a/b" },
	{ "netns ..\n", "f:1:7: ", ".." },
	{ TWO "link tx:eth1\n", "f:3:14: ", "missing" },
	{ TWO "link tx:eth1 zz:eth1\n", "f:3:14: ", "netns zz" },
	{ TWO "link tx:eth1 tx:eth1\n", "f:3:14: ", "both ends" },
	{ TWO "link tx:lo rx:eth1\n", "f:3:6: ", "lo" },
	{ TWO "link tx:sixteen-letters1 rx:eth1\n", "f:3:6: ", "sixteen-letters1" },
	{ TWO "link tx:a/b rx:eth1\n", "f:3:6: ", "a/b" },
	{ LINK1 "link tx:eth1 rx:eth2\n", "f:4:6: ", "another link" },
	{ TWO "link tx:eth1 rx:eth1 queues 0\n", "f:3:29: ", "0" },
	{ TWO "link tx:eth1 rx:eth1 queues 4097\n", "f:3:29: ", "4097" },
	{ TWO "link tx:eth1 rx:eth1 queues\n", "f:3:29: ", "missing" },
	{ TWO "link tx:eth1 rx:eth1 queues 2 queues 2\n", "f:3:31: ", "twice" },
	{ TWO "link tx:eth1 rx:eth1 mtu 67\n", "f:3:26: ", "67" },
	{ TWO "link tx:eth1 rx:eth1 mac 03:00:00:00:00:01\n", "f:3:26: ", "one device" },
	{ TWO "link tx:eth1 rx:eth1 mac 2:0:0:0:0:1\n", "f:3:26: ", "no MAC" },
	{ TWO "link tx:eth1 rx:eth1 mac 02:00:00:00:00:01 02:00:00:00:00:01\n", "f:3:6: ", "one MAC" },
	{ TWO "link tx:eth1 rx:eth1 colour red\n", "f:3:22: ", "\"colour\"" },
	{ LINK1 "addr tx:eth1 10.0.0.1\n", "f:4:14: ", "prefix length" },
	{ LINK1 "addr tx:eth1 10.0.0.1/33\n", "f:4:14: ", "33" },
	{ LINK1 "addr tx:eth1 10.0.0/24\n", "f:4:14: ", "10.0.0/24" },
	{ LINK1 "addr tx:eth2 10.0.0.1/24\n", "f:4:6: ", "no link" },
	{ LINK1 "addr tx:eth1 10.0.0.1/24\naddr rx:eth1 10.0.0.1/24\n", "f:5:14: ", "already" },
	{ LINK1 "xps tx:eth1 all\n", "f:4:13: ", "\"all\"" },
	{ LINK1 "xps tx:eth1\n", "f:4:13: ", "missing" },
	{ LINK1 "sysctl tx kernel.panic 1\n", "f:4:11: ", "kernel.panic" },
	{ LINK1 "sysctl tx net/../kernel/panic 1\n", "f:4:11: ", "no key" },
	{ LINK1 "sysctl zz net.ipv4.ip_forward 1\n", "f:4:8: ", "zz" },
	{ LINK1 "sysctl tx net.ipv4.ip_forward\n", "f:4:31: ", "missing" },
	{ "{\"schema\": \"x\"}", "f: ", "schema" },
	{ "{\"schema\": \"qbed-topology-1\"}", "f: ", "topology" },
	{ "{\"schema\": \"qbed-topology-1\", \"topology\": [\"netns tx\", 3]}", "f: ", "topology[1]" },
	{ "{\"schema\": \"qbed-topology-1\", \"topology\": [\"netns tx\", \"foo\"]}", "f:2:1: ", "foo" },
	{ "{\"schema\": ", "f:1:", "" },
};

static void each_fault_is_named_at_its_place(void **state)
{
	(void)state;
	all_refused(bad, sizeof(bad) / sizeof(bad[0]));
}

static void a_zero_byte_and_names_too_long_are_refused(void **state)
{
	char text[600] = "netns ", prefix[300];
	struct topo *topo;
	struct diag d;

	(void)state;
	diag_init(&d);
	assert_int_equal(topo_parse(&d, "f", "netns a\0b\n", 10, NULL, &topo), -EINVAL);
	assert_non_null(strstr(d.text, "f:1:8: "));
	diag_free(&d);

	memset(text + 6, 'a', 256);
	diag_init(&d);
	assert_int_equal(topo_parse(&d, "f", text, strlen(text), NULL, &topo), -EINVAL);
	diag_free(&d);

	text[6 + 255] = '\0';
	topo_free(parse_ok(text, NULL));
	diag_init(&d);
	assert_int_equal(topo_parse(&d, "f", text, strlen(text), "p", &topo), -EINVAL);
	diag_free(&d);

	memset(prefix, 'p', 299);
	prefix[299] = '\0';
	diag_init(&d);
	assert_int_equal(topo_parse(&d, "f", "netns a\n", 8, prefix, &topo), -EINVAL);
	diag_free(&d);
	diag_init(&d);
	assert_int_equal(topo_parse(&d, "f", "netns a\n", 8, "../", &topo), -EINVAL);
	diag_free(&d);
}

static void steps_come_in_the_order_that_works(void **state)
{
	struct topo *topo = parse_ok("netns tx # the sender\n"
				     "netns rx\r\n"
				     "\tlink tx:eth1 rx:eth1 queues 2 mtu 9000 mac 02:00:00:00:00:0a 02:00:00:00:00:0b\n"
				     "addr tx:eth1 10.0.0.1/24\n"
				     "addr rx:eth1 fd00::2/64\n"
				     "xps tx:eth1 cpu-per-queue\n"
				     "sysctl tx net.ipv4.tcp_rmem 1 2 3\n"
				     "qdisc tx:eth1 root handle 1: mq", NULL);
	char *steps = steps_of(topo);

	(void)state;
	assert_string_equal(steps,
		"netns tx\n"
		"netns rx\n"
		"link tx:eth1 rx:eth1 queues 2 mtu 9000 mac 02:00:00:00:00:0a 02:00:00:00:00:0b\n"
		"sysctl tx net/ipv4/tcp_rmem 1 2 3\n"
		"qdisc tx:eth1 root handle 1: mq\n"
		"xps tx:eth1 cpu-per-queue\n"
		"up tx:eth1\n"
		"addr tx:eth1 10.0.0.1/24\n"
		"neigh tx:eth1 fd00::2 lladdr 02:00:00:00:00:0b permanent\n"
		"up rx:eth1\n"
		"addr rx:eth1 fd00::2/64\n"
		"neigh rx:eth1 10.0.0.1 lladdr 02:00:00:00:00:0a permanent\n");
	free(steps);
	topo_free(topo);
}

static void addresses_of_devices_depend_on_names_alone(void **state)
{
	struct topo *a = parse_ok(LINK1, NULL), *b = parse_ok(LINK8, NULL), *c = parse_ok(LINK1, "p-");
	const uint8_t *mac = a->links[0].dev[0].mac;

	(void)state;
	assert_memory_equal(mac, b->links[0].dev[0].mac, 6);
	assert_memory_not_equal(mac, a->links[0].dev[1].mac, 6);
	assert_memory_not_equal(mac, c->links[0].dev[0].mac, 6);
	assert_int_equal(mac[0] & 3, 2);
	topo_free(a);
	topo_free(b);
	topo_free(c);
}

static void a_prefix_is_put_before_every_namespace(void **state)
{
	struct topo *topo = parse_ok("netns a\nlink a:e0 veth9\naddr a:e0 10.0.0.1/24\n", "t1-");
	char end[TOPO_END_LEN];

	(void)state;
	assert_string_equal(topo->netns[0].name, "t1-a");
	assert_string_equal(topo_end_format(end, &topo->links[0].dev[0].end), "t1-a:e0");
	assert_string_equal(topo_end_format(end, &topo->links[0].dev[1].end), "veth9");
	topo_free(topo);
}

static void a_document_reads_as_the_lines_it_holds(void **state)
{
	struct topo *topo = parse_ok(" {\"schema\": \"qbed-topology-1\", \"prefix\": \"q-\", \"live\": {},"
				     "\"topology\": [\"netns  tx\", \"netns rx\", \"link tx:e rx:e\"]}",
				     NULL);
	char *text = topo_stmt_text(&topo->stmts[0]);

	(void)state;
	assert_string_equal(text, "netns tx");
	assert_string_equal(topo->netns[1].name, "q-rx");
	assert_int_equal(topo->nlinks, 1);
	free(text);
	topo_free(topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_named_at_its_place),
		cmocka_unit_test(a_zero_byte_and_names_too_long_are_refused),
		cmocka_unit_test(steps_come_in_the_order_that_works),
		cmocka_unit_test(addresses_of_devices_depend_on_names_alone),
		cmocka_unit_test(a_prefix_is_put_before_every_namespace),
		cmocka_unit_test(a_document_reads_as_the_lines_it_holds),
	};

	return cmocka_run_group_tests_name("topo", tests, NULL, NULL);
}

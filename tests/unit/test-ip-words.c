// SPDX-License-Identifier: GPL-2.0-or-later
/* ip's words in a batch: what is taken, and which word is to blame when it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "ip/ip-spec.h"
#include "pure/diag.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 64

/* "link add ..." for the namespace "here" */
static int parse(struct diag *d, const char *text, struct ip_spec *spec)
{
	static char line[512];
	char *words[WORDS_MAX];
	enum ip_object object;
	int n = 0;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	diag_init(d);
	assert_true(ip_object_find(words[0], &object));
	return ip_spec_parse(d, object, "here", words + 1, n - 1, spec);
}

static void parse_ok(const char *text, struct ip_spec *spec)
{
	struct diag d;

	if (parse(&d, text, spec))
		fail_msg("\"%s\": %s", text, d.text);
}

static void test_taken(void **state)
{
	struct ip_spec spec;

	parse_ok("link add name eth1 mtu 1400 numtxqueues 8 address 2:0:0:0:0:1 type veth peer eth2 netns b up", &spec);
	assert_int_equal(spec.op, IP_ADD);
	assert_string_equal(spec.kind, "veth");
	assert_string_equal(spec.dev.end.netns, "here");
	assert_string_equal(spec.dev.end.dev, "eth1");
	assert_int_equal(spec.dev.mtu, 1400);
	assert_int_equal(spec.dev.tx_queues, 8);
	assert_memory_equal(spec.dev.mac, "\2\0\0\0\0\1", 6);
	assert_int_equal(spec.dev.up, -1);
	assert_string_equal(spec.peer.end.netns, "b");
	assert_string_equal(spec.peer.end.dev, "eth2");
	assert_int_equal(spec.peer.up, 1);

	parse_ok("link add eth1 netns a type veth peer name eth1", &spec);
	assert_string_equal(spec.dev.end.netns, "a");
	assert_string_equal(spec.peer.end.netns, "here");

	parse_ok("link set dev eth1 down name eth2 netns b txqueuelen 0", &spec);
	assert_int_equal(spec.dev.up, 0);
	assert_string_equal(spec.name, "eth2");
	assert_true(spec.moves);
	assert_string_equal(spec.to, "b");
	assert_true(spec.dev.has_txqlen);

	parse_ok("link delete eth1", &spec);
	assert_int_equal(spec.op, IP_DEL);

	parse_ok("address add fe80::1/64 dev eth1 nodad", &spec);
	assert_int_equal(spec.object, IP_ADDR);
	assert_int_equal(spec.family, AF_INET6);
	assert_int_equal(spec.bits, 64);
	assert_true(spec.nodad);
	parse_ok("addr del local 10.0.0.1 dev eth1", &spec);
	assert_int_equal(spec.bits, 32);

	parse_ok("netns add a", &spec);
	assert_string_equal(spec.dev.end.netns, "a");
}

static void test_broadcast(void **state)
{
	static const struct {
		const char *addr;
		const char *brd;	/* NULL: none is sent */
	} cases[] = {
		{ "10.0.0.1/24", "10.0.0.255" }, { "10.1.2.3/8", "10.255.255.255" },
		{ "10.0.0.1/30", "10.0.0.3" }, { "10.0.0.1/31", NULL }, { "10.0.0.1/32", NULL },
		{ "10.0.0.1/0", "255.255.255.255" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct ip_numbers numbers = { 3, -1, -1 };
		struct nlattr *attr;
		struct ip_spec spec;
		struct nl_msg *msg;
		char line[64];

		snprintf(line, sizeof(line), "addr add %s brd + dev eth1", cases[i].addr);
		parse_ok(line, &spec);
		assert_int_equal(ip_spec_msg(&spec, &numbers, &msg), 0);
		assert_int_equal(nlmsg_hdr(msg)->nlmsg_type, RTM_NEWADDR);
		attr = nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct ifaddrmsg), IFA_BROADCAST);
		if (!cases[i].brd)
			assert_null(attr);
		else
			assert_int_equal(nla_get_u32(attr), inet_addr(cases[i].brd));
		nlmsg_free(msg);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *line;
		int word;	/* after the object's name */
		const char *say;
	} bad[] = {
		{ "link", -1, "add, set or del is needed" },
		{ "link foo", 0, "unknown word \"foo\": add, set or del" },
		{ "addr set 1.2.3.4 dev a", 0, "unknown word \"set\": add or del" },
		{ "netns", -1, "add or del is needed" },
		{ "netns add", 0, "a name is needed" },
		{ "netns add a/b", 1, "a/b" },
		{ "netns add a b", 2, "one word too many" },
		{ "link add", -1, "a name is needed" },
		{ "link add eth1", -1, "\"type veth\", dummy or ifb is needed" },
		{ "link add eth1 type", 2, "needs a value" },
		{ "link add eth1 type bridge", 3, "unknown type \"bridge\"" },
		{ "link add eth1 type ifb type ifb", 4, "twice" },
		{ "link add eth1 type ifb peer x", 4, "\"peer\" is of a veth" },
		{ "link add eth1 peer x type veth", 2, "\"peer\" is of a veth" },
		{ "link add eth1 type veth peer", 4, "needs the name of the other end" },
		{ "link add eth1 type veth peer mtu 1400", 6, "needs the name of the other end" },
		{ "link add eth1 eth2 type ifb", 2, "unknown word \"eth2\", and the device is \"eth1\" already" },
		{ "link add abcdefghijklmnop type ifb", 1, "too long" },
		{ "link add eth1 mtu 67 type ifb", 3, "less than 68" },
		{ "link add eth1 mtu x type ifb", 3, "mtu: \"x\"" },
		{ "link add eth1 address 1:2 type ifb", 3, "not a MAC address" },
		{ "link add eth1 numtxqueues 0 type ifb", 3, "less than 1" },
		{ "link add eth1 netns .. type ifb", 3, ".." },
		{ "link set", 0, "a device is needed" },
		{ "link set eth1", -1, "what is to be set" },
		{ "link set eth1 master br0", 2, "unknown word \"master\"" },
		{ "link set eth1 mtu", 2, "needs a value" },
		{ "link set eth1 name a/b", 3, "a/b" },
		{ "link del", 0, "a device is needed" },
		{ "link del a b", 2, "one word too many" },
		{ "addr add", -1, "an address is needed" },
		{ "addr add 10.0.0.1/24", -1, "\"dev D\" is needed" },
		{ "addr add 10.0.0.1/33 dev a", 1, "more than 32" },
		{ "addr add 10.0.0.256 dev a", 1, "not an IPv4 address" },
		{ "addr add fe80::g dev a", 1, "not an IPv6 address" },
		{ "addr add 10.0.0.1 foo dev a", 2, "unknown word \"foo\"" },
		{ "addr add 10.0.0.1 brd 1.2.3.4 dev a", 3, "only + is known" },
		{ "addr add fe80::1 brd + dev a", -1, "brd is of IPv4" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct ip_spec spec;
		struct diag d;

		if (!parse(&d, bad[i].line, &spec))
			fail_msg("\"%s\" was taken", bad[i].line);
		assert_int_equal(d.exit, EXIT_USAGE);
		if (d.word != bad[i].word)
			fail_msg("\"%s\": word %d is blamed: %s", bad[i].line, d.word, d.text);
		if (!strstr(d.text, bad[i].say))
			fail_msg("\"%s\": \"%s\" is not in: %s", bad[i].line, bad[i].say, d.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

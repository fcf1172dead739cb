// SPDX-License-Identifier: GPL-2.0-or-later
/* tc's words for a filter: what is taken, what becomes of it, what is refused and which word is to blame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "filters/filter-spec.h"
#include "filters/masked.h"
#include "filters/u32.h"
#include "pure/addr.h"
#include "pure/diag.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 64

/* @spec keeps pointers into nothing of this line but what it copied. */
static int parse(struct diag *d, enum tc_op op, const char *text, struct filter_spec *spec)
{
	static char line[1024];
	char *words[WORDS_MAX];
	int n = 0;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	diag_init(d);
	return filter_spec_parse(d, op, words, n, spec);
}

static void parse_ok(const char *text, struct filter_spec *spec)
{
	struct diag d;

	if (parse(&d, OP_ADD, text, spec))
		fail_msg("\"%s\": %s", text, d.text);
}

/* TCA_OPTIONS of the message that the words make; @msg is to be freed. */
static struct nlattr *options(struct filter_spec *spec, struct nl_msg **msg)
{
	assert_int_equal(filter_spec_msg(spec, OP_ADD, 3, msg), 0);
	return nlmsg_find_attr(nlmsg_hdr(*msg), sizeof(struct tcmsg), TCA_OPTIONS);
}

static void test_place(void **state)
{
	struct filter_spec spec;

	parse_ok("dev tx:eth1 parent 1:2 protocol ip prio 5 chain 3 handle 800::7 u32 match u32 0 0", &spec);
	assert_string_equal(spec.end.netns, "tx");
	assert_string_equal(spec.end.dev, "eth1");
	assert_int_equal(spec.parent, 0x10002);
	assert_int_equal(spec.protocol, ETH_P_IP);
	assert_int_equal(spec.prio, 5);
	assert_int_equal(spec.chain, 3);
	assert_int_equal(spec.handle, 0x80000007);
	assert_ptr_equal(spec.kind, &classifier_u32);
	filter_spec_free(&spec);

	parse_ok("egress matchall flowid 1:3", &spec);
	assert_int_equal(spec.parent, TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS));
	assert_int_equal(spec.protocol, ETH_P_ALL);	/* as tc */
	filter_spec_free(&spec);

	parse_ok("handle 0x10/0xf0 fw classid 1:1", &spec);
	assert_int_equal(spec.handle, 0x10);
	filter_spec_free(&spec);
}

static void test_message_head(void **state)
{
	struct filter_spec spec;
	struct nl_msg *msg;
	struct nlmsghdr *nlh;
	struct tcmsg *tcm;

	parse_ok("ingress protocol ipv6 pref 7 u32 match u32 0 0 action drop", &spec);
	assert_int_equal(filter_spec_msg(&spec, OP_REPLACE, 3, &msg), 0);
	nlh = nlmsg_hdr(msg);
	tcm = NLMSG_DATA(nlh);
	assert_int_equal(nlh->nlmsg_type, RTM_NEWTFILTER);
	assert_int_equal(nlh->nlmsg_flags, NLM_F_CREATE);
	assert_int_equal(tcm->tcm_ifindex, 3);
	assert_int_equal(tcm->tcm_parent, 0xfffffff2);
	assert_int_equal(tcm->tcm_info, 7 << 16 | htons(ETH_P_IPV6));
	nlmsg_free(msg);
	assert_int_equal(filter_spec_msg(&spec, OP_DEL, 3, &msg), 0);
	assert_int_equal(nlmsg_hdr(msg)->nlmsg_type, RTM_DELTFILTER);
	nlmsg_free(msg);
	filter_spec_free(&spec);
}

/* The keys that "match" makes, as tc -j shows them: value/mask@offset. */
static void test_u32_keys(void **state)
{
	static const struct {
		const char *words;
		const char *keys;
	} cases[] = {
		{ "ip dst 10.0.0.0/8", "0a000000/ff000000@16" },
		{ "ip src 10.1.2.3", "0a010203/ffffffff@12" },
		{ "ip src 10.1.2.3/24", "0a010200/ffffff00@12" },
		{ "ip dst 10/8", "0a000000/ff000000@16" },
		{ "ip dst 0.0.0.0/0", "00000000/00000000@16" },
		{ "ip dst 1.2.3.4 at 24", "01020304/ffffffff@24" },
		{ "ip sport 80 0xffff", "00500000/ffff0000@20" },
		{ "ip dport 80 ffff", "00000050/0000ffff@20" },
		{ "ip protocol 6 0xff", "00060000/00ff0000@8" },
		{ "ip tos 0x10 0xff", "00100000/00ff0000@0" },
		{ "ip ihl 5 0x0f", "05000000/0f000000@0" },
		{ "ip df", "00004000/00004000@4" },
		{ "ip nofrag", "00000000/00003fff@4" },
		{ "ip6 src 2001:db8::/32", "20010db8/ffffffff@8" },
		{ "ip6 src 2001:db8::/33", "20010db8/ffffffff@8 00000000/80000000@12" },
		{ "ip6 dst ::/0", "" },
		{ "ip6 dst fe80::1", "fe800000/ffffffff@24 00000000/ffffffff@28 00000000/ffffffff@32 00000001/ffffffff@36" },
		{ "ip6 priority 3 0xff", "00300000/0ff00000@0" },
		{ "ip6 flowlabel 5 0xfffff", "00000005/000fffff@0" },
		{ "ether dst 1:2:3:4:5:6", "00000102/0000ffff@-16 03040506/ffffffff@-12" },
		{ "ether src 1:2:3:4:5:6", "01020304/ffffffff@-8 05060000/ffff0000@-4" },
		{ "u8 3 f at -13", "00000003/0000000f@-16" },
		{ "u16 3 f at 2", "00000003/0000000f@0" },
		{ "u32 0xdeadbeef ffffffff at nexthdr+8", "deadbeef/ffffffff@+8" },
		{ "u32 1 1 at nexthdr+ 8", "00000001/00000001@+8" },
		/* two of the same four bytes become one key */
		{ "ip sport 1 0xffff match ip dport 2 0xffff", "00010002/ffffffff@20" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char line[256], keys[256] = "";
		const struct u32_cfg *c;
		struct filter_spec spec;

		snprintf(line, sizeof(line), "u32 match %s flowid 1:1", cases[i].words);
		parse_ok(line, &spec);
		c = spec.cfg;
		for (int k = 0; k < c->sel.nkeys; k++)
			snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), "%s%08x/%08x@%s%d",
				 k ? " " : "", ntohl(c->key[k].val), ntohl(c->key[k].mask),
				 c->key[k].offmask ? "+" : "", c->key[k].off);
		if (strcmp(keys, cases[i].keys))
			fail_msg("%s: %s", cases[i].words, keys);
		filter_spec_free(&spec);
	}
}

static void test_u32_terminal(void **state)
{
	static const struct {
		const char *line;
		int terminal;
	} cases[] = {
		{ "u32 match u32 0 0", 0 },
		{ "u32 match u32 0 0 classid 1:1", TC_U32_TERMINAL },
		{ "u32 match u32 0 0 action pass", TC_U32_TERMINAL },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct nlattr *tb[TCA_U32_MAX + 1];
		struct filter_spec spec;
		struct tc_u32_sel *sel;
		struct nl_msg *msg;

		parse_ok(cases[i].line, &spec);
		nla_parse_nested(tb, TCA_U32_MAX, options(&spec, &msg), NULL);
		assert_non_null(tb[TCA_U32_SEL]);
		sel = nla_data(tb[TCA_U32_SEL]);
		assert_int_equal(sel->flags & TC_U32_TERMINAL, cases[i].terminal);
		assert_int_equal(nla_len(tb[TCA_U32_SEL]), sizeof(*sel) + sizeof(struct tc_u32_key));
		nlmsg_free(msg);
		filter_spec_free(&spec);
	}
}

static void test_actions(void **state)
{
	struct filter_spec spec;

	parse_ok("matchall action skbedit priority 1:10 mark 3/0xff queue_mapping 2 pipe "
		 "action mirred egress redirect dev ifb0 index 4", &spec);
	assert_int_equal(spec.actions.n, 2);
	assert_ptr_equal(spec.actions.act[0].kind, &action_skbedit);
	assert_int_equal(spec.actions.act[0].control, TC_ACT_PIPE);
	assert_ptr_equal(spec.actions.act[1].kind, &action_mirred);
	assert_int_equal(spec.actions.act[1].control, TC_ACT_STOLEN);
	assert_int_equal(spec.actions.act[1].index, 4);
	assert_string_equal(spec.actions.act[1].dev, "ifb0");
	filter_spec_free(&spec);

	/* tc lets the second "action" be left out, and "gact" before its verdict */
	parse_ok("matchall action mirred egress mirror dev a continue drop flowid 1:1", &spec);
	assert_int_equal(spec.actions.n, 2);
	assert_int_equal(spec.actions.act[0].control, TC_ACT_UNSPEC);
	assert_ptr_equal(spec.actions.act[1].kind, &action_gact);
	assert_int_equal(spec.actions.act[1].control, TC_ACT_SHOT);
	assert_int_equal(spec.classid, 0x10001);
	filter_spec_free(&spec);

	parse_ok("matchall action gact goto chain 5", &spec);
	assert_int_equal(spec.actions.act[0].control, TC_ACT_GOTO_CHAIN | 5);
	filter_spec_free(&spec);
}

/* The attribute @type of flower that the words make, as hex. */
static void flower_attr(const char *words, int type, char *hex)
{
	struct nlattr *tb[TCA_FLOWER_MAX + 1];
	struct filter_spec spec;
	struct nl_msg *msg;

	parse_ok(words, &spec);
	nla_parse_nested(tb, TCA_FLOWER_MAX, options(&spec, &msg), NULL);
	*hex = '\0';
	for (int i = 0; tb[type] && i < nla_len(tb[type]); i++)
		sprintf(hex + 2 * i, "%02x", ((uint8_t *)nla_data(tb[type]))[i]);
	nlmsg_free(msg);
	filter_spec_free(&spec);
}

static void test_flower(void **state)
{
	static const struct {
		const char *words;
		int type;
		const char *hex;
	} cases[] = {
		{ "protocol ip flower", TCA_FLOWER_KEY_ETH_TYPE, "0800" },
		{ "protocol all flower", TCA_FLOWER_KEY_ETH_TYPE, "" },
		{ "protocol ip flower", TCA_FLOWER_FLAGS, "00000000" },
		{ "protocol ip flower skip_hw", TCA_FLOWER_FLAGS, "01000000" },
		{ "protocol ip flower dst_ip 10.0.0.0/9", TCA_FLOWER_KEY_IPV4_DST, "0a000000" },
		{ "protocol ip flower dst_ip 10.0.0.0/9", TCA_FLOWER_KEY_IPV4_DST_MASK, "ff800000" },
		{ "protocol ipv6 flower src_ip fe80::/10", TCA_FLOWER_KEY_IPV6_SRC_MASK,
		  "ffc00000000000000000000000000000" },
		{ "protocol ip flower ip_proto tcp dst_port 80", TCA_FLOWER_KEY_TCP_DST, "0050" },
		{ "protocol ip flower ip_proto udp src_port 80/0xfff0", TCA_FLOWER_KEY_UDP_SRC_MASK, "fff0" },
		{ "protocol ip flower ip_proto 11 dst_port 5-9", TCA_FLOWER_KEY_PORT_DST_MAX, "0009" },
		{ "protocol ip flower ip_proto 2f", TCA_FLOWER_KEY_IP_PROTO, "2f" },
		{ "protocol ip flower ip_tos 10/fc", TCA_FLOWER_KEY_IP_TOS, "0a" },
		{ "protocol ip flower ip_tos 0x10/0xfc", TCA_FLOWER_KEY_IP_TOS_MASK, "fc" },
		{ "protocol ip flower ip_ttl 64", TCA_FLOWER_KEY_IP_TTL_MASK, "ff" },
		{ "flower dst_mac 1:2:3:4:5:6/24", TCA_FLOWER_KEY_ETH_DST_MASK, "ffffff000000" },
		{ "flower src_mac 1:2:3:4:5:6/0:0:0:0:0:1", TCA_FLOWER_KEY_ETH_SRC_MASK, "000000000001" },
		{ "protocol 802.1Q flower vlan_id 5", TCA_FLOWER_KEY_VLAN_ID, "0500" },
		{ "protocol 802.1Q flower vlan_ethtype ip dst_ip 1.2.3.4", TCA_FLOWER_KEY_IPV4_DST, "01020304" },
		{ "protocol 802.1Q flower vlan_ethtype ip dst_ip 1.2.3.4", TCA_FLOWER_KEY_ETH_TYPE, "8100" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char hex[64];

		flower_attr(cases[i].words, cases[i].type, hex);
		if (strcmp(hex, cases[i].hex))
			fail_msg("%s: %s", cases[i].words, hex);
	}
}

static void test_masks(void **state)
{
	uint8_t mask[16];

	for (unsigned int bits = 0; bits <= 128; bits++) {
		mask_of_bits(mask, 16, bits);
		assert_int_equal(bits_of_mask(mask, 16), bits);
	}
	assert_int_equal(bits_of_mask((const uint8_t *)"\xf0\x0f", 2), -1);
}

static void test_refused(void **state)
{
	static const struct {
		enum tc_op op;
		const char *line;
		int word;
		const char *say;
	} bad[] = {
		{ OP_ADD, "foo", 0, "unknown word \"foo\"" },
		{ OP_ADD, "prio 3", -1, "a classifier is needed: matchall, u32" },
		{ OP_ADD, "parent 1: handle 5", -1, "a handle needs the kind" },
		{ OP_ADD, "root ingress u32", 1, "twice" },
		{ OP_ADD, "parent 1: egress u32", 2, "twice" },
		{ OP_ADD, "dev a dev b u32", 2, "twice" },
		{ OP_ADD, "prio 1 pref 2 u32", 2, "twice" },
		{ OP_ADD, "prio 0 u32", 1, "less than 1" },
		{ OP_ADD, "prio 65536 u32", 1, "more than 65535" },
		{ OP_ADD, "protocol foo u32", 1, "unknown protocol \"foo\"" },
		{ OP_ADD, "protocol 0x10000 u32", 1, "more than" },
		{ OP_ADD, "protocol", 0, "needs a value" },
		{ OP_ADD, "parent 1 u32", 1, "colon" },
		{ OP_ADD, "chain x u32", 1, "chain: \"x\"" },
		{ OP_ADD, "dev a/b u32", 1, "a/b" },
		{ OP_ADD, "u32 flowid 1:1", -1, "\"match\" is needed" },
		{ OP_ADD, "u32 match", 1, "needs what is to be compared" },
		{ OP_ADD, "u32 match foo 1 2", 2, "unknown word \"foo\"" },
		{ OP_ADD, "u32 match ip", 2, "\"ip\" needs what is to be compared" },
		{ OP_ADD, "u32 match ip foo", 3, "unknown word \"foo\" after \"ip\"" },
		{ OP_ADD, "u32 match ip dst", 3, "\"dst\" needs an address" },
		{ OP_ADD, "u32 match ip dst 1.2.3", -1, NULL },	/* tc's short form: taken */
		{ OP_ADD, "u32 match ip dst 1.2.3.256", 4, "not an IPv4 address" },
		{ OP_ADD, "u32 match ip dst fe80::1", 4, "not an IPv4 address" },
		{ OP_ADD, "u32 match ip dst 1.2.3.4/33", 4, "more than 32" },
		{ OP_ADD, "u32 match ip6 dst 1.2.3.4", 4, "not an IPv6 address" },
		{ OP_ADD, "u32 match ip dst 1.2.3.4 at 3", 6, "multiple of 4" },
		{ OP_ADD, "u32 match ip dport 80", 3, "needs a value and a mask" },
		{ OP_ADD, "u32 match ip dport 80 0x1ffff", 5, "more than 0xffff" },
		{ OP_ADD, "u32 match ip dport 65536 ffff", 4, "more than 65535" },
		{ OP_ADD, "u32 match ip dport 80 zz", 5, "not a hex number" },
		{ OP_ADD, "u32 match ip protocol 6 0x100", 5, "more than 0xff" },
		{ OP_ADD, "u32 match u32 1 1 at", 5, "\"at\" needs an offset" },
		{ OP_ADD, "u32 match u32 1 1 at x", 6, "not an offset" },
		{ OP_ADD, "u32 match u32 1 1 at 2", 3, "two keys" },
		{ OP_ADD, "u32 match u16 1 1 at 3", 3, "two keys" },
		{ OP_ADD, "u32 match u8 1 1 match u8 0 1", 7, "contradicts" },
		{ OP_ADD, "u32 match mark 3 1", 3, "bits that the mask has not" },
		{ OP_ADD, "u32 match u32 0 0 flowid", 5, "needs a class" },
		{ OP_ADD, "u32 match u32 0 0 flowid 1", 6, "colon" },
		{ OP_ADD, "u32 match u32 0 0 flowid 1:1 classid 1:2", 7, "twice" },
		{ OP_ADD, "u32 match u32 0 0 divisor 1", 5, "unknown word \"divisor\"" },
		{ OP_ADD, "handle 5 u32 match u32 0 0", 1, "handle: \"5\": not TABLE:BUCKET:NODE" },
		{ OP_ADD, "handle 800:100:1 u32 match u32 0 0", 1, "not TABLE:BUCKET:NODE" },
		{ OP_ADD, "handle 800::1000 u32 match u32 0 0", 1, "not TABLE:BUCKET:NODE" },
		{ OP_ADD, "matchall", -1, "\"classid H\" or \"action ...\" is needed" },
		{ OP_ADD, "matchall match u32 0 0", 1, "unknown word \"match\"" },
		{ OP_ADD, "matchall skip_hw skip_sw", -1, "exclude each other" },
		{ OP_ADD, "matchall action", 1, "needs an action: mirred, skbedit, gact" },
		{ OP_ADD, "matchall action foo", 2, "unknown action \"foo\"" },
		{ OP_ADD, "matchall action mirred", 2, "\"egress\" or \"ingress\" is needed" },
		{ OP_ADD, "matchall action mirred egress", 3, "\"redirect\" or \"mirror\" is needed" },
		{ OP_ADD, "matchall action mirred egress foo", 4, "\"redirect\" or \"mirror\" is needed" },
		{ OP_ADD, "matchall action mirred egress redirect", 4, "\"dev D\" is needed" },
		{ OP_ADD, "matchall action mirred egress redirect dev", 5, "needs a value" },
		{ OP_ADD, "matchall action mirred egress redirect dev a/b", 6, "a/b" },
		{ OP_ADD, "matchall action mirred egress redirect dev a index 0", 8, "less than 1" },
		{ OP_ADD, "matchall action skbedit", 2, "is needed after \"skbedit\"" },
		{ OP_ADD, "matchall action skbedit mark", 3, "needs a value" },
		{ OP_ADD, "matchall action skbedit mark 1/x", 4, "mark: \"1/x\"" },
		{ OP_ADD, "matchall action skbedit mark 1 mark 2", 5, "twice" },
		{ OP_ADD, "matchall action skbedit priority 1:10000", 4, "1:10000" },
		{ OP_ADD, "matchall action skbedit queue_mapping 65536", 4, "more than 65535" },
		{ OP_ADD, "matchall action skbedit ptype foo", 4, "host, broadcast" },
		{ OP_ADD, "matchall action gact", 2, "is needed after \"gact\"" },
		{ OP_ADD, "matchall action goto 5", 2, "\"goto\" needs \"chain N\"" },
		{ OP_ADD, "handle 1/2/3 fw classid 1:1", 1, "handle: \"1/2/3\"" },
		{ OP_ADD, "handle -1 fw classid 1:1", 1, "\"-1\"" },
		{ OP_ADD, "fw skip_hw", -1, "not for it" },
		{ OP_ADD, "fw indev", 1, "needs a value" },
		{ OP_ADD, "flower foo", 1, "unknown word \"foo\"" },
		{ OP_ADD, "flower ip_proto tcp", 1, "needs \"protocol ip\"" },
		{ OP_ADD, "flower dst_ip 1.2.3.4", 1, "needs \"protocol ip\"" },
		{ OP_ADD, "protocol arp flower dst_ip 1.2.3.4", 3, "needs \"protocol ip\"" },
		{ OP_ADD, "protocol ip flower dst_port 80", 3, "needs \"ip_proto tcp\"" },
		{ OP_ADD, "protocol ip flower ip_proto icmp dst_port 80", 5, "needs \"ip_proto tcp\"" },
		{ OP_ADD, "protocol ip flower ip_proto foo", 4, "neither tcp" },
		{ OP_ADD, "protocol ip flower ip_proto 100", 4, "more than 0xff" },
		{ OP_ADD, "protocol ip flower ip_tos 256", 4, "more than 255" },
		{ OP_ADD, "protocol ip flower ip_tos 1/100", 4, "more than 0xff" },
		{ OP_ADD, "protocol ip flower ip_proto tcp dst_port 9-5", 6, "\"9-5\"" },
		{ OP_ADD, "protocol ip flower ip_proto tcp dst_port 65536", 6, "more than" },
		{ OP_ADD, "protocol ip flower dst_ip fe80::1", 4, "not an IPv4 address" },
		{ OP_ADD, "protocol ip flower vlan_id 5", 3, "needs \"protocol 802.1Q\"" },
		{ OP_ADD, "protocol 802.1Q flower vlan_id 4096", 4, "more than 4095" },
		{ OP_ADD, "flower dst_mac 1:2:3", 2, "not a MAC address" },
		{ OP_ADD, "flower dst_mac 1:2:3:4:5:6/49", 2, "more than 48" },
		{ OP_ADD, "flower dst_mac 1:2:3:4:5:6 dst_mac 1:2:3:4:5:6", 3, "twice" },
		{ OP_CHANGE, "handle 800::800 u32 match u32 0 0", -1, "\"prio N\" of the filter is needed" },
		{ OP_DEL, "handle 800::800", -1, "a handle needs the kind" },
		{ OP_SHOW, "parent 1: u32", -1, "show takes" },
		{ OP_SHOW, "handle 800::800", -1, "show takes" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct filter_spec spec;
		struct diag d;
		int err = parse(&d, bad[i].op, bad[i].line, &spec);

		filter_spec_free(&spec);
		if (!bad[i].say) {
			assert_int_equal(err, 0);
			continue;
		}
		if (!err)
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
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_message_head),
		cmocka_unit_test(test_u32_keys),
		cmocka_unit_test(test_u32_terminal),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_flower),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

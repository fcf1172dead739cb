// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * htb, hfsc, drr, prio and cbq: the bytes that their words become, held against
 * those of tc 6.1, and what the kernel's bytes are shown as.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/cbq.h"
#include "kinds/rtab.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/doc.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 40
#define ATTRS_MAX 4

/* The message of "qdisc|class VERB WORDS"; @kind becomes that of the words. */
static struct nl_msg *message(const char *text, const struct kind **kind)
{
	char *words[WORDS_MAX];
	enum tc_object object;
	enum tc_op op = OP_ADD;
	struct tc_spec spec;
	struct nl_msg *msg;
	char line[512];
	struct diag d;
	int n = 0;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	object = strcmp(words[0], "class") ? OBJECT_QDISC : OBJECT_CLASS;
	while (strcmp(words[1], tc_op_name(op)))
		op++;
	diag_init(&d);
	if (tc_spec_parse(&d, NULL, object, op, words + 2, n - 2, &spec))
		fail_msg("%s: %s", text, d.text);
	assert_int_equal(tc_spec_msg(&spec, op, 7, &msg), 0);
	*kind = spec.kind;
	tc_spec_free(&spec);
	diag_free(&d);
	return msg;
}

static struct nlattr *options(struct nl_msg *msg)
{
	return nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_OPTIONS);
}

static void assert_hex(const char *line, int type, struct nlattr *attr, const char *hex)
{
	char got[4096] = "";

	if (!attr)
		fail_msg("%s: no attribute %d", line, type);
	for (int i = 0; i < nla_len(attr); i++)
		sprintf(got + 2 * i, "%02x", ((unsigned char *)nla_data(attr))[i]);
	if (strcmp(got, hex))
		fail_msg("%s: attribute %d is %s, not %s", line, type, got, hex);
}

/* What tc 6.1 sends for the words, seen with strace (little-endian); type 0: no attributes but the bytes. */
static const struct {
	const char *line;
	struct {
		int type;
		const char *hex;
	} attrs[ATTRS_MAX];
	/* of cbq's rate table: the first, the last, the sum */
	uint32_t first, last, sum;
} sent[] = {
	{ "qdisc add root handle 1: htb",
	  { { 2, "030000000a000000000000000000000000000000" } } },
	{ "qdisc add root handle 1: htb default 10 r2q 5 direct_qlen 100 offload",
	  { { 2, "0300000005000000100000000000000000000000" },
	    { 5, "64000000" },
	    { 9, "" } } },
	{ "qdisc add root handle 1: htb default 0xfe",
	  { { 2, "030000000a000000fe0000000000000000000000" } } },
	{ "class add parent 1: classid 1:1 htb rate 8mbit",
	  { { 1, "03010000ffff000040420f0003010000ffff000040420f00a8610000a8610000000000000000000000000000" } } },
	{ "class add parent 1: classid 1:1 htb rate 1mbit ceil 16mbit burst 16k/8 cburst 32k prio 3 quantum 1514 mtu 9000 mpu 64 overhead 4 linklayer atm",
	  { { 1, "03020400ffff400048e8010006020400ffff400080841e0000401f0000e80300ea0500000000000003000000" } } },
	{ "class add parent 1: classid 1:1 htb rate 20kbit buffer 1000 cmaxburst 2000 linklayer ethernet",
	  { { 1, "03010000ffff0000c409000003010000ffff0000c4090000105e5f0020bcbe00000000000000000000000000" } } },
	{ "class replace parent 1: classid 1:1 htb rate 1mbps mtu 2048",
	  { { 1, "04010000ffff000040420f0004010000ffff000040420f00007d0000007d0000000000000000000000000000" } } },
	{ "class add parent 1: classid 1:1 htb rate 40gbit ceil 100gbit burst 32000000 cburst 32000000",
	  { { 1, "03010000ffff0000ffffffff03010000ffff0000ffffffffa0860100409c0000000000000000000000000000" },
	    { 6, "00f2052a01000000" },
	    { 7, "00dd0ee902000000" } } },
	{ "qdisc add root handle 1: hfsc",
	  { { 0, "0000" } } },
	{ "qdisc add root handle 1: hfsc default fe",
	  { { 0, "fe00" } } },
	{ "class add parent 1: classid 1:1 hfsc sc rate 20kbit ul rate 10kbit",
	  { { 1, "0000000000000000c4090000" },
	    { 2, "0000000000000000c4090000" },
	    { 3, "0000000000000000e2040000" } } },
	{ "class add parent 1: classid 1:1 hfsc sc umax 1540 dmax 5ms rate 10kbit ul rate 10kbit",
	  { { 1, "20b3040088130000e2040000" },
	    { 2, "20b3040088130000e2040000" },
	    { 3, "0000000000000000e2040000" } } },
	{ "class add parent 1: classid 1:1 hfsc rt m1 2mbit d 10ms m2 1mbit ls m2 500kbit",
	  { { 1, "90d003001027000048e80100" },
	    { 2, "000000000000000024f40000" } } },
	{ "class add parent 1: classid 1:1 hfsc rt umax 1500 dmax 30ms rate 10mbit ls m1 0bit d 1s m2 1mbit ul m1 10mbit m2 5mbit",
	  { { 1, "0000000080700000d0121300" },
	    { 2, "0000000040420f0048e80100" },
	    { 3, "d01213000000000068890900" } } },
	{ "class add parent 1: classid 1:1 hfsc ls dmax 30ms rate 10mbit",
	  { { 2, "0000000030750000d0121300" } } },
	{ "class add parent 1: classid 1:1 hfsc ls m1 1mbit d 1ms m2 0bit",
	  { { 2, "48e80100e803000000000000" } } },
	{ "class add parent 1: classid 1:1 hfsc ls umax 333b dmax 7us rate 34359738360bit",
	  { { 2, "0000000007000000ffffffff" } } },
	{ "qdisc add root handle 1: prio",
	  { { 0, "030000000102020201020000010101010101010104000200" } } },
	{ "qdisc add root handle 1: prio bands 8 priomap 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 0",
	  { { 0, "080000000101020203030404050506060707000004000200" } } },
	{ "qdisc add root handle 1: prio priomap 2 2 bands 4",
	  { { 0, "040000000202020201020000010101010101010104000200" } } },
	{ "class add parent 1: classid 1:1 drr quantum 1500",
	  { { 1, "dc050000" } } },
	{ "class add parent 1: classid 1:1 drr quantum 2kb",
	  { { 1, "00080000" } } },
	{ "qdisc add root handle 1: cbq bandwidth 10mbit avpkt 1000",
	  { { 1, "26000500d43000000000000000000000e8030000" },
	    { 5, "03010000ffff0000d0121300" } }, 93, 25593, 3287859 },
	{ "qdisc add root handle 1: cbq rate 100mbit avpkt 1500 mpu 64 ewma 6 overhead 4 linklayer atm",
	  { { 1, "26000600530700000000000000000000dc050000" },
	    { 5, "04020400ffff400020bcbe00" } }, 125, 5687, 730265 },
	{ "qdisc add root handle 1: cbq bandwidth 33333kbit avpkt 1234 cell 8 allot 9000",
	  { { 1, "26000500111200000000000000000000d2040000" },
	    { 5, "03010000ffff0000e1933f00" } }, 15, 7671, 984829 },
	{ "class add parent 1: classid 1:1 cbq bandwidth 10mbit rate 5mbit avpkt 1000 prio 5 bounded isolated weight 500kbit allot 1514 maxburst 20 minburst 2",
	  { { 1, "37030500dd690500000000002e630000e8030000" },
	    { 2, "00050000ea05000000fa0000" },
	    { 5, "03010000ffff000068890900" } }, 187, 51187, 6577453 },
	{ "class add parent 1:1 classid 1:2 cbq bandwidth 10mbit rate 1mbit avpkt 1000 maxburst 20 minburst 1 ewma 3 cell 8",
	  { { 1, "37000300bdb1b80000000000be3e0000e8030000" },
	    { 2, "00080000dc05000001000000" },
	    { 5, "03010000ffff000048e80100" } }, 1000, 256000, 32895968 },
	{ "class add parent 1:1 classid 1:2 cbq bandwidth 10mbit rate 10mbit avpkt 1000 minburst 10 borrow sharing",
	  { { 1, "33000500000000000000000000000000e8030000" },
	    { 2, "00080000dc05000001000000" },
	    { 5, "03010000ffff0000d0121300" } }, 93, 25593, 3287859 },
	{ "class add parent 1:1 classid 1:2 cbq rate 10mbit allot 1514 minidle 100 prio 8",
	  { { 1, "0b00050000000000800c00000000000000000000" },
	    { 2, "00080000ea05000001000000" },
	    { 5, "03010000ffff0000d0121300" } }, 93, 25593, 3287859 },
	{ "class add parent 1:1 cbq rate 10mbit allot 1514 prio 3 mpu 64 overhead 8 linklayer adsl split 1:0 defmap 3f/ff",
	  { { 2, "00030000ea050000d0121300" },
	    { 3, "000001003f000000ff000000" },
	    { 5, "03020800ffff4000d0121300" } }, 1312, 28484, 3705584 },
	{ "class change parent 1:1 classid 1:2 cbq prio 4 allot 2000",
	  { { 2, "00040000d007000000000000" } } },
	{ "class change classid 1:2 cbq defmap 1",
	  { { 3, "0000000001000000ffffffff" } } },
	{ "class change classid 1:2 cbq bounded",
	  { { 1, "0101050000000000000000000000000000000000" } } },
};

static void test_sent(void **state)
{
	for (size_t i = 0; i < COUNT(sent); i++) {
		const struct kind *kind;
		struct nl_msg *msg = message(sent[i].line, &kind);
		struct nlattr *opts = options(msg);
		int rem = nla_len(opts), n = 0, want = 0;
		struct nlattr *attr;

		if (sent[i].attrs[0].type)
			nla_for_each_nested(attr, opts, rem)
				n++;
		for (int a = 0; a < ATTRS_MAX && sent[i].attrs[a].hex; a++, want++) {
			int type = sent[i].attrs[a].type;

			assert_hex(sent[i].line, type,
				   type ? nla_find(nla_data(opts), nla_len(opts), type) : opts,
				   sent[i].attrs[a].hex);
		}
		want += sent[i].sum != 0;
		if (sent[i].attrs[0].type && n != want)
			fail_msg("%s: %d attributes, not %d", sent[i].line, n, want);
		if (sent[i].sum) {
			uint32_t rtab[RTAB_LEN], sum = 0;

			attr = nla_find(nla_data(opts), nla_len(opts), CBQ_RTAB);
			assert_int_equal(nla_len(attr), sizeof(rtab));
			memcpy(rtab, nla_data(attr), sizeof(rtab));
			for (int k = 0; k < RTAB_LEN; k++)
				sum += rtab[k];
			assert_int_equal(rtab[0], sent[i].first);
			assert_int_equal(rtab[RTAB_LEN - 1], sent[i].last);
			assert_int_equal(sum, sent[i].sum);
		}
		nlmsg_free(msg);
	}
}

/* Where qbed is exact and tc 6.1 is not: docs/differences.md. */
static const struct {
	const char *line;
	int type;
	const char *hex;
} exact[] = {
	/* 1600 bytes are 12.8 us: 200 ticks, where tc 6.1 has 187 */
	{ "class add parent 1: classid 1:1 htb rate 1gbit burst 15k", 1,
	  "03010000ffff00004059730703010000ffff00004059730780070000c8000000000000000000000000000000" },
	/* a bucket is never empty, whatever the rate: 1605 and 1612 bytes, rounded up to ticks */
	{ "class add parent 1: classid 1:1 htb rate 40gbit ceil 100gbit", 1,
	  "03010000ffff0000ffffffff03010000ffff0000ffffffff0600000003000000000000000000000000000000" },
	/* 9000 bytes at 10mbit are 7.2 ms of the 100: 92800 us, where tc 6.1 wraps */
	{ "class add parent 1: classid 1:1 hfsc ls umax 9000 dmax 100ms rate 10mbit", 2,
	  "00000000806a0100d0121300" },
};

static void test_exact(void **state)
{
	for (size_t i = 0; i < COUNT(exact); i++) {
		const struct kind *kind;
		struct nl_msg *msg = message(exact[i].line, &kind);
		struct nlattr *opts = options(msg);

		assert_hex(exact[i].line, exact[i].type,
			   nla_find(nla_data(opts), nla_len(opts), exact[i].type), exact[i].hex);
		nlmsg_free(msg);
	}
}

/* A drr without a quantum has options, empty ones; the qdisc has none. */
static void test_drr_bare(void **state)
{
	const struct kind *kind;
	struct nl_msg *msg = message("class add parent 1: classid 1:1 drr", &kind);

	assert_non_null(options(msg));
	assert_int_equal(nla_len(options(msg)), 0);
	nlmsg_free(msg);
	msg = message("qdisc add root handle 1: drr", &kind);
	assert_null(options(msg));
	nlmsg_free(msg);
}

/* An add fails when the class is there, a replace makes or changes it, a change needs it. */
static void test_flags(void **state)
{
	static const struct {
		const char *line;
		int type, flags;
	} flags[] = {
		{ "class add parent 1: classid 1:1 drr", RTM_NEWTCLASS, NLM_F_CREATE | NLM_F_EXCL },
		{ "class replace parent 1: classid 1:1 drr", RTM_NEWTCLASS, NLM_F_CREATE },
		{ "class change classid 1:1 drr", RTM_NEWTCLASS, 0 },
		{ "class del classid 1:1", RTM_DELTCLASS, 0 },
	};

	for (size_t i = 0; i < COUNT(flags); i++) {
		const struct kind *kind;
		struct nl_msg *msg = message(flags[i].line, &kind);
		const struct nlmsghdr *nlh = nlmsg_hdr(msg);
		const struct tcmsg *tcm = nlmsg_data(nlh);

		assert_int_equal(nlh->nlmsg_type, flags[i].type);
		assert_int_equal(nlh->nlmsg_flags & ~NLM_F_REQUEST, flags[i].flags);
		assert_int_equal(tcm->tcm_handle, 0x10001);
		nlmsg_free(msg);
	}
}

enum { SHORT, LONG };

/* What the words become is shown like this. */
static const struct {
	const char *line;
	int details;
	const char *text;
	const char *json;
} shown[] = {
	{ "qdisc add root htb", SHORT, " r2q 10 default 0 direct_packets_stat 0",
	  "{\"r2q\":10,\"default\":\"0\",\"direct_packets_stat\":0}" },
	{ "qdisc add root htb default a0 direct_qlen 5 offload", SHORT,
	  " r2q 10 default 0xa0 direct_packets_stat 0 direct_qlen 5 offload",
	  "{\"r2q\":10,\"default\":\"0xa0\",\"direct_packets_stat\":0,\"direct_qlen\":5,\"offload\":null}" },
	{ "class add parent 1: classid 1:1 htb rate 8mbit ceil 100gbit burst 4k cburst 32000000", SHORT,
	  " prio 0 rate 8Mbit ceil 100Gbit burst 4Kb cburst 31250Kb",
	  "{\"prio\":0,\"rate\":1000000,\"ceil\":12500000000,\"burst\":4096,\"cburst\":32000000}" },
	{ "class add parent 1: classid 1:1 htb rate 8mbit prio 2 quantum 3000 overhead 8 mpu 64 linklayer atm", LONG,
	  " prio 2 quantum 3000 rate 8Mbit overhead 8 ceil 8Mbit linklayer atm burst 1600b/8 mpu 64b cburst 1600b/8 mpu 64b level 0",
	  "{\"prio\":2,\"quantum\":3000,\"rate\":1000000,\"overhead\":8,\"ceil\":1000000,\"linklayer\":\"atm\",\"burst\":1600,\"burst_cell\":8,\"mpu_rate\":64,\"cburst\":1600,\"cburst_cell\":8,\"mpu_ceil\":64,\"level\":0}" },
	{ "qdisc add root hfsc", SHORT, "", "{}" },
	{ "qdisc add root hfsc default 1f", SHORT, " default 1f", "{\"default\":\"0x1f\"}" },
	{ "class add parent 1: classid 1:1 hfsc sc m1 2mbit d 10ms m2 1mbit ul rate 10mbit", SHORT,
	  " sc m1 2Mbit d 10ms m2 1Mbit ul m1 0bit d 0us m2 10Mbit",
	  "{\"sc\":{\"m1\":250000,\"d\":10000,\"m2\":125000},\"ul\":{\"m1\":0,\"d\":0,\"m2\":1250000}}" },
	{ "class add parent 1: classid 1:1 hfsc rt rate 1mbit ls rate 2mbit", SHORT,
	  " rt m1 0bit d 0us m2 1Mbit ls m1 0bit d 0us m2 2Mbit",
	  "{\"rt\":{\"m1\":0,\"d\":0,\"m2\":125000},\"ls\":{\"m1\":0,\"d\":0,\"m2\":250000}}" },
	{ "qdisc add root prio bands 4 priomap 3 2 1 0", SHORT,
	  " bands 4 priomap 3 2 1 0 1 2 0 0 1 1 1 1 1 1 1 1",
	  "{\"bands\":4,\"priomap\":[3,2,1,0,1,2,0,0,1,1,1,1,1,1,1,1],\"multiqueue\":false}" },
	{ "class add parent 1: classid 1:1 drr quantum 1500", SHORT, " quantum 1500b", "{\"quantum\":1500}" },
	{ "qdisc add root cbq bandwidth 10mbit avpkt 1000", SHORT, " rate 10Mbit", "{\"rate\":1250000}" },
	{ "class add parent 1: classid 1:1 cbq rate 5mbit allot 1514 prio 5 bounded isolated", SHORT,
	  " rate 5Mbit (bounded,isolated) prio 5",
	  "{\"rate\":625000,\"bounded\":true,\"isolated\":true,\"prio\":5}" },
	{ "class add parent 1: classid 1:1 cbq bandwidth 10mbit rate 5mbit avpkt 1000 maxburst 20 minburst 2 mpu 64 overhead 8 linklayer atm split 1: defmap 3f", LONG,
	  " rate 5Mbit linklayer atm cell 8b mpu 64b overhead 8b prio no-transmit/0 allot 1500b\nlevel 0 ewma 5 avpkt 1000b maxidle 709.504us minidle 0s offtime 1.62496ms\nsplit 1: defmap 0000003f",
	  "{\"rate\":625000,\"linklayer\":\"atm\",\"cell\":8,\"mpu\":64,\"overhead\":8,\"prio\":\"no-transmit\",\"cprio\":0,\"allot\":1500,\"level\":0,\"ewma\":5,\"avpkt\":1000,\"maxidle_ns\":709504,\"minidle_ns\":0,\"offtime_ns\":1624960,\"split\":\"1:\",\"defmap\":\"0000003f\"}" },
};

static void test_shown(void **state)
{
	for (size_t i = 0; i < COUNT(shown); i++) {
		struct doc *doc = doc_new();
		const struct kind *kind;
		struct nl_msg *msg = message(shown[i].line, &kind);
		char *json;

		doc_open_object(doc, NULL);
		if (shown[i].line[0] == 'c')
			kind->class->show(doc, options(msg), shown[i].details == LONG);
		else
			kind->show(doc, options(msg));
		doc_close_object(doc);
		json = doc_as_json(doc);
		assert_string_equal(doc_as_text(doc), shown[i].text);
		assert_string_equal(json, shown[i].json);
		free(json);
		doc_free(doc);
		nlmsg_free(msg);
	}
}

/* An attribute of @len bytes that all are @byte. */
static struct nlattr *filled(size_t len, int byte)
{
	struct nlattr *attr = calloc(1, NLA_HDRLEN + len);

	assert_non_null(attr);
	attr->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memset((char *)attr + NLA_HDRLEN, byte, len);
	return attr;
}

static void test_counters(void **state)
{
	static const struct {
		const struct kind *kind;
		size_t len;
		const char *text;
	} counters[] = {
		{ &kind_htb, 20, "\n lended: 16843009 borrowed: 16843009 giants: 16843009\n tokens: 16843009 ctokens: 16843009\n" },
		{ &kind_hfsc, 24, "\n period 16843009 work 72340172838076673 bytes rtwork 72340172838076673 bytes level 16843009\n" },
		{ &kind_drr, 4, "\n deficit 16843009b" },
		{ &kind_cbq, 16, "\n  borrowed 16843009 overactions 16843009 avgidle 16843009 undertime 16843009" },
	};

	for (size_t i = 0; i < COUNT(counters); i++) {
		for (size_t len = 0; len <= counters[i].len; len++) {
			struct nlattr *app = filled(len, 0x01);
			struct doc *doc = doc_new();

			doc_open_object(doc, NULL);
			counters[i].kind->class->xstats(doc, app);
			assert_string_equal(doc_as_text(doc),
					    len < counters[i].len ? "" : counters[i].text);
			doc_free(doc);
			free(app);
		}
	}
}

/* Whatever length the kernel's attributes have, nothing beyond them is read (ASan watches). */
static void test_short_attributes(void **state)
{
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		const struct kind_class *class = (*kind)->class;

		for (size_t len = 0; class && class->show && len <= 64; len++) {
			for (int type = 0; type <= 10; type++) {
				struct nlattr *opts = filled(NLA_HDRLEN + len, 0x11);
				struct nlattr *in = nla_data(opts);
				struct doc *doc = doc_new();

				in->nla_type = (uint16_t)type;
				in->nla_len = (uint16_t)(NLA_HDRLEN + len);
				doc_open_object(doc, NULL);
				class->show(doc, opts, true);
				class->show(doc, NULL, true);
				doc_free(doc);
				free(opts);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sent),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_drr_bare),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_short_attributes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

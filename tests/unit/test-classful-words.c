// SPDX-License-Identifier: GPL-2.0-or-later
/* Words of classes and of the qdiscs that have them: what is taken, refused and warned of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/spec.h"
#include "pure/diag.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 40

/* "qdisc|class VERB WORDS"; the index of a blamed word counts from the first of WORDS. */
static int parse(struct diag *d, const char *text, struct tc_spec *spec)
{
	static char line[512];
	char *words[WORDS_MAX];
	enum tc_op op = OP_ADD;
	int n = 0;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	while (strcmp(words[1], tc_op_name(op)))
		op++;
	diag_init(d);
	return tc_spec_parse(d, NULL, strcmp(words[0], "class") ? OBJECT_QDISC : OBJECT_CLASS, op,
			     words + 2, n - 2, spec);
}

static void test_taken(void **state)
{
	static const struct {
		const char *line;
		uint32_t parent, classid;
	} good[] = {
		{ "class add dev q:eth1 parent 1: classid 1:1 htb rate 1mbit", 0x10000, 0x10001 },
		{ "class add parent 1:ff classid 1:ffff htb rate 1mbit", 0x100ff, 0x1ffff },
		{ "class add parent abcd: classid ABCD:1 drr", 0xabcd0000, 0xabcd0001 },
		{ "class add root classid 1:1 htb rate 1mbit", TC_H_ROOT, 0x10001 },
		{ "class add parent root classid 1:1 htb rate 1mbit", TC_H_ROOT, 0x10001 },
		{ "class add classid 1:1 htb rate 1mbit", 0, 0x10001 },
		{ "class add parent 1: classid :1 htb rate 1mbit", 0x10000, 1 },
		{ "class add parent :2 classid :1 htb rate 1mbit", 2, 1 },
		{ "class add parent 1: cbq rate 1mbit allot 1514", 0x10000, 0 },
		{ "class change classid 1:1 hfsc ls rate 1mbit", 0, 0x10001 },
		{ "class del classid 1:1", 0, 0x10001 },
		{ "class show dev eth1", 0, 0 },
		{ "class show dev eth1 root", TC_H_ROOT, 0 },
		{ "class show dev eth1 parent 1: classid 1:", 0x10000, 0x10000 },
	};

	for (size_t i = 0; i < COUNT(good); i++) {
		struct tc_spec spec;
		struct diag d;

		if (parse(&d, good[i].line, &spec))
			fail_msg("\"%s\": %s", good[i].line, d.text);
		assert_int_equal(spec.parent, good[i].parent);
		assert_int_equal(spec.handle, good[i].classid);
		assert_int_equal(d.nwarnings, 0);
		tc_spec_free(&spec);
	}
}

/* Where a class is: misuse of handles and of the words before the kind. */
static const struct refusal {
	const char *line;
	int word;
	const char *say;
} places[] = {
	{ "class add parent 1: htb rate 1mbit", -1, "\"classid H\" is needed" },
	{ "class add parent 1: drr", -1, "\"classid H\" is needed" },
	{ "class change parent 1: cbq rate 1mbit allot 1514", -1, "\"classid H\" is needed" },
	{ "class add cbq rate 1mbit allot 1514", -1, "\"parent H\" or \"classid H\"" },
	{ "class del parent 1:", -1, "\"classid H\" is needed" },
	{ "class add parent 1: classid 1:1", -1, "kind of its qdisc" },
	{ "class add parent 1: classid 1: htb rate 1mbit", -1, "classid 1:: not a class" },
	{ "class add parent 1: classid 1:0 htb rate 1mbit", -1, "its minor number is 1 to ffff" },
	{ "class del classid 1:0", -1, "not a class" },
	{ "class add parent 1: classid root htb rate 1mbit", -1, "not a class" },
	{ "class add parent 1: classid ffff:ffff htb rate 1mbit", -1, "not a class" },
	{ "class add parent 1: classid 1:10000 htb rate 1mbit", 3, "1:10000" },
	{ "class add parent 1: classid 10000:1 htb rate 1mbit", 3, "10000:1" },
	{ "class add parent 1: classid 1:g htb rate 1mbit", 3, "(hex)" },
	{ "class add parent 1: classid 1:-1 htb rate 1mbit", 3, "(hex)" },
	{ "class add parent 1: classid 1:1:1 htb rate 1mbit", 3, "(hex)" },
	{ "class add parent 1: classid 0x1:1 htb rate 1mbit", 3, "(hex)" },
	{ "class add parent 1: classid 11 htb rate 1mbit", 3, "colon" },
	{ "class add parent 1: classid 0:0 htb rate 1mbit", 3, "names nothing" },
	{ "class add parent 1 classid 1:1 htb rate 1mbit", 1, "colon" },
	{ "class add parent 1:1 classid 2:1 htb rate 1mbit", -1, "parent 1:1 and classid 2:1 are of two qdiscs" },
	{ "class add parent 1: root classid 1:1 htb rate 1mbit", 2, "twice" },
	{ "class add parent 1: classid 1:1 classid 1:2 htb rate 1mbit", 4, "twice" },
	{ "class add parent 1: handle 1:1 htb rate 1mbit", 2, "unknown word \"handle\"" },
	{ "class add parent 1: classid 1:1 prio", 4, "prio has no classes that are made by hand" },
	{ "class add parent 1: classid 1:1 mq", 4, "mq has no classes" },
	{ "class add parent 1: classid 1:1 tbf rate 1mbit", 4, "tbf has no classes" },
	{ "class add parent 1: classid 1:1 HTB rate 1mbit", 4, "unknown word \"HTB\"" },
	{ "class show dev eth1 est 1s 4s", -1, "show takes" },
};

/* What comes after the kind. */
static const struct refusal settings[] = {
	{ "qdisc add root htb default 1:10", 3, "only the minor number" },
	{ "qdisc add root htb default 10000", 3, "not 0 to ffff (hex)" },
	{ "qdisc add root htb default 0x", 3, "not 0 to ffff (hex)" },
	{ "qdisc add root htb default -1", 3, "not 0 to ffff (hex)" },
	{ "qdisc add root htb default g", 3, "not 0 to ffff (hex)" },
	{ "qdisc add root htb default", 2, "needs a value" },
	{ "qdisc add root htb r2q 0", 3, "less than 1" },
	{ "qdisc add root htb direct_qlen 4294967295", 3, "more than" },
	{ "qdisc add root htb rate 1mbit", 2, "unknown word \"rate\"" },
	{ "class add parent 1: classid 1:1 htb", -1, "\"rate\" is needed" },
	{ "class add parent 1: classid 1:1 htb rate 0bit", -1, "at least 8 bit/s" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit ceil 7bit", -1, "ceil of 7 bit/s" },
	{ "class add parent 1: classid 1:1 htb rate 100M", 6, "100M" },
	{ "class add parent 1: classid 1:1 htb rate -1mbit", 6, "negative" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit rate 2mbit", 7, "twice" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst 1k buffer 1k", 9, "twice" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst 0", 8, "not 1 to" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst 5gb", 8, "not 1 to" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst 16k/7", 8, "power of two" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst 16k/", 8, "not a size" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit burst /8", 8, "not a size" },
	{ "class add parent 1: classid 1:1 htb rate 8kbit burst 1mb", -1, "at most 274877 bytes at that rate" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit ceil 8bit", -1, "cburst of 1600 bytes" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit linklayer foo", 8, "ethernet, atm or adsl" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit mpu 65536", 8, "more than 65535" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit overhead 65536", 8, "more than 65535" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit quantum 0", 8, "less than 1" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit mtu 0", 8, "less than 1" },
	{ "class add parent 1: classid 1:1 htb rate 1mbit foo 1", 7, "unknown word \"foo\"" },
	{ "qdisc add root hfsc default 1:1", 3, "only the minor number" },
	{ "qdisc add root hfsc foo", 2, "unknown word \"foo\"" },
	{ "class add parent 1: classid 1:1 hfsc", -1, "\"rt\", \"ls\" or \"sc\" is needed" },
	{ "class add parent 1: classid 1:1 hfsc ul rate 1mbit", -1, "\"ls\" or \"sc\" is needed" },
	{ "class add parent 1: classid 1:1 hfsc rt rate 1mbit ul rate 1mbit", -1, "\"ls\" or \"sc\" is needed" },
	{ "class add parent 1: classid 1:1 hfsc rate 1mbit", 5, "a curve is rt, ls, sc or ul" },
	{ "class add parent 1: classid 1:1 hfsc sc", 5, "needs a curve" },
	{ "class add parent 1: classid 1:1 hfsc sc ls rate 1mbit", 5, "needs a curve" },
	{ "class add parent 1: classid 1:1 hfsc sc rate", 6, "\"rate\" needs a value" },
	{ "class add parent 1: classid 1:1 hfsc sc m1 1mbit d 10ms", 5, "sc: \"m2\" is needed" },
	{ "class add parent 1: classid 1:1 hfsc sc m1 0bit m2 0bit", 5, "both slopes are 0" },
	{ "class add parent 1: classid 1:1 hfsc sc umax 1500 dmax 10ms", 5, "\"rate\" is needed" },
	{ "class add parent 1: classid 1:1 hfsc sc umax 1500 rate 1mbit", 5, "without \"dmax\"" },
	{ "class add parent 1: classid 1:1 hfsc sc m1 1mbit rate 1mbit", 5, "either m1, d and m2 or umax" },
	{ "class add parent 1: classid 1:1 hfsc sc m2 1mbit d 10", 9, "needs its unit" },
	{ "class add parent 1: classid 1:1 hfsc sc m2 1mbit d 4294.967296s", 5, "at most 4294.967295 s" },
	{ "class add parent 1: classid 1:1 hfsc ls rate 40gbit", 5, "hfsc holds at most 34359738360bit" },
	{ "class add parent 1: classid 1:1 hfsc ls m1 40gbit m2 1mbit", 5, "m1 of 40Gbit" },
	{ "class add parent 1: classid 1:1 hfsc ls umax 1gb dmax 1ms rate 1mbit", 5, "umax 1073741824 within dmax" },
	{ "class add parent 1: classid 1:1 hfsc sc rate 1mbit rt rate 1mbit", 8, "twice" },
	{ "class add parent 1: classid 1:1 hfsc sc rate 1mbit rate 2mbit", 8, "sc: \"rate\" is there twice" },
	{ "qdisc add root drr quantum 1500", 2, "drr has no options, its classes have" },
	{ "class add parent 1: classid 1:1 drr quantum 0", 6, "less than 1" },
	{ "class add parent 1: classid 1:1 drr quantum", 5, "needs a value" },
	{ "qdisc add root prio bands", 2, "needs a value" },
	{ "qdisc add root prio bands 3 bands 4", 4, "twice" },
	{ "qdisc add root prio bands x", 3, "not a whole number" },
	{ "qdisc add root prio priomap", 2, "needs a value" },
	{ "qdisc add root prio priomap 1 priomap 2", 4, "twice" },
	{ "qdisc add root prio priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 19, "more than 16 values" },
	{ "qdisc add root prio bands 4 priomap 1 1 2 2 7 5", -1, "band 7: there are 4" },
	{ "qdisc add root prio priomap 1 1 3 bands 3", -1, "band 3: there are 3" },
	{ "qdisc add root prio multiqueue", 2, "unknown word \"multiqueue\"" },
	{ "qdisc add root prio foo", 2, "unknown word \"foo\"" },
	{ "qdisc add root cbq avpkt 1000", -1, "\"bandwidth\" and \"avpkt\" are needed" },
	{ "qdisc add root cbq bandwidth 10mbit", -1, "\"bandwidth\" and \"avpkt\" are needed" },
	{ "qdisc add root cbq bandwidth 10mbit avpkt 1000 cell 7", 7, "power of two" },
	{ "qdisc add root cbq bandwidth 10mbit avpkt 1000 ewma 32", 7, "more than 31" },
	{ "qdisc add root cbq bandwidth 40gbit avpkt 1000", -1, "cbq holds at most" },
	{ "qdisc add root cbq bandwidth 8bit avpkt 1000", -1, "more than 274 s" },
	{ "class add parent 1: classid 1:1 cbq prio 4", -1, "\"allot\" is needed" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit prio 9", 8, "more than 8" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit avpkt 1000 maxburst 3", -1, "need \"avpkt\", \"bandwidth\"" },
	{ "class add parent 1: classid 1:1 cbq bandwidth 10mbit rate 20mbit avpkt 1000 minburst 9", -1, "above \"bandwidth\"" },
	{ "class add parent 1: classid 1:1 cbq bandwidth 10mbit rate 1mbit avpkt 1000 maxburst 9999", -1, "maxburst 9999" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 bounded borrow", -1, "either \"bounded\" or" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 sharing isolated", -1, "either \"isolated\" or" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 minidle 4294967295", -1, "minidle 4294967295" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 split 1", 10, "colon" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 defmap 3g", 10, "(hex)" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 defmap 3/", 10, "(hex)" },
	{ "class add parent 1: classid 1:1 cbq rate 1mbit allot 1514 defmap 123456789", 10, "(hex)" },
};

static void assert_refused(const struct refusal *bad, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tc_spec spec;
		struct diag d;

		if (!parse(&d, bad[i].line, &spec))
			fail_msg("\"%s\" was taken", bad[i].line);
		tc_spec_free(&spec);
		if (d.exit != EXIT_USAGE)
			fail_msg("\"%s\": exit %d: %s", bad[i].line, d.exit, d.text);
		if (!strstr(d.text, bad[i].say))
			fail_msg("\"%s\": \"%s\" is not in: %s", bad[i].line, bad[i].say, d.text);
		if (d.word != bad[i].word)
			fail_msg("\"%s\": word %d is blamed: %s", bad[i].line, d.word, d.text);
		diag_free(&d);
	}
}

static void test_places_refused(void **state)
{
	assert_refused(places, COUNT(places));
}

static void test_settings_refused(void **state)
{
	assert_refused(settings, COUNT(settings));
}

/* What the kernel refuses without a word is refused with one, and with its exit code. */
static void test_kernel_would_refuse(void **state)
{
	static const struct {
		const char *line;
		const char *say;
	} bad[] = {
		{ "qdisc add root prio bands 1 priomap 0 0", "bands 1: the kernel takes 2 to 16" },
		{ "qdisc add root prio bands 17", "bands 17: the kernel takes 2 to 16" },
		{ "qdisc add root prio bands 2", "priority 1 goes to band 2 unless" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct tc_spec spec;
		struct diag d;

		assert_int_not_equal(parse(&d, bad[i].line, &spec), 0);
		assert_int_equal(d.exit, EXIT_FAILED);
		if (!strstr(d.text, bad[i].say))
			fail_msg("\"%s\": %s", bad[i].line, d.text);
		tc_spec_free(&spec);
	}
}

static void test_warned(void **state)
{
	static const struct {
		const char *line;
		const char *say;
	} warned[] = {
		{ "class add parent 1: classid 1:1 htb rate 2mbit ceil 1mbit", "ceil is below rate" },
		{ "class add parent 1: classid 1:1 htb rate 1mbit prio 8", "prio 8 counts as 7" },
		{ "class add parent 1: classid 1:1 htb rate 1001bit", "rate is cut to 1000 bit/s" },
		{ "class add parent 1: classid 1:1 htb rate 1kbit ceil 2001bit", "ceil is cut to 2000 bit/s" },
		{ "class add parent 1: classid 1:1 hfsc ls m2 1mbit d 1500ns", "d is cut to 1 us" },
		{ "class add parent 1: classid 1:1 hfsc ls m1 9bit d 1us m2 1mbit", "m1 is cut to 8 bit/s" },
	};

	for (size_t i = 0; i < COUNT(warned); i++) {
		struct tc_spec spec;
		struct diag d;

		if (parse(&d, warned[i].line, &spec))
			fail_msg("\"%s\": %s", warned[i].line, d.text);
		assert_int_equal(d.nwarnings, 1);
		if (!strstr(d.warnings[0], warned[i].say))
			fail_msg("\"%s\": %s", warned[i].line, d.warnings[0]);
		tc_spec_free(&spec);
		diag_free(&d);
	}
}

/* Advice for a place: class 1:1 of an htb with r2q 10, on a device of 1514-byte frames. */
static void test_advised(void **state)
{
	static const struct {
		const char *line;
		bool inner;
		const char *told;
		const char *say;	/* NULL: nothing */
	} advised[] = {
		{ "class add classid 1:1 htb rate 1mbit", false, "", NULL },
		{ "class add classid 1:1 htb rate 1mbit burst 1513", false, "",
		  "burst 1513 is below the device's largest frame, 1514 bytes (MTU + 14)" },
		{ "class add classid 1:1 htb rate 1mbit burst 1514", false, "", NULL },
		{ "class add classid 1:1 htb rate 1mbit cburst 100", false, "", "cburst 100 is below" },
		{ "class add classid 1:1 htb rate 79992bit", false, "",
		  "the quantum of class 1:1 is small: rate / r2q 10 is 999 bytes and the kernel takes 1000" },
		{ "class add classid 1:1 htb rate 80kbit", false, "", NULL },
		{ "class add classid 1:1 htb rate 16mbit", false, "", NULL },
		{ "class add classid 1:1 htb rate 17mbit", false, "",
		  "the quantum of class 1:1 is big: rate / r2q 10 is 212500 bytes and the kernel takes 200000" },
		{ "class add classid 1:1 htb rate 1gbit quantum 60000", false, "", NULL },
		{ "class change classid 1:1 htb rate 1gbit", true, "", NULL },
		{ "class add classid 1:1 htb rate 1gbit", false,
		  "sch_htb: quantum of class 10001 is big. Consider r2q change.", NULL },
		{ "class add classid 1:1 drr quantum 1500", false, "", NULL },
		{ "class add classid 1:1 drr quantum 255", false, "", "within 256 and 1048576 bytes" },
		{ "class add classid 1:1 drr quantum 2mb", false, "", "within 256 and 1048576 bytes" },
		{ "class add classid 1:1 drr", false, "", NULL },
	};
	struct tc_spec qdisc;
	struct nl_msg *msg;
	struct diag d;

	assert_int_equal(parse(&d, "qdisc add root htb", &qdisc), 0);
	assert_int_equal(tc_spec_msg(&qdisc, OP_ADD, 7, &msg), 0);
	for (size_t i = 0; i < COUNT(advised); i++) {
		struct class_place at = {
			.classid = 0x10001, .frame = 1514, .inner = advised[i].inner,
			.qdisc = nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_OPTIONS),
			.told = advised[i].told,
		};
		struct tc_spec spec;

		if (parse(&d, advised[i].line, &spec))
			fail_msg("\"%s\": %s", advised[i].line, d.text);
		spec.kind->class->advise(&d, spec.cfg, &at);
		if (d.nwarnings != (advised[i].say != NULL))
			fail_msg("\"%s\": %zu warnings", advised[i].line, d.nwarnings);
		if (advised[i].say && !strstr(d.warnings[0], advised[i].say))
			fail_msg("\"%s\": %s", advised[i].line, d.warnings[0]);
		at.qdisc = NULL;	/* not known: no opinion of quanta, and no crash */
		spec.kind->class->advise(&d, spec.cfg, &at);
		tc_spec_free(&spec);
		diag_free(&d);
	}
	tc_spec_free(&qdisc);
	nlmsg_free(msg);
}

static void test_default_class(void **state)
{
	static const struct {
		const char *line;
		uint32_t minor;
	} defaults[] = {
		{ "qdisc add root htb", 0 }, { "qdisc add root htb default 10", 0x10 },
		{ "qdisc add root hfsc", 0 }, { "qdisc add root hfsc default 0xff", 0xff },
	};

	for (size_t i = 0; i < COUNT(defaults); i++) {
		struct tc_spec spec;
		struct diag d;

		assert_int_equal(parse(&d, defaults[i].line, &spec), 0);
		assert_int_equal(spec.kind->default_class(spec.cfg), defaults[i].minor);
		tc_spec_free(&spec);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_places_refused),
		cmocka_unit_test(test_settings_refused),
		cmocka_unit_test(test_kernel_would_refuse),
		cmocka_unit_test(test_warned),
		cmocka_unit_test(test_advised),
		cmocka_unit_test(test_default_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

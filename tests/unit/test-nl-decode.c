// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages in words: every line of the tables of tests/data/tc-lines, what the kernel answers, and odd ones. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>

#include "filters/filter-spec.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "wire/nl-decode.h"
#include "wire/nlb.h"

#define WORDS_MAX 1000

static int split(char *line, char **words)
{
	char *rest = NULL;
	int n = 0;

	for (char *word = strtok_r(line, " \n", &rest); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " \n", &rest))
		words[n++] = word;
	return n;
}

/* The message of "[class] [VERB] WORDS"; NULL for a line that makes none without a machine. */
static struct nl_msg *message_of(const char *text)
{
	char line[32768], *words[WORDS_MAX];
	enum tc_object object = OBJECT_QDISC;
	struct nl_msg *msg = NULL;
	enum tc_op op = OP_ADD;
	struct tc_spec spec;
	struct diag d;
	int n, i = 0;

	snprintf(line, sizeof(line), "%s", text);
	n = split(line, words);
	while (i < n && (words[i][0] == '@' || words[i][0] == '+'))
		i++;
	if (i < n && !strcmp(words[i], "class")) {
		object = OBJECT_CLASS;
		i++;
	}
	for (enum tc_op o = OP_ADD; i < n && o <= OP_DEL; o++)
		if (!strcmp(words[i], tc_op_name(o))) {
			op = o;
			i++;
			break;
		}
	diag_init(&d);
	if (!tc_spec_parse(&d, NULL, object, op, words + i, n - i, &spec) &&
	    tc_spec_msg(&spec, op, 7, &msg))
		msg = NULL;
	tc_spec_free(&spec);
	diag_free(&d);
	return msg;
}

static struct nl_msg *filter_message(const char *text)
{
	char line[1024], *words[WORDS_MAX];
	struct filter_spec spec;
	struct nl_msg *msg;
	struct diag d;
	int n;

	snprintf(line, sizeof(line), "%s", text);
	n = split(line, words);
	diag_init(&d);
	assert_int_equal(filter_spec_parse(&d, OP_ADD, words, n, &spec), 0);
	assert_int_equal(filter_spec_msg(&spec, OP_ADD, 7, &msg), 0);
	filter_spec_free(&spec);
	diag_free(&d);
	return msg;
}

static char *decode(struct nl_msg *msg, unsigned int *unknown)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	char *text = nl_decode("", nlh, nlh->nlmsg_len, tc_options_find, unknown);

	assert_non_null(text);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

/* Every attribute has its name, and no byte is left over. */
static void assert_whole(struct nl_msg *msg, const char *what)
{
	unsigned int unknown;
	char *text = decode(msg, &unknown);

	if (unknown || strstr(text, "hex:"))
		fail_msg("%s:\n%s", what, text);
	free(text);
}

static unsigned int file_whole(const char *path)
{
	FILE *in = fopen(path, "re");
	unsigned int n = 0;
	char *line = NULL;
	size_t room = 0;

	assert_non_null(in);
	while (getline(&line, &room, in) > 0) {
		struct nl_msg *msg = *line == '#' ? NULL : message_of(line);

		if (!msg)
			continue;
		assert_whole(msg, line);
		nlmsg_free(msg);
		n++;
	}
	free(line);
	fclose(in);
	return n;
}

static void test_tables(void **state)
{
	const char *top = getenv("QBED_SRCDIR");
	unsigned int messages = 0;
	char path[4096];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/tests/data/tc-lines", top ? top : ".");
	dir = opendir(path);
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		unsigned int n;

		if (e->d_name[0] == '.' || !strcmp(e->d_name, "README"))
			continue;
		snprintf(path, sizeof(path), "%s/tests/data/tc-lines/%s", top ? top : ".", e->d_name);
		n = file_whole(path);
		if (!n)
			fail_msg("%s: no message", path);
		messages += n;
	}
	closedir(dir);
	assert_true(messages > 400);
}

static void test_filters(void **state)
{
	const char *top = getenv("QBED_SRCDIR");
	unsigned int n = 0;
	char path[4096], *line = NULL;
	size_t room = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/tests/data/filter-lines", top ? top : ".");
	in = fopen(path, "re");
	assert_non_null(in);
	while (getline(&line, &room, in) > 0) {
		struct nl_msg *msg;

		if (*line == '#')
			continue;
		msg = filter_message(line);
		assert_whole(msg, line);
		nlmsg_free(msg);
		n++;
	}
	free(line);
	fclose(in);
	assert_true(n > 8);
}

static void test_units(void **state)
{
	static const struct {
		const char *line, *part[4];
	} good[] = {
		{ "root handle 1: netem delay 6ms 100us 25% loss 60% limit 70000",
		  { "RTM_NEWQDISC flags EXCL|CREATE seq 0 ifindex 7 handle 1: parent root info 0\n    TCA_KIND \"netem\"\n",
		    "\n    TCA_OPTIONS latency 6ms limit 70000 loss 60% gap 0 duplicate 0% jitter 99.968us\n",
		    "\n        TCA_NETEM_LATENCY64 6ms\n",
		    "\n        TCA_NETEM_CORR delay 25% loss 0% duplicate 0%\n" } },
		{ "root netem loss gemodel 1% 10%",
		  { "\n        TCA_NETEM_LOSS\n            NETEM_LOSS_GE p 1% r 10% h 0% k1 0%\n" } },
		{ "root netem rate 100gbit", { "\n        TCA_NETEM_RATE64 100Gbit\n" } },
		{ "change root tbf rate 1mbit burst 10kb limit 20kb",
		  { "RTM_NEWQDISC flags 0 seq", "rate.rate 1Mbit", "limit 20Kb", "TCA_TBF_BURST 10Kb" } },
		{ "class replace parent 1: classid 1:1 htb rate 1mbit",
		  { "RTM_NEWTCLASS flags CREATE seq 0 ifindex 7 handle 1:1 parent 1: info 0",
		    "TCA_HTB_PARMS rate.cell_log" } },
		{ "del parent 1:3", { "RTM_DELQDISC flags 0 seq 0 ifindex 7 handle none parent 1:3" } },
		{ "root fq_codel target 5ms quantum 1514",
		  { "TCA_FQ_CODEL_TARGET 5ms", "TCA_FQ_CODEL_QUANTUM 1514b" } },
		{ "parent 1:1 est 1s 4s pfifo limit 3", { "TCA_RATE interval", "TCA_OPTIONS limit 3\n" } },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct nl_msg *msg = message_of(good[i].line);
		char *text;

		assert_non_null(msg);
		text = decode(msg, NULL);
		for (int k = 0; k < 4 && good[i].part[k]; k++)
			assert_has(text, good[i].part[k]);
		free(text);
		nlmsg_free(msg);
	}
}

static void test_filter_words(void **state)
{
	struct nl_msg *msg = filter_message("parent 1: protocol ip prio 3 u32 match ip dport 80 0xffff flowid 1:10 action mirred egress redirect dev lo");
	char *text = decode(msg, NULL);

	assert_has(text, "RTM_NEWTFILTER flags EXCL|CREATE seq 0 ifindex 7 handle none parent 1: info prio 3 protocol 0x0800\n");
	assert_has(text, "\n        TCA_U32_CLASSID 1:10\n");
	assert_has(text, "nkeys 1 ");
	assert_has(text, " key 0x00000050/0x0000ffff at 20\n");
	assert_has(text, "\n        TCA_U32_ACT\n            action 1\n                TCA_ACT_KIND \"mirred\"\n                TCA_ACT_OPTIONS\n                    TCA_MIRRED_PARMS index 0 ");
	free(text);
	nlmsg_free(msg);
}

/* What nobody knows is hex, whatever is around it. */
static void test_unknown(void **state)
{
	const struct tcmsg tcm = { .tcm_ifindex = 3 };
	const uint32_t v = 0x04030201;
	unsigned int unknown;
	struct nl_msg *msg;
	struct nlb nlb;
	size_t nest;
	char *text;

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	nlb_put_str(&nlb, TCA_KIND, "drr\n");
	nlb_put_u32(&nlb, 300, v);
	nest = nlb_nest(&nlb, TCA_OPTIONS);
	nlb_put_u32(&nlb, 1, v);
	nlb_nest_end(&nlb, nest);
	assert_int_equal(nlb_finish(&nlb, &msg), 0);
	text = decode(msg, &unknown);
	assert_int_equal(unknown, 1);
	assert_has(text, "TCA_KIND \"drr?\"\n    attribute 300 hex:01020304\n    TCA_OPTIONS hex:0800010001020304\n");
	free(text);
	nlmsg_free(msg);
	nlb_init(&nlb, 999, NLM_F_REQUEST);
	nlb_raw(&nlb, &v, sizeof(v));
	assert_int_equal(nlb_finish(&nlb, &msg), 0);
	text = decode(msg, NULL);
	assert_has(text, "message 999 flags REQUEST seq 0 hex:01020304\n");
	free(text);
	nlmsg_free(msg);
}

/* The kernel's answers, with the request in them and without. */
static void test_answers(void **state)
{
	static const struct {
		uint16_t flags;
		int error;
		const char *text;
	} good[] = {
		{ NLM_F_CAPPED, 0, "NLMSG_ERROR flags CAPPED seq 5 error 0\n" },
		{ NLM_F_CAPPED | NLM_F_ACK_TLVS, -22,
		  "NLMSG_ERROR flags CAPPED|ACK_TLVS seq 5 error Invalid argument\n    NLMSGERR_ATTR_MSG \"no such\"\n    NLMSGERR_ATTR_OFFS 36\n" },
		{ NLM_F_ACK_TLVS, -22,
		  "NLMSG_ERROR flags ACK_TLVS seq 5 error Invalid argument\n    NLMSGERR_ATTR_MSG \"no such\"\n    NLMSGERR_ATTR_OFFS 36\n" },
		{ 0, -1, "NLMSG_ERROR flags 0 seq 5 error Operation not permitted\n" },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct tcmsg tcm = { 0 };
		struct nlmsgerr err = { .error = good[i].error, .msg = { .nlmsg_len = NLMSG_LENGTH(sizeof(tcm)) } };
		struct nl_msg *msg;
		struct nlb nlb;
		char *text;

		nlb_init(&nlb, NLMSG_ERROR, good[i].flags);
		nlb_raw(&nlb, &err, sizeof(err));
		if (!(good[i].flags & NLM_F_CAPPED))
			nlb_raw(&nlb, &tcm, sizeof(tcm));
		if (good[i].flags & NLM_F_ACK_TLVS) {
			nlb_put_str(&nlb, NLMSGERR_ATTR_MSG, "no such");
			nlb_put_u32(&nlb, NLMSGERR_ATTR_OFFS, 36);
		}
		assert_int_equal(nlb_finish(&nlb, &msg), 0);
		nlmsg_hdr(msg)->nlmsg_seq = 5;
		text = decode(msg, NULL);
		assert_string_equal(text, good[i].text);
		free(text);
		nlmsg_free(msg);
	}
}

/* Bytes from the begin of the message to the first attribute of @type within @attr, or among @attr's. */
static uint32_t offset_of(struct nl_msg *msg, int type, int inner, size_t fixed)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct nlattr *a = nlmsg_find_attr(nlh, sizeof(struct tcmsg), type);

	assert_non_null(a);
	if (inner)
		a = nla_find((struct nlattr *)((char *)nla_data(a) + fixed), nla_len(a) - (int)fixed, inner);
	assert_non_null(a);
	return (uint32_t)((char *)a - (char *)nlh);
}

static void test_pointed_at(void **state)
{
	static const struct {
		const char *line;
		int type, inner;
		size_t fixed;
		const char *name;
	} good[] = {
		{ "root netem delay 1ms", TCA_KIND, 0, 0, "TCA_KIND" },
		{ "root netem delay 1ms", TCA_OPTIONS, 0, 0, "TCA_OPTIONS" },
		{ "root netem loss state 1%", TCA_OPTIONS, TCA_NETEM_LOSS, sizeof(struct tc_netem_qopt),
		  "TCA_NETEM_LOSS" },
		{ "root fq initial_quantum 9000", TCA_OPTIONS, TCA_FQ_INITIAL_QUANTUM, 0,
		  "TCA_FQ_INITIAL_QUANTUM" },
		{ "class parent 1: classid 1:1 htb rate 1mbit", TCA_OPTIONS, TCA_HTB_PARMS, 0,
		  "TCA_HTB_PARMS" },
		{ "class parent 1: classid 1:1 drr quantum 9", TCA_OPTIONS, TCA_DRR_QUANTUM, 0,
		  "TCA_DRR_QUANTUM" },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct nl_msg *msg = message_of(good[i].line);
		struct nlmsghdr *nlh;
		uint32_t offset;

		assert_non_null(msg);
		nlh = nlmsg_hdr(msg);
		offset = offset_of(msg, good[i].type, good[i].inner, good[i].fixed);
		assert_true(nl_attr_at(nlh, nlh->nlmsg_len, offset, tc_options_find, name, sizeof(name)));
		assert_string_equal(name, good[i].name);
		assert_false(nl_attr_at(nlh, nlh->nlmsg_len, NLMSG_HDRLEN, tc_options_find, name,
					sizeof(name)));
		assert_false(nl_attr_at(nlh, nlh->nlmsg_len, nlh->nlmsg_len + 8, tc_options_find, name,
					sizeof(name)));
		nlmsg_free(msg);
	}
}

/* A message that ends anywhere is shown as far as it goes. */
static void test_cut(void **state)
{
	struct nl_msg *msg = message_of("root handle 1: netem delay 6ms 1ms 25% loss gemodel 1% slot 1ms rate 1mbit");
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	char name[64];

	for (uint32_t len = 0; len <= nlh->nlmsg_len; len++) {
		char *copy = malloc(len + 1), *text;

		assert_non_null(copy);
		memcpy(copy, nlh, len);
		if (len >= sizeof(len))
			memcpy(copy, &len, sizeof(len));
		text = nl_decode("", copy, len, tc_options_find, NULL);
		assert_non_null(text);
		assert_int_equal(text[strlen(text) - 1], '\n');
		nl_attr_at(copy, len, len, tc_options_find, name, sizeof(name));
		free(text);
		free(copy);
	}
	nlmsg_free(msg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_filter_words),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_pointed_at),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

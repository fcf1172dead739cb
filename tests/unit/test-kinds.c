// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdisc kinds: the bytes that their words become, and what the bytes are shown as. */
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
#include "pure/doc.h"
#include "wire/nlb.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 32

/* Splits @line in place. */
static int split(char *line, char **words)
{
	int n = 0;

	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	words[n] = NULL;
	return n;
}

/* The message that the words of an add become. */
static struct nl_msg *message(const char *text, struct diag *d)
{
	char *words[WORDS_MAX];
	struct tc_spec spec;
	struct nl_msg *msg;
	char line[512];

	snprintf(line, sizeof(line), "%s", text);
	diag_init(d);
	if (tc_spec_parse(d, NULL, OBJECT_QDISC, OP_ADD, words, split(line, words), &spec))
		fail_msg("%s: %s", text, d->text);
	assert_int_equal(tc_spec_msg(&spec, OP_ADD, 7, &msg), 0);
	tc_spec_free(&spec);
	return msg;
}

static struct nlattr *attr(struct nl_msg *msg, int type)
{
	return nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), type);
}

/* Attribute @type behind the @fixed bytes of TCA_OPTIONS. */
static struct nlattr *option(struct nl_msg *msg, size_t fixed, int type)
{
	struct nlattr *opts = attr(msg, TCA_OPTIONS);

	assert_non_null(opts);
	return nla_find((struct nlattr *)((char *)nla_data(opts) + fixed), nla_len(opts) - (int)fixed,
			type);
}

static int64_t i64(struct nlattr *a)
{
	int64_t v;

	assert_non_null(a);
	assert_int_equal(nla_len(a), sizeof(v));
	memcpy(&v, nla_data(a), sizeof(v));
	return v;
}

static void test_message(void **state)
{
	struct diag d;
	struct nl_msg *msg = message("parent 1:3 handle 20: est 1sec 4sec netem delay 6ms", &d);
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	const struct tcmsg *tcm = nlmsg_data(nlh);
	const struct tc_estimator *est;

	assert_int_equal(nlh->nlmsg_type, RTM_NEWQDISC);
	assert_int_equal(nlh->nlmsg_flags & (NLM_F_CREATE | NLM_F_EXCL), NLM_F_CREATE | NLM_F_EXCL);
	assert_int_equal(tcm->tcm_ifindex, 7);
	assert_int_equal(tcm->tcm_parent, 0x10003);
	assert_int_equal(tcm->tcm_handle, 0x200000);
	assert_string_equal(nla_get_string(attr(msg, TCA_KIND)), "netem");
	est = nla_data(attr(msg, TCA_RATE));
	assert_int_equal(est->interval, 0);	/* 2^0 s */
	assert_int_equal(est->ewma_log, 2);	/* what tc 6.1 sends for "1sec 4sec" */
	nlmsg_free(msg);
}

static void test_netem_delay(void **state)
{
	static const struct {
		const char *words;
		int64_t delay_ns, jitter_ns;
		uint32_t ticks;
	} delays[] = {
		{ "root netem", 0, 0, 0 },
		{ "root netem delay 6ms", 6000000, 0, 93750 },
		{ "root netem delay 0.5us", 500, 0, 7 },
		{ "root netem latency 10us 3us", 10000, 3000, 156 },
		{ "root netem delay 274s", 274000000000, 0, 4281250000 },
		{ "root netem delay 300s", 300000000000, 0, UINT32_MAX },
	};

	for (size_t i = 0; i < COUNT(delays); i++) {
		struct diag d;
		struct nl_msg *msg = message(delays[i].words, &d);
		const struct tc_netem_qopt *opt = nla_data(attr(msg, TCA_OPTIONS));

		assert_int_equal(opt->limit, 1000);
		assert_int_equal(opt->latency, delays[i].ticks);
		assert_int_equal(i64(option(msg, sizeof(*opt), TCA_NETEM_LATENCY64)),
				 delays[i].delay_ns);
		assert_int_equal(i64(option(msg, sizeof(*opt), TCA_NETEM_JITTER64)),
				 delays[i].jitter_ns);
		assert_null(option(msg, sizeof(*opt), TCA_NETEM_CORR));
		assert_null(option(msg, sizeof(*opt), TCA_NETEM_RATE));
		nlmsg_free(msg);
	}
}

static void test_netem_rest(void **state)
{
	struct diag d;
	struct nl_msg *msg = message("root netem limit 5 delay 1ms 1us 2% loss 60% 3% duplicate 4% 5% corrupt 6% reorder 25% 50% rate 100gbit ecn", &d);
	const struct tc_netem_qopt *opt = nla_data(attr(msg, TCA_OPTIONS));
	const struct tc_netem_corr *corr = nla_data(option(msg, sizeof(*opt), TCA_NETEM_CORR));
	const struct tc_netem_reorder *re = nla_data(option(msg, sizeof(*opt), TCA_NETEM_REORDER));
	const struct tc_netem_rate *rate = nla_data(option(msg, sizeof(*opt), TCA_NETEM_RATE));

	assert_int_equal(opt->limit, 5);
	assert_int_equal(opt->loss, 2576980377);
	assert_int_equal(opt->gap, 1);
	assert_int_equal(corr->delay_corr, 85899346);
	assert_int_equal(re->probability, 1073741824);
	assert_int_equal(re->correlation, 2147483648);
	assert_int_equal(rate->rate, UINT32_MAX);
	assert_int_equal(i64(option(msg, sizeof(*opt), TCA_NETEM_RATE64)), 12500000000);
	assert_int_equal(nla_get_u32(option(msg, sizeof(*opt), TCA_NETEM_ECN)), 1);
	nlmsg_free(msg);
}

static void test_tbf(void **state)
{
	struct diag d;
	struct nl_msg *msg = message("root tbf rate 1mbit burst 3000 latency 20ms peakrate 2mbit mtu 2000", &d);
	struct tc_tbf_qopt opt;

	memcpy(&opt, nla_data(option(msg, 0, TCA_TBF_PARMS)), sizeof(opt));
	assert_int_equal(opt.rate.rate, 125000);
	assert_int_equal(opt.peakrate.rate, 250000);
	assert_int_equal(opt.limit, 5500);	/* the less of 125000/50+3000 and 250000/50+2000 */
	assert_int_equal(opt.buffer, 375000);	/* 24 ms */
	assert_int_equal(nla_get_u32(option(msg, 0, TCA_TBF_BURST)), 3000);
	assert_int_equal(nla_get_u32(option(msg, 0, TCA_TBF_PBURST)), 2000);
	assert_null(option(msg, 0, TCA_TBF_RATE64));
	nlmsg_free(msg);

	msg = message("root tbf rate 40gbit burst 1mb latency 1ms", &d);
	assert_int_equal(i64(option(msg, 0, TCA_TBF_RATE64)), 5000000000);
	nlmsg_free(msg);
}

static void test_tbf_link(void **state)
{
	struct diag d;
	struct nl_msg *msg = message("root tbf rate 1mbit burst 3000/16 limit 9000 overhead 8 mpu 53 linklayer adsl", &d);
	struct tc_tbf_qopt opt;

	memcpy(&opt, nla_data(option(msg, 0, TCA_TBF_PARMS)), sizeof(opt));
	assert_int_equal(opt.rate.linklayer, TC_LINKLAYER_ATM);
	assert_int_equal(opt.rate.overhead, 8);
	assert_int_equal(opt.rate.mpu, 53);
	assert_int_equal(opt.rate.cell_log, 4);
	nlmsg_free(msg);
}

/* Entry i is what a packet of up to (i + 1) << cell_log bytes counts for. */
static void test_size_table(void **state)
{
	struct diag d;
	struct nl_msg *msg = message("root stab linklayer atm overhead 10 mpu 40 mtu 2047 tsize 512 pfifo", &d);
	struct nlattr *tb[TCA_STAB_MAX + 1];
	struct tc_sizespec spec;
	const uint16_t *data;

	assert_int_equal(nla_parse_nested(tb, TCA_STAB_MAX, attr(msg, TCA_STAB), NULL), 0);
	memcpy(&spec, nla_data(tb[TCA_STAB_BASE]), sizeof(spec));
	assert_int_equal(spec.tsize, 512);
	assert_int_equal(spec.cell_log, 2);
	assert_int_equal(spec.cell_align, -1);
	assert_int_equal(spec.overhead, 10);
	assert_int_equal(nla_len(tb[TCA_STAB_DATA]), 512 * sizeof(*data));
	data = nla_data(tb[TCA_STAB_DATA]);
	assert_int_equal(data[0], 53);		/* 4 bytes count for 40, one cell */
	assert_int_equal(data[11], 53);		/* 48 */
	assert_int_equal(data[12], 2 * 53);	/* 52 */
	assert_int_equal(data[511], 43 * 53);	/* 2048 */
	nlmsg_free(msg);

	msg = message("root stab overhead 24 mtu 9000 pfifo", &d);
	assert_int_equal(nla_parse_nested(tb, TCA_STAB_MAX, attr(msg, TCA_STAB), NULL), 0);
	memcpy(&spec, nla_data(tb[TCA_STAB_BASE]), sizeof(spec));
	assert_null(tb[TCA_STAB_DATA]);
	assert_int_equal(spec.overhead, 24);
	assert_int_equal(spec.mtu, 0);
	nlmsg_free(msg);

	msg = message("root stab linklayer atm mtu 4294967295 tsize 1 pfifo", &d);	/* as odd as can be */
	nlmsg_free(msg);
}

static void test_no_options(void **state)
{
	static const char *const lines[] = { "root mq", "root handle 1: mq", "root pfifo", "root bfifo" };

	for (size_t i = 0; i < COUNT(lines); i++) {
		struct diag d;
		struct nl_msg *msg = message(lines[i], &d);

		assert_null(attr(msg, TCA_OPTIONS));
		assert_null(attr(msg, TCA_RATE));
		nlmsg_free(msg);
	}
}

/* What is filled is shown again with the same words. */
static void test_shown(void **state)
{
	static const char *const words[] = {
		"netem limit 1000 delay 6ms", "netem limit 70000 delay 20ms  5ms",
		"netem limit 1000 loss 25% 50% ecn", "netem limit 3 delay 1ms reorder 25% 50% gap 5",
		"netem limit 1000 duplicate 1% corrupt 2% rate 1Mbit", "pfifo limit 7p",
		"bfifo limit 7000b", "tbf rate 10Mbit burst 3000b lat 20ms",
	};

	for (size_t i = 0; i < COUNT(words); i++) {
		char line[128] = "root ";
		struct doc *doc = doc_new();
		const struct kind *kind;
		struct nl_msg *msg;
		struct diag d;
		size_t len;

		strcat(line, words[i]);
		len = strlen(line);
		if (line[len - 1] == 'p')	/* "limit 7p" is how it is shown */
			line[len - 1] = '\0';
		if (strstr(line, "lat "))
			memcpy(strstr(line, "lat "), "latency 20ms", sizeof("latency 20ms"));
		msg = message(line, &d);
		kind = kind_find(nla_get_string(attr(msg, TCA_KIND)));
		doc_open_object(doc, NULL);
		doc_text(doc, "%s", kind->name);
		kind->show(doc, attr(msg, TCA_OPTIONS));
		assert_string_equal(doc_as_text(doc), words[i]);
		doc_free(doc);
		nlmsg_free(msg);
	}
}

/* Whatever length the kernel's attribute has, nothing beyond it is read (ASan watches). */
static void test_short_attributes(void **state)
{
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		if (!(*kind)->show)
			continue;
		for (size_t len = 0; len <= 64; len++) {
			struct nlattr *opts = calloc(1, NLA_HDRLEN + len);
			struct doc *doc = doc_new();

			assert_non_null(opts);
			opts->nla_len = (uint16_t)(NLA_HDRLEN + len);
			memset((char *)opts + NLA_HDRLEN, 0x11, len);
			doc_open_object(doc, NULL);
			(*kind)->show(doc, opts);
			(*kind)->show(doc, NULL);
			doc_free(doc);
			free(opts);
		}
	}
}

/* A message may be larger than a page; its errors are sticky. */
static void test_builder(void **state)
{
	static char big[60000];
	struct nl_msg *msg;
	struct nlb nlb;
	size_t nest;

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	nest = nlb_nest(&nlb, TCA_OPTIONS);
	nlb_put(&nlb, 1, big, sizeof(big));
	nlb_put_u32(&nlb, 2, 5);
	nlb_nest_end(&nlb, nest);
	assert_int_equal(nlb_finish(&nlb, &msg), 0);
	assert_int_equal(nlmsg_hdr(msg)->nlmsg_len, NLMSG_HDRLEN + NLA_HDRLEN + NLA_HDRLEN + sizeof(big) + NLA_HDRLEN + 4);
	nlmsg_free(msg);

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	nest = nlb_nest(&nlb, TCA_OPTIONS);
	nlb_put(&nlb, 1, big, sizeof(big));
	nlb_put(&nlb, 2, big, 10000);	/* the nest does not hold both */
	nlb_nest_end(&nlb, nest);
	nlb_put_u32(&nlb, 3, 5);
	assert_int_not_equal(nlb_finish(&nlb, &msg), 0);

	nlb_init(&nlb, RTM_NEWQDISC, 0);
	nlb_put(&nlb, 1, big, 70000);
	assert_int_not_equal(nlb.err, 0);
	nlb_put_u32(&nlb, 3, 5);
	assert_int_not_equal(nlb_finish(&nlb, &msg), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_netem_delay),
		cmocka_unit_test(test_netem_rest),
		cmocka_unit_test(test_tbf),
		cmocka_unit_test(test_tbf_link),
		cmocka_unit_test(test_size_table),
		cmocka_unit_test(test_no_options),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_short_attributes),
		cmocka_unit_test(test_builder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

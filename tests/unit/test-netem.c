// SPDX-License-Identifier: GPL-2.0-or-later
/* netem's words: the bytes of each, and how they are shown. */
#include "netem-words.h"

#define PART(percent) ((uint32_t)(UINT32_MAX / 100. * (percent) + .5))

static void test_loss_state(void **state)
{
	static const struct {
		const char *words;
		struct tc_netem_gimodel gi;	/* p13 p31 p32 p14 p23 */
	} models[] = {
		{ "loss state 1%", { PART(1), PART(99), 0, 0, UINT32_MAX } },
		{ "loss state 0%", { 0, UINT32_MAX, 0, 0, UINT32_MAX } },
		{ "loss state 1% 90%", { PART(1), PART(90), 0, 0, UINT32_MAX } },
		{ "loss state 1% 90% 10%", { PART(1), PART(90), PART(10), 0, UINT32_MAX } },
		{ "loss state 1% 90% 10% 80%", { PART(1), PART(90), PART(10), 0, PART(80) } },
		{ "drop state 1% 90% 10% 80% 2%", { PART(1), PART(90), PART(10), PART(2), PART(80) } },
	};

	for (size_t i = 0; i < COUNT(models); i++) {
		struct nl_msg *msg = message(NULL, models[i].words);
		struct nlattr *gi = nla_find(nla_data(option(msg, TCA_NETEM_LOSS)),
					     nla_len(option(msg, TCA_NETEM_LOSS)), NETEM_LOSS_GI);

		assert_non_null(gi);
		assert_memory_equal(nla_data(gi), &models[i].gi, sizeof(models[i].gi));
		assert_int_equal(((struct tc_netem_qopt *)nla_data(options(msg)))->loss, 0);
		nlmsg_free(msg);
	}
}

static void test_loss_gemodel(void **state)
{
	static const struct {
		const char *words;
		struct tc_netem_gemodel ge;	/* p r h k1 */
	} models[] = {
		{ "loss gemodel 1%", { PART(1), PART(99), 0, 0 } },
		{ "loss gemodel 1% 10%", { PART(1), PART(10), 0, 0 } },
		{ "loss gemodel 1% 10% 75%", { PART(1), PART(10), UINT32_MAX - PART(75), 0 } },
		{ "loss gemodel 1% 10% 75% 0.5%", { PART(1), PART(10), UINT32_MAX - PART(75), PART(.5) } },
		{ "loss gemodel 1% 10% 0%", { PART(1), PART(10), UINT32_MAX, 0 } },
	};

	for (size_t i = 0; i < COUNT(models); i++) {
		struct nl_msg *msg = message(NULL, models[i].words);
		struct nlattr *ge = nla_find(nla_data(option(msg, TCA_NETEM_LOSS)),
					     nla_len(option(msg, TCA_NETEM_LOSS)), NETEM_LOSS_GE);

		assert_non_null(ge);
		assert_memory_equal(nla_data(ge), &models[i].ge, sizeof(models[i].ge));
		nlmsg_free(msg);
	}
}

static void test_rate_cells(void **state)
{
	struct nl_msg *msg = message(NULL, "rate 100gbit -14 53 5");
	const struct tc_netem_rate *rate = nla_data(option(msg, TCA_NETEM_RATE));

	assert_int_equal(rate->rate, UINT32_MAX);
	assert_int_equal(rate->packet_overhead, -14);
	assert_int_equal(rate->cell_size, 53);
	assert_int_equal(rate->cell_overhead, 5);
	assert_int_equal(nla_get_u64(option(msg, TCA_NETEM_RATE64)), 12500000000);
	nlmsg_free(msg);

	msg = message(NULL, "rate 0");
	rate = nla_data(option(msg, TCA_NETEM_RATE));
	assert_int_equal(rate->rate, 0);
	nlmsg_free(msg);
}

static void test_slot(void **state)
{
	static const struct {
		const char *words;
		struct tc_netem_slot slot;
	} slots[] = {
		{ "slot 800us", { .min_delay = 800000, .max_delay = 800000 } },
		{ "slot 0ms", { 0 } },
		{ "slot 1ms 2ms packets 5 bytes 64k",
		  { .min_delay = 1000000, .max_delay = 2000000, .max_packets = 5, .max_bytes = 65536 } },
		{ "bytes 9 slot 20ns 40ns", { .min_delay = 20, .max_delay = 40, .max_bytes = 9 } },
		{ "slot distribution few 5ms 1ms packets 7",
		  { .dist_delay = 5000000, .dist_jitter = 1000000, .max_packets = 7 } },
	};

	for (size_t i = 0; i < COUNT(slots); i++) {
		struct nl_msg *msg = message(&env, slots[i].words);

		assert_memory_equal(nla_data(option(msg, TCA_NETEM_SLOT)), &slots[i].slot,
				    sizeof(slots[i].slot));
		assert_int_equal(!!strstr(slots[i].words, "few"), !!option(msg, TCA_NETEM_SLOT_DIST));
		nlmsg_free(msg);
	}
}

static void test_seed(void **state)
{
	struct nl_msg *msg = message(NULL, "seed 18446744073709551615");

	assert_true(nla_get_u64(option(msg, NETEM_PRNG_SEED)) == UINT64_MAX);
	nlmsg_free(msg);
	msg = message(NULL, "delay 1ms");
	assert_null(option(msg, NETEM_PRNG_SEED));
	nlmsg_free(msg);
}

/* tc's rule: any correlation that is given, of whatever, sends them all. */
static void test_correlations(void **state)
{
	static const struct {
		const char *words;
		uint32_t delay, loss, duplicate;
	} given[] = {
		{ "delay 1ms 1ms 2%", PART(2), 0, 0 },
		{ "delay 1ms 1ms 0%", 0, 0, 0 },
		{ "loss random 1% 3%", 0, PART(3), 0 },
		{ "duplicate 1% 4%", 0, 0, PART(4) },
		{ "corrupt 1% 5%", 0, 0, 0 },
		{ "delay 1ms reorder 1% 6%", 0, 0, 0 },
	};
	static const char *const none[] = {
		"delay 1ms 1ms", "loss 1%", "duplicate 1%", "corrupt 1%", "delay 1ms reorder 1%",
	};

	for (size_t i = 0; i < COUNT(given); i++) {
		struct nl_msg *msg = message(NULL, given[i].words);
		const struct tc_netem_corr *corr;

		if (!option(msg, TCA_NETEM_CORR))
			fail_msg("%s", given[i].words);
		corr = nla_data(option(msg, TCA_NETEM_CORR));
		assert_int_equal(corr->delay_corr, given[i].delay);
		assert_int_equal(corr->loss_corr, given[i].loss);
		assert_int_equal(corr->dup_corr, given[i].duplicate);
		nlmsg_free(msg);
	}
	for (size_t i = 0; i < COUNT(none); i++) {
		struct nl_msg *msg = message(NULL, none[i]);

		assert_null(option(msg, TCA_NETEM_CORR));
		nlmsg_free(msg);
	}
}

/* Shown as text with the words that make it, and in JSON with tc's keys. */
static void test_shown(void **state)
{
	static const struct {
		const char *words;
		const char *text;
		const char *json;
	} shown[] = {
		{ "loss state 50%", " limit 1000 loss state p13 50% p31 50% p32 0% p23 100% p14 0%",
		  "\"loss-state\":{\"p13\":0.50000000011641532,\"p31\":0.50000000011641532,\"p32\":0,\"p23\":1,\"p14\":0}" },
		{ "loss gemodel 0% 100% 100%", " limit 1000 loss gemodel p 0% r 100% 1-h 100% 1-k 0%",
		  "\"loss-gemodel\":{\"p\":0,\"r\":1,\"1-h\":1,\"1-k\":0}" },
		{ "rate 1mbit 20 48 -5", " limit 1000 rate 1Mbit packetoverhead 20 cellsize 48 celloverhead -5",
		  "\"rate\":{\"rate\":125000,\"packetoverhead\":20,\"cellsize\":48,\"celloverhead\":-5}" },
		{ "slot 800us 1ms packets 5", " limit 1000 slot 800us 1ms packets 5",
		  "\"slot\":{\"min-delay\":0.0008,\"max-delay\":0.001,\"packets\":5,\"bytes\":0}" },
		{ "slot distribution few 5ms 1ms bytes 9", " limit 1000 slot distribution 5ms 1ms bytes 9",
		  "\"slot\":{\"distribution\":0.005,\"jitter\":0.001,\"packets\":0,\"bytes\":9}" },
		{ "seed 7", " limit 1000 seed 7", "\"seed\":7" },
		{ "delay 1ms reorder 100% loss 100% ecn", " limit 1000 delay 1ms loss 100% reorder 100% ecn  gap 1",
		  "\"ecn\":true,\"gap\":1" },
	};

	for (size_t i = 0; i < COUNT(shown); i++) {
		struct nl_msg *msg = message(&env, shown[i].words);
		struct doc *doc = doc_new();
		char *json;

		doc_open_object(doc, NULL);
		netem_show(doc, options(msg));
		json = doc_as_json(doc);
		assert_string_equal(doc_as_text(doc), shown[i].text);
		if (!strstr(json, shown[i].json))
			fail_msg("%s is not in %s", shown[i].json, json);
		free(json);
		doc_free(doc);
		nlmsg_free(msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss_state),
		cmocka_unit_test(test_loss_gemodel),
		cmocka_unit_test(test_rate_cells),
		cmocka_unit_test(test_slot),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_correlations),
		cmocka_unit_test(test_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

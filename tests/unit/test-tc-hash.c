// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a qdisc's options counts as changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "net/tc-hash.h"

/* A message whose only attribute is TCA_OPTIONS (2), to be filled. */
static struct nlattr *begin(struct nl_msg **msg)
{
	*msg = nlmsg_alloc();
	assert_non_null(*msg);
	return nla_nest_start(*msg, 2);
}

static uint64_t end(struct nl_msg *msg, struct nlattr *nest, const char *kind)
{
	uint64_t h;

	nla_nest_end(msg, nest);
	h = tc_options_hash(kind, nest);
	nlmsg_free(msg);
	return h;
}

static uint64_t htb(uint32_t direct_pkts, uint32_t defcls, uint32_t qlen)
{
	struct tc_htb_glob glob = { .version = 3, .defcls = defcls, .direct_pkts = direct_pkts };
	struct nl_msg *msg;
	struct nlattr *nest = begin(&msg);

	nla_put(msg, TCA_HTB_INIT, sizeof(glob), &glob);
	nla_put_u32(msg, TCA_HTB_DIRECT_QLEN, qlen);
	return end(msg, nest, "htb");
}

static void a_counter_of_htb_is_no_change(void **state)
{
	(void)state;
	assert_int_equal(htb(0, 10, 1000), htb(77, 10, 1000));
	assert_int_not_equal(htb(0, 10, 1000), htb(0, 11, 1000));
	assert_int_not_equal(htb(0, 10, 1000), htb(0, 10, 999));
}

static uint64_t cake(uint32_t autorate, uint64_t rate, uint32_t rtt)
{
	struct nl_msg *msg;
	struct nlattr *nest = begin(&msg);

	nla_put_u64(msg, TCA_CAKE_BASE_RATE64, rate);
	nla_put_u32(msg, TCA_CAKE_AUTORATE, autorate);
	nla_put_u32(msg, TCA_CAKE_RTT, rtt);
	return end(msg, nest, "cake");
}

static void a_rate_that_cake_finds_by_itself_is_no_change(void **state)
{
	(void)state;
	assert_int_equal(cake(1, 1000, 100), cake(1, 2000, 100));
	assert_int_not_equal(cake(0, 1000, 100), cake(0, 2000, 100));
	assert_int_not_equal(cake(1, 1000, 100), cake(1, 1000, 200));
	assert_int_not_equal(cake(1, 1000, 100), cake(0, 1000, 100));
}

static void put_schedule(struct nl_msg *msg, int64_t base)
{
	nla_put_u64(msg, TCA_TAPRIO_ATTR_SCHED_BASE_TIME, (uint64_t)base);
	nla_put_u64(msg, TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME, 1000);
}

static uint64_t taprio(int64_t oper, int64_t admin, uint32_t clockid)
{
	struct nl_msg *msg;
	struct nlattr *nest = begin(&msg), *inner;

	nla_put_u32(msg, TCA_TAPRIO_ATTR_SCHED_CLOCKID, clockid);
	if (oper)
		put_schedule(msg, oper);
	if (admin) {
		inner = nla_nest_start(msg, TCA_TAPRIO_ATTR_ADMIN_SCHED);
		put_schedule(msg, admin);
		nla_nest_end(msg, inner);
	}
	return end(msg, nest, "taprio");
}

static void a_schedule_of_taprio_that_takes_over_is_no_change(void **state)
{
	(void)state;
	assert_int_equal(taprio(0, 500, 1), taprio(500, 0, 1));
	assert_int_equal(taprio(300, 500, 1), taprio(500, 0, 1));
	assert_int_not_equal(taprio(0, 500, 1), taprio(0, 501, 1));
	assert_int_not_equal(taprio(0, 500, 1), taprio(0, 500, 2));
}

static uint64_t fifo(uint32_t limit)
{
	struct tc_fifo_qopt opt = { limit };
	struct nl_msg *msg;
	uint64_t h;

	msg = nlmsg_alloc();
	assert_non_null(msg);
	nla_put(msg, 2, sizeof(opt), &opt);
	h = tc_options_hash("pfifo", nlmsg_attrdata(nlmsg_hdr(msg), 0));
	nlmsg_free(msg);
	return h;
}

static void all_else_is_a_change(void **state)
{
	(void)state;
	assert_int_equal(fifo(1), fifo(1));
	assert_int_not_equal(fifo(1), fifo(2));
	assert_int_equal(tc_options_hash("htb", NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_of_htb_is_no_change),
		cmocka_unit_test(a_rate_that_cake_finds_by_itself_is_no_change),
		cmocka_unit_test(a_schedule_of_taprio_that_takes_over_is_no_change),
		cmocka_unit_test(all_else_is_a_change),
	};

	return cmocka_run_group_tests_name("tc-hash", tests, NULL, NULL);
}

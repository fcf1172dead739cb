// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <netlink/attr.h>
#include <string.h>

#include "kinds/mqprio.h"
#include "kinds/tcmap.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr.h"

#define LEAD "\n             "

/* The first of the two is the kernel's default, which it does not tell. */
static void show_choice(struct doc *doc, struct nlattr **tb, int type, const char *key,
			const char *other)
{
	uint16_t v = 0;

	if (tb[type] && (!attr_read(tb, type, &v, sizeof(v)) || v != 1))
		return;
	doc_str(doc, key, NULL, tb[type] ? other : "dcb");
	doc_text(doc, LEAD "%s:%s", key, tb[type] ? other : "dcb");
}

static void show_rates(struct doc *doc, struct nlattr *nest, const char *key, int num_tc)
{
	struct nlattr *a;
	char text[32];
	int rem, i = 0;

	if (!nest)
		return;
	doc_open_array(doc, key);
	doc_text(doc, "\t%s:", key);
	nla_for_each_nested(a, nest, rem) {
		uint64_t v;

		if (i++ >= num_tc || nla_len(a) < (int)sizeof(v))
			break;
		memcpy(&v, nla_data(a), sizeof(v));
		doc_u64(doc, "", NULL, v);
		doc_text(doc, "%s%s", i > 1 ? " " : "", rate_format(text, sizeof(text), v * 8));
	}
	doc_close_array(doc);
}

static void show_attributes(struct doc *doc, struct nlattr *first, int len, int num_tc)
{
	struct nlattr *tb[TCA_MQPRIO_MAX_RATE64 + 1];
	struct tc_entries entries;

	if (nla_parse(tb, TCA_MQPRIO_MAX_RATE64, first, len, NULL) < 0)
		return;
	show_choice(doc, tb, TCA_MQPRIO_MODE, "mode", "channel");
	show_choice(doc, tb, TCA_MQPRIO_SHAPER, "shaper", "bw_rlimit");
	show_rates(doc, tb[TCA_MQPRIO_MIN_RATE64], "min_rate", num_tc);
	show_rates(doc, tb[TCA_MQPRIO_MAX_RATE64], "max_rate", num_tc);
	tc_entries_read(&entries, first, len, TCA_MQPRIO_TC_ENTRY, 0, TCA_MQPRIO_TC_ENTRY_FP);
	tc_entries_show_fp(doc, &entries, LEAD "fp:");
}

void mqprio_show(struct doc *doc, struct nlattr *opts)
{
	int fixed = NLA_ALIGN(sizeof(struct tc_mqprio_qopt));
	struct tc_mqprio_qopt opt;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	if (!tcmap_show(doc, &opt))
		return;
	doc_open_array(doc, "queues");
	doc_text(doc, LEAD "queues:");
	for (int i = 0; i < opt.num_tc; i++) {
		doc_open_array(doc, "");
		doc_u64(doc, "", i ? " (%" PRIu64 : "(%" PRIu64, opt.offset[i]);
		doc_i64(doc, "", ":%" PRId64 ")", opt.offset[i] + opt.count[i] - 1);
		doc_close_array(doc);
	}
	doc_close_array(doc);
	if (nla_len(opts) > fixed)
		show_attributes(doc, (struct nlattr *)((char *)nla_data(opts) + fixed),
				nla_len(opts) - fixed, opt.num_tc);
}

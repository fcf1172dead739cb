// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>

#include "kinds/clock.h"
#include "kinds/show.h"
#include "kinds/taprio.h"
#include "kinds/tcmap.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"

#define ATTR_MAX TCA_TAPRIO_ATTR_TC_ENTRY

/* tc has masks as text in JSON too. */
static void show_hex(struct doc *doc, const char *key, uint32_t v)
{
	char text[16];

	snprintf(text, sizeof(text), "%#x", v);
	doc_str(doc, key, NULL, text);
	doc_text(doc, " %s %s", key, text);
}

static const char *cmd_name(uint8_t cmd)
{
	switch (cmd) {
	case TC_TAPRIO_CMD_SET_GATES:
		return "S";
	case TC_TAPRIO_CMD_SET_AND_HOLD:
		return "H";
	case TC_TAPRIO_CMD_SET_AND_RELEASE:
		return "R";
	default:
		return "Invalid";
	}
}

static void show_entry(struct doc *doc, struct nlattr *entry)
{
	struct nlattr *tb[TCA_TAPRIO_SCHED_ENTRY_MAX + 1];
	uint32_t index = 0, gates = 0, interval = 0;
	uint8_t cmd = 0;

	if (nla_parse_nested(tb, TCA_TAPRIO_SCHED_ENTRY_MAX, entry, NULL) < 0)
		return;
	attr_u32(tb, TCA_TAPRIO_SCHED_ENTRY_INDEX, &index);
	attr_read(tb, TCA_TAPRIO_SCHED_ENTRY_CMD, &cmd, sizeof(cmd));
	attr_u32(tb, TCA_TAPRIO_SCHED_ENTRY_GATE_MASK, &gates);
	attr_u32(tb, TCA_TAPRIO_SCHED_ENTRY_INTERVAL, &interval);
	doc_open_object(doc, "");
	doc_u64(doc, "index", "\n\tindex %" PRIu64, index);
	doc_str(doc, "cmd", " cmd %s", cmd_name(cmd));
	show_hex(doc, "gatemask", gates);
	show_count(doc, "interval", interval);
	doc_close_object(doc);
}

static void show_time(struct doc *doc, struct nlattr **tb, int type, const char *key,
		      const char *fmt)
{
	int64_t ns;

	if (attr_read(tb, type, &ns, sizeof(ns)))
		doc_i64(doc, key, fmt, ns);
}

static void show_schedule(struct doc *doc, struct nlattr **tb)
{
	struct nlattr *list = tb[TCA_TAPRIO_ATTR_SCHED_ENTRY_LIST], *entry;
	int rem;

	show_time(doc, tb, TCA_TAPRIO_ATTR_SCHED_BASE_TIME, "base_time", "\tbase-time %" PRId64);
	show_time(doc, tb, TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME, "cycle_time", " cycle-time %" PRId64);
	show_time(doc, tb, TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME_EXTENSION, "cycle_time_extension",
		  " cycle-time-extension %" PRId64);
	if (!list)
		return;
	doc_open_array(doc, "schedule");
	nla_for_each_nested(entry, list, rem)
		show_entry(doc, entry);
	doc_close_array(doc);
}

static void show_classes(struct doc *doc, struct nlattr **tb)
{
	struct tc_mqprio_qopt opt;

	if (!attr_read(tb, TCA_TAPRIO_ATTR_PRIOMAP, &opt, sizeof(opt)) || !tcmap_show(doc, &opt))
		return;
	doc_open_array(doc, "queues");
	doc_text(doc, "\nqueues");
	for (int i = 0; i < opt.num_tc; i++) {
		doc_open_object(doc, "");
		show_count(doc, "offset", opt.offset[i]);
		show_count(doc, "count", opt.count[i]);
		doc_close_object(doc);
	}
	doc_close_array(doc);
}

static void show_entries(struct doc *doc, struct nlattr *opts)
{
	struct tc_entries e;

	tc_entries_read(&e, nla_data(opts), nla_len(opts), TCA_TAPRIO_ATTR_TC_ENTRY,
			TCA_TAPRIO_TC_ENTRY_MAX_SDU, TCA_TAPRIO_TC_ENTRY_FP);
	if (e.nmax_sdu) {
		doc_open_array(doc, "max-sdu");
		doc_text(doc, "\nmax-sdu");
		for (int i = 0; i < e.nmax_sdu; i++)
			doc_u64(doc, "", " %" PRIu64, e.max_sdu[i]);
		doc_close_array(doc);
	}
	tc_entries_show_fp(doc, &e, "\nfp");
}

static const struct attr_desc entry_attrs[] = {
	ATTR(TCA_TAPRIO_SCHED_ENTRY_INDEX, "u32"),
	ATTR(TCA_TAPRIO_SCHED_ENTRY_CMD, "u8"),
	ATTR(TCA_TAPRIO_SCHED_ENTRY_GATE_MASK, "x32"),
	ATTR(TCA_TAPRIO_SCHED_ENTRY_INTERVAL, "ns32"),
	ATTR_END
};

static const struct attr_desc entries_attrs[] = {
	ATTR_NEST(TCA_TAPRIO_SCHED_ENTRY, entry_attrs),
	ATTR_END
};

static const struct attr_desc tc_entry_attrs[] = {
	ATTR(TCA_TAPRIO_TC_ENTRY_INDEX, "u32"),
	ATTR(TCA_TAPRIO_TC_ENTRY_MAX_SDU, "u32"),
	ATTR(TCA_TAPRIO_TC_ENTRY_FP, "u32"),
	ATTR_END
};

#define SCHEDULE \
	ATTR_NEST(TCA_TAPRIO_ATTR_SCHED_ENTRY_LIST, entries_attrs), \
	ATTR(TCA_TAPRIO_ATTR_SCHED_BASE_TIME, "ns64"), \
	ATTR(TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME, "ns64"), \
	ATTR(TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME_EXTENSION, "ns64")

static const struct attr_desc admin_attrs[] = { SCHEDULE, ATTR_END };

static const struct attr_desc taprio_attrs[] = {
	SCHEDULE,
	ATTR(TCA_TAPRIO_ATTR_PRIOMAP, ATTR_MQPRIO_QOPT),
	ATTR(TCA_TAPRIO_ATTR_SCHED_CLOCKID, "s32"),
	ATTR(TCA_TAPRIO_PAD, "hex"),
	ATTR_NEST(TCA_TAPRIO_ATTR_ADMIN_SCHED, admin_attrs),
	ATTR(TCA_TAPRIO_ATTR_FLAGS, "x32"),
	ATTR(TCA_TAPRIO_ATTR_TXTIME_DELAY, "ns32"),
	ATTR_NEST(TCA_TAPRIO_ATTR_TC_ENTRY, tc_entry_attrs),
	ATTR_END
};

const struct attr_desc taprio_options = { .value = "+", .sub = taprio_attrs };

void taprio_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[ATTR_MAX + 1], *admin[ATTR_MAX + 1];
	int32_t clockid;
	uint32_t v;

	if (!opts || nla_parse_nested(tb, ATTR_MAX, opts, NULL) < 0)
		return;
	show_classes(doc, tb);
	doc_text(doc, "\n");
	if (attr_read(tb, TCA_TAPRIO_ATTR_SCHED_CLOCKID, &clockid, sizeof(clockid)))
		doc_str(doc, "clockid", "clockid %s", clockid_name(clockid));
	if (attr_u32(tb, TCA_TAPRIO_ATTR_FLAGS, &v))
		show_hex(doc, "flags", v);
	if (attr_u32(tb, TCA_TAPRIO_ATTR_TXTIME_DELAY, &v))
		doc_u64(doc, "txtime_delay", " txtime delay %" PRIu64, v);
	show_schedule(doc, tb);
	if (tb[TCA_TAPRIO_ATTR_ADMIN_SCHED] &&
	    nla_parse_nested(admin, ATTR_MAX, tb[TCA_TAPRIO_ATTR_ADMIN_SCHED], NULL) >= 0) {
		doc_open_object(doc, "admin");
		show_schedule(doc, admin);
		doc_close_object(doc);
	}
	show_entries(doc, opts);
}

void taprio_xstats(struct doc *doc, struct nlattr *app)
{
	struct nlattr *tb[TCA_TAPRIO_OFFLOAD_STATS_TX_OVERRUNS + 1];
	uint64_t v;

	if (nla_parse_nested(tb, TCA_TAPRIO_OFFLOAD_STATS_TX_OVERRUNS, app, NULL) < 0)
		return;
	doc_text(doc, "\n");
	if (attr_read(tb, TCA_TAPRIO_OFFLOAD_STATS_WINDOW_DROPS, &v, sizeof(v)))
		show_count(doc, "window_drops", v);
	if (attr_read(tb, TCA_TAPRIO_OFFLOAD_STATS_TX_OVERRUNS, &v, sizeof(v)))
		show_count(doc, "tx_overruns", v);
}

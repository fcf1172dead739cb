// SPDX-License-Identifier: GPL-2.0-or-later
/* taprio: gates of traffic classes that open and close by a schedule. Shown in taprio-show.c. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/clock.h"
#include "kinds/kinds.h"
#include "kinds/taprio.h"
#include "kinds/tcmap.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

#define CYCLE_MAX INT_MAX	/* ns, taprio_cycle_time_range */
#define SOFTWARE_MIN 1000	/* ns, about what an expiry of the kernel's timer takes */

enum {
	TAP_NUM_TC, TAP_MAP, TAP_QUEUES, TAP_FP, TAP_MAX_SDU, TAP_ENTRY, TAP_BASE, TAP_CYCLE,
	TAP_EXTENSION, TAP_CLOCKID, TAP_FLAGS, TAP_TXTIME_DELAY,
};

#define F(name) offsetof(struct taprio_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

/**
 * struct entry - a line of the schedule
 * @gates: bit N is the gate of traffic class N
 * @interval_ns: how long
 * @cmd: TC_TAPRIO_CMD_*
 */
struct entry {
	uint32_t gates;
	uint32_t interval_ns;
	uint8_t cmd;
};

struct taprio_cfg {
	struct tcmap m;		/* first: tcmap_map_take() and its like */
	uint32_t given;
	int32_t clockid;
	uint32_t flags;
	int64_t base_ns, cycle_ns, extension_ns, txtime_delay_ns;
	uint32_t max_sdu[TC_QOPT_MAX_QUEUE];	/* bytes */
	uint32_t nmax_sdu;
	struct entry *entries;
	size_t nentries;
};

static int one_sdu(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	uint64_t v;
	int err = u64_parse(d, words, i, 0, UINT32_MAX, &v);

	if (!err)
		((uint32_t *)array)[k] = (uint32_t)v;
	return err;
}

static int max_sdu_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
			void *cfg)
{
	struct taprio_cfg *c = cfg;
	int k = keyword_list(d, words, n, i, 1, TC_QOPT_MAX_QUEUE, like_a_number, one_sdu, c->max_sdu);

	if (k < 0)
		return k;
	c->nmax_sdu = (uint32_t)k;
	return i + 1 + k;
}

/* In hex, with or without 0x, as tc has it */
static int gates_parse(struct diag *d, char **words, int i, uint32_t *gates)
{
	const char *p = words[i];
	size_t digits;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	digits = strspn(p, "0123456789abcdefABCDEF");
	if (!digits || p[digits])
		return diag_usage(d, i, "\"%s\": not a mask of gates, in hex", words[i]);
	errno = 0;
	if (strtoull(p, NULL, 16) > UINT32_MAX || errno)
		return diag_usage(d, i, "\"%s\": more than 32 gates", words[i]);
	*gates = (uint32_t)strtoull(p, NULL, 16);
	return 0;
}

static int cmd_parse(struct diag *d, char **words, int i, uint8_t *cmd)
{
	static const char letters[] = {
		[TC_TAPRIO_CMD_SET_GATES] = 'S',
		[TC_TAPRIO_CMD_SET_AND_HOLD] = 'H',
		[TC_TAPRIO_CMD_SET_AND_RELEASE] = 'R',
	};

	for (uint8_t k = 0; k < sizeof(letters); k++) {
		if (words[i][0] != letters[k] || words[i][1])
			continue;
		*cmd = k;
		return 0;
	}
	return diag_usage(d, i, "\"%s\": S (set gates), H (and hold) or R (and release)", words[i]);
}

static int entry_parse(struct diag *d, char **words, int i, struct entry *e)
{
	int64_t ns;
	int err = cmd_parse(d, words, i, &e->cmd);

	if (!err)
		err = gates_parse(d, words, i + 1, &e->gates);
	if (!err)
		err = nanos_parse(d, words, i + 2, UINT32_MAX, &ns);
	if (!err && !ns)
		err = diag_usage(d, i + 2, "\"%s\": no packet can be sent in no time", words[i + 2]);
	if (!err)
		e->interval_ns = (uint32_t)ns;
	return err;
}

static int entry_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
		      void *cfg)
{
	struct taprio_cfg *c = cfg;
	struct entry *grown;

	if (i + 3 >= n)
		return diag_usage(d, i, "\"%s\" needs a command, a mask of gates and an interval",
				  words[i]);
	grown = realloc(c->entries, (c->nentries + 1) * sizeof(*grown));
	if (!grown)
		return diag_failed(d, ENOMEM, "%s", words[i]);
	c->entries = grown;
	if (entry_parse(d, words, i + 1, &grown[c->nentries]))
		return diag_context(d, 0, "%s", kw->word);
	c->nentries++;
	return i + 4;
}

static const struct keyword taprio_words[] = {
	{ "num_tc", TAP_NUM_TC, 1, { { KW_U32, F(m.num_tc) } }, .min = 1, .max = TC_QOPT_MAX_QUEUE },
	{ "map", TAP_MAP, .take = tcmap_map_take },
	{ "queues", TAP_QUEUES, .take = tcmap_queues_take },
	{ "fp", TAP_FP, .take = tcmap_fp_take },
	{ "max-sdu", TAP_MAX_SDU, .take = max_sdu_take },
	{ "sched-entry", TAP_ENTRY, .take = entry_take, .again = true },
	{ "base-time", TAP_BASE, 1, { { KW_OTHER, F(base_ns) } }, .parse = nanos63_parse },
	{ "cycle-time", TAP_CYCLE, 1, { { KW_OTHER, F(cycle_ns) } }, .parse = nanos31_parse },
	{ "cycle-time-extension", TAP_EXTENSION, 1, { { KW_OTHER, F(extension_ns) } },
	  .parse = nanos63_parse },
	{ "clockid", TAP_CLOCKID, 1, { { KW_OTHER, F(clockid) } }, .parse = clockid_parse },
	{ "flags", TAP_FLAGS, 1, { { KW_U32, F(flags) } } },
	{ "txtime-delay", TAP_TXTIME_DELAY, 1, { { KW_OTHER, F(txtime_delay_ns) } },
	  .parse = nanos32_parse },
	{ NULL }
};

/* A change may leave the classes as they are. */
static int check_classes(struct diag *d, const struct taprio_cfg *c)
{
	if (!c->m.num_tc && (c->m.nmap || c->m.nqueues))
		return diag_usage(d, -1, "\"num_tc\" is needed with map and queues");
	if (!c->m.num_tc)
		return 0;
	if (c->nmax_sdu > c->m.num_tc)
		return diag_usage(d, -1, "max-sdu: %u values for %u traffic classes", c->nmax_sdu,
				  c->m.num_tc);
	return tcmap_check(d, &c->m, true, c->flags & TCA_TAPRIO_ATTR_FLAG_TXTIME_ASSIST);
}

static int check_clock(struct diag *d, const struct taprio_cfg *c)
{
	bool offload = c->flags & TCA_TAPRIO_ATTR_FLAG_FULL_OFFLOAD;

	if (!GIVEN(c, TAP_CLOCKID) && !offload)
		return diag_usage(d, -1, "\"clockid\" is needed: the clock of the schedule, such as CLOCK_TAI");
	if (GIVEN(c, TAP_CLOCKID) && offload)
		return diag_usage(d, -1, "clockid: with flags 0x2 the clock is the device's");
	if (c->txtime_delay_ns && !(c->flags & TCA_TAPRIO_ATTR_FLAG_TXTIME_ASSIST))
		return diag_usage(d, -1, "txtime-delay: only with flags 0x1");
	return 0;
}

static uint64_t length_of(const struct taprio_cfg *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->nentries; i++)
		sum += c->entries[i].interval_ns;
	return sum;
}

/* The kernel would take it, and its timer fire for ever. */
static int check_pace(struct diag *d, const struct taprio_cfg *c)
{
	if (c->flags & (TCA_TAPRIO_ATTR_FLAG_TXTIME_ASSIST | TCA_TAPRIO_ATTR_FLAG_FULL_OFFLOAD))
		return 0;
	if (GIVEN(c, TAP_CYCLE) && c->cycle_ns < SOFTWARE_MIN)
		return diag_usage(d, -1, "cycle-time: less than %d ns, which a schedule in software cannot keep",
				  SOFTWARE_MIN);
	for (size_t i = 0; i < c->nentries; i++)
		if (c->entries[i].interval_ns < SOFTWARE_MIN)
			return diag_usage(d, -1, "sched-entry: an interval of %u ns: less than %d ns, which a schedule in software cannot keep",
					  c->entries[i].interval_ns, SOFTWARE_MIN);
	return 0;
}

static int check_schedule(struct diag *d, const struct taprio_cfg *c)
{
	uint64_t length = length_of(c);

	if (!c->nentries)
		return diag_usage(d, -1, "\"sched-entry\" is needed, one at least");
	if (GIVEN(c, TAP_CYCLE) && !c->cycle_ns)
		return diag_usage(d, -1, "cycle-time: a cycle takes time; left out, it is as long as the entries are together");
	if (!GIVEN(c, TAP_CYCLE) && length > CYCLE_MAX)
		return diag_usage(d, -1, "sched-entry: together they take %" PRIu64 " ns; a cycle is at most %d ns",
				  length, CYCLE_MAX);
	if (GIVEN(c, TAP_CYCLE) && (uint64_t)c->cycle_ns < length)
		diag_warn(d, "taprio: cycle-time is shorter than the entries together, %" PRIu64 " ns: the last of them are cut off",
			  length);
	return check_pace(d, c);
}

static void advise_gates(struct diag *d, const struct taprio_cfg *c)
{
	uint32_t all = c->m.num_tc ? UINT32_MAX >> (32 - c->m.num_tc) : 0;
	uint32_t open = 0;

	for (size_t i = 0; i < c->nentries; i++)
		open |= c->entries[i].gates;
	if (!all)
		return;
	if (open & ~all)
		diag_warn(d, "taprio: the schedule opens gates of traffic classes that are not there: there are %u",
			  c->m.num_tc);
	for (uint32_t tc = 0; tc < c->m.num_tc; tc++)
		if (!(open & 1u << tc))
			diag_warn(d, "taprio: the gate of traffic class %u is never open: its packets stay",
				  tc);
}

static int taprio_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct taprio_cfg *c = cfg;
	int err = keywords_parse(d, taprio_words, words, n, c, &c->given);

	if (!err)
		err = check_classes(d, c);
	if (!err)
		err = check_clock(d, c);
	if (!err)
		err = check_schedule(d, c);
	if (!err)
		advise_gates(d, c);
	return err;
}

static void taprio_drop(void *cfg)
{
	struct taprio_cfg *c = cfg;

	free(c->entries);
}

static void fill_classes(struct nlb *nlb, const struct taprio_cfg *c)
{
	uint32_t n = c->nmax_sdu > c->m.nfp ? c->nmax_sdu : c->m.nfp;

	for (uint32_t tc = 0; tc < n; tc++) {
		size_t nest = nlb_nest(nlb, TCA_TAPRIO_ATTR_TC_ENTRY | NLA_F_NESTED);

		nlb_put_u32(nlb, TCA_TAPRIO_TC_ENTRY_INDEX, tc);
		if (tc < c->nmax_sdu)
			nlb_put_u32(nlb, TCA_TAPRIO_TC_ENTRY_MAX_SDU, c->max_sdu[tc]);
		if (tc < c->m.nfp)
			nlb_put_u32(nlb, TCA_TAPRIO_TC_ENTRY_FP, c->m.fp[tc]);
		nlb_nest_end(nlb, nest);
	}
}

static void fill_schedule(struct nlb *nlb, const struct taprio_cfg *c)
{
	size_t list = nlb_nest(nlb, TCA_TAPRIO_ATTR_SCHED_ENTRY_LIST | NLA_F_NESTED);

	for (size_t i = 0; i < c->nentries; i++) {
		size_t nest = nlb_nest(nlb, TCA_TAPRIO_SCHED_ENTRY);

		nlb_put(nlb, TCA_TAPRIO_SCHED_ENTRY_CMD, &c->entries[i].cmd, sizeof(uint8_t));
		nlb_put_u32(nlb, TCA_TAPRIO_SCHED_ENTRY_GATE_MASK, c->entries[i].gates);
		nlb_put_u32(nlb, TCA_TAPRIO_SCHED_ENTRY_INTERVAL, c->entries[i].interval_ns);
		nlb_nest_end(nlb, nest);
	}
	nlb_nest_end(nlb, list);
}

static void put_time(struct nlb *nlb, uint16_t type, int64_t ns)
{
	if (ns)
		nlb_put_i64(nlb, type, ns);
}

static void taprio_fill(struct nlb *nlb, const void *cfg)
{
	const struct taprio_cfg *c = cfg;
	struct tc_mqprio_qopt opt = c->m.opt;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	opt.num_tc = (uint8_t)c->m.num_tc;
	if (GIVEN(c, TAP_CLOCKID))
		nlb_put(nlb, TCA_TAPRIO_ATTR_SCHED_CLOCKID, &c->clockid, sizeof(c->clockid));
	if (c->flags)
		nlb_put_u32(nlb, TCA_TAPRIO_ATTR_FLAGS, c->flags);
	if (opt.num_tc)
		nlb_put(nlb, TCA_TAPRIO_ATTR_PRIOMAP, &opt, sizeof(opt));
	if (c->txtime_delay_ns)
		nlb_put_u32(nlb, TCA_TAPRIO_ATTR_TXTIME_DELAY, (uint32_t)c->txtime_delay_ns);
	put_time(nlb, TCA_TAPRIO_ATTR_SCHED_BASE_TIME, c->base_ns);
	put_time(nlb, TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME, c->cycle_ns);
	put_time(nlb, TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME_EXTENSION, c->extension_ns);
	fill_classes(nlb, c);
	fill_schedule(nlb, c);
	nlb_nest_end(nlb, nest);
}

static int taprio_judge(struct diag *d, const void *cfg, unsigned int queues)
{
	const struct taprio_cfg *c = cfg;

	return tcmap_judge(d, &c->m, queues);
}

const struct kind kind_taprio = {
	.name = "taprio",
	.config = "CONFIG_NET_SCH_TAPRIO",
	.words = taprio_words,
	.multiqueue = true,
	.cfg_size = sizeof(struct taprio_cfg),
	.parse = taprio_parse,
	.drop = taprio_drop,
	.fill = taprio_fill,
	.options = &taprio_options,
	.show = taprio_show,
	.xstats = taprio_xstats,
	.judge = taprio_judge,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed qdisc: tc's words for the qdiscs of a device. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "cmd.h"
#include "kinds/spec.h"
#include "net/qdisc.h"
#include "net/rtnl.h"

struct qdisc_cfg {
	const char *netns;
	bool statistics;
};

static const struct opt qdisc_opts[] = {
	{ "netns", OPT_STR, offsetof(struct qdisc_cfg, netns), "NS",
	  "network namespace of the device", .letter = 'n' },
	{ "statistics", OPT_FLAG, offsetof(struct qdisc_cfg, statistics), NULL,
	  "show: with the counters", .letter = 's' },
	{ 0 }
};

/* One qdisc of a dump, copied: a dump may begin anew, and names are asked for after it. */
struct item {
	struct item *next;
	struct qdisc_info info;
	char kind[32];
	char data[];	/* copies of the two attributes */
};

/**
 * struct show - what a dump found
 * @first: the qdiscs in the kernel's order
 * @last: where the next one is hung
 * @filter: what was asked for
 */
struct show {
	struct item *first;
	struct item **last;
	const struct qdisc_spec *filter;
};

static void show_clear(void *arg)
{
	struct show *show = arg;

	while (show->first) {
		struct item *next = show->first->next;

		free(show->first);
		show->first = next;
	}
	show->last = &show->first;
}

static int show_take(const struct qdisc_info *info, void *arg)
{
	struct show *show = arg;
	size_t nopts = info->opts ? (size_t)nla_total_size(nla_len(info->opts)) : 0;
	size_t nstats = info->stats2 ? (size_t)nla_total_size(nla_len(info->stats2)) : 0;
	struct item *item;

	if ((show->filter->parent && show->filter->parent != info->parent) ||
	    (show->filter->handle && show->filter->handle != info->handle))
		return 0;
	item = calloc(1, sizeof(*item) + nopts + nstats);
	if (!item)
		return -ENOMEM;
	item->info = *info;
	strncpy(item->kind, info->kind, sizeof(item->kind) - 1);
	item->info.kind = item->kind;
	if (nopts)
		item->info.opts = memcpy(item->data, info->opts, (size_t)info->opts->nla_len);
	if (nstats)
		item->info.stats2 = memcpy(item->data + nopts, info->stats2,
					   (size_t)info->stats2->nla_len);
	*show->last = item;
	show->last = &item->next;
	return 0;
}

/* Copies attribute @type into @out; false if it is not there or too short. */
static bool stat_get(struct nlattr **tb, int type, void *out, int len)
{
	if (!tb[type] || nla_len(tb[type]) < len)
		return false;
	memcpy(out, nla_data(tb[type]), (size_t)len);
	return true;
}

static void show_statistics(struct doc *doc, struct nlattr *stats2)
{
	struct nlattr *tb[TCA_STATS_MAX + 1];
	struct gnet_stats_basic basic = { 0 };
	struct gnet_stats_queue queue = { 0 };
	struct gnet_stats_rate_est est;
	uint64_t packets;

	if (!stats2 || nla_parse_nested(tb, TCA_STATS_MAX, stats2, NULL) < 0)
		return;
	stat_get(tb, TCA_STATS_BASIC, &basic, sizeof(basic));
	packets = basic.packets;
	stat_get(tb, TCA_STATS_PKT64, &packets, sizeof(packets));
	stat_get(tb, TCA_STATS_QUEUE, &queue, sizeof(queue));
	doc_u64(doc, "bytes", "\n Sent %" PRIu64 " bytes", basic.bytes);
	doc_u64(doc, "packets", " %" PRIu64 " pkt", packets);
	doc_u64(doc, "drops", " (dropped %" PRIu64, queue.drops);
	doc_u64(doc, "overlimits", ", overlimits %" PRIu64, queue.overlimits);
	doc_u64(doc, "requeues", " requeues %" PRIu64 ")\n", queue.requeues);
	if (stat_get(tb, TCA_STATS_RATE_EST, &est, sizeof(est))) {
		doc_u64(doc, "rate", NULL, est.bps);
		doc_text(doc, " rate %" PRIu64 "bit", (uint64_t)est.bps * 8);
		doc_u64(doc, "pps", " %" PRIu64 "pps", est.pps);
	}
	doc_u64(doc, "backlog", " backlog %" PRIu64 "b", queue.backlog);
	doc_u64(doc, "qlen", " %" PRIu64 "p", queue.qlen);
	doc_text(doc, " requeues %u", queue.requeues);
}

/* The keys and their order are those of tc -j. */
static void show_item(struct doc *doc, const struct item *item, const char *dev, bool statistics)
{
	const struct qdisc_info *info = &item->info;
	const struct kind *kind = kind_find(item->kind);
	char handle[12] = "0:";
	char parent[12];

	if (info->handle)
		handle_format(handle, info->handle);
	doc_open_object(doc, NULL);
	doc_str(doc, "kind", "qdisc %s", item->kind);
	doc_str(doc, "handle", " %s", handle);
	if (dev)
		doc_str(doc, "dev", " dev %s", dev);
	doc_bool(doc, info->offloaded ? "offloaded" : NULL, " offloaded", info->offloaded);
	if (info->parent == TC_H_ROOT)
		doc_bool(doc, "root", " root", true);
	else if (info->parent)
		doc_str(doc, "parent", " parent %s", handle_format(parent, info->parent));
	if (info->refcnt != 1)
		doc_u64(doc, "refcnt", " refcnt %" PRIu64, info->refcnt);
	doc_open_object(doc, "options");
	if (kind && kind->show)
		kind->show(doc, info->opts);
	doc_close_object(doc);
	if (statistics)
		show_statistics(doc, info->stats2);
	doc_close_object(doc);
	doc_text(doc, "\n");
}

static int show_items(struct ctx *ctx, struct rtnl *rtnl, const struct show *show, bool statistics)
{
	const struct item *item;
	char dev[IFNAMSIZ];
	int err = 0;

	doc_open_array(ctx->doc, NULL);
	for (item = show->first; item && !err; item = item->next) {
		if (!show->filter->end.dev[0])
			err = rtnl_ifname(rtnl, ctx->diag, item->info.ifindex, dev);
		if (!err)
			show_item(ctx->doc, item, show->filter->end.dev[0] ? NULL : dev, statistics);
	}
	doc_close_array(ctx->doc);
	return err;
}

static int qdisc_show(struct ctx *ctx, struct rtnl *rtnl, const struct qdisc_spec *spec,
		      bool statistics)
{
	struct show show = { .filter = spec };
	int ifindex = 0;
	int err;

	show.last = &show.first;
	if (spec->end.dev[0]) {
		ifindex = rtnl_ifindex(rtnl, ctx->diag, spec->end.dev);
		if (ifindex < 0)
			return ifindex;
	}
	err = qdisc_each(rtnl, ctx->diag, ifindex, show_take, show_clear, &show);
	if (!err)
		err = show_items(ctx, rtnl, &show, statistics);
	show_clear(&show);
	return err;
}

static int qdisc_make(struct ctx *ctx, struct rtnl *rtnl, enum qdisc_op op,
		      const struct qdisc_spec *spec)
{
	struct qdisc_dev dev;
	int err = qdisc_dev_read(rtnl, ctx->diag, &spec->end, &dev);

	return err ? err : qdisc_do(rtnl, ctx->diag, op, spec, &dev);
}

static int verb_parse(struct diag *d, char **words, int n, enum qdisc_op *op)
{
	if (!n) {
		*op = QDISC_SHOW;	/* as in tc */
		return 0;
	}
	for (*op = QDISC_ADD; *op <= QDISC_SHOW; ++*op)
		if (!strcmp(words[0], qdisc_op_name(*op)))
			return 0;
	if (!strcmp(words[0], "delete") || !strcmp(words[0], "list")) {
		*op = words[0][0] == 'd' ? QDISC_DEL : QDISC_SHOW;
		return 0;
	}
	return diag_usage(d, 0, "qdisc: unknown word \"%s\": add, change, replace, del or show",
			  words[0]);
}

/* Where the device is: in the name (NS:DEV), in -n, not in both differently. */
static int netns_choose(struct diag *d, const char *option, struct link_end *end)
{
	int err;

	if (!option)
		return 0;
	err = netns_name_check(d, -1, option);
	if (err)
		return err;
	if (end->netns[0] && strcmp(end->netns, option))
		return diag_usage(d, -1, "qdisc: the device is in \"%s\" by its name and in \"%s\" by -n",
				  end->netns, option);
	strcpy(end->netns, option);
	return 0;
}

static int qdisc_run(struct ctx *ctx, void *arg, int argc, char **argv)
{
	const struct qdisc_cfg *cfg = arg;
	struct rtnl *rtnl = NULL;
	struct qdisc_spec spec;
	enum qdisc_op op;
	int skip = argc > 0;
	int err;

	err = verb_parse(ctx->diag, argv, argc, &op);
	if (err)
		return err;
	if (qdisc_spec_parse(ctx->diag, op, argv + skip, argc - skip, &spec))
		return diag_context(ctx->diag, skip, "qdisc %s", qdisc_op_name(op));
	if (op != QDISC_SHOW && !spec.end.dev[0])
		return diag_usage(ctx->diag, -1, "qdisc %s: \"dev D\" is needed", qdisc_op_name(op));
	err = netns_choose(ctx->diag, cfg->netns, &spec.end);
	if (!err)
		err = rtnl_open(ctx->diag, spec.end.netns, &rtnl);
	if (err)
		return err;
	if (op == QDISC_SHOW)
		err = qdisc_show(ctx, rtnl, &spec, cfg->statistics);
	else
		err = qdisc_make(ctx, rtnl, op, &spec);
	rtnl_close(rtnl);
	return err;
}

static void qdisc_words(void (*emit)(const char *word))
{
	for (enum qdisc_op op = QDISC_ADD; op <= QDISC_SHOW; op++)
		emit(qdisc_op_name(op));
	for (const char *const *word = qdisc_spec_words; *word; word++)
		emit(*word);
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		if (!(*kind)->parse)
			continue;
		emit((*kind)->name);
		for (const struct keyword *kw = (*kind)->words; kw->word; kw++)
			emit(kw->word);
	}
}

extern const struct cmd cmd_qdisc;
const struct cmd cmd_qdisc = {
	.name = "qdisc",
	.alias = "qd",
	.summary = "add, change, replace, delete and show qdiscs, in tc's words",
	.usage = "[-n NS] add|change|replace dev D [root|parent H] [handle H:] [est A B] KIND OPTIONS\n"
		 "[-n NS] del dev D root|parent H [handle H:]\n"
		 "[-n NS] [-s] show [dev D] [root|parent H] [handle H:]",
	.opts = qdisc_opts,
	.cfg_size = sizeof(struct qdisc_cfg),
	.words = qdisc_words,
	.run = qdisc_run,
};

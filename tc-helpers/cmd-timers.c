// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed timers: where and how late the timers of qdiscs fire while a command runs. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cmd.h"
#include "measure/nohz.h"
#include "measure/trace.h"
#include "measure/wrap.h"
#include "net/rtnl.h"
#include "pure/expiry.h"
#include "pure/hist.h"
#include "pure/names.h"
#include "pure/stats.h"

extern const struct cmd cmd_timers;

struct timers_cfg {
	struct link_end from;
	bool from_given;
	const char *function;
	const char *within;
	uint64_t buffer;
};

static int function_parse(struct diag *d, char **words, int i, void *field)
{
	const char *p = words[i];

	while (isalnum((unsigned char)*p) || *p == '_' || *p == '.')
		p++;
	if (*p || p == words[i] || p - words[i] > 200)
		return diag_usage(d, i, "\"%s\": not the name of a kernel function", words[i]);
	*(const char **)field = words[i];
	return 0;
}

/* ifindex of --from; 0 with no error in @d when there is no such device (yet). */
static uint32_t from_ifindex(const struct timers_cfg *cfg, struct diag *d)
{
	struct rtnl *rtnl;
	int ifindex;

	if (rtnl_open(d, cfg->from.netns, &rtnl) < 0)
		return 0;
	ifindex = rtnl_ifindex(rtnl, d, cfg->from.dev);
	rtnl_close(rtnl);
	return ifindex > 0 ? (uint32_t)ifindex : 0;
}

/* The command may make the device, or take it away again at its end. */
static uint32_t from_ifindex_quiet(const struct timers_cfg *cfg)
{
	struct diag ignored;
	uint32_t ifindex;

	if (!cfg->from_given)
		return 0;
	diag_init(&ignored);
	ifindex = from_ifindex(cfg, &ignored);
	diag_free(&ignored);
	return ifindex;
}

/* "window_ns": [begin, end] of a result of qbed load, CLOCK_MONOTONIC. */
static int window_read(const struct timers_cfg *cfg, struct diag *d, struct expiry_window *w)
{
	json_error_t where;
	json_t *root;
	json_t *pair;
	int err = 0;

	memset(w, 0, sizeof(*w));
	if (!cfg->within)
		return 0;
	root = json_load_file(cfg->within, 0, &where);
	if (!root)
		return diag_failed(d, 0, "%s: line %d: %s", cfg->within, where.line, where.text);
	pair = json_object_get(root, "window_ns");
	if (json_array_size(pair) != 2 || !json_is_integer(json_array_get(pair, 0)) ||
	    !json_is_integer(json_array_get(pair, 1))) {
		err = diag_failed(d, 0, "%s: no \"window_ns\": [begin, end] in it", cfg->within);
	} else {
		w->begin_ns = json_integer_value(json_array_get(pair, 0));
		w->end_ns = json_integer_value(json_array_get(pair, 1));
		w->given = true;
		if (w->begin_ns > w->end_ns)
			err = diag_failed(d, 0, "%s: \"window_ns\" ends before it begins", cfg->within);
	}
	json_decref(root);
	return err;
}

/* Per cent with three digits; null when nothing was counted. */
static void percent_doc(struct doc *doc, const char *key, uint64_t part, uint64_t whole)
{
	if (whole)
		doc_real(doc, key, NULL, round(100000.0 * (double)part / (double)whole) / 1000);
	else
		doc_null(doc, key);
}

static void queue_text(struct doc *doc, const struct expiry_queue *q, const char *parent,
		       const char *cpus)
{
	char p50[32], p99[32], max[32];

	doc_text(doc, "%-9s %-12s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9s %9s %9s\n", parent,
		 cpus, q->enqueues, q->expiries, q->away,
		 stats_us(p50, sizeof(p50), q->lateness, HIST_P50),
		 stats_us(p99, sizeof(p99), q->lateness, HIST_P99),
		 stats_us(max, sizeof(max), q->lateness, HIST_MAX));
}

static void queue_doc(struct doc *doc, const struct expiry_queue *q)
{
	char parent[16], handle[16], cpus[256];

	handle_format(parent, q->parent);
	handle_format(handle, q->handle);
	cpus_format(cpus, sizeof(cpus), &q->home);
	doc_open_object(doc, "");
	doc_u64(doc, "ifindex", NULL, q->ifindex);
	doc_str(doc, "parent", NULL, parent);
	doc_str(doc, "handle", NULL, handle);
	doc_str(doc, "home_cpus", NULL, cpus);
	doc_u64(doc, "enqueues", NULL, q->enqueues);
	doc_u64(doc, "expiries", NULL, q->expiries);
	doc_u64(doc, "away", NULL, q->away);
	percent_doc(doc, "away_percent", q->away, q->expiries);
	doc_u64(doc, "undated", NULL, q->undated);
	stats_doc(doc, "lateness", q->lateness);
	doc_close_object(doc);
	queue_text(doc, q, parent, cpus);
}

static void cpus_doc(struct doc *doc, const struct expiry *x)
{
	size_t i;

	doc_text(doc, "\n%-9s %9s %9s %9s\n", "cpu", "expiries", "away", "unmatched");
	doc_open_array(doc, "cpus");
	for (i = 0; i < x->ncpus; i++) {
		doc_open_object(doc, "");
		doc_u64(doc, "cpu", "%-9" PRIu64, i);
		doc_u64(doc, "expiries", " %9" PRIu64, x->cpus[i].expiries);
		doc_u64(doc, "away", " %9" PRIu64, x->cpus[i].away);
		doc_u64(doc, "unmatched", " %9" PRIu64 "\n", x->cpus[i].unmatched);
		doc_close_object(doc);
	}
	doc_close_array(doc);
}

static void totals_doc(struct doc *doc, const struct expiry *x)
{
	doc_u64(doc, "expiries", "\n%" PRIu64 " expiries", x->expiries);
	doc_u64(doc, "away", ", %" PRIu64 " of them away", x->away);
	percent_doc(doc, "away_percent", x->away, x->expiries);
	if (x->expiries)
		doc_text(doc, " (%.3f %%)", 100.0 * (double)x->away / (double)x->expiries);
	doc_u64(doc, "unmatched_timers", "; %" PRIu64 " timers of no queue", x->unmatched_timers);
	doc_u64(doc, "unmatched_expiries", " fired %" PRIu64 " times\n", x->unmatched_expiries);
}

static void answer(struct ctx *ctx, const struct timers_cfg *cfg, const struct nohz *nohz,
		   const struct expiry_window *w, const struct expiry *x, size_t events, int code)
{
	struct doc *doc = ctx->doc;
	char end[NETNS_NAME_MAX + IFNAMSIZ + 2];
	size_t i;

	snprintf(end, sizeof(end), "%s%s%s", cfg->from.netns, cfg->from.netns[0] ? ":" : "",
		 cfg->from.dev);
	doc_str(doc, "schema", NULL, "qbed-timers-1");
	doc_i64(doc, "command_exit", NULL, code);
	doc_str(doc, "function", "%s", cfg->function);
	doc_str(doc, "from", cfg->from_given ? " of %s" : NULL, cfg->from_given ? end : NULL);
	doc_i64(doc, "timer_migration", ", kernel.timer_migration %" PRId64, nohz->timer_migration);
	doc_u64(doc, "nohz_cpus", ", NO_HZ on %" PRIu64 " CPUs\n\n", nohz->cpus);
	if (w->given) {
		doc_open_array(doc, "window_ns");
		doc_i64(doc, "", NULL, w->begin_ns);
		doc_i64(doc, "", NULL, w->end_ns);
		doc_close_array(doc);
	} else {
		doc_null(doc, "window_ns");
	}
	doc_u64(doc, "events", NULL, events);
	doc_open_array(doc, "timer_offsets_bytes");
	for (i = 0; i < x->noffsets; i++)
		doc_u64(doc, "", NULL, x->offsets[i]);
	doc_close_array(doc);

	doc_text(doc, "%-9s %-12s %9s %9s %9s %29s\n", "", "", "", "", "", "lateness us");
	doc_text(doc, "%-9s %-12s %9s %9s %9s %9s %9s %9s\n", "parent", "home cpus", "enqueues",
		 "expiries", "away", "p50", "p99", "max");
	doc_open_array(doc, "queues");
	for (i = 0; i < x->nqueues; i++)
		queue_doc(doc, &x->queues[i]);
	doc_close_array(doc);
	cpus_doc(doc, x);
	stats_doc(doc, "lateness", x->lateness);
	totals_doc(doc, x);
	if (x->twins)
		diag_warn(ctx->diag, "%zu queues have ifindex, parent and handle of another one: a qdisc was replaced, or another namespace has a device of the same ifindex",
			  x->twins);
	if (!x->expiries)
		diag_warn(ctx->diag, "%s never fired for a queue: there is no share of expiries",
			  cfg->function);
}

/*
 * Reads and folds what was recorded. @ifindex: of --from before the command, 0 for none. Closes
 * the trace once it is read: its buffers are most of a small guest's memory.
 */
static int result(struct ctx *ctx, const struct timers_cfg *cfg, const struct nohz *nohz,
		  struct trace **trace, uint32_t ifindex, int code)
{
	struct expiry_event *events = NULL;
	struct expiry_window window;
	struct expiry x;
	size_t n = 0;
	int err;

	if (cfg->from_given) {
		uint32_t after = from_ifindex_quiet(cfg);

		if (after)
			ifindex = after;
		else if (!ifindex && !from_ifindex(cfg, ctx->diag))
			return -ENODEV;
	}
	err = window_read(cfg, ctx->diag, &window);
	if (!err)
		err = trace_read(*trace, ctx->diag, &events, &n);
	trace_close(*trace);
	*trace = NULL;
	if (!err)
		err = expiry_fold(ctx->diag, events, n, &window, ifindex, &x);
	free(events);
	if (err)
		return err;
	answer(ctx, cfg, nohz, &window, &x, n, code);
	expiry_free(&x);
	ctx->print_anyway = true;
	return 0;
}

static int measure(struct ctx *ctx, const struct timers_cfg *cfg, struct wrap *wrap, char **argv)
{
	const struct trace_spec spec = { .function = cfg->function, .buffer_bytes = cfg->buffer };
	uint32_t ifindex = from_ifindex_quiet(cfg);
	struct trace *trace;
	struct nohz nohz;
	int code;
	int err;

	err = trace_open(ctx->diag, &spec, &trace);
	if (err)
		return err;
	code = nohz_read(ctx->diag, &nohz);
	if (!code)
		code = trace_start(trace, ctx->diag);
	if (!code)
		code = wrap_run(wrap, ctx->diag, argv);
	if (code >= 0) {
		err = trace_stop(trace, ctx->diag);
		/* --within is written by the command; when that failed there may be none */
		if (!err && !(code && cfg->within))
			err = result(ctx, cfg, &nohz, &trace, ifindex, code);
		if (err && !code)
			code = err;
	}
	trace_close(trace);
	return code;
}

static int run(struct ctx *ctx, void *config, int argc, char **argv)
{
	const struct timers_cfg *cfg = config;
	struct wrap wrap;
	int code;

	if (!argc)
		return diag_usage(ctx->diag, -1, "timers: a command to run is needed: timers [OPTIONS] -- COMMAND...");
	wrap_arm(&wrap);
	code = measure(ctx, cfg, &wrap, argv);
	wrap_disarm(&wrap);
	return code;
}

#define FIELD(name) offsetof(struct timers_cfg, name)

static const struct opt opts[] = {
	{ "from", OPT_END, FIELD(from), "NS:DEV", "count the queues of this device only (all)",
	  .set = FIELD(from_given) + 1 },
	{ "function", OPT_FN, FIELD(function), "NAME",
	  "the timers' callback in the kernel (qdisc_watchdog)", .parse = function_parse },
	{ "within", OPT_STR, FIELD(within), "FILE",
	  "count only within \"window_ns\" of this result of qbed load" },
	{ "buffer", OPT_SIZE, FIELD(buffer), "SIZE", "trace buffer per CPU (16mb)",
	  .min = 64 * 1024, .max = 1ull << 36 },
	{ 0 }
};

static const struct timers_cfg defaults = {
	.function = "qdisc_watchdog",
	/* 8 CPUs x 3500 packets/s x 4 s, every timer of them on one CPU: 10 MiB there */
	.buffer = 16 * 1024 * 1024,
};

const struct cmd cmd_timers = {
	.name = "timers",
	.summary = "Where and how late the timers of qdiscs fire while a command runs.",
	.usage = "[--from NS:DEV] [--function NAME] [--within FILE] [--buffer SIZE]\n[--json | -o FILE] -- COMMAND...",
	.opts = opts,
	.defaults = &defaults,
	.cfg_size = sizeof(struct timers_cfg),
	.wraps = true,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed load: paced, per-CPU traffic through a qdisc. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "net/queues.h"
#include "pure/units.h"
#include "traffic.h"

struct load_cfg {
	struct traffic t;
};

static const struct load_cfg load_defaults = { .t = TRAFFIC_DEFAULTS };

static const struct opt load_opts[] = {
	{ "rate", OPT_FN, TRAFFIC_OPT(struct load_cfg, t, rate_pps), "PPS",
	  "packets per second of each sender, or max", .parse = rate_pps_parse,
	  .set = TRAFFIC_OPT(struct load_cfg, t, has_rate) + 1 },
	TRAFFIC_OPTS(struct load_cfg, t),
	{ 0 }
};

/* Without a queue of its own a CPU's packets go where a hash of their addresses says. */
static void warn_unmapped(struct diag *d, const struct traffic *t, const struct queues *q)
{
	struct cpus lost = { 0 };
	char list[512];

	for (int cpu = cpus_next(&t->cpus, -1); cpu >= 0; cpu = cpus_next(&t->cpus, cpu))
		if (q->of_cpu[cpu] < 0)
			cpus_add(&lost, (unsigned int)cpu);
	if (cpus_count(&lost))
		diag_warn(d, "CPU %s: XPS gives no queue of its own: the kernel picks one of %u",
			  cpus_format(list, sizeof(list), &lost), q->n);
}

static void load_doc(struct doc *doc, const struct traffic *t, const struct send_plan *plan,
		     const struct queues *queues)
{
	struct send_path total = { 0 };
	char took[32], late[24];

	doc_str(doc, "schema", NULL, "qbed-load-1");
	traffic_doc(doc, t, plan);
	doc_text(doc, "%4s %12s %10s %10s %10s %10s %14s\n", "CPU", "sent", "dropped",
		 "full", "errors", "late", "late max (us)");
	doc_open_array(doc, "senders");
	for (unsigned int i = 0; i < plan->n; i++) {
		const struct sender *s = &plan->sender[i];
		const struct send_path *path = &s->path[0];

		doc_open_object(doc, NULL);
		doc_u64(doc, "cpu", NULL, s->cpu);
		if (queues->of_cpu[s->cpu] >= 0)
			doc_i64(doc, "queue", NULL, queues->of_cpu[s->cpu]);
		else
			doc_null(doc, "queue");
		if (plan->rate_pps) {
			doc_i64(doc, "phase_ns", NULL, s->phase_ns);
			doc_u64(doc, "late", NULL, s->late);
			doc_i64(doc, "late_max_ns", NULL, s->late_max_ns);
		}
		traffic_sender_doc(doc, plan, s, 0);
		doc_close_object(doc);
		doc_text(doc, "%4u %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
			 " %10" PRIu64 " %14s\n", s->cpu, path->sent,
			 path->dropped, path->full, path->errors, s->late,
			 us_format(late, sizeof(late), s->late_max_ns));
		total.sent += path->sent;
		total.dropped += path->dropped;
		total.full += path->full;
		total.errors += path->errors;
	}
	doc_close_array(doc);
	doc_open_object(doc, "total");
	doc_u64(doc, "sent", NULL, total.sent);
	doc_u64(doc, "dropped", NULL, total.dropped);
	doc_u64(doc, "buffer_full", NULL, total.full);
	doc_u64(doc, "errors", NULL, total.errors);
	doc_close_object(doc);
	doc_text(doc, "%" PRIu64 " packets from %u CPUs in %s\n", total.sent, plan->n,
		 time_format(took, sizeof(took), t->duration_ns));
}

static int load_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	struct traffic *t = &((struct load_cfg *)cfg)->t;
	struct diag *d = ctx->diag;
	struct send_plan plan = { 0 };
	struct queues queues = { 0 };
	struct stop stop;
	int *sinks = NULL;
	int err;

	if (argc)
		return diag_usage(d, 0, "\"%s\": load takes options only", argv[0]);
	err = traffic_check(d, t);
	if (err)
		return err;
	stop_arm(&stop);
	err = traffic_plan(d, t, 1, &plan);
	if (!err) {
		sinks = calloc(plan.n, sizeof(*sinks));
		if (!sinks)
			err = diag_failed(d, ENOMEM, "load");
	}
	/* nobody reads the sinks: they are there so that no ICMP error comes back */
	if (!err)
		err = traffic_connect(d, t, &plan, 0, &t->from, &t->to, 0, sinks);
	if (!err)
		err = queues_read(d, &t->from, &queues);
	if (!err)
		err = traffic_run(d, t, &plan, &stop);
	if (!err) {
		/* what netem still holds is for this run's sinks, not for the next run's */
		if (!plan.interrupted)
			stop_wait_until(&stop, mono_add(mono_now(), queues_latest_ns(&queues)));
		warn_unmapped(d, t, &queues);
		load_doc(ctx->doc, t, &plan, &queues);
		ctx->print_anyway = true;
		err = traffic_verdict(d, "load", &plan, &stop);
	}
	/* senders' sockets first: nobody is left to hear that a sink has gone */
	traffic_plan_free(&plan);
	for (unsigned int i = 0; sinks && i < plan.n; i++)
		if (sinks[i] > 0)
			close(sinks[i]);
	free(sinks);
	queues_free(&queues);
	stop_disarm(&stop);
	return err;
}

const struct cmd cmd_load = {
	.name = "load",
	.summary = "Paced, per-CPU traffic through the qdisc of a link, never around it.",
	.usage = "--from NS:DEV --to NS:DEV --rate PPS|max [--cpus LIST] [--hog LIST] [--duration TIME] ...",
	.opts = load_opts,
	.defaults = &load_defaults,
	.cfg_size = sizeof(struct load_cfg),
	.run = load_run,
};

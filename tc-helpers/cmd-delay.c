// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed delay: one-way delivery delay per queue, against the configured one. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "delay.h"
#include "measure/affinity.h"
#include "net/ends.h"
#include "pure/hist.h"

#define RCVBUF		(1 << 20)
#define GRACE_NS	1000000000	/* for the last probes, besides the configured delay */
#define PROBES_MAX	(UINT64_C(1) << 32)	/* of one flow: a bit of memory each */

static const struct delay_cfg delay_defaults = { .t = TRAFFIC_DEFAULTS };

/* FROM or FROM,TO */
static int floor_parse(struct diag *d, char **words, int i, void *field)
{
	struct delay_floor *floor = field;
	char *copy = strdup(words[i]);
	char *comma;
	int err;

	if (!copy)
		return diag_failed(d, ENOMEM, "--floor");
	comma = strchr(copy, ',');
	if (comma)
		*comma++ = '\0';
	err = link_end_parse(d, &copy, 0, &floor->from);
	floor->has_to = comma;
	if (!err && comma)
		err = link_end_parse(d, &comma, 0, &floor->to);
	if (err)
		d->word = i;
	free(copy);
	return err;
}

static const struct opt delay_opts[] = {
	{ "rate", OPT_U64, TRAFFIC_OPT(struct delay_cfg, t, rate_pps), "PPS",
	  "probes per second of each sender", .min = 1, .max = 1000000,
	  .set = TRAFFIC_OPT(struct delay_cfg, t, has_rate) + 1 },
	TRAFFIC_OPTS(struct delay_cfg, t),
	{ "floor", OPT_FN, offsetof(struct delay_cfg, floor), "NS:DEV[,NS:DEV]",
	  "a link without qdisc that the senders probe in turn (to: the same device name at --to)",
	  .parse = floor_parse, .set = offsetof(struct delay_cfg, has_floor) + 1 },
	{ "receiver-cpus", OPT_CPUS, offsetof(struct delay_cfg, receiver_cpus), "LIST",
	  "CPUs of the receivers, dealt out in turn (each on its sender's CPU)",
	  .set = offsetof(struct delay_cfg, has_receiver_cpus) + 1 },
	{ 0 }
};

static bool queues_alike(const struct queues *q)
{
	for (unsigned int i = 1; i < q->n; i++)
		if (q->delay[i].delay_ns != q->delay[0].delay_ns ||
		    q->delay[i].jitter_ns != q->delay[0].jitter_ns ||
		    q->delay[i].reorders != q->delay[0].reorders)
			return false;
	return true;
}

/* Each sender's queue, by XPS; where XPS says nothing any queue will do if all are alike. */
static int find_queues(struct diag *d, struct delay_run *run)
{
	const struct link_end *from = &run->cfg->t.from;
	char name[512];
	int err = queues_read(d, from, &run->queues);

	for (unsigned int i = 0; !err && i < run->plan.n; i++) {
		unsigned int cpu = run->plan.sender[i].cpu;
		int queue = run->queues.of_cpu[cpu];

		if (queue < 0 && !queues_alike(&run->queues))
			err = diag_failed(d, 0, "%s: CPU %u: XPS gives it no queue of its own, and the queues' delays differ: cannot tell the configured one",
					  link_end_format(name, sizeof(name), from), cpu);
		else
			run->qd[i] = &run->queues.delay[queue < 0 ? 0 : queue];
	}
	return err;
}

static int check_floor(struct diag *d, const struct delay_cfg *cfg)
{
	const struct link_end *from = &cfg->floor.from;
	struct queues q;
	char name[512];
	int err = ends_check(d, from, &cfg->floor.to);

	if (err)
		return err;
	err = queues_read(d, from, &q);
	for (unsigned int i = 0; !err && i < q.n; i++)
		if (q.delay[i].delay_ns)
			err = diag_usage(d, -1, "--floor %s: has a netem with a delay: it is no floor",
					 link_end_format(name, sizeof(name), from));
	queues_free(&q);
	return err;
}

static int check(struct diag *d, struct delay_cfg *cfg)
{
	int err = traffic_check(d, &cfg->t);

	if (!err && cfg->has_receiver_cpus)
		err = affinity_check(d, &cfg->receiver_cpus, "--receiver-cpus");
	if (!err && send_planned(cfg->t.rate_pps, cfg->t.duration_ns) > PROBES_MAX)
		err = diag_usage(d, -1, "--rate times --duration: more than %" PRIu64 " probes of a sender",
				 PROBES_MAX);
	if (err || !cfg->has_floor)
		return err;
	if (!cfg->floor.has_to) {
		cfg->floor.to = cfg->t.to;
		memcpy(cfg->floor.to.dev, cfg->floor.from.dev, sizeof(cfg->floor.to.dev));
	}
	return check_floor(d, cfg);
}

static unsigned int receiver_cpu(const struct delay_cfg *cfg, unsigned int i, unsigned int cpu)
{
	int at = -1;

	if (!cfg->has_receiver_cpus)
		return cpu;
	for (i %= cpus_count(&cfg->receiver_cpus); ; i--) {
		at = cpus_next(&cfg->receiver_cpus, at);
		if (!i)
			return (unsigned int)at;
	}
}

static int prepare_flow(struct diag *d, struct delay_run *run, unsigned int i, unsigned int j)
{
	struct recv_flow *f = &run->receiver[i].flow[j];
	const struct send_path *path = &run->plan.sender[i].path[j];

	f->fd = run->sinks[j][i];
	f->run = run->plan.run;
	f->flow = path->flow;
	if (j == PATH_QDISC) {
		f->configured_ns = run->qd[i]->delay_ns;
		f->earliest_ns = queue_earliest_ns(run->qd[i]);
	}
	f->beyond = hist_new();
	if (!f->beyond || track_init(&f->track, path->planned))
		return diag_failed(d, ENOMEM, "delay: %" PRIu64 " probes", path->planned);
	return 0;
}

static int prepare(struct diag *d, struct delay_run *run)
{
	struct delay_cfg *cfg = run->cfg;
	int err = traffic_plan(d, &cfg->t, run->npaths, &run->plan);

	if (err)
		return err;
	run->qd = calloc(run->plan.n, sizeof(*run->qd));
	run->receiver = calloc(run->plan.n, sizeof(*run->receiver));
	for (unsigned int j = 0; j < run->npaths; j++)
		run->sinks[j] = calloc(run->plan.n, sizeof(*run->sinks[j]));
	if (!run->qd || !run->receiver || !run->sinks[0] || !run->sinks[run->npaths - 1])
		return diag_failed(d, ENOMEM, "delay");
	err = find_queues(d, run);
	if (!err)
		err = traffic_connect(d, &cfg->t, &run->plan, PATH_QDISC, &cfg->t.from, &cfg->t.to,
				      RCVBUF, run->sinks[PATH_QDISC]);
	if (!err && run->npaths > PATH_FLOOR)
		err = traffic_connect(d, &cfg->t, &run->plan, PATH_FLOOR, &cfg->floor.from,
				      &cfg->floor.to, RCVBUF, run->sinks[PATH_FLOOR]);
	for (unsigned int i = 0; !err && i < run->plan.n; i++) {
		struct receiver *r = &run->receiver[i];

		r->cpu = receiver_cpu(cfg, i, run->plan.sender[i].cpu);
		r->nflows = run->npaths;
		for (unsigned int j = 0; !err && j < run->npaths; j++)
			err = prepare_flow(d, run, i, j);
	}
	return err;
}

static void release(struct delay_run *run)
{
	/* senders' sockets first: nobody is left to hear that a sink has gone */
	traffic_plan_free(&run->plan);
	for (unsigned int j = 0; j < run->npaths; j++) {
		for (unsigned int i = 0; i < run->plan.n; i++) {
			if (run->sinks[j] && run->sinks[j][i] > 0)
				close(run->sinks[j][i]);
			if (!run->receiver)
				continue;
			hist_free(run->receiver[i].flow[j].beyond);
			track_free(&run->receiver[i].flow[j].track);
		}
		free(run->sinks[j]);
	}
	free(run->receiver);
	free(run->qd);
	queues_free(&run->queues);
}

static int measure(struct diag *d, struct delay_run *run, struct stop *stop)
{
	struct mono now;
	int err = receivers_start(d, run->receiver, run->plan.n, &run->receivers);

	if (err)
		return err;
	err = traffic_run(d, &run->cfg->t, &run->plan, stop);
	now = mono_now();
	if (!err && !run->plan.interrupted) {
		/* duplicates come no later than this, and need not be waited for longer */
		now = mono_add(now, queues_latest_ns(&run->queues));
		run->plan.interrupted = stop_wait_until(stop, now);
		now = mono_add(now, GRACE_NS);
	}
	for (unsigned int i = 0; i < run->plan.n; i++)
		for (unsigned int j = 0; j < run->npaths; j++)
			run->receiver[i].flow[j].expected = run->plan.sender[i].path[j].sent;
	receivers_finish(run->receivers, run->plan.interrupted ? mono_now() : now);
	return err;
}

static int delay_main(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	struct delay_run run = { .cfg = cfg };
	struct diag *d = ctx->diag;
	struct stop stop;
	int err, verdict;

	if (argc)
		return diag_usage(d, 0, "\"%s\": delay takes options only", argv[0]);
	err = check(d, run.cfg);
	if (err)
		return err;
	run.npaths = run.cfg->has_floor ? 2 : 1;
	stop_arm(&stop);
	err = prepare(d, &run);
	if (!err)
		err = measure(d, &run, &stop);
	if (!err) {
		verdict = traffic_verdict(d, "delay", &run.plan, &stop);
		ctx->print_anyway = true;
		err = delay_doc(ctx->doc, d, &run);
		err = verdict ? verdict : err;
	}
	release(&run);
	stop_disarm(&stop);
	return err;
}

const struct cmd cmd_delay = {
	.name = "delay",
	.summary = "One-way delivery delay per queue, against the configured one.",
	.usage = "--from NS:DEV --to NS:DEV --rate PPS [--floor NS:DEV[,NS:DEV]] [--cpus LIST] ...",
	.opts = delay_opts,
	.defaults = &delay_defaults,
	.cfg_size = sizeof(struct delay_cfg),
	.run = delay_main,
};

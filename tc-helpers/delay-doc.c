// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer of qbed delay. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "delay.h"
#include "net/ends.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/hist.h"
#include "pure/stats.h"
#include "pure/units.h"

/**
 * struct sums - one path's figures over all senders
 * @sent: and the others: see struct send_path, struct recv_flow, struct track
 * @beyond: merged
 */
struct sums {
	uint64_t sent, received, lost, duplicates, inversions, early, foreign, overruns;
	struct hist *beyond;
};

static struct sums sums_of(const struct send_path *path, const struct recv_flow *f)
{
	return (struct sums){
		.sent = path->sent,
		.received = f->track.received,
		.lost = path->sent > f->track.received ? path->sent - f->track.received : 0,
		.duplicates = f->track.duplicates,
		.inversions = f->track.inversions,
		.early = f->early,
		.foreign = f->foreign + f->track.alien,
		.overruns = udp_overruns(f->fd),
		.beyond = f->beyond,
	};
}

/* What is shown of them, and added up. */
static const struct doc_count counts[] = {
	{ "received", offsetof(struct sums, received) },
	{ "lost", offsetof(struct sums, lost) },
	{ "duplicates", offsetof(struct sums, duplicates) },
	{ "inversions", offsetof(struct sums, inversions) },
	{ "early", offsetof(struct sums, early) },
	{ "foreign", offsetof(struct sums, foreign) },
	{ "receiver_overruns", offsetof(struct sums, overruns) },
};

#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static void sums_add(struct sums *into, const struct sums *s)
{
	into->sent += s->sent;
	for (size_t i = 0; i < COUNTS; i++)
		*(uint64_t *)((char *)into + counts[i].offset) +=
			*(const uint64_t *)((const char *)s + counts[i].offset);
	hist_merge(into->beyond, s->beyond);
}

/* @key names what the histogram is of: the delay, or what it has beyond the configured one. */
static void sums_doc(struct doc *doc, const struct sums *s, const char *key)
{
	doc_counts(doc, counts, COUNTS, s);
	stats_doc(doc, key, s->beyond);
}

static void row_text(struct doc *doc, const char *name, const char *configured,
		     const struct sums *s)
{
	char min[24], p50[24], p99[24], max[24];

	doc_text(doc, "%-8s %10s %8" PRIu64 " %6" PRIu64 " %5" PRIu64 " %5" PRIu64 " %5" PRIu64
		 " %11s %11s %11s %11s\n", name, configured, s->received, s->lost,
		 s->duplicates, s->inversions, s->early,
		 stats_us(min, sizeof(min), s->beyond, HIST_MIN),
		 stats_us(p50, sizeof(p50), s->beyond, HIST_P50),
		 stats_us(p99, sizeof(p99), s->beyond, HIST_P99),
		 stats_us(max, sizeof(max), s->beyond, HIST_MAX));
}

/* "1:3" where the queue has a class, "queue 2" or "CPU 2" where it has not. */
static void queue_name(char *buf, size_t len, const struct delay_run *run, unsigned int i)
{
	unsigned int cpu = run->plan.sender[i].cpu;
	uint32_t parent = run->qd[i]->parent;
	int queue = run->queues.of_cpu[cpu];
	char handle[16];

	if (queue < 0)
		snprintf(buf, len, "CPU %u", cpu);
	else if (!parent)
		snprintf(buf, len, "queue %d", queue);
	else
		snprintf(buf, len, "%s", handle_format(handle, parent));
}

static void queue_doc(struct doc *doc, struct diag *d, const struct delay_run *run, unsigned int i,
		      struct sums *total)
{
	const struct sender *s = &run->plan.sender[i];
	const struct queue_delay *qd = run->qd[i];
	const struct receiver *r = &run->receiver[i];
	struct sums sums = sums_of(&s->path[PATH_QDISC], &r->flow[PATH_QDISC]);
	char name[32], configured[32];

	queue_name(name, sizeof(name), run, i);
	time_format(configured, sizeof(configured), qd->delay_ns);
	doc_open_object(doc, NULL);
	doc_str(doc, "queue", NULL, name);
	doc_u64(doc, "cpu", NULL, s->cpu);
	doc_u64(doc, "receiver_cpu", NULL, r->cpu);
	doc_str(doc, "kind", NULL, *qd->kind ? qd->kind : NULL);
	doc_i64(doc, "configured_ns", NULL, qd->delay_ns);
	doc_i64(doc, "configured_jitter_ns", NULL, qd->jitter_ns);
	doc_i64(doc, "earliest_ns", NULL, queue_earliest_ns(qd));
	doc_i64(doc, "phase_ns", NULL, s->phase_ns);
	doc_u64(doc, "late", NULL, s->late);
	doc_i64(doc, "late_max_ns", NULL, s->late_max_ns);
	traffic_sender_doc(doc, &run->plan, s, PATH_QDISC);
	sums_doc(doc, &sums, "beyond");
	row_text(doc, name, configured, &sums);
	sums_add(&total[PATH_QDISC], &sums);
	if (sums.early)
		diag_warn(d, "%s: %" PRIu64 " packets came before the configured %s: they went round the qdisc",
			  name, sums.early, configured);
	if (sums.overruns)
		diag_warn(d, "%s: the receiver's socket dropped %" PRIu64 " packets: not all the lost are the qdisc's",
			  name, sums.overruns);
	if (run->npaths > PATH_FLOOR) {
		sums = sums_of(&s->path[PATH_FLOOR], &r->flow[PATH_FLOOR]);
		doc_open_object(doc, "floor");
		traffic_sender_doc(doc, &run->plan, s, PATH_FLOOR);
		sums_doc(doc, &sums, "delay");
		doc_close_object(doc);
		row_text(doc, "  floor", "-", &sums);
		sums_add(&total[PATH_FLOOR], &sums);
	}
	doc_close_object(doc);
}

static void parameters_doc(struct doc *doc, const struct delay_cfg *cfg)
{
	char name[512];

	doc_open_object(doc, "floor_link");
	doc_str(doc, "from", NULL, link_end_format(name, sizeof(name), &cfg->floor.from));
	doc_str(doc, "to", NULL, link_end_format(name, sizeof(name), &cfg->floor.to));
	doc_close_object(doc);
}

/* The object @key, left open for what goes into it. */
static void total_doc(struct doc *doc, const char *key, const char *name, const struct sums *s,
		      const char *of)
{
	doc_open_object(doc, key);
	doc_u64(doc, "sent", NULL, s->sent);
	sums_doc(doc, s, of);
	row_text(doc, name, "-", s);
}

int delay_doc(struct doc *doc, struct diag *d, const struct delay_run *run)
{
	struct sums total[SEND_PATHS] = { { .beyond = hist_new() }, { .beyond = hist_new() } };
	uint64_t received;

	if (!total[0].beyond || !total[1].beyond) {
		hist_free(total[0].beyond);
		hist_free(total[1].beyond);
		return diag_failed(d, ENOMEM, "delay");
	}
	doc_str(doc, "schema", NULL, "qbed-delay-1");
	traffic_doc(doc, &run->cfg->t, &run->plan);
	if (run->cfg->has_floor)
		parameters_doc(doc, run->cfg);
	doc_text(doc, "Delivery delay minus the configured one, us%s\n",
		 run->cfg->has_floor ? "; floor: delay of the link without qdisc" : "");
	doc_text(doc, "%-8s %10s %8s %6s %5s %5s %5s %11s %11s %11s %11s\n", "queue", "configured",
		 "packets", "lost", "dup", "inv", "early", "min", "p50", "p99", "max");
	doc_open_array(doc, "queues");
	for (unsigned int i = 0; i < run->plan.n; i++)
		queue_doc(doc, d, run, i, total);
	doc_close_array(doc);
	total_doc(doc, "total", "all", &total[PATH_QDISC], "beyond");
	if (run->npaths > PATH_FLOOR) {
		total_doc(doc, "floor", "  floor", &total[PATH_FLOOR], "delay");
		doc_close_object(doc);
	}
	doc_close_object(doc);
	received = total[PATH_QDISC].received;
	hist_free(total[0].beyond);
	hist_free(total[1].beyond);
	return received ? 0 : diag_failed(d, 0, "delay: not one probe arrived");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace events folded into expiries per queue and CPU, and their lateness. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/expiry-match.h"
#include "pure/expiry.h"
#include "pure/hist.h"

/**
 * struct armed - what a timer was started for
 * @last: deadline of its last start
 * @before: deadline of the start before that
 * @has_last: @last waits for its expiry
 * @has_before: @before does
 */
struct armed {
	int64_t last;
	int64_t before;
	bool has_last;
	bool has_before;
};

/**
 * struct fold - state while the events are walked
 * @queue_of: per Qdisc address (index in @match): the queue it is at this
 *	moment, -1 before the first; an address is reused when a Qdisc goes
 * @armed: per timer: its last two starts
 */
struct fold {
	struct expiry *x;
	const struct expiry_window *window;
	uint32_t ifindex;
	struct match match;
	long *queue_of;
	struct armed *armed;
};

static int event_cmp(const struct expiry_event *a, const struct expiry_event *b)
{
	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return 0;
}

/* Merge sort: equals must keep their order, which qsort() does not promise. */
static void events_merge(struct expiry_event *v, struct expiry_event *tmp, size_t n)
{
	size_t half = n / 2;
	size_t a = 0;
	size_t b = half;
	size_t i;

	if (n < 2)
		return;
	events_merge(v, tmp, half);
	events_merge(v + half, tmp, n - half);
	if (event_cmp(&v[half - 1], &v[half]) <= 0)
		return;
	for (i = 0; i < n; i++) {
		if (b == n || (a < half && event_cmp(&v[a], &v[b]) <= 0))
			tmp[i] = v[a++];
		else
			tmp[i] = v[b++];
	}
	memcpy(v, tmp, n * sizeof(*v));
}

static int events_sort(struct expiry_event *v, size_t n)
{
	struct expiry_event *tmp;
	size_t i = 1;

	/* mostly they come merged already, and there are many of them */
	while (i < n && event_cmp(&v[i - 1], &v[i]) <= 0)
		i++;
	if (i >= n)
		return 0;
	tmp = malloc(n * sizeof(*tmp));
	if (!tmp)
		return -ENOMEM;
	events_merge(v, tmp, n);
	free(tmp);
	return 0;
}

static bool in_window(const struct expiry_window *w, int64_t ns)
{
	return !w->given || (ns >= w->begin_ns && ns <= w->end_ns);
}

static long queue_find(const struct expiry *x, const struct expiry_event *e)
{
	size_t i;

	for (i = 0; i < x->nqueues; i++) {
		const struct expiry_queue *q = &x->queues[i];

		if (q->object == e->object && q->ifindex == e->ifindex &&
		    q->parent == e->parent && q->handle == e->handle)
			return (long)i;
	}
	return -1;
}

/* Index of the queue that @e was enqueued to, made when it is new; -ENOMEM. */
static long queue_get(struct expiry *x, const struct expiry_event *e)
{
	struct expiry_queue *grown;
	struct expiry_queue *q;
	long at = queue_find(x, e);

	if (at >= 0)
		return at;
	grown = reallocarray(x->queues, x->nqueues + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	x->queues = grown;
	q = &grown[x->nqueues];
	memset(q, 0, sizeof(*q));
	q->object = e->object;
	q->first_ns = e->ns;
	q->ifindex = e->ifindex;
	q->parent = e->parent;
	q->handle = e->handle;
	q->lateness = hist_new();
	if (!q->lateness)
		return -ENOMEM;
	return (long)x->nqueues++;
}

/* First pass: the queues, and who enqueued to them. */
static int queues_collect(struct fold *f, const struct expiry_event *events, size_t n)
{
	struct expiry *x = f->x;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct expiry_event *e = &events[i];
		struct expiry_queue *q;
		long qdisc;
		long at;

		if (e->cpu >= x->ncpus)
			x->ncpus = (size_t)e->cpu + 1;
		if (e->kind != EXPIRY_ENQUEUE)
			continue;
		qdisc = match_qdisc_find(&f->match, e->object);
		/* a queue of another device is nobody's here: no counts, but its timers are matched */
		at = f->ifindex && e->ifindex != f->ifindex ? -2 : queue_get(x, e);
		if (at == -ENOMEM)
			return -ENOMEM;
		if (f->queue_of[qdisc] == -1)
			f->queue_of[qdisc] = at;
		if (at < 0)
			continue;
		q = &x->queues[at];
		if (e->cpu < CPUS_MAX)
			cpus_add(&q->any_home, e->cpu);
		if (!in_window(f->window, e->ns))
			continue;
		q->enqueues++;
		if (e->cpu < CPUS_MAX)
			cpus_add(&q->home, e->cpu);
	}
	for (i = 0; i < x->nqueues; i++) {
		if (!cpus_count(&x->queues[i].home))
			x->queues[i].home = x->queues[i].any_home;
	}
	return 0;
}

static void armed_start(struct armed *a, int64_t deadline)
{
	a->before = a->last;
	a->has_before = a->has_last;
	a->last = deadline;
	a->has_last = true;
}

/*
 * The deadline of an expiry at @now; false when its start is not in the trace. Another CPU
 * may start a timer again just before its expiry is traced here: a timer never fires before its
 * deadline, so a later one belongs to the next expiry. One start, one expiry: a callback that
 * restarts its timer gives no start event.
 */
static bool armed_fire(struct armed *a, int64_t now, int64_t *deadline)
{
	bool dated;

	if (a->has_last && a->last > now) {
		dated = a->has_before;
		*deadline = a->before;
	} else {
		dated = a->has_last;
		*deadline = a->last;
		a->has_last = false;
	}
	a->has_before = false;
	return dated;
}

static void fire_count(struct fold *f, const struct expiry_event *e, size_t timer)
{
	long qdisc = f->match.timers[timer].qdisc;
	long at = qdisc < 0 ? -1 : f->queue_of[qdisc];
	struct expiry *x = f->x;
	struct expiry_queue *q;
	int64_t deadline;
	bool dated = armed_fire(&f->armed[timer], e->value, &deadline);
	bool away;

	if (!in_window(f->window, e->ns))
		return;
	if (qdisc < 0) {
		x->unmatched_expiries++;
		x->cpus[e->cpu].unmatched++;
		return;
	}
	if (at < 0)
		return;
	q = &x->queues[at];
	away = e->cpu >= CPUS_MAX || !cpus_has(&q->home, e->cpu);
	q->expiries++;
	x->expiries++;
	x->cpus[e->cpu].expiries++;
	if (away) {
		q->away++;
		x->away++;
		x->cpus[e->cpu].away++;
	}
	if (!dated) {
		q->undated++;
		return;
	}
	hist_add(q->lateness, e->value - deadline);
	hist_add(x->lateness, e->value - deadline);
}

/* Second pass: starts and expiries, each given to what its Qdisc is at that time. */
static void timers_walk(struct fold *f, const struct expiry_event *events, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct expiry_event *e = &events[i];
		size_t timer;

		if (e->kind == EXPIRY_ENQUEUE) {
			long qdisc = match_qdisc_find(&f->match, e->object);

			f->queue_of[qdisc] = f->ifindex && e->ifindex != f->ifindex ?
				-2 : queue_find(f->x, e);
			continue;
		}
		timer = (size_t)(match_timer_find(&f->match, e->object) - f->match.timers);
		if (e->kind == EXPIRY_START)
			armed_start(&f->armed[timer], e->value);
		else
			fire_count(f, e, timer);
	}
}

static int u64_cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By what people see of them; addresses are no order, they differ between runs. */
static int names_cmp(const struct expiry_queue *a, const struct expiry_queue *b)
{
	int cmp = u64_cmp(a->ifindex, b->ifindex);

	if (!cmp)
		cmp = u64_cmp(a->parent, b->parent);
	return cmp ? cmp : u64_cmp(a->handle, b->handle);
}

static int queue_cmp(const void *l, const void *r)
{
	const struct expiry_queue *a = l;
	const struct expiry_queue *b = r;
	int cmp = names_cmp(a, b);

	return cmp ? cmp : u64_cmp((uint64_t)a->first_ns, (uint64_t)b->first_ns);
}

static void queues_sort(struct expiry *x)
{
	size_t i;

	if (x->nqueues)
		qsort(x->queues, x->nqueues, sizeof(*x->queues), queue_cmp);
	for (i = 1; i < x->nqueues; i++) {
		if (!names_cmp(&x->queues[i - 1], &x->queues[i]))
			x->twins++;
	}
}

static void match_summary(struct expiry *x, const struct match *m)
{
	size_t i;

	for (i = 0; i < m->noffsets && i < EXPIRY_OFFSETS_MAX; i++)
		x->offsets[x->noffsets++] = m->offsets[i];
	for (i = 0; i < m->ntimers; i++) {
		if (m->timers[i].qdisc < 0)
			x->unmatched_timers++;
	}
}

static int fold_run(struct fold *f, struct expiry_event *events, size_t n)
{
	struct expiry *x = f->x;
	size_t i;
	int err;

	err = events_sort(events, n);
	if (!err)
		err = match_timers(&f->match, events, n);
	if (err)
		return err;
	f->queue_of = malloc((f->match.nqdiscs + 1) * sizeof(*f->queue_of));
	f->armed = calloc(f->match.ntimers + 1, sizeof(*f->armed));
	x->lateness = hist_new();
	if (!f->queue_of || !f->armed || !x->lateness)
		return -ENOMEM;
	for (i = 0; i < f->match.nqdiscs; i++)
		f->queue_of[i] = -1;

	err = queues_collect(f, events, n);
	if (err)
		return err;
	x->cpus = calloc(x->ncpus + 1, sizeof(*x->cpus));
	if (!x->cpus)
		return -ENOMEM;
	timers_walk(f, events, n);
	match_summary(x, &f->match);
	queues_sort(x);
	return 0;
}

int expiry_fold(struct diag *d, struct expiry_event *events, size_t n,
		const struct expiry_window *window, uint32_t ifindex, struct expiry *x)
{
	struct fold f = { .x = x, .window = window, .ifindex = ifindex };
	int err;

	memset(x, 0, sizeof(*x));
	err = fold_run(&f, events, n);
	match_free(&f.match);
	free(f.queue_of);
	free(f.armed);
	if (!err)
		return 0;
	expiry_free(x);
	return diag_failed(d, -err, "timers: fold %zu events", n);
}

void expiry_free(struct expiry *x)
{
	size_t i;

	for (i = 0; i < x->nqueues; i++)
		hist_free(x->queues[i].lateness);
	hist_free(x->lateness);
	free(x->queues);
	free(x->cpus);
	memset(x, 0, sizeof(*x));
}

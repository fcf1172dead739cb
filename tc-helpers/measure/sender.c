// SPDX-License-Identifier: GPL-2.0-or-later
/* Paced or saturated UDP senders, one pinned thread per CPU. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "measure/affinity.h"
#include "measure/sender.h"
#include "pure/diag.h"
#include "pure/probe.h"

#define NSEC_PER_SEC	UINT64_C(1000000000)
#define BATCH		16	/* messages of one sendmmsg() */
/* from "all threads are there" to the first deadline: time for all of them to sleep on it */
#define LEAD_NS		50000000
/* what a sender that fell behind may take to send the rest; its lateness is counted */
#define GRACE_NS	1000000000
/* longest sleep between two looks at the stop flag */
#define NAP_NS		100000000

enum gate_state { GATE_SHUT, GATE_OPEN, GATE_CANCEL };

struct gate {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned int arrived;
	enum gate_state state;
};

struct worker {
	pthread_t thread;
	struct sender *sender;
	const struct send_plan *plan;
	struct gate *gate;
	atomic_bool *stop;
	uint8_t *payload;	/* BATCH of plan->payload bytes */
	uint64_t seq[SEND_PATHS];
	struct iovec iov[BATCH];
	struct mmsghdr msg[BATCH];
};

uint64_t send_planned(uint64_t rate_pps, int64_t duration_ns)
{
	uint64_t ns = (uint64_t)duration_ns;

	/* whole seconds and the rest apart: no overflow below 2^34 packets/s */
	return ns / NSEC_PER_SEC * rate_pps + ns % NSEC_PER_SEC * rate_pps / NSEC_PER_SEC;
}

/* When packet @index of a path is due, after the path's first. */
static int64_t due_ns(uint64_t rate_pps, uint64_t index)
{
	return (int64_t)(index / rate_pps * NSEC_PER_SEC +
			 index % rate_pps * NSEC_PER_SEC / rate_pps);
}

uint64_t send_period_ns(uint64_t rate_pps, uint32_t burst)
{
	return (uint64_t)due_ns(rate_pps, burst);
}

/* All arrive, then all go: what the last one does before is not in anyone's time. */
static bool gate_pass(struct gate *g)
{
	bool open;

	pthread_mutex_lock(&g->lock);
	g->arrived++;
	pthread_cond_broadcast(&g->moved);
	while (g->state == GATE_SHUT)
		pthread_cond_wait(&g->moved, &g->lock);
	open = g->state == GATE_OPEN;
	pthread_mutex_unlock(&g->lock);
	return open;
}

static void gate_wait_for(struct gate *g, unsigned int n)
{
	pthread_mutex_lock(&g->lock);
	while (g->arrived < n)
		pthread_cond_wait(&g->moved, &g->lock);
	pthread_mutex_unlock(&g->lock);
}

static void gate_set(struct gate *g, enum gate_state state)
{
	pthread_mutex_lock(&g->lock);
	g->state = state;
	pthread_cond_broadcast(&g->moved);
	pthread_mutex_unlock(&g->lock);
}

static void count_failure(struct send_path *path, int err)
{
	if (err == ENOBUFS) {
		path->dropped++;
	} else if (err == EAGAIN) {
		path->full++;
	} else {
		if (!path->errors)
			path->first_errno = err;
		path->errors++;
	}
}

/*
 * Sends @n <= BATCH packets over path @j. Never blocks: a sender that slept in
 * the kernel would be neither on its deadlines nor saturated. A sequence
 * number is spent on every packet that got to the kernel's door, sent or not.
 */
static void send_batch(struct worker *w, unsigned int j, unsigned int n)
{
	struct send_path *path = &w->sender->path[j];
	struct probe probe = {
		.run = w->plan->run,
		.flow = path->flow,
		.cpu = w->sender->cpu,
		.sent_ns = mono_now().ns,
	};
	unsigned int done = 0;

	for (unsigned int i = 0; i < n; i++) {
		probe.seq = w->seq[j]++;
		probe_put(w->iov[i].iov_base, &probe);
	}
	while (done < n) {
		int got = sendmmsg(path->fd, w->msg + done, n - done, MSG_DONTWAIT);

		if (got > 0) {
			path->sent += (unsigned int)got;
			done += (unsigned int)got;
		} else if (errno == ECONNREFUSED) {
			/* about a packet sent before; nothing was tried, each comes once */
			path->refused++;
		} else {
			count_failure(path, errno);
			done++;
		}
	}
}

/* False when the run was stopped meanwhile. */
static bool sleep_until(struct worker *w, struct mono deadline)
{
	while (!atomic_load_explicit(w->stop, memory_order_relaxed)) {
		struct mono now = mono_now();

		if (mono_sub(deadline, now) <= 0)
			return true;
		if (mono_sub(deadline, now) > NAP_NS)
			mono_sleep_until(mono_add(now, NAP_NS));
		else
			mono_sleep_until(deadline);
	}
	return false;
}

static void run_paced(struct worker *w)
{
	const struct send_plan *plan = w->plan;
	struct sender *s = w->sender;
	int64_t period = (int64_t)send_period_ns(plan->rate_pps, plan->burst);
	struct mono last = mono_add(plan->start, plan->duration_ns + period + GRACE_NS);

	for (uint64_t index = 0; index < s->path[0].planned; index += plan->burst) {
		uint64_t left = s->path[0].planned - index;
		unsigned int burst = left < plan->burst ? (unsigned int)left : plan->burst;

		for (unsigned int j = 0; j < s->npaths; j++) {
			struct mono due = mono_add(plan->start, s->phase_ns +
						   due_ns(plan->rate_pps, index) +
						   period * j / s->npaths);
			struct mono now;
			int64_t behind;

			if (!sleep_until(w, due))
				return;
			now = mono_now();
			if (mono_sub(now, last) > 0)
				return;
			if (!s->begin.ns)
				s->begin = now;
			behind = mono_sub(now, due);
			if (behind > s->late_max_ns)
				s->late_max_ns = behind;
			s->late += behind > period;
			for (unsigned int n = burst; n; ) {
				unsigned int part = n < BATCH ? n : BATCH;

				send_batch(w, j, part);
				n -= part;
			}
			s->end = mono_now();
		}
	}
}

static void run_saturated(struct worker *w)
{
	struct sender *s = w->sender;
	struct mono last = mono_add(w->plan->start, w->plan->duration_ns);

	if (!sleep_until(w, w->plan->start))
		return;
	s->begin = mono_now();
	s->end = s->begin;
	while (mono_sub(last, s->end) > 0 &&
	       !atomic_load_explicit(w->stop, memory_order_relaxed)) {
		for (unsigned int j = 0; j < s->npaths; j++)
			send_batch(w, j, BATCH);
		s->end = mono_now();
	}
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	clock_no_slack();
	if (!gate_pass(w->gate))
		return NULL;
	if (w->plan->rate_pps)
		run_paced(w);
	else
		run_saturated(w);
	return NULL;
}

static int worker_init(struct worker *w, const struct send_plan *plan, struct sender *s,
		       struct gate *gate, atomic_bool *stop)
{
	w->plan = plan;
	w->sender = s;
	w->gate = gate;
	w->stop = stop;
	w->payload = malloc(BATCH * plan->payload);
	if (!w->payload)
		return -ENOMEM;
	memset(w->payload, 0, BATCH * plan->payload);
	for (unsigned int i = 0; i < BATCH; i++) {
		w->iov[i].iov_base = w->payload + i * plan->payload;
		w->iov[i].iov_len = plan->payload;
		w->msg[i].msg_hdr.msg_iov = &w->iov[i];
		w->msg[i].msg_hdr.msg_iovlen = 1;
	}
	return 0;
}

int senders_run(struct diag *d, struct send_plan *plan, struct stop *stop)
{
	struct gate gate = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER,
	};
	struct worker *w = calloc(plan->n, sizeof(*w));
	unsigned int started = 0;
	int err = 0;

	if (!w)
		return diag_failed(d, ENOMEM, "senders");
	while (!err && started < plan->n) {
		struct worker *one = &w[started];

		err = worker_init(one, plan, &plan->sender[started], &gate, &stop->flag);
		if (err)
			diag_failed(d, -err, "senders");
		else
			err = affinity_thread(d, &one->thread, one->sender->cpu,
					      worker_main, one);
		started += !err;
	}
	gate_wait_for(&gate, started);
	if (plan->lock_memory && !err)
		plan->memory_locked = affinity_lock_memory();
	plan->start = mono_add(mono_now(), LEAD_NS);
	gate_set(&gate, err ? GATE_CANCEL : GATE_OPEN);

	if (!err)
		plan->interrupted = stop_wait_until(stop, mono_add(plan->start,
								   plan->duration_ns));
	for (unsigned int i = 0; i < started; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned int i = 0; i < plan->n; i++)
		free(w[i].payload);
	free(w);
	return err;
}

bool senders_window(const struct send_plan *plan, struct mono *begin, struct mono *end)
{
	for (unsigned int i = 0; i < plan->n; i++) {
		const struct sender *s = &plan->sender[i];

		if (!s->begin.ns)
			return false;
		if (!i || mono_sub(s->begin, *begin) > 0)
			*begin = s->begin;
		if (!i || mono_sub(s->end, *end) < 0)
			*end = s->end;
	}
	return plan->n && mono_sub(*end, *begin) > 0;
}

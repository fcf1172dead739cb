// SPDX-License-Identifier: GPL-2.0-or-later
/* Which Qdisc a timer belongs to, from addresses alone. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pure/expiry-match.h"
#include "pure/expiry.h"

/* A Qdisc with its private data is one kmalloc of at most a few pages. */
#define QDISC_BYTES_MAX (64 * 1024)

static int u64_cmp(const void *l, const void *r)
{
	const uint64_t a = *(const uint64_t *)l;
	const uint64_t b = *(const uint64_t *)r;

	return a < b ? -1 : a > b;
}

static size_t sort_unique(uint64_t *v, size_t n)
{
	size_t kept = 0;
	size_t i;

	if (n)
		qsort(v, n, sizeof(*v), u64_cmp);
	for (i = 0; i < n; i++) {
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	}
	return kept;
}

long match_qdisc_find(const struct match *m, uint64_t address)
{
	const uint64_t *at = NULL;

	if (m->nqdiscs)
		at = bsearch(&address, m->qdiscs, m->nqdiscs, sizeof(*at), u64_cmp);
	return at ? at - m->qdiscs : -1;
}

struct match_timer *match_timer_find(const struct match *m, uint64_t address)
{
	/* the address is the first member, so u64_cmp() compares it */
	if (!m->ntimers)
		return NULL;
	return bsearch(&address, m->timers, m->ntimers, sizeof(*m->timers), u64_cmp);
}

void match_free(struct match *m)
{
	free(m->timers);
	free(m->qdiscs);
	free(m->offsets);
	memset(m, 0, sizeof(*m));
}

static int objects_collect(struct match *m, const struct expiry_event *events, size_t n)
{
	uint64_t *timers = malloc((n + 1) * sizeof(*timers));
	size_t nt = 0;
	size_t i;

	m->qdiscs = malloc((n + 1) * sizeof(*m->qdiscs));
	if (!timers || !m->qdiscs) {
		free(timers);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++) {
		if (events[i].kind == EXPIRY_ENQUEUE)
			m->qdiscs[m->nqdiscs++] = events[i].object;
		else
			timers[nt++] = events[i].object;
	}
	m->nqdiscs = sort_unique(m->qdiscs, m->nqdiscs);
	nt = sort_unique(timers, nt);

	m->timers = calloc(nt + 1, sizeof(*m->timers));
	m->offsets = calloc(nt + 1, sizeof(*m->offsets));
	if (!m->timers || !m->offsets) {
		free(timers);
		return -ENOMEM;
	}
	for (i = 0; i < nt; i++) {
		m->timers[i].address = timers[i];
		m->timers[i].qdisc = -1;
	}
	m->ntimers = nt;
	free(timers);
	return 0;
}

/**
 * struct votes - distances of starts from the last enqueue on their CPU
 * @v: sorted, as often as seen
 */
struct votes {
	uint64_t *v;
	size_t n;
};

static int votes_collect(struct votes *votes, const struct expiry_event *events, size_t n)
{
	uint64_t *last;
	uint32_t top = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (events[i].cpu > top)
			top = events[i].cpu;
	}
	last = calloc((size_t)top + 1, sizeof(*last));
	votes->v = malloc((n + 1) * sizeof(*votes->v));
	votes->n = 0;
	if (!last || !votes->v) {
		free(last);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++) {
		const struct expiry_event *e = &events[i];

		if (e->kind == EXPIRY_ENQUEUE)
			last[e->cpu] = e->object;
		else if (e->kind == EXPIRY_START && last[e->cpu] && e->object > last[e->cpu])
			votes->v[votes->n++] = e->object - last[e->cpu];
	}
	if (votes->n)
		qsort(votes->v, votes->n, sizeof(*votes->v), u64_cmp);
	free(last);
	return 0;
}

/* First place in the sorted @v that is not below @value. */
static size_t lower_bound(const uint64_t *v, size_t n, uint64_t value)
{
	size_t from = 0;

	while (n) {
		size_t half = n / 2;

		if (v[from + half] < value) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

static size_t votes_for(const struct votes *votes, uint64_t distance)
{
	return lower_bound(votes->v, votes->n, distance + 1) -
	       lower_bound(votes->v, votes->n, distance);
}

/* All distances of free timers from free Qdiscs below them: malloc()ed, sorted. */
static uint64_t *distances(const struct match *m, const bool *taken, size_t *n)
{
	size_t room = 64;
	uint64_t *v = malloc(room * sizeof(*v));
	size_t i;

	*n = 0;
	for (i = 0; v && i < m->ntimers; i++) {
		uint64_t address = m->timers[i].address;
		uint64_t low = address > QDISC_BYTES_MAX ? address - QDISC_BYTES_MAX : 0;
		size_t q = lower_bound(m->qdiscs, m->nqdiscs, low);

		if (m->timers[i].qdisc >= 0)
			continue;
		for (; q < m->nqdiscs && m->qdiscs[q] < address; q++) {
			if (taken[q])
				continue;
			if (*n == room) {
				uint64_t *grown = reallocarray(v, 2 * room, sizeof(*v));

				if (!grown) {
					free(v);
					return NULL;
				}
				v = grown;
				room *= 2;
			}
			v[(*n)++] = address - m->qdiscs[q];
		}
	}
	if (v && *n)
		qsort(v, *n, sizeof(*v), u64_cmp);
	return v;
}

/*
 * The distance that most timers have, seen at work; 0 when there is none or
 * when two are equally good.
 */
static uint64_t best_distance(const uint64_t *v, size_t n, const struct votes *votes)
{
	uint64_t best = 0;
	size_t best_timers = 0;
	size_t best_votes = 0;
	size_t i = 0;

	while (i < n) {
		size_t end = i;
		size_t seen = votes_for(votes, v[i]);

		while (end < n && v[end] == v[i])
			end++;
		if (seen && (end - i > best_timers ||
			     (end - i == best_timers && seen > best_votes))) {
			best = v[i];
			best_timers = end - i;
			best_votes = seen;
		} else if (seen && end - i == best_timers && seen == best_votes) {
			best = 0;
		}
		i = end;
	}
	return best;
}

int match_timers(struct match *m, const struct expiry_event *events, size_t n)
{
	struct votes votes = { 0 };
	bool *taken = NULL;
	int err;

	memset(m, 0, sizeof(*m));
	err = objects_collect(m, events, n);
	if (!err)
		err = votes_collect(&votes, events, n);
	if (!err) {
		taken = calloc(m->nqdiscs + 1, sizeof(*taken));
		if (!taken)
			err = -ENOMEM;
	}
	/* one round per kind of qdisc; every round takes at least one timer */
	while (!err) {
		size_t count;
		uint64_t *v = distances(m, taken, &count);
		uint64_t distance;
		size_t i;

		if (!v) {
			err = -ENOMEM;
			break;
		}
		distance = best_distance(v, count, &votes);
		free(v);
		if (!distance)
			break;
		m->offsets[m->noffsets++] = distance;
		for (i = 0; i < m->ntimers; i++) {
			long q;

			if (m->timers[i].qdisc >= 0 || m->timers[i].address < distance)
				continue;
			q = match_qdisc_find(m, m->timers[i].address - distance);
			if (q < 0 || taken[q])
				continue;
			taken[q] = true;
			m->timers[i].qdisc = q;
		}
	}
	free(taken);
	free(votes.v);
	return err;
}

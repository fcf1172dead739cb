// SPDX-License-Identifier: GPL-2.0-or-later
/* What "topo up" made, read back: as it was asked for, and to be compared with later. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/rtnetlink.h>

#include "kinds/kinds.h"
#include "net/dev.h"
#include "net/journal.h"
#include "net/snap.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "pure/progress.h"
#include "topo/topo.h"

#define UP_WAIT_MS 5000

/* What is asked about a device beyond what all have. */
enum {
	ASK_CLASSES = 1,
	ASK_XPS = 2,
	ASK_RPS = 4,
};

/**
 * struct review - the devices by namespace
 * @m: whose they are
 * @devs: numbers of devices
 * @first: those of namespace i are from @first[i + 1] on, up to @first[i + 2]
 * @ask: ASK_... by device number
 * @routes: for namespace i at i + 1: its routes are asked for
 * @order: the namespaces, those with fewest devices first: when those with many are asked,
 *	the kernel has had time for their carriers, and they are not asked again
 */
struct review {
	struct maker *m;
	int *devs;
	int *first;
	unsigned char *ask;
	bool *routes;
	int *order;
};

/* As it was asked for? Someone else (udev) may rename devices and give them other addresses. */
static int verify_dev(struct maker *m, int number, const struct dev *dev)
{
	struct topo_ref ref = topo_ref_at(m->topo, number);
	const struct topo_dev *want = topo_dev(m->topo, ref);
	char name[TOPO_END_LEN];
	unsigned int tx, rx;
	const void *data;
	size_t len;
	int err;

	topo_end_format(name, &want->end);
	if (memcmp(dev->mac, want->mac, sizeof(dev->mac)) != 0)
		return diag_failed(m->d, 0, "read back: the MAC address of %s was changed by someone", name);
	if (ref.link < 0)	/* an ifb makes all its queues real */
		return dev->num_tx == want->tx ? 0 :
		       diag_failed(m->d, 0, "read back: %s has %u tx queues, %u were asked for", name,
				   dev->num_tx, want->tx);
	if (m->topo->links[ref.link].mtu && dev->mtu != m->topo->links[ref.link].mtu)
		return diag_failed(m->d, 0, "read back: mtu of %s is %u", name, dev->mtu);
	err = snap_get(m->snap, m->d, want->netns, SNAP_QUEUES, number, &data, &len);
	if (err)
		return err;
	tx = len ? ((const uint32_t *)data)[0] : 0;
	rx = len ? ((const uint32_t *)data)[1] : 0;
	/* A kernel without CONFIG_RPS shows no rx queue at all. */
	if (tx != want->tx || (rx && rx != want->rx))
		return diag_failed(m->d, 0, "read back: %s has %u real tx and %u real rx queues, %u and %u were asked for",
				   name, tx, rx, want->tx, want->rx);
	return 0;
}

/* The step that made a device, in words; made only where they are needed. */
static char *made_by(struct maker *m, int number)
{
	struct topo_ref ref = topo_ref_at(m->topo, number);
	const struct topo_step step = {
		ref.link < 0 ? TOPO_STEP_IFB : TOPO_STEP_LINK, ref.link < 0 ? -1 - ref.link : ref.link,
	};

	return topo_step_what(m->topo, &step);
}

static int look_at(struct maker *m, int number, bool *running)
{
	struct topo_ref ref = topo_ref_at(m->topo, number);
	const struct dev *dev;
	char *what;
	int err;

	err = snap_dev(m->snap, m->d, number, &dev);
	if (err)
		return err;
	if (dev) {
		/* An ifb has no carrier to wait for. */
		*running = dev->running || ref.link < 0 || !topo_is_up(m->topo, ref);
		err = verify_dev(m, number, dev);
		if (!err)
			return 0;
	}
	what = made_by(m, number);
	if (dev)
		diag_context(m->d, 0, "%s", what ? what : m->topo->file);
	else
		err = diag_failed(m->d, ENODEV, "%s: read back: %s", what ? what : m->topo->file,
				  topo_dev(m->topo, ref)->end.dev);
	free(what);
	return err;
}

/*
 * The end that came up first had no carrier then: its qdiscs become active
 * later, from a work item of the kernel's, and until then packets are dropped.
 */
static int verify_netns(const struct review *r, int netns)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct maker *m = r->m;
	int i, ms, err, waiting = -1;

	for (ms = 0; ms < UP_WAIT_MS && !topo_told_to_end(); ms++) {
		for (waiting = -1, i = r->first[netns + 1]; i < r->first[netns + 2]; i++) {
			bool running = true;

			err = look_at(m, r->devs[i], &running);
			if (err)
				return err;
			if (!running)
				waiting = r->devs[i];
		}
		if (waiting < 0)
			return 0;
		nanosleep(&pause, NULL);
		snap_forget(m->snap, netns, RTM_GETLINK, 0);
	}
	if (topo_told_to_end())
		return diag_failed(m->d, EINTR, "%s", m->topo->file);
	return diag_failed(m->d, ETIMEDOUT, "%s: carrier of %s", m->topo->file,
			   topo_dev(m->topo, topo_ref_at(m->topo, waiting))->end.dev);
}

static int ask(struct maker *m, int netns, int type, int key)
{
	const void *data;
	size_t len;

	return snap_get(m->snap, m->d, netns, type, key, &data, &len);
}

/*
 * All that topo_facts() will want, of what has just been made: what the
 * topology says nothing of is as a fresh device has it, and not asked for.
 */
static int fill_dev(const struct review *r, int netns, int number)
{
	struct topo_ref ref = topo_ref_at(r->m->topo, number);
	int err = 0;

	if (r->ask[number] & ASK_CLASSES)
		err = ask(r->m, netns, RTM_GETTCLASS, number);
	if (!err && r->ask[number] & ASK_XPS)
		err = ask(r->m, netns, SNAP_XPS, number);
	if (!err && r->ask[number] & ASK_RPS)
		err = ask(r->m, netns, SNAP_RPS, number);
	if (!err && ref.link < 0)
		return ask(r->m, netns, SNAP_QUEUES, number);
	if (!err && r->m->topo->links[ref.link].offload_set)
		err = ask(r->m, netns, SNAP_OFFLOAD, number);
	if (!err && topo_ingress_of(r->m->topo, ref) >= 0)
		err = ask(r->m, netns, RTM_GETTFILTER, number);
	return err;
}

static int fill_netns(const struct review *r, int netns)
{
	static const int dumps[] = { RTM_GETADDR, RTM_GETNEIGH, RTM_GETQDISC };
	size_t k;
	int i, err = 0;

	for (k = 0; !err && k < sizeof(dumps) / sizeof(dumps[0]); k++)
		err = ask(r->m, netns, dumps[k], 0);
	for (i = r->first[netns + 1]; !err && i < r->first[netns + 2]; i++)
		err = fill_dev(r, netns, r->devs[i]);
	return err;
}

static int netns_of(const struct topo *topo, int number)
{
	return topo_dev(topo, topo_ref_at(topo, number))->netns;
}

static int fewest_first(const void *a, const void *b, void *arg)
{
	const int *x = a, *y = b, *first = arg;
	int nx = first[*x + 2] - first[*x + 1], ny = first[*y + 2] - first[*y + 1];

	return nx != ny ? nx - ny : *x - *y;
}

static int review_init(struct review *r, struct maker *m)
{
	const struct topo *topo = m->topo;
	int i, n = topo_ndevs(topo);

	*r = (struct review){ .m = m };
	r->devs = calloc((size_t)n + 1, sizeof(*r->devs));
	r->first = calloc((size_t)topo->nnetns + 2, sizeof(*r->first));
	r->ask = calloc((size_t)n + 1, sizeof(*r->ask));
	r->routes = calloc((size_t)topo->nnetns + 1, sizeof(*r->routes));
	r->order = calloc((size_t)topo->nnetns + 1, sizeof(*r->order));
	if (!r->devs || !r->first || !r->ask || !r->routes || !r->order)
		return diag_failed(m->d, ENOMEM, "%s", topo->file);
	/* Counted, summed up to the ends, and filled in from there back. */
	for (i = 0; i < n; i++)
		r->first[netns_of(topo, i) + 1]++;
	for (i = 1; i < topo->nnetns + 2; i++)
		r->first[i] += r->first[i - 1];
	for (i = n; i-- > 0; )
		r->devs[--r->first[netns_of(topo, i) + 1]] = i;
	for (i = 0; i <= topo->nnetns; i++)
		r->order[i] = i - 1;
	qsort_r(r->order, (size_t)topo->nnetns + 1, sizeof(*r->order), fewest_first, r->first);
	for (i = 0; i < topo->nqdiscs; i++) {
		const struct topo_qdisc *q = &topo->qdiscs[i];
		const struct kind *kind = kind_find(q->words[q->kind]);

		if (kind && kind->class)
			r->ask[topo_dev_number(topo, q->dev)] |= ASK_CLASSES;
	}
	for (i = 0; i < topo->nsteers; i++)
		r->ask[topo_dev_number(topo, topo->steers[i].dev)] |=
			topo->steers[i].rps ? ASK_RPS : ASK_XPS;
	for (i = 0; i < topo->nroutes; i++)
		r->routes[topo->routes[i].netns + 1] = true;
	return 0;
}

static void review_free(struct review *r)
{
	free(r->devs);
	free(r->first);
	free(r->ask);
	free(r->routes);
	free(r->order);
}

int topo_verify(struct maker *m)
{
	struct review r;
	int i, k, err = review_init(&r, m);

	for (k = 0; !err && k <= m->topo->nnetns; k++) {
		i = r.order[k];
		progress_tell(m->progress, "namespaces looked at", k, m->topo->nnetns);
		if (i >= 0)
			err = snap_put(m->snap, m->d, i, SNAP_NETNS, 0, &m->j->netns[i].cookie,
				       sizeof(m->j->netns[i].cookie));
		if (!err && r.first[i + 1] < r.first[i + 2]) {
			err = fill_netns(&r, i);
			if (!err)
				err = verify_netns(&r, i);
		}
		if (!err && r.routes[i + 1])
			err = ask(m, i, RTM_GETROUTE, 0);
	}
	for (i = 0; !err && i < m->topo->nfilters; i++)
		if (m->topo->filters[i].first)
			err = ask(m, topo_dev(m->topo, m->topo->filters[i].dev)->netns, SNAP_FILTERS, i);
	for (i = 0; !err && i < m->topo->nsysctls; i++)
		err = ask(m, m->topo->sysctls[i].netns, SNAP_SYSCTL, i);
	review_free(&r);
	return err;
}

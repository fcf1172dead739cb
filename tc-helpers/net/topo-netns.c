// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The namespaces of a topology. Making one takes the kernel about as long as a
 * pair of devices, and both can go on at once: a second thread makes
 * namespaces while the first fills those that are there.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/msg.h>

#include "net/journal.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "pure/progress.h"
#include "topo/topo.h"

#define THREAD_FROM 8	/* namespaces: with fewer, a thread costs more than it gains */
#define SOCKETS_AHEAD 16	/* handed over and not yet taken: they are files, which are limited */

/**
 * struct namer - the making of namespaces
 * @m: whose topology it is; of its fields the thread reads what does not change
 * @d: errors: the maker's, or with a thread its own
 * @quiet: that one
 * @queue: requests in the new namespaces
 * @threaded: there is a thread
 * @thread: it
 * @lock: for all below
 * @changed: one of them has
 * @made: per namespace its socket, NULL until it is made and when it was closed again or taken
 * @next: the first namespace that is not made; the order is that of the file
 * @taken: those before have been asked for
 * @stop: the maker failed
 * @err: the thread did
 */
struct namer {
	struct maker *m;
	struct diag *d;
	struct diag quiet;
	struct rtnl_queue *queue;
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct rtnl **made;
	int next;
	int taken;
	bool stop;
	int err;
};

/* What netns_made() is told. */
struct made {
	struct namer *namer;
	int step;
	struct rtnl *rtnl;
};

/* The namespace is there, the thread in it, and it has no name yet. */
static int netns_made(struct diag *d, const char *name, void *arg)
{
	struct made *made = arg;
	struct maker *m = made->namer->m;
	uint64_t cookie;
	int err = rtnl_open_here(d, name, &made->rtnl);

	if (err)
		return err;
	err = rtnl_netns_cookie(made->rtnl, &cookie);
	if (err)
		return diag_failed(d, -err, "netns %s: SO_NETNS_COOKIE", name);
	return journal_netns_cookie(d, m->j, m->steps[made->step].index, cookie);
}

/* The namespace of @step, its lo up. Leaves the thread in it. */
static int make_one(struct namer *namer, int step, struct rtnl **rtnl)
{
	struct maker *m = namer->m;
	struct made made = { namer, step, NULL };
	struct nl_msg *msg;
	int err;

	err = netns_make(namer->d, m->topo->netns[m->steps[step].index].name, netns_made, &made);
	if (!err)
		err = link_lo_msg(namer->d, &msg);
	if (!err) {
		const struct rtnl_req req = { .words = maker_words, .arg = m, .index = step };

		err = rtnl_queue_add(namer->queue, namer->d, made.rtnl, nlmsg_hdr(msg), &req);
		nlmsg_free(msg);
	}
	if (!err)
		err = rtnl_queue_flush(namer->queue, namer->d);
	if (err)
		rtnl_close(made.rtnl);
	else
		*rtnl = made.rtnl;
	return err;
}

int topo_netns_here(struct maker *m)
{
	struct namer *namer = m->namer;
	int home = netns_open(m->d, "");
	struct rtnl *rtnl;
	int err = 0;

	if (home < 0)
		return home;
	for (;; m->at++) {
		progress_tell(m->progress, "steps done", m->at, m->nsteps);
		err = make_one(namer, m->at, &rtnl);
		if (!err)
			err = nets_give(m->d, m->nets, m->topo->netns[maker_step(m)->index].name, rtnl);
		if (err || topo_told_to_end() || m->at + 1 == m->nsteps ||
		    m->steps[m->at + 1].kind != TOPO_STEP_NETNS)
			break;
	}
	if (netns_leave(m->d, home) && !err)
		err = -EIO;
	return err;
}

/* false: enough */
static bool hand_over(struct namer *namer, int netns, struct rtnl *rtnl)
{
	bool stop;

	pthread_mutex_lock(&namer->lock);
	if (netns - namer->taken < SOCKETS_AHEAD) {
		namer->made[netns] = rtnl;
		rtnl = NULL;
	}
	namer->next = netns + 1;
	stop = namer->stop;
	pthread_cond_signal(&namer->changed);
	pthread_mutex_unlock(&namer->lock);
	rtnl_close(rtnl);
	return !stop;
}

static void *run(void *arg)
{
	struct namer *namer = arg;
	struct maker *m = namer->m;
	struct rtnl *rtnl;
	int i, err = 0;

	for (i = 0; i < m->nsteps; i++) {
		if (m->steps[i].kind != TOPO_STEP_NETNS)
			continue;
		err = make_one(namer, i, &rtnl);
		if (err || !hand_over(namer, m->steps[i].index, rtnl) || topo_told_to_end())
			break;
	}
	pthread_mutex_lock(&namer->lock);
	namer->err = err;
	namer->stop = true;
	pthread_cond_signal(&namer->changed);
	pthread_mutex_unlock(&namer->lock);
	return NULL;
}

/* Is there another CPU for it? */
static bool is_worth_it(const struct maker *m)
{
	cpu_set_t cpus;

	return m->topo->nnetns >= THREAD_FROM && !sched_getaffinity(0, sizeof(cpus), &cpus) &&
	       CPU_COUNT(&cpus) > 1;
}

int topo_netns_start(struct maker *m, unsigned int threads)
{
	struct namer *namer = calloc(1, sizeof(*namer));
	int err = 0;

	if (!namer)
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	m->namer = namer;
	namer->m = m;
	namer->d = m->d;
	diag_init(&namer->quiet);
	pthread_mutex_init(&namer->lock, NULL);
	pthread_cond_init(&namer->changed, NULL);
	namer->made = calloc((size_t)m->topo->nnetns + 1, sizeof(struct rtnl *));
	namer->queue = rtnl_queue_new(m->d);
	if (!namer->made || !namer->queue)
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	if (m->topo->nnetns)
		err = netns_dir(m->d, m->topo->netns[0].name);
	if (err || !m->topo->nnetns || threads == 1 || (!threads && !is_worth_it(m)))
		return err;
	namer->d = &namer->quiet;
	namer->threaded = !pthread_create(&namer->thread, NULL, run, namer);
	if (!namer->threaded)
		namer->d = m->d;	/* this thread does it then */
	return 0;
}

bool topo_netns_elsewhere(const struct maker *m)
{
	return m->namer->threaded;
}

int topo_netns_wait(struct maker *m, int netns)
{
	struct namer *namer = m->namer;
	int i, err = 0;

	if (!namer->threaded || netns < namer->taken)
		return 0;
	pthread_mutex_lock(&namer->lock);
	while (namer->next <= netns && !namer->stop)
		pthread_cond_wait(&namer->changed, &namer->lock);
	if (namer->next <= netns)
		err = namer->err ? namer->err : -EINTR;
	for (i = namer->taken; !err && i <= netns; i++) {
		if (namer->made[i])
			err = nets_give(m->d, m->nets, m->topo->netns[i].name, namer->made[i]);
		namer->made[i] = NULL;
		namer->taken = i + 1;
	}
	pthread_mutex_unlock(&namer->lock);
	return err;
}

/* The thread's error, unless the maker had one: that stopped the thread. */
static void take_diag(struct diag *d, struct diag *from)
{
	if (!d->exit && from->exit) {
		d->exit = from->exit;
		memcpy(d->text, from->text, sizeof(d->text));
	}
	for (size_t i = 0; i < from->nwarnings; i++)
		diag_warn(d, "%s", from->warnings[i]);
}

int topo_netns_end(struct maker *m)
{
	struct namer *namer = m->namer;
	int err;

	if (!namer)
		return 0;
	if (namer->threaded) {
		pthread_mutex_lock(&namer->lock);
		namer->stop = true;
		pthread_mutex_unlock(&namer->lock);
		pthread_join(namer->thread, NULL);
		take_diag(m->d, &namer->quiet);
	}
	err = namer->err;
	for (int i = 0; namer->made && i < m->topo->nnetns; i++)
		rtnl_close(namer->made[i]);
	rtnl_queue_free(namer->queue);
	pthread_cond_destroy(&namer->changed);
	pthread_mutex_destroy(&namer->lock);
	diag_free(&namer->quiet);
	free(namer->made);
	free(namer);
	m->namer = NULL;
	return err;
}

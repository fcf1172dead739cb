// SPDX-License-Identifier: GPL-2.0-or-later
/* The steps of "topo up", done in order. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <netlink/msg.h>

#include "net/journal.h"
#include "net/nets.h"
#include "net/snap.h"
#include "net/steer.h"
#include "net/sysctl.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "pure/progress.h"
#include "wire/nlb.h"

char *topo_step_what(const struct topo *topo, const struct topo_step *step)
{
	char *text = topo_step_text(topo, step), *what = NULL;
	int line = topo->stmts[topo_step_stmt(topo, step)].line;

	if (!text || asprintf(&what, "%s:%d: %s", topo->file, line, text) < 0)
		what = NULL;
	free(text);
	return what;
}

void maker_words(char *buf, size_t len, const void *arg, int index)
{
	const struct maker *m = arg;
	char *what = topo_step_what(m->topo, &m->steps[index]);

	snprintf(buf, len, "%s", what ? what : m->topo->file);
	free(what);
}

int maker_queue_bytes(struct maker *m, const char *netns, const struct nlmsghdr *nlh,
		      const struct rtnl_req *req)
{
	struct rtnl_req full = *req;

	if (!full.words)
		full.words = maker_words;
	full.arg = m;
	full.index = m->at;
	return nets_queue(m->d, m->nets, netns, nlh, &full);
}

int maker_queue_nlb(struct maker *m, const char *netns, struct nlb *nlb, const struct rtnl_req *req)
{
	const struct nlmsghdr *nlh = nlb_message(nlb);
	int err = nlh ? maker_queue_bytes(m, netns, nlh, req) :
			diag_failed(m->d, ENOMEM, "%s", m->topo->file);

	nlb_free(nlb);
	return err;
}

int maker_queue_as(struct maker *m, const char *netns, struct nl_msg *msg,
		   const struct rtnl_req *req)
{
	int err = maker_queue_bytes(m, netns, nlmsg_hdr(msg), req);

	nlmsg_free(msg);
	return err;
}

int maker_queue(struct maker *m, const char *netns, struct nl_msg *msg)
{
	const struct rtnl_req plain = { 0 };

	return maker_queue_as(m, netns, msg, &plain);
}

bool topo_told_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1);
}

static int make_sysctl(struct maker *m, const struct topo_sysctl *sysctl)
{
	int err = nets_flush(m->d, m->nets);
	char *what;

	if (err)
		return err;
	what = topo_step_what(m->topo, maker_step(m));
	err = !what ? diag_failed(m->d, ENOMEM, "%s", m->topo->file) :
	      sysctl_write(m->d, m->topo->netns[sysctl->netns].name, sysctl->key, sysctl->value, what);
	free(what);
	return err;
}

struct steer topo_steer_of(const struct topo *topo, const struct topo_steer *steer)
{
	const struct topo_dev *dev = topo_dev(topo, steer->dev);

	return (struct steer){
		.end = &dev->end, .rps = steer->rps, .queues = steer->rps ? dev->rx : dev->tx,
		.cpus = steer->each ? NULL : &steer->cpus,
	};
}

static int make_steer(struct maker *m, const struct topo_steer *t)
{
	char *what = topo_step_what(m->topo, maker_step(m));
	struct steer steer = topo_steer_of(m->topo, t);
	int err;

	err = what ? steer_set(m->d, m->nets, &steer, what) : diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	free(what);
	return err;
}

static int make_step(struct maker *m)
{
	const struct topo *topo = m->topo;
	int i = maker_step(m)->index;

	switch (maker_step(m)->kind) {
	case TOPO_STEP_NETNS:
		break;		/* see make_or_wait() */
	case TOPO_STEP_SYSCTL:
		return make_sysctl(m, &topo->sysctls[i]);
	case TOPO_STEP_LINK:
		return link_create(m, i);
	case TOPO_STEP_QDISC:
		return topo_qdisc_add(m, &topo->qdiscs[i]);
	case TOPO_STEP_OFFLOAD:
		return offload_set(m, (struct topo_ref){ i / 2, i % 2 });
	case TOPO_STEP_IFB:
		return ifb_create(m, i);
	case TOPO_STEP_STEER:
		return make_steer(m, &topo->steers[i]);
	case TOPO_STEP_REDIRECT:
		return ingress_redirect(m, i);
	case TOPO_STEP_FILTER:
		return topo_filter_add(m, &topo->filters[i]);
	case TOPO_STEP_UP:
		return link_up(m, (struct topo_ref){ i / 2, i % 2 });
	case TOPO_STEP_ADDR:
		return link_addr(m, &topo->addrs[i]);
	case TOPO_STEP_NEIGH:
		return link_neigh(m, &topo->addrs[i]);
	case TOPO_STEP_ROUTE:
		return route_add(m, &topo->routes[i]);
	}
	return 0;
}

/* The last of the namespaces that the step needs, as they are made in the order of the file. */
static int last_netns(const struct maker *m)
{
	const struct topo_step *step = maker_step(m);
	const struct topo_link *link;

	switch (step->kind) {
	case TOPO_STEP_SYSCTL:
		return m->topo->sysctls[step->index].netns;
	case TOPO_STEP_LINK:
		link = &m->topo->links[step->index];
		return link->dev[0].netns > link->dev[1].netns ? link->dev[0].netns : link->dev[1].netns;
	default:
		return m->topo->nnetns - 1;
	}
}

static int make_or_wait(struct maker *m)
{
	int err;

	if (maker_step(m)->kind == TOPO_STEP_NETNS)
		return topo_netns_elsewhere(m) ? 0 : topo_netns_here(m);
	err = topo_netns_wait(m, last_netns(m));
	return err ? err : make_step(m);
}

#define STEPS_A_LOOK 16

static int make_steps(struct maker *m)
{
	char *what;
	int err = 0;

	for (m->at = 0; !err && m->at < m->nsteps; m->at++) {
		progress_tell(m->progress, "steps done", m->at, m->nsteps);
		/* A look costs as much as a step: one for some of them. */
		if (m->at % STEPS_A_LOOK || !topo_told_to_end()) {
			err = make_or_wait(m);
			continue;
		}
		what = topo_step_what(m->topo, maker_step(m));
		err = diag_failed(m->d, EINTR, "%s", what ? what : m->topo->file);
		free(what);
	}
	return err ? err : nets_flush(m->d, m->nets);
}

/* Which ends are not to be up from the start: sysctls of a namespace may be for its devices. */
static int find_late(struct maker *m)
{
	const struct topo *topo = m->topo;
	int i, k;

	m->late = calloc((size_t)topo_ndevs(topo) + 1, sizeof(*m->late));
	if (!m->late)
		return diag_failed(m->d, ENOMEM, "%s", topo->file);
	for (i = 0; i < topo->nqdiscs; i++)
		m->late[topo_dev_number(topo, topo->qdiscs[i].dev)] = true;
	for (i = 0; i < topo->nfilters; i++)
		m->late[topo_dev_number(topo, topo->filters[i].dev)] = true;
	for (i = 0; i < topo->ningress; i++)
		m->late[topo_dev_number(topo, topo->ingress[i].of)] = true;
	for (i = 0; i < 2 * topo->nlinks; i++)
		m->late[i] = m->late[i] || topo->links[i / 2].offload_set;
	for (i = 0; topo->nsysctls && i < 2 * topo->nlinks; i++)
		for (k = 0; k < topo->nsysctls; k++)
			if (topo->links[i / 2].dev[i % 2].netns == topo->sysctls[k].netns)
				m->late[i] = true;
	return 0;
}

int topo_make(struct diag *d, struct journal *j, const struct topo *topo, int base,
	      unsigned int threads, struct progress *progress)
{
	struct maker m = { .d = d, .topo = topo, .j = j, .base = base, .progress = progress };
	int err;

	m.nets = nets_new(d);
	m.ipv6 = !access("/proc/net/if_inet6", F_OK);
	err = m.nets ? topo_plan(d, topo, &m.steps, &m.nsteps) : -ENOMEM;
	if (!err)
		err = find_late(&m);
	if (!err)
		err = topo_netns_start(&m, threads);
	if (!err)
		err = make_steps(&m);
	if (topo_netns_end(&m) && !err)
		err = -EIO;
	m.snap = err ? NULL : snap_new(d, topo, m.nets);
	if (!err)
		err = m.snap ? topo_verify(&m) : -ENOMEM;
	/* From here on it is only written down: a signal that comes later is too late. */
	if (!err && topo_told_to_end())
		err = diag_failed(d, EINTR, "%s", topo->file);
	if (!err)
		err = journal_up(d, j, m.snap);
	snap_free(m.snap);
	qdisc_put_free(m.put);
	free(m.late);
	free(m.steps);
	nets_close(m.nets);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/dev.h"
#include "net/journal.h"
#include "net/link.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/qdisc.h"
#include "net/rtnl.h"
#include "net/sysctl.h"
#include "net/topo-net.h"
#include "net/xps.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "topo/topo.h"

#define LOCK_WAIT_MS 60000

static int cookie_made(struct diag *d, const char *name, uint64_t cookie, void *journal)
{
	return journal_netns_cookie(d, journal, name, cookie);
}

/**
 * struct maker - what the steps of one "up" share
 * @d: where errors go
 * @topo: what is made
 * @j: where it is written down first
 * @nets: sockets
 * @qdev: the device that the last qdisc was put on
 */
struct maker {
	struct diag *d;
	const struct topo *topo;
	struct journal *j;
	struct nets *nets;
	struct qdisc_dev qdev;
};

static int make_netns(struct maker *m, const char *name, const char *what)
{
	int err = journal_will_netns(m->d, m->j, name);

	if (!err)
		err = netns_create_told(m->d, name, cookie_made, m->j);
	return err ? err : link_lo_up(m->d, m->nets, name, what);
}

static int make_link(struct maker *m, const struct topo_link *link, const char *what)
{
	int i, err = 0;

	for (i = 0; !err && i < 2; i++)
		if (!*link->dev[i].end.netns)
			err = journal_will_dev(m->d, m->j, link->dev[i].end.dev, link->dev[i].mac);
	return err ? err : link_create(m->d, m->nets, link, what);
}

static int make_neigh(struct maker *m, const struct topo_addr *addr, const char *what)
{
	const struct topo_dev *dev = m->topo->links[addr->dev.link].dev;

	return link_neigh(m->d, m->nets, &dev[!addr->dev.end], addr, dev[addr->dev.end].mac, what);
}

static int make_step(struct maker *m, const struct topo_step *step, const char *what)
{
	const struct topo *topo = m->topo;
	const struct topo_sysctl *sysctl;
	const struct topo_xps *xps;
	int i = step->index;

	switch (step->kind) {
	case TOPO_STEP_NETNS:
		return make_netns(m, topo->netns[i].name, what);
	case TOPO_STEP_SYSCTL:
		sysctl = &topo->sysctls[i];
		return sysctl_write(m->d, topo->netns[sysctl->netns].name, sysctl->key, sysctl->value, what);
	case TOPO_STEP_LINK:
		return make_link(m, &topo->links[i], what);
	case TOPO_STEP_QDISC:
		return topo_qdisc_add(m->d, m->nets, topo, &topo->qdiscs[i], &m->qdev);
	case TOPO_STEP_XPS:
		xps = &topo->xps[i];
		return xps_cpu_per_queue(m->d, m->nets, &topo_dev(topo, xps->dev)->end,
					 topo->links[xps->dev.link].queues, what);
	case TOPO_STEP_UP:
		return link_up(m->d, m->nets, &topo->links[i], what);
	case TOPO_STEP_ADDR:
		return link_addr(m->d, m->nets, topo_dev(topo, topo->addrs[i].dev), &topo->addrs[i],
				 what);
	case TOPO_STEP_NEIGH:
		return make_neigh(m, &topo->addrs[i], what);
	}
	return 0;
}

/* "FILE:LINE: STEP", what stands before the kernel's words. */
static char *step_what(const struct topo *topo, const struct topo_step *step)
{
	char *text = topo_step_text(topo, step), *what = NULL;
	int line = topo->stmts[topo_step_stmt(topo, step)].line;

	if (!text || asprintf(&what, "%s:%d: %s", topo->file, line, text) < 0)
		what = NULL;
	free(text);
	return what;
}

static bool told_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1);
}

static int make_all(struct diag *d, struct journal *j, const struct topo *topo)
{
	struct maker m = { .d = d, .topo = topo, .j = j, .nets = nets_new(d) };
	struct topo_step *steps;
	int i, n, err;

	if (!m.nets)
		return -ENOMEM;
	err = topo_plan(d, topo, &steps, &n);
	for (i = 0; !err && i < n; i++) {
		char *what = step_what(topo, &steps[i]);

		if (!what)
			err = diag_failed(d, ENOMEM, "%s", topo->file);
		else if (told_to_end())
			err = diag_failed(d, EINTR, "%s", what);
		else
			err = make_step(&m, &steps[i], what);
		free(what);
	}
	free(steps);
	nets_close(m.nets);
	return err;
}

static int note_live(struct diag *d, struct journal *j, const struct topo *topo)
{
	struct doc *doc = doc_new();
	int err;

	if (!doc)
		return diag_failed(d, ENOMEM, "%s", topo->file);
	doc_open_object(doc, NULL);
	err = topo_live(d, topo, true, doc);
	doc_close_object(doc);
	if (!err)
		err = journal_up(d, j, doc_as_text(doc));
	doc_free(doc);
	return err;
}

/* The error that stands is the first one; what the way back meets is a warning. */
static void roll_back(struct diag *d, struct journal *j)
{
	struct diag back;

	diag_init(&back);
	if (topo_down_one(&back, j))
		diag_warn(d, "roll back: %s; \"qbed topo down\" tries again", back.text);
	diag_free(&back);
}

/* A name that is taken by someone else: said before anything is touched. */
static int names_are_free(struct diag *d, const struct topo *topo)
{
	char path[sizeof("/run/netns/") + NETNS_NAME_MAX];
	struct stat st;
	int i, fd;

	for (i = 0; i < topo->nnetns; i++) {
		const char *name = topo->netns[i].name;
		int line = topo->stmts[topo->netns[i].stmt].line;
		struct diag quiet;

		snprintf(path, sizeof(path), "/run/netns/%s", name);
		if (lstat(path, &st))
			continue;
		diag_init(&quiet);
		fd = netns_open(&quiet, name);
		diag_free(&quiet);
		if (fd < 0)
			return diag_failed(d, EEXIST, "%s:%d: netns %s: %s is there, is no network namespace, and is not qbed's: remove it",
					   topo->file, line, name, path);
		close(fd);
		return diag_failed(d, EEXIST, "%s:%d: netns %s: it is there already and is not qbed's: use another name, or --prefix",
				   topo->file, line, name);
	}
	return 0;
}

static int devs_are_free(struct diag *d, const struct topo *topo)
{
	struct rtnl *rtnl = NULL;
	struct dev *devs = NULL;
	size_t k, n = 0;
	int i, err;

	err = rtnl_open(d, "", &rtnl);
	if (!err)
		err = dev_list(rtnl, d, &devs, &n);
	for (i = 0; !err && i < 2 * topo->nlinks; i++) {
		const struct topo_link *link = &topo->links[i / 2];
		const struct link_end *end = &link->dev[i % 2].end;

		for (k = 0; !err && !*end->netns && k < n; k++)
			if (strcmp(devs[k].name, end->dev) == 0)
				err = diag_failed(d, EEXIST, "%s:%d: device %s: it is there already and is not qbed's",
						  topo->file, topo->stmts[link->stmt].line, end->dev);
	}
	free(devs);
	rtnl_close(rtnl);
	return err;
}

static int machine_can(struct diag *d, const struct topo *topo)
{
	int i, err = topo_qdiscs_check(d, topo);

	for (i = 0; !err && i < topo->nxps; i++) {
		const struct topo_step step = { TOPO_STEP_XPS, i };
		char *what = step_what(topo, &step);

		err = what ? xps_check(d, topo->links[topo->xps[i].dev.link].queues, what) :
			     diag_failed(d, ENOMEM, "%s", topo->file);
		free(what);
	}
	return err;
}

static void to_true(void *arg, char sign, const char *fact)
{
	(void)sign;
	(void)fact;
	*(bool *)arg = true;
}

/* Stands it, as this topology and as it was made? */
static bool is_up(const struct topo *topo, const struct journal *j)
{
	bool drift = false;
	struct diag quiet;
	int err;

	if (!j->up || !journal_is_of(j, topo))
		return false;
	diag_init(&quiet);
	err = topo_drift(&quiet, topo, j, to_true, &drift);
	diag_free(&quiet);
	return !err && !drift;
}

/* Clears the way. */
static int clear(struct diag *d, const struct topo *topo, enum topo_up_result *result)
{
	struct journal **list;
	int i, err, shared = 0, last = 0;

	err = journal_read_all(d, &list);
	if (err)
		return err;
	for (i = 0; list[i]; i++) {
		if (journal_shares(list[i], topo)) {
			shared++;
			last = i;
		}
	}
	if (shared == 1 && is_up(topo, list[last])) {
		*result = TOPO_UNCHANGED;
		shared = 0;
	}
	for (i = 0; shared && !err && list[i]; i++) {
		if (!journal_shares(list[i], topo))
			continue;
		if (list[i]->up)
			*result = TOPO_MADE_AGAIN;
		err = topo_down_one(d, list[i]);
	}
	journal_free_all(list);
	return err;
}

static int up_locked(struct diag *d, const struct topo *topo, enum topo_up_result *result)
{
	struct journal *j;
	int err;

	*result = TOPO_MADE;
	err = clear(d, topo, result);
	if (err || *result == TOPO_UNCHANGED)
		return err;
	err = names_are_free(d, topo);
	if (!err)
		err = devs_are_free(d, topo);
	if (!err)
		err = journal_create(d, topo, &j);
	if (err)
		return err;
	err = make_all(d, j, topo);
	if (!err)
		err = note_live(d, j, topo);
	if (err)
		roll_back(d, j);
	journal_free(j);
	return err;
}

/* A blocked signal is pending even if it is ignored: nohup must go on meaning what it does. */
static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
		return;
	sigaddset(set, sig);
}

int topo_up(struct diag *d, const struct topo *topo, enum topo_up_result *result)
{
	sigset_t ends, before;
	int lock, err;

	err = machine_can(d, topo);
	if (err)
		return err;
	lock = journal_lock(d, LOCK_WAIT_MS);
	if (lock < 0)
		return lock;
	sigemptyset(&ends);
	add_unless_ignored(&ends, SIGINT);
	add_unless_ignored(&ends, SIGTERM);
	add_unless_ignored(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	err = up_locked(d, topo, result);
	close(lock);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "net/dev.h"
#include "net/journal.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "net/steer.h"
#include "net/topo-make.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "topo/topo.h"

#define LOCK_WAIT_MS 60000

/* The error that stands is the first one; what the way back meets is a warning. */
static void roll_back(struct diag *d, struct journal *j, struct progress *progress)
{
	struct diag back;

	diag_init(&back);
	if (topo_down_one(&back, j, progress))
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

/*
 * The numbers of the devices, see maker_ifindex(): from @base on none is taken. In a
 * fresh namespace the first few are: lo, and what tunnel modules make by themselves.
 */
#define BASE_IFINDEX 100

static int base_for(const struct topo *topo, const struct dev *devs, size_t n)
{
	int base = BASE_IFINDEX;
	size_t k = 0;

	while (k < n) {
		if (devs[k].ifindex >= base && devs[k].ifindex - base < topo_ndevs(topo)) {
			base = devs[k].ifindex + 1;
			k = 0;
		} else {
			k++;
		}
	}
	return base;
}

/* The device that has the name of @end, which is in the caller's namespace; NULL for none. */
static const struct dev *dev_in_way(const struct link_end *end, const struct dev *devs, size_t n)
{
	for (size_t i = 0; !*end->netns && i < n; i++)
		if (strcmp(devs[i].name, end->dev) == 0)
			return &devs[i];
	return NULL;
}

/* The first of @topo's devices whose name is taken. @stmt: of whom it is. */
static const struct dev *first_in_way(const struct topo *topo, const struct dev *devs, size_t n,
				      int *stmt)
{
	const struct dev *dev = NULL;
	int i;

	for (i = 0; !dev && i < 2 * topo->nlinks; i++) {
		*stmt = topo->links[i / 2].stmt;
		dev = dev_in_way(&topo->links[i / 2].dev[i % 2].end, devs, n);
	}
	for (i = 0; !dev && i < topo->ningress; i++) {
		*stmt = topo->ingress[i].stmt;
		dev = dev_in_way(&topo->ingress[i].ifb.end, devs, n);
	}
	return dev;
}

/*
 * A namespace that is deleted is taken apart later, by a worker of the kernel's that may be
 * busy, and the ends that its links have here stay until then. Whether one is about to go is
 * only told once that work has begun; before, every link to elsewhere may be one.
 */
#define GOING_WAIT_MS 10000
#define FAR_WAIT_MS 2000

static int wait_ms_of(const struct dev *dev)
{
	return dev->going ? GOING_WAIT_MS : dev->far ? FAR_WAIT_MS : 0;
}

static int devs_are_free(struct diag *d, const struct topo *topo, int *base)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	const struct dev *dev = NULL;
	struct rtnl *rtnl = NULL;
	struct dev *devs = NULL;
	int ms, err, stmt = 0;
	size_t n = 0;

	err = rtnl_open(d, "", &rtnl);
	for (ms = 0; !err; ms += 5) {
		free(devs);
		devs = NULL;
		err = dev_list(rtnl, d, &devs, &n);
		dev = err ? NULL : first_in_way(topo, devs, n, &stmt);
		if (!dev || ms >= wait_ms_of(dev) || topo_told_to_end())
			break;
		nanosleep(&pause, NULL);
	}
	if (!err && dev)
		err = diag_failed(d, EEXIST, "%s:%d: device %s: it is there already and is not qbed's",
				  topo->file, topo->stmts[stmt].line, dev->name);
	if (!err)
		*base = base_for(topo, devs, n);
	free(devs);
	rtnl_close(rtnl);
	return err;
}

static int machine_can(struct diag *d, const struct topo *topo)
{
	int i, err = topo_qdiscs_check(d, topo, true);

	for (i = 0; !err && i < topo->nsteers; i++) {
		const struct topo_step step = { TOPO_STEP_STEER, i };
		struct steer steer = topo_steer_of(topo, &topo->steers[i]);
		char *what = topo_step_what(topo, &step);

		err = what ? steer_check(d, &steer, what) : diag_failed(d, ENOMEM, "%s", topo->file);
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
static bool is_up(const struct topo *topo, const struct journal *j, struct progress *progress)
{
	bool drift = false;
	struct diag quiet;
	int err;

	if (!j->up || !journal_is_of(j, topo))
		return false;
	diag_init(&quiet);
	err = topo_drift(&quiet, topo, j, progress, to_true, &drift);
	diag_free(&quiet);
	return !err && !drift;
}

/* Clears the way. */
static int clear(struct diag *d, const struct topo *topo, struct progress *progress,
		 enum topo_up_result *result)
{
	struct journal **list;
	int i, err, shared = 0, last = 0;

	err = journal_read_all(d, &list);
	if (err)
		return err;
	for (i = 0; !err && list[i]; i++) {
		if (journal_is_empty(list[i]))
			err = journal_remove(d, list[i]);
		if (journal_shares(list[i], topo)) {
			shared++;
			last = i;
		}
	}
	if (shared == 1 && is_up(topo, list[last], progress)) {
		*result = TOPO_UNCHANGED;
		shared = 0;
	}
	for (i = 0; shared && !err && list[i]; i++) {
		if (!journal_shares(list[i], topo))
			continue;
		if (list[i]->up)
			*result = TOPO_MADE_AGAIN;
		err = topo_down_one(d, list[i], progress);
	}
	journal_free_all(list);
	return err;
}

static int up_locked(struct diag *d, const struct topo *topo, unsigned int threads,
		     struct progress *progress, enum topo_up_result *result)
{
	struct journal *j;
	int base, err;

	*result = TOPO_MADE;
	err = clear(d, topo, progress, result);
	if (err || *result == TOPO_UNCHANGED)
		return err;
	err = names_are_free(d, topo);
	if (!err)
		err = devs_are_free(d, topo, &base);
	if (!err)
		err = journal_create(d, topo, &j);
	if (err)
		return err;
	err = topo_make(d, j, topo, base, threads, progress);
	if (err)
		roll_back(d, j, progress);
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

int topo_up(struct diag *d, const struct topo *topo, unsigned int threads,
	    struct progress *progress, enum topo_up_result *result)
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
	err = up_locked(d, topo, threads, progress, result);
	close(lock);
	/*
	 * What stands is to be told as done: a signal that came too late to take
	 * it back, or comes while the answer is written, has no effect any more.
	 */
	if (err)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

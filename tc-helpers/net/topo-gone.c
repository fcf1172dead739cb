// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The devices of a topology, deleted. What takes long is that the kernel waits
 * for all CPUs to have lost sight of what goes, once per request however many devices
 * that names. So it is asked for whole groups, where one request takes most
 * with it: a link goes from whichever end. Requests that are left wait at the same time.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "net/dev.h"
#include "net/journal.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "net/topo-gone.h"
#include "net/topo-make.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "pure/progress.h"
#include "topo/topo.h"
#include "wire/nlb.h"

#define THREADS_MAX 16
#define CLEARED "namespaces cleared of devices"

/* Of all devices of @group; @ifindex and @group: to put one into it. */
static int group_msg(struct diag *d, int type, int ifindex, uint32_t group, struct nl_msg **msg)
{
	const struct ifinfomsg ifi = { .ifi_index = ifindex };
	struct nlb nlb;

	nlb_init(&nlb, (uint16_t)type, 0);
	nlb_raw(&nlb, &ifi, sizeof(ifi));
	nlb_put_u32(&nlb, IFLA_GROUP, group);
	return nlb_finish(&nlb, msg) ? diag_failed(d, ENOMEM, "devices: delete") : 0;
}

/* No device of the group is no error: they may have gone with their other ends. */
static int delete_group(struct rtnl *rtnl, struct diag *d, uint32_t group, const char *netns)
{
	struct nl_msg *msg;
	struct diag quiet;
	int err = group_msg(d, RTM_DELLINK, 0, group, &msg);

	if (err)
		return err;
	diag_init(&quiet);
	err = rtnl_talk(rtnl, &quiet, msg, "netns %s: devices: delete", *netns ? netns : "(own)");
	if (err == -ENODEV)
		err = 0;
	else if (err)
		diag_failed(d, 0, "%s", quiet.text);
	diag_free(&quiet);
	return err;
}

static bool is_named(const struct journal *j, const struct dev *dev)
{
	for (int i = 0; i < j->ndevs; i++)
		if (strcmp(j->devs[i].dev, dev->name) == 0 &&
		    memcmp(j->devs[i].mac, dev->mac, sizeof(dev->mac)) == 0)
			return true;
	return false;
}

/* A group that none of the devices is in. */
static uint32_t free_group(const struct dev *devs, size_t n)
{
	uint32_t group = TOPO_GROUP;

	for (size_t i = 0; i < n; i++) {
		if (devs[i].group != group)
			continue;
		group++;
		i = (size_t)-1;
	}
	return group;
}

/* In the caller's namespace, where others' devices are too, ours are put in a group of their own first. */
static int own_gone(struct diag *d, const struct journal *j)
{
	struct rtnl *rtnl = NULL;
	struct dev *devs = NULL;
	struct nl_msg *msg;
	uint32_t group;
	size_t i, n = 0;
	int err;

	err = rtnl_open(d, "", &rtnl);
	if (!err)
		err = dev_list(rtnl, d, &devs, &n);
	group = free_group(devs, n);
	for (i = 0; !err && i < n; i++) {
		struct diag quiet;

		if (!is_named(j, &devs[i]))
			continue;
		err = group_msg(d, RTM_SETLINK, devs[i].ifindex, group, &msg);
		if (err)
			break;
		diag_init(&quiet);
		err = rtnl_talk(rtnl, &quiet, msg, "device %s: delete", devs[i].name);
		if (err == -ENODEV)
			err = 0;
		else if (err)
			diag_failed(d, 0, "%s", quiet.text);
		diag_free(&quiet);
	}
	if (!err)
		err = delete_group(rtnl, d, group, "");
	free(devs);
	rtnl_close(rtnl);
	return err;
}

/* Enters the namespace, if it is ours, and deletes what we made there. The thread stays there. */
static int netns_gone(struct diag *d, const struct journal *j, int i, enum topo_whose *whose)
{
	const struct journal_netns *netns = &j->netns[i];
	char path[sizeof("/run/netns/") + NETNS_NAME_MAX];
	struct rtnl *rtnl = NULL;
	struct diag quiet;
	uint64_t cookie;
	struct stat st;
	int fd, err;

	*whose = TOPO_OTHERS;
	snprintf(path, sizeof(path), "/run/netns/%s", netns->name);
	if (lstat(path, &st)) {
		if (errno != ENOENT)
			return diag_failed(d, errno, "netns %s: %s", netns->name, path);
		*whose = TOPO_NOBODYS;
		return 0;
	}
	diag_init(&quiet);
	fd = netns_open(&quiet, netns->name);
	/* Of a journal that is being written the maker itself takes such a file away. */
	if (fd == -EINVAL && j->fd < 0 && S_ISREG(st.st_mode) && !st.st_size)
		*whose = TOPO_OUR_FILE;
	err = fd == -EINVAL ? 0 : fd;
	if (err < 0)
		diag_failed(d, 0, "%s", quiet.text);
	diag_free(&quiet);
	if (fd < 0)
		return err;
	err = setns(fd, CLONE_NEWNET) ? diag_failed(d, errno, "netns %s: enter", netns->name) : 0;
	close(fd);
	if (!err)
		err = rtnl_open_here(d, netns->name, &rtnl);
	if (!err && rtnl_netns_cookie(rtnl, &cookie))
		err = diag_failed(d, EIO, "netns %s: SO_NETNS_COOKIE", netns->name);
	if (!err && netns->cookie && cookie == netns->cookie) {
		*whose = TOPO_OURS;
		err = delete_group(rtnl, d, TOPO_GROUP, netns->name);
	}
	rtnl_close(rtnl);
	return err;
}

/**
 * struct order - the namespaces in the order in which they are gone through
 * @at: indexes into the journal's
 * @n: how many
 * @first: the first so many have a device that goes with none of those before
 */
struct order {
	int *at;
	int n;
	int first;
};

/* How many links each has that still stand; @other[@i] is the one at the far end of end @i. */
static void count_links(const struct topo *topo, int *links, int *here, int *other)
{
	for (int i = 0; i < 2 * topo->nlinks; i++) {
		here[i] = topo->links[i / 2].dev[i % 2].netns;
		other[i] = topo->links[i / 2].dev[!(i % 2)].netns;
		/* What has an end in the caller's namespace is gone by now. */
		if (here[i] >= 0 && other[i] >= 0 && here[i] != other[i])
			links[here[i]]++;
	}
}

/* Again and again the one with most links left; those with none come in the order of the file. */
static void take_most(const struct topo *topo, struct order *order, int *links, const int *here,
		      const int *other)
{
	for (;;) {
		int i, most = 0;

		for (i = 1; i < order->n; i++)
			if (links[i] > links[most])
				most = i;
		if (links[most] <= 0)
			return;
		order->at[order->first++] = most;
		links[most] = -1;
		for (i = 0; i < 2 * topo->nlinks; i++)
			if (here[i] == most && other[i] >= 0 && links[other[i]] > 0)
				links[other[i]]--;
	}
}

static int find_order(struct diag *d, const struct journal *j, struct order *order)
{
	struct topo *topo = NULL;
	int *links = NULL, *ends = NULL;
	struct diag quiet;
	int i, n;

	*order = (struct order){ .at = calloc((size_t)j->nnetns + 1, sizeof(int)), .n = j->nnetns };
	links = calloc((size_t)j->nnetns + 1, sizeof(*links));
	diag_init(&quiet);
	/* One that does not read is gone through as it comes. */
	if (topo_of_journal(&quiet, j, &topo) || topo->nnetns != j->nnetns) {
		topo_free(topo);
		topo = NULL;
	}
	diag_free(&quiet);
	if (topo)
		ends = calloc((size_t)topo->nlinks + 1, 4 * sizeof(*ends));
	if (!order->at || !links || (topo && !ends)) {
		free(order->at);
		free(links);
		topo_free(topo);
		return diag_failed(d, ENOMEM, "%s", j->path);
	}
	if (topo && order->n) {
		count_links(topo, links, ends, ends + 2 * topo->nlinks);
		take_most(topo, order, links, ends, ends + 2 * topo->nlinks);
	}
	for (n = order->first, i = 0; i < order->n; i++)
		if (links[i] >= 0)
			order->at[n++] = i;
	free(ends);
	free(links);
	topo_free(topo);
	return 0;
}

/* Shared by the threads that go through the first ones. */
struct work {
	const struct journal *j;
	const struct order *order;
	enum topo_whose *whose;
	struct diag *d;
	struct progress *progress;
	pthread_mutex_t lock;	/* for the rest */
	int next;
	int err;
};

static void *run(void *arg)
{
	struct work *w = arg;
	struct diag quiet;
	int i, err;

	for (;;) {
		pthread_mutex_lock(&w->lock);
		i = w->err || w->next == w->order->first ? -1 : w->order->at[w->next++];
		if (i >= 0)
			progress_tell(w->progress, CLEARED, w->next - 1, w->order->n);
		pthread_mutex_unlock(&w->lock);
		if (i < 0)
			return NULL;
		diag_init(&quiet);
		err = netns_gone(&quiet, w->j, i, &w->whose[i]);
		if (err) {
			pthread_mutex_lock(&w->lock);
			w->err = err;
			diag_failed(w->d, 0, "%s", quiet.text);
			pthread_mutex_unlock(&w->lock);
		}
		diag_free(&quiet);
	}
}

static int at_once(struct diag *d, const struct journal *j, const struct order *order,
		   enum topo_whose *whose, struct progress *progress)
{
	struct work w = { .j = j, .order = order, .whose = whose, .d = d, .progress = progress };
	pthread_t threads[THREADS_MAX];
	int n = 0;

	pthread_mutex_init(&w.lock, NULL);
	while (n + 1 < order->first && n < THREADS_MAX && !pthread_create(&threads[n], NULL, run, &w))
		n++;
	run(&w);
	while (n)
		pthread_join(threads[--n], NULL);
	pthread_mutex_destroy(&w.lock);
	return w.err;
}

int topo_devs_gone(struct diag *d, const struct journal *j, enum topo_whose *whose,
		   struct progress *progress)
{
	struct order order;
	int i, home, err;

	err = j->ndevs ? own_gone(d, j) : 0;
	if (!err)
		err = find_order(d, j, &order);
	if (err)
		return err;
	home = netns_open(d, "");
	if (home < 0) {
		free(order.at);
		return home;
	}
	err = at_once(d, j, &order, whose, progress);
	for (i = order.first; !err && i < order.n; i++) {
		progress_tell(progress, CLEARED, i, order.n);
		err = netns_gone(d, j, order.at[i], &whose[order.at[i]]);
	}
	if (netns_leave(d, home) && !err)
		err = -EIO;
	free(order.at);
	return err;
}

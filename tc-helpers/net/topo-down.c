// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
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
#include "net/topo-net.h"
#include "pure/diag.h"

#define LOCK_WAIT_MS 60000
#define GONE_WAIT_MS 5000

enum whose {
	NOBODYS,	/* there is nothing */
	OTHERS,
	OURS,
	OUR_FILE,	/* the file that the namespace was to be bound to, or was */
};

static int whose_netns(struct diag *d, const struct journal_netns *netns, enum whose *whose)
{
	char path[sizeof("/run/netns/") + NETNS_NAME_MAX];
	struct diag quiet;
	uint64_t cookie;
	struct stat st;
	int err;

	*whose = OTHERS;
	snprintf(path, sizeof(path), "/run/netns/%s", netns->name);
	if (lstat(path, &st)) {
		if (errno != ENOENT)
			return diag_failed(d, errno, "netns %s: %s", netns->name, path);
		*whose = NOBODYS;
		return 0;
	}
	diag_init(&quiet);
	err = netns_cookie(&quiet, netns->name, &cookie);
	if (!err && netns->cookie && cookie == netns->cookie)
		*whose = OURS;
	else if (err == -EINVAL && S_ISREG(st.st_mode) && !st.st_size)
		*whose = OUR_FILE;
	if (err && err != -EINVAL)
		diag_failed(d, -err, "netns %s", netns->name);
	diag_free(&quiet);
	return err == -EINVAL ? 0 : err;
}

/* Of the kinds that a topology makes. */
static bool is_ours_by_kind(const struct dev *dev)
{
	return strcmp(dev->kind, "veth") == 0 || strcmp(dev->kind, "ifb") == 0;
}

/* One end of a pair takes the other with it: a device that went meanwhile is no error. */
static int delete_dev(struct rtnl *rtnl, struct diag *d, const struct dev *dev)
{
	struct diag quiet;
	int err;

	diag_init(&quiet);
	err = dev_delete(rtnl, &quiet, dev);
	if (err == -ENODEV)
		err = 0;
	if (err)
		diag_failed(d, -err, "device %s: delete", dev->name);
	diag_free(&quiet);
	return err;
}

/*
 * Devices are deleted before their namespace: the kernel takes a namespace
 * apart some time after its last user has gone, a device at once.
 */
static int delete_devs(struct diag *d, const char *netns)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct rtnl *rtnl;
	size_t i, n, left = 1;
	int ms, err;

	err = rtnl_open(d, netns, &rtnl);
	if (err)
		return err;
	for (ms = 0; !err && left; ms++) {
		struct dev *devs = NULL;

		err = dev_list(rtnl, d, &devs, &n);
		for (i = left = 0; !err && i < n; i++) {
			if (!is_ours_by_kind(&devs[i]))
				continue;
			left++;
			err = delete_dev(rtnl, d, &devs[i]);
		}
		free(devs);
		if (!err && left && ms >= GONE_WAIT_MS)
			err = diag_failed(d, ETIMEDOUT, "netns %s: devices do not go", netns);
		if (!err && left)
			nanosleep(&pause, NULL);
	}
	rtnl_close(rtnl);
	return err;
}

static int down_netns(struct diag *d, const struct journal_netns *netns)
{
	char path[sizeof("/run/netns/") + NETNS_NAME_MAX];
	enum whose whose;
	int err;

	err = whose_netns(d, netns, &whose);
	if (err)
		return err;
	switch (whose) {
	case OURS:
		err = delete_devs(d, netns->name);
		return err ? err : netns_delete(d, netns->name);
	case OUR_FILE:
		snprintf(path, sizeof(path), "/run/netns/%s", netns->name);
		return unlink(path) ? diag_failed(d, errno, "%s: remove", path) : 0;
	case OTHERS:
		if (netns->cookie)
			diag_warn(d, "netns %s: the one there now is not the one that qbed made: left alone",
				  netns->name);
		break;
	case NOBODYS:
		break;
	}
	return 0;
}

static int down_dev(struct diag *d, struct rtnl *rtnl, const struct journal_dev *ours)
{
	struct dev *devs = NULL;
	size_t i, n;
	int err;

	err = dev_list(rtnl, d, &devs, &n);
	for (i = 0; !err && i < n; i++)
		if (strcmp(devs[i].name, ours->dev) == 0 && is_ours_by_kind(&devs[i]) &&
		    memcmp(devs[i].mac, ours->mac, sizeof(ours->mac)) == 0)
			err = delete_dev(rtnl, d, &devs[i]);
	free(devs);
	return err;
}

int topo_down_one(struct diag *d, struct journal *j)
{
	struct rtnl *rtnl = NULL;
	int i, err = 0;

	if (j->ndevs)
		err = rtnl_open(d, "", &rtnl);
	for (i = 0; !err && i < j->ndevs; i++)
		err = down_dev(d, rtnl, &j->devs[i]);
	rtnl_close(rtnl);
	for (i = 0; !err && i < j->nnetns; i++)
		err = down_netns(d, &j->netns[i]);
	return err ? err : journal_remove(d, j);
}

int topo_down(struct diag *d, const struct topo *topo, int *n)
{
	struct journal **list = NULL;
	int lock, i, err;

	*n = 0;
	lock = journal_lock(d, LOCK_WAIT_MS);
	if (lock < 0)
		return lock;
	err = journal_read_all(d, &list);
	for (i = 0; !err && list[i]; i++) {
		if (topo && !journal_shares(list[i], topo))
			continue;
		err = topo_down_one(d, list[i]);
		*n += !err;
	}
	if (!err || list)
		journal_free_all(list);
	close(lock);
	return err;
}

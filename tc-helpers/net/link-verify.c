// SPDX-License-Identifier: GPL-2.0-or-later
/* The devices of a topology, read back when all of it has been made. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/dev.h"
#include "net/nets.h"
#include "net/rtnl.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"

#define UP_WAIT_MS 5000

static int real_queues(struct maker *m, struct rtnl *rtnl, const struct link_end *end,
		       unsigned int *tx, unsigned int *rx)
{
	int sysfs;

	if (!rtnl_channels(rtnl, end->dev, tx, rx))
		return 0;
	/* An old kernel's veth does not tell. */
	sysfs = nets_sysfs(m->d, m->nets, end->netns);
	return sysfs < 0 ? sysfs : dev_real_queues(m->d, sysfs, end->dev, tx, rx);
}

/* As it was asked for? Someone else (udev) may rename devices and give them other addresses. */
static int verify_dev(struct maker *m, struct rtnl *rtnl, struct topo_ref ref, const struct dev *dev,
		      const char *what)
{
	const struct topo_dev *want = topo_dev(m->topo, ref);
	char name[TOPO_END_LEN];
	unsigned int tx, rx;
	int err;

	topo_end_format(name, &want->end);
	if (strcmp(dev->name, want->end.dev) != 0)
		return diag_failed(m->d, 0, "%s: read back: %s was renamed to %s by someone", what, name,
				   dev->name);
	if (memcmp(dev->mac, want->mac, sizeof(dev->mac)) != 0)
		return diag_failed(m->d, 0, "%s: read back: the MAC address of %s was changed by someone",
				   what, name);
	if (ref.link < 0)	/* an ifb makes all its queues real */
		return dev->num_tx == want->tx ? 0 :
		       diag_failed(m->d, 0, "%s: read back: %s has %u tx queues, %u were asked for", what,
				   name, dev->num_tx, want->tx);
	if (m->topo->links[ref.link].mtu && dev->mtu != m->topo->links[ref.link].mtu)
		return diag_failed(m->d, 0, "%s: read back: mtu of %s is %u", what, name, dev->mtu);
	err = real_queues(m, rtnl, &want->end, &tx, &rx);
	if (err)
		return err;
	/* A kernel without CONFIG_RPS shows no rx queue at all. */
	if (tx != want->tx || (rx && rx != want->rx))
		return diag_failed(m->d, 0, "%s: read back: %s has %u real tx and %u real rx queues, %u and %u were asked for",
				   what, name, tx, rx, want->tx, want->rx);
	return 0;
}

/* What one look at a namespace found. */
struct look {
	int found;	/* devices of the topology */
	int waiting;	/* the number of one that is not running yet, -1 for none */
};

static int look_at(struct maker *m, int netns, const char *name, struct look *look)
{
	struct rtnl *rtnl = NULL;
	struct dev *devs = NULL;
	size_t i, n = 0;
	int err;

	*look = (struct look){ 0, -1 };
	err = nets_rtnl(m->d, m->nets, name, &rtnl);
	if (!err)
		err = dev_list(rtnl, m->d, &devs, &n);
	for (i = 0; !err && i < n; i++) {
		int at = devs[i].ifindex - m->base;
		struct topo_ref ref = topo_ref_at(m->topo, at);
		const struct topo_step step = {
			ref.link < 0 ? TOPO_STEP_IFB : TOPO_STEP_LINK, ref.link < 0 ? -1 - ref.link : ref.link,
		};
		char *what;

		if (at < 0 || at >= topo_ndevs(m->topo) || topo_dev(m->topo, ref)->netns != netns)
			continue;
		look->found++;
		/* An ifb has no carrier to wait for. */
		if (!devs[i].running && ref.link >= 0 && topo_is_up(m->topo, ref))
			look->waiting = at;
		what = topo_step_what(m->topo, &step);
		err = !what ? diag_failed(m->d, ENOMEM, "%s", m->topo->file) :
			      verify_dev(m, rtnl, ref, &devs[i], what);
		free(what);
	}
	free(devs);
	return err;
}

static int verify_netns(struct maker *m, int netns, const char *name, int ends)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct look look = { 0, -1 };
	int ms, err;

	/*
	 * The end that came up first had no carrier then: its qdiscs become active
	 * later, from a work item of the kernel's, and until then packets are dropped.
	 */
	for (ms = 0; ms < UP_WAIT_MS && !topo_told_to_end(); ms++) {
		err = look_at(m, netns, name, &look);
		if (err)
			return err;
		if (look.found != ends)
			return diag_failed(m->d, ENODEV, "%s: netns %s: read back: %d of %d devices",
					   m->topo->file, name, look.found, ends);
		if (look.waiting < 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	if (topo_told_to_end())
		return diag_failed(m->d, EINTR, "%s", m->topo->file);
	return diag_failed(m->d, ETIMEDOUT, "%s: netns %s: carrier of %s", m->topo->file, name,
			   topo_dev(m->topo, topo_ref_at(m->topo, look.waiting))->end.dev);
}

int links_verify(struct maker *m)
{
	const struct topo *topo = m->topo;
	int *ends = calloc((size_t)topo->nnetns + 1, sizeof(*ends));
	int i, err = 0;

	if (!ends)
		return diag_failed(m->d, ENOMEM, "%s", topo->file);
	for (i = 0; i < topo_ndevs(topo); i++)
		ends[topo_dev(topo, topo_ref_at(topo, i))->netns + 1]++;
	for (i = -1; !err && i < topo->nnetns; i++)
		if (ends[i + 1])
			err = verify_netns(m, i, i < 0 ? "" : topo->netns[i].name, ends[i + 1]);
	free(ends);
	return err;
}

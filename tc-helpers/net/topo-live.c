// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands of a topology, in facts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/dev.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/offload.h"
#include "net/rtnl.h"
#include "net/steer.h"
#include "net/sysctl.h"
#include "net/topo-live.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "topo/topo.h"

static bool is_there(const char *netns)
{
	struct diag quiet;
	int fd;

	diag_init(&quiet);
	fd = netns_open(&quiet, netns);
	diag_free(&quiet);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* -ENODEV without a message: what is not there gives no fact. */
static int read_end(struct diag *d, struct nets *nets, const struct link_end *end,
		    struct rtnl **rtnl, struct dev *dev)
{
	struct diag quiet;
	int err;

	memset(dev, 0, sizeof(*dev));
	if (!is_there(end->netns))
		return -ENODEV;
	err = nets_rtnl(d, nets, end->netns, rtnl);
	if (err)
		return err;
	diag_init(&quiet);
	err = dev_read(*rtnl, &quiet, end->dev, dev);
	if (err && err != -ENODEV)
		diag_failed(d, -err, "device %s", end->dev);
	diag_free(&quiet);
	return err;
}

/* "xps tx:eth1 queue 0 cpus 0", for the queues that have a map. */
static int put_steer(struct diag *d, struct nets *nets, const struct steer *steer, const char *name,
		     struct doc *doc)
{
	const char *word = steer->rps ? "rps" : "xps";
	static const struct cpus none;
	struct cpus cpus;
	char text[256];
	int err = 0;

	doc_open_array(doc, word);
	for (unsigned int i = 0; !err && i < steer->queues; i++) {
		err = steer_read(d, nets, steer, i, &cpus);
		if (err)
			break;
		cpus_format(text, sizeof(text), &cpus);
		if (memcmp(&cpus, &none, sizeof(cpus)) != 0)
			doc_text(doc, "%s %s queue %u cpus %s\n", word, name, i, text);
		doc_str(doc, "", NULL, text);
	}
	doc_close_array(doc);
	return d->exit ? err : 0;
}

static int put_steers(struct diag *d, struct nets *nets, const struct link_end *end, unsigned int tx,
		      unsigned int rx, const char *name, struct doc *doc)
{
	const struct steer xps = { .end = end, .queues = tx > 1 ? tx : 0 };
	const struct steer rps = { .end = end, .queues = rx, .rps = true };
	int err = put_steer(d, nets, &xps, name, doc);

	return err ? err : put_steer(d, nets, &rps, name, doc);
}

/* Those that the link's line names, and what senders may hand over at once. */
static int put_offloads(struct diag *d, struct nets *nets, const struct link_end *end,
			unsigned int set, const char *name, struct doc *doc)
{
	struct offloads have;
	const char *word;
	int err;

	if (!set)
		return 0;
	err = offload_read(d, nets, end, &have);
	if (err)
		return err;
	doc_open_object(doc, "offloads");
	doc_text(doc, "offload %s", name);
	for (unsigned int i = 0; (word = topo_offload_name(i)); i++) {
		if (!(set & 1U << i))
			continue;
		doc_bool(doc, word, NULL, have.on & 1U << i);
		doc_text(doc, " %s %s", word, have.on & 1U << i ? "on" : "off");
	}
	doc_u64(doc, "gso_max_segs", " gso_max_segs %" PRIu64 "\n", have.gso_max_segs);
	doc_close_object(doc);
	return 0;
}

static void put_queues(struct doc *doc, const char *way, unsigned int num, unsigned int real)
{
	char key[32];

	snprintf(key, sizeof(key), "num_%s_queues", way);
	doc_text(doc, " %s queues", way);
	doc_u64(doc, key, " %" PRIu64, num);
	snprintf(key, sizeof(key), "real_%s_queues", way);
	doc_u64(doc, key, " (%" PRIu64 " real)", real);
}

/* @peer is NULL for a device that is no end of a link. */
static void put_dev(struct doc *doc, const struct dev *dev, const char *name, const char *peer,
		    unsigned int tx, unsigned int rx)
{
	const uint8_t *m = dev->mac;
	char mac[18];

	snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4],
		 m[5]);
	doc_str(doc, "end", "link %s", name);
	if (peer)
		doc_str(doc, "peer", " peer %s", peer);
	doc_str(doc, "kind", " %s", dev->kind);
	doc_bool(doc, "up", " up", dev->up);
	doc_bool(doc, "running", " running", dev->running);
	doc_u64(doc, "mtu", " mtu %" PRIu64, dev->mtu);
	doc_str(doc, "mac", " mac %s", mac);
	put_queues(doc, "tx", dev->num_tx, tx);
	put_queues(doc, "rx", dev->num_rx, rx);
	doc_text(doc, "\n");
}

/* What all devices have. */
static int put_body(struct diag *d, struct nets *nets, const struct link_end *end,
		    const struct dev *dev, struct rtnl *rtnl, const char *peer, bool exact,
		    struct doc *doc)
{
	char name[TOPO_END_LEN];
	unsigned int tx = 0, rx = 0;
	int sysfs, err;

	sysfs = nets_sysfs(d, nets, end->netns);
	err = sysfs < 0 ? sysfs : dev_real_queues(d, sysfs, end->dev, &tx, &rx);
	if (err)
		return err;
	topo_end_format(name, end);
	put_dev(doc, dev, name, peer, tx, rx);
	err = topo_live_addrs(d, rtnl, dev->ifindex, name, doc);
	if (!err)
		err = topo_live_neighs(d, rtnl, dev->ifindex, name, doc);
	if (!err)
		err = put_steers(d, nets, end, tx, rx, name, doc);
	return err ? err : topo_live_qdiscs(d, rtnl, dev->ifindex, name, exact, doc);
}

static int put_end(struct diag *d, struct nets *nets, const struct topo *topo, struct topo_ref ref,
		   const struct dev *dev, struct rtnl *rtnl, bool joined, bool exact,
		   struct doc *doc)
{
	const struct topo_link *link = &topo->links[ref.link];
	const struct link_end *end = &link->dev[ref.end].end;
	char name[TOPO_END_LEN], peer[TOPO_END_LEN];
	int err;

	topo_end_format(name, end);
	topo_end_format(peer, &link->dev[!ref.end].end);
	doc_open_object(doc, "");
	err = put_body(d, nets, end, dev, rtnl, joined ? peer : "unknown", exact, doc);
	if (!err)
		err = put_offloads(d, nets, end, link->offload_set, name, doc);
	if (!err && topo_ingress_of(topo, ref) >= 0)
		err = topo_live_ingress(d, rtnl, dev->ifindex, name, doc);
	doc_close_object(doc);
	return err;
}

static int put_link(struct diag *d, struct nets *nets, const struct topo *topo, int number,
		    bool exact, struct doc *doc)
{
	const struct topo_link *link = &topo->links[number];
	struct rtnl *rtnl[2] = { NULL, NULL };
	struct dev dev[2];
	int found[2];
	bool joined;
	int i, err = 0;

	for (i = 0; i < 2; i++) {
		found[i] = read_end(d, nets, &link->dev[i].end, &rtnl[i], &dev[i]);
		if (found[i] && found[i] != -ENODEV)
			return found[i];
	}
	joined = !found[0] && !found[1] && dev[0].peer == dev[1].ifindex &&
		 dev[1].peer == dev[0].ifindex;
	for (i = 0; !err && i < 2; i++)
		if (!found[i])
			err = put_end(d, nets, topo, (struct topo_ref){ number, i }, &dev[i], rtnl[i],
				      joined, exact, doc);
	return err;
}

static int put_ifb(struct diag *d, struct nets *nets, const struct topo_dev *ifb, bool exact,
		   struct doc *doc)
{
	struct rtnl *rtnl = NULL;
	struct dev dev;
	int err = read_end(d, nets, &ifb->end, &rtnl, &dev);

	if (err)
		return err == -ENODEV ? 0 : err;
	doc_open_object(doc, "");
	err = put_body(d, nets, &ifb->end, &dev, rtnl, NULL, exact, doc);
	doc_close_object(doc);
	return err;
}

static int put_routes(struct diag *d, struct nets *nets, const struct topo *topo, struct doc *doc)
{
	bool *seen = calloc((size_t)topo->nnetns + 1, sizeof(*seen));
	int i, err = seen ? 0 : diag_failed(d, ENOMEM, "%s", topo->file);

	doc_open_array(doc, "routes");
	for (i = 0; !err && i < topo->nroutes; i++) {
		int netns = topo->routes[i].netns;

		if (seen[netns] || !is_there(topo->netns[netns].name))
			continue;
		seen[netns] = true;
		err = topo_live_routes(d, nets, topo->netns[netns].name, doc);
	}
	doc_close_array(doc);
	free(seen);
	return err;
}

static int put_sysctl(struct diag *d, const struct topo *topo, const struct topo_sysctl *sysctl,
		      struct doc *doc)
{
	const char *netns = topo->netns[sysctl->netns].name;
	char value[256];
	int err;

	if (!is_there(netns))
		return 0;
	err = sysctl_read(d, netns, sysctl->key, value, sizeof(value));
	if (err)
		return err;
	doc_open_object(doc, "");
	doc_str(doc, "netns", "sysctl %s", netns);
	doc_str(doc, "key", " %s", sysctl->key);
	doc_str(doc, "value", " %s\n", value);
	doc_close_object(doc);
	return 0;
}

static int put_all(struct diag *d, struct nets *nets, const struct topo *topo, bool exact,
		   struct doc *doc)
{
	int i, err = 0;

	doc_open_array(doc, "netns");
	for (i = 0; i < topo->nnetns; i++)
		if (is_there(topo->netns[i].name))
			doc_str(doc, "", "netns %s\n", topo->netns[i].name);
	doc_close_array(doc);
	doc_open_array(doc, "sysctls");
	for (i = 0; !err && i < topo->nsysctls; i++)
		err = put_sysctl(d, topo, &topo->sysctls[i], doc);
	doc_close_array(doc);
	doc_open_array(doc, "links");
	for (i = 0; !err && i < topo->nlinks; i++)
		err = put_link(d, nets, topo, i, exact, doc);
	for (i = 0; !err && i < topo->ningress; i++)
		err = put_ifb(d, nets, &topo->ingress[i].ifb, exact, doc);
	doc_close_array(doc);
	return err ? err : put_routes(d, nets, topo, doc);
}

int topo_live(struct diag *d, const struct topo *topo, bool exact, struct doc *doc)
{
	struct nets *nets = nets_new(d);
	int err;

	if (!nets)
		return -ENOMEM;
	err = put_all(d, nets, topo, exact, doc);
	nets_close(nets);
	return err;
}

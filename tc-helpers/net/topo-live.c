// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands of a topology, in facts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/dev.h"
#include "net/nets.h"
#include "net/offload.h"
#include "net/snap.h"
#include "net/topo-live.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "pure/progress.h"
#include "pure/doc.h"
#include "topo/topo.h"

/* "xps tx:eth1 queue 0 cpus 0", for the queues that have a map. */
static int put_steer(struct diag *d, struct snap *snap, const struct fact_dev *dev, int type,
		     unsigned int queues, struct doc *doc)
{
	const char *word = type == SNAP_RPS ? "rps" : "xps";
	static const struct cpus none;
	const struct cpus *cpus;
	const void *data;
	char text[256];
	size_t len;
	int err;

	err = snap_get(snap, d, dev->netns, type, dev->number, &data, &len);
	cpus = data;
	doc_open_array(doc, word);
	for (unsigned int i = 0; !err && i < queues && i < len / sizeof(*cpus); i++) {
		if (memcmp(&cpus[i], &none, sizeof(none)) != 0)
			doc_text(doc, "%s %s queue %u cpus %s\n", word, dev->name, i,
				 cpus_format(text, sizeof(text), &cpus[i]));
		doc_str(doc, "", NULL, cpus_format(text, sizeof(text), &cpus[i]));
	}
	doc_close_array(doc);
	return err;
}

/* Those that the link's line names, and what senders may hand over at once. */
static int put_offloads(struct diag *d, struct snap *snap, const struct fact_dev *dev,
			unsigned int set, struct doc *doc)
{
	const struct offloads *have;
	const void *data;
	const char *word;
	size_t len;
	int err;

	if (!set)
		return 0;
	err = snap_get(snap, d, dev->netns, SNAP_OFFLOAD, dev->number, &data, &len);
	if (err || len < sizeof(*have))
		return err;
	have = data;
	doc_open_object(doc, "offloads");
	doc_text(doc, "offload %s", dev->name);
	for (unsigned int i = 0; (word = topo_offload_name(i)); i++) {
		if (!(set & 1U << i))
			continue;
		doc_bool(doc, word, NULL, have->on & 1U << i);
		doc_text(doc, " %s %s", word, have->on & 1U << i ? "on" : "off");
	}
	doc_u64(doc, "gso_max_segs", " gso_max_segs %" PRIu64 "\n", have->gso_max_segs);
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
static int put_body(struct diag *d, struct snap *snap, const struct fact_dev *dev,
		    const struct dev *link, const char *peer, bool exact, struct doc *doc)
{
	unsigned int tx = 0, rx = 0;
	const uint32_t *queues;
	const void *data;
	size_t len;
	int err;

	err = snap_get(snap, d, dev->netns, SNAP_QUEUES, dev->number, &data, &len);
	if (err)
		return err;
	queues = data;
	if (len >= 2 * sizeof(*queues)) {
		tx = queues[0];
		rx = queues[1];
	}
	put_dev(doc, link, dev->name, peer, tx, rx);
	err = topo_live_addrs(d, snap, dev, doc);
	if (!err)
		err = topo_live_neighs(d, snap, dev, doc);
	if (!err)
		err = put_steer(d, snap, dev, SNAP_XPS, tx > 1 ? tx : 0, doc);
	if (!err)
		err = put_steer(d, snap, dev, SNAP_RPS, rx, doc);
	return err ? err : topo_live_qdiscs(d, snap, dev, exact, doc);
}

static struct fact_dev fact_dev(const struct topo *topo, struct topo_ref ref, char *name)
{
	const struct topo_dev *dev = topo_dev(topo, ref);

	return (struct fact_dev){
		topo_dev_number(topo, ref), dev->netns, topo_end_format(name, &dev->end),
	};
}

static int put_link(struct diag *d, struct snap *snap, const struct topo *topo, int number,
		    bool exact, struct doc *doc)
{
	const struct topo_link *link = &topo->links[number];
	char name[TOPO_END_LEN], peer[TOPO_END_LEN];
	const struct dev *dev[2];
	bool joined;
	int i, err = 0;

	for (i = 0; !err && i < 2; i++)
		err = snap_dev(snap, d, topo_dev_number(topo, (struct topo_ref){ number, i }), &dev[i]);
	joined = !err && dev[0] && dev[1] && dev[0]->peer == dev[1]->ifindex &&
		 dev[1]->peer == dev[0]->ifindex;
	for (i = 0; !err && i < 2; i++) {
		struct topo_ref ref = { number, i };
		struct fact_dev fact = fact_dev(topo, ref, name);

		if (!dev[i])
			continue;
		topo_end_format(peer, &link->dev[!i].end);
		doc_open_object(doc, "");
		err = put_body(d, snap, &fact, dev[i], joined ? peer : "unknown", exact, doc);
		if (!err)
			err = put_offloads(d, snap, &fact, link->offload_set, doc);
		if (!err && topo_ingress_of(topo, ref) >= 0)
			err = topo_live_ingress(d, snap, &fact, doc);
		if (!err)
			err = topo_live_filters(d, snap, topo, ref, name, doc);
		doc_close_object(doc);
	}
	return err;
}

static int put_ifb(struct diag *d, struct snap *snap, const struct topo *topo, int ingress,
		   bool exact, struct doc *doc)
{
	struct topo_ref ref = { .link = -1 - ingress };
	char name[TOPO_END_LEN];
	struct fact_dev fact = fact_dev(topo, ref, name);
	const struct dev *dev;
	int err = snap_dev(snap, d, fact.number, &dev);

	if (err || !dev)
		return err;
	doc_open_object(doc, "");
	err = put_body(d, snap, &fact, dev, NULL, exact, doc);
	if (!err)
		err = topo_live_filters(d, snap, topo, ref, name, doc);
	doc_close_object(doc);
	return err;
}

static int is_there(struct diag *d, struct snap *snap, int netns, bool *there)
{
	const void *data;
	size_t len;
	int err = snap_get(snap, d, netns, SNAP_NETNS, 0, &data, &len);

	*there = len;
	return err;
}

static int put_routes(struct diag *d, struct snap *snap, const struct topo *topo, struct doc *doc)
{
	bool *seen = calloc((size_t)topo->nnetns + 1, sizeof(*seen)), there;
	int i, err = seen ? 0 : diag_failed(d, ENOMEM, "%s", topo->file);

	doc_open_array(doc, "routes");
	for (i = 0; !err && i < topo->nroutes; i++) {
		int netns = topo->routes[i].netns;

		if (seen[netns])
			continue;
		seen[netns] = true;
		err = is_there(d, snap, netns, &there);
		if (!err && there)
			err = topo_live_routes(d, snap, netns, topo->netns[netns].name, doc);
	}
	doc_close_array(doc);
	free(seen);
	return err;
}

static int put_sysctl(struct diag *d, struct snap *snap, const struct topo *topo, int i,
		      struct doc *doc)
{
	const struct topo_sysctl *sysctl = &topo->sysctls[i];
	const void *value;
	size_t len;
	bool there;
	int err = is_there(d, snap, sysctl->netns, &there);

	if (!err && there)
		err = snap_get(snap, d, sysctl->netns, SNAP_SYSCTL, i, &value, &len);
	if (err || !there || !len)
		return err;
	doc_open_object(doc, "");
	doc_str(doc, "netns", "sysctl %s", topo->netns[sysctl->netns].name);
	doc_str(doc, "key", " %s", sysctl->key);
	doc_str(doc, "value", " %s\n", value);
	doc_close_object(doc);
	return 0;
}

int topo_facts(struct diag *d, const struct topo *topo, struct snap *snap, bool exact,
	       struct progress *progress, struct doc *doc)
{
	bool there;
	int i, err = 0;

	doc_open_array(doc, "netns");
	for (i = 0; !err && i < topo->nnetns; i++) {
		err = is_there(d, snap, i, &there);
		if (there)
			doc_str(doc, "", "netns %s\n", topo->netns[i].name);
	}
	doc_close_array(doc);
	doc_open_array(doc, "sysctls");
	for (i = 0; !err && i < topo->nsysctls; i++)
		err = put_sysctl(d, snap, topo, i, doc);
	doc_close_array(doc);
	doc_open_array(doc, "links");
	for (i = 0; !err && i < topo->nlinks; i++) {
		progress_tell(progress, "links looked at", i, topo->nlinks);
		err = put_link(d, snap, topo, i, exact, doc);
	}
	for (i = 0; !err && i < topo->ningress; i++)
		err = put_ifb(d, snap, topo, i, exact, doc);
	doc_close_array(doc);
	return err ? err : put_routes(d, snap, topo, doc);
}

int topo_live(struct diag *d, const struct topo *topo, bool exact, struct progress *progress,
	      struct doc *doc)
{
	struct nets *nets = nets_new(d);
	struct snap *snap = nets ? snap_new(d, topo, nets) : NULL;
	int err = snap ? topo_facts(d, topo, snap, exact, progress, doc) : -ENOMEM;

	snap_free(snap);
	nets_close(nets);
	return err;
}

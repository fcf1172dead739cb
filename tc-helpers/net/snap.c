// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "net/nets.h"
#include "net/rtnl.h"
#include "net/snap-file.h"
#include "pure/diag.h"

/* An answer in the bytes of a snapshot; @len bytes follow, padded to 8. */
struct answer {
	int32_t netns;
	uint32_t type;		/* 0: forgotten */
	int32_t key;
	uint32_t len;
};

static uint64_t key_of(int netns, int type, int key)
{
	return (uint64_t)(netns + 2) << 48 | (uint64_t)type << 32 | (uint32_t)key;
}

static struct snap_slot *slot_of(const struct snap_table *t, uint64_t key)
{
	/* what tells namespaces apart is at the top: down to where the product spreads it */
	size_t i = (size_t)(((key ^ key >> 32) * 0x9e3779b97f4a7c15) >> 32);

	while (t->slots[i & (t->room - 1)].key && t->slots[i & (t->room - 1)].key != key)
		i++;
	return &t->slots[i & (t->room - 1)];
}

static const struct snap_slot *table_find(const struct snap_table *t, uint64_t key)
{
	const struct snap_slot *slot = t->room ? slot_of(t, key) : NULL;

	return slot && slot->key ? slot : NULL;
}

static int table_put(struct snap_table *t, uint64_t key, size_t value)
{
	struct snap_slot *slot;

	if (2 * (t->used + 1) > t->room) {
		struct snap_table wide = { .room = t->room ? 2 * t->room : 256, .used = t->used };

		wide.slots = calloc(wide.room, sizeof(*wide.slots));
		if (!wide.slots)
			return -ENOMEM;
		for (size_t i = 0; i < t->room; i++)
			if (t->slots[i].key)
				*slot_of(&wide, t->slots[i].key) = t->slots[i];
		free(t->slots);
		*t = wide;
	}
	slot = slot_of(t, key);
	t->used += !slot->key;
	*slot = (struct snap_slot){ key, value };
	return 0;
}

static int no_memory(const struct snap *snap, struct diag *d)
{
	return diag_failed(d, ENOMEM, "%s", snap->topo->file);
}

struct snap *snap_new(struct diag *d, const struct topo *topo, struct nets *nets)
{
	struct snap *snap = calloc(1, sizeof(*snap));

	if (snap) {
		snap->topo = topo;
		snap->nets = nets;
		snap->devs = calloc((size_t)topo_ndevs(topo) + 1, sizeof(*snap->devs));
		snap->linked = calloc((size_t)topo->nnetns + 1, sizeof(*snap->linked));
	}
	if (snap && snap->devs && snap->linked)
		return snap;
	snap_free(snap);
	diag_failed(d, ENOMEM, "%s", topo->file);
	return NULL;
}

void snap_free(struct snap *snap)
{
	if (!snap)
		return;
	free(snap->data);
	free(snap->answers.slots);
	free(snap->devs);
	free(snap->linked);
	free(snap->numbers.slots);
	free(snap);
}

const char *snap_netns_name(const struct snap *snap, int netns)
{
	return netns < 0 ? "" : snap->topo->netns[netns].name;
}

int snap_add(struct snap *snap, const void *data, size_t len)
{
	if (snap->len + len > snap->room) {
		size_t room = (snap->len + len) * 2 + 65536;
		char *grown = realloc(snap->data, room);

		if (!grown)
			return -ENOMEM;
		snap->data = grown;
		snap->room = room;
	}
	if (len)
		memcpy(snap->data + snap->len, data, len);
	snap->len += len;
	return 0;
}

static struct answer *answer_at(const struct snap *snap, size_t at)
{
	return (struct answer *)(snap->data + at);
}

static int begin(struct snap *snap, int netns, int type, int key)
{
	const struct answer a = { netns, (uint32_t)type, key, 0 };

	snap->begun = snap->len;
	return snap_add(snap, &a, sizeof(a));
}

void snap_begin_again(struct snap *snap)
{
	snap->len = snap->begun + sizeof(struct answer);
}

/* The answer counts from here on. */
static int end(struct snap *snap)
{
	static const char zero[8];
	size_t len = snap->len - snap->begun - sizeof(struct answer);
	struct answer *a;
	int err;

	err = snap_add(snap, zero, -len & 7);
	if (err)
		return err;
	a = answer_at(snap, snap->begun);
	a->len = (uint32_t)len;
	return table_put(&snap->answers, key_of(a->netns, (int)a->type, a->key), snap->begun);
}

int snap_put(struct snap *snap, struct diag *d, int netns, int type, int key, const void *data,
	     size_t len)
{
	if (begin(snap, netns, type, key) || snap_add(snap, data, len) || end(snap))
		return no_memory(snap, d);
	return 0;
}

void snap_forget(struct snap *snap, int netns, int type, int key)
{
	const struct snap_slot *slot = table_find(&snap->answers, key_of(netns, type, key));

	if (type == RTM_GETLINK)
		snap->linked[netns + 1] = false;
	if (slot)
		answer_at(snap, slot->value)->type = 0;
}

static const struct answer *answer_find(const struct snap *snap, int netns, int type, int key)
{
	const struct snap_slot *slot = table_find(&snap->answers, key_of(netns, type, key));
	const struct answer *a = slot ? answer_at(snap, slot->value) : NULL;

	return a && a->type ? a : NULL;
}

/* Which device has which ifindex: what the other dumps tell of goes by that. */
static int take_links(struct snap *snap, struct diag *d, int netns, const struct answer *a)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)(a + 1);
	struct link_end end;
	struct topo_ref ref;
	struct dev dev;

	strcpy(end.netns, snap_netns_name(snap, netns));
	for (int left = (int)a->len; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
		int number;

		if (dev_parse(nlh, &dev))
			return diag_failed(d, EBADMSG, "%s: devices", snap->topo->file);
		memcpy(end.dev, dev.name, sizeof(end.dev));
		if (!topo_find_dev(snap->topo, &end, &ref))
			continue;
		number = topo_dev_number(snap->topo, ref);
		snap->devs[number] = dev;
		if (table_put(&snap->numbers, key_of(netns, 0, dev.ifindex), (size_t)number))
			return no_memory(snap, d);
	}
	snap->linked[netns + 1] = true;
	return 0;
}

int snap_number(const struct snap *snap, int netns, int ifindex)
{
	const struct snap_slot *slot = table_find(&snap->numbers, key_of(netns, 0, ifindex));

	return slot ? (int)slot->value : -1;
}

static int need_links(struct snap *snap, struct diag *d, int netns)
{
	const void *data;
	size_t len;

	return snap->linked[netns + 1] ? 0 : snap_get(snap, d, netns, RTM_GETLINK, 0, &data, &len);
}

int snap_get(struct snap *snap, struct diag *d, int netns, int type, int key, const void **data,
	     size_t *len)
{
	const struct answer *a;
	int err = 0;

	*data = NULL;
	*len = 0;
	if (type != RTM_GETLINK && type != SNAP_NETNS && type != SNAP_SYSCTL)
		err = need_links(snap, d, netns);
	a = answer_find(snap, netns, type, key);
	if (!err && !a && snap->nets) {
		if (begin(snap, netns, type, key))
			return no_memory(snap, d);
		err = snap_ask(snap, d, netns, type, key);
		if (!err && end(snap))
			err = no_memory(snap, d);
		a = answer_find(snap, netns, type, key);
	}
	if (!err && a && type == RTM_GETLINK && !snap->linked[netns + 1])
		err = take_links(snap, d, netns, a);
	if (!err && a && a->len) {
		*data = a + 1;
		*len = a->len;
	}
	return err;
}

int snap_ifindex(const struct nlmsghdr *nlh)
{
	const void *data = NLMSG_DATA(nlh);

	switch (nlh->nlmsg_type) {
	case RTM_NEWLINK:
		return ((const struct ifinfomsg *)data)->ifi_index;
	case RTM_NEWADDR:
		return (int)((const struct ifaddrmsg *)data)->ifa_index;
	case RTM_NEWNEIGH:
		return ((const struct ndmsg *)data)->ndm_ifindex;
	case RTM_NEWQDISC:
	case RTM_NEWTCLASS:
	case RTM_NEWTFILTER:
		return ((const struct tcmsg *)data)->tcm_ifindex;
	}
	return 0;
}

int snap_each(struct snap *snap, struct diag *d, int netns, int type, int key, int dev,
	      int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg)
{
	const struct nlmsghdr *nlh;
	const void *data;
	size_t len;
	int left, err;

	err = snap_get(snap, d, netns, type, key, &data, &len);
	for (nlh = data, left = (int)len; !err && NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
		if (dev >= 0 && snap_ifindex(nlh) != snap->devs[dev].ifindex)
			continue;
		err = each(nlh, arg);
		if (err)
			diag_failed(d, -err, "%s", snap->topo->file);
	}
	return err;
}

int snap_dev(struct snap *snap, struct diag *d, int number, const struct dev **found)
{
	const struct topo_dev *dev = topo_dev(snap->topo, topo_ref_at(snap->topo, number));
	const void *data;
	size_t len;
	int err;

	*found = NULL;
	if (dev->netns >= 0) {
		err = snap_get(snap, d, dev->netns, SNAP_NETNS, 0, &data, &len);
		if (err || !len)
			return err;
	}
	err = need_links(snap, d, dev->netns);
	if (!err && snap->devs[number].ifindex)
		*found = &snap->devs[number];
	return err;
}

int snap_ifname(struct snap *snap, struct diag *d, int netns, int ifindex, char *name)
{
	int number = snap_number(snap, netns, ifindex);
	struct rtnl *rtnl;
	int err;

	if (number >= 0) {
		memcpy(name, snap->devs[number].name, IFNAMSIZ);
		return 0;
	}
	if (!snap->nets) {
		snprintf(name, IFNAMSIZ, "if%d", ifindex);
		return 0;
	}
	err = nets_rtnl(d, snap->nets, snap_netns_name(snap, netns), &rtnl);
	return err ? err : rtnl_ifname(rtnl, d, ifindex, name);
}

void snap_bytes(const struct snap *snap, const void **data, size_t *len)
{
	*data = snap->data;
	*len = snap->len;
}

int snap_load(struct snap *snap, struct diag *d, const void *data, size_t len)
{
	size_t at = 0;

	if (snap_add(snap, data, len))
		return no_memory(snap, d);
	while (at + sizeof(struct answer) <= len) {
		const struct answer *a = answer_at(snap, at);

		if (a->len > len - at - sizeof(*a) || a->netns < -1 || a->netns >= snap->topo->nnetns)
			break;
		if (a->type && table_put(&snap->answers, key_of(a->netns, (int)a->type, a->key), at))
			return no_memory(snap, d);
		at += sizeof(*a) + ((a->len + 7) & ~7U);
	}
	return at == len ? 0 : diag_failed(d, EBADMSG, "%s: what stood when it was made", snap->topo->file);
}

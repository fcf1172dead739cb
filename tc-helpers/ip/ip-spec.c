// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of ip(8) that a batch has: links, addresses, namespaces. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip/ip-spec.h"
#include "pure/addr.h"
#include "pure/diag.h"
#include "pure/units.h"

#define QUEUES_MAX 4096		/* the kernel's limit of IFLA_NUM_TX_QUEUES */

static const char *const link_verbs[] = { "add", "set", "del" };

static const struct {
	const char *word;
	enum ip_object object;
} objects[] = {
	{ "link", IP_LINK }, { "addr", IP_ADDR }, { "address", IP_ADDR }, { "netns", IP_NETNS },
};

bool ip_object_find(const char *word, enum ip_object *object)
{
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (!strcmp(objects[i].word, word)) {
			*object = objects[i].object;
			return true;
		}
	return false;
}

const char *ip_object_name(enum ip_object object)
{
	return object == IP_LINK ? "link" : object == IP_ADDR ? "addr" : "netns";
}

const char *ip_op_name(enum ip_op op)
{
	return link_verbs[op];
}

/**
 * struct reader - the words and how far they are read
 * @netns: the namespace that they are for
 */
struct reader {
	struct diag *d;
	const char *netns;
	char **words;
	int n;
	int i;
	struct ip_spec *spec;
};

static bool here(const struct reader *r, const char *word)
{
	return r->i < r->n && !strcmp(r->words[r->i], word);
}

/* Steps over @words[@i] to its value, which must be there. */
static int to_value(struct reader *r)
{
	if (r->i + 1 >= r->n)
		return diag_usage(r->d, r->i, "\"%s\" needs a value", r->words[r->i]);
	r->i++;
	return 0;
}

static int number(struct reader *r, uint64_t min, uint64_t max, unsigned int *v)
{
	uint64_t wide = 0;

	if (to_value(r))
		return -EINVAL;
	if (u64_parse(r->d, r->words, r->i, min, max, &wide))
		return diag_context(r->d, 0, "%s", r->words[r->i - 1]);
	*v = (unsigned int)wide;
	r->i++;
	return 0;
}

static int mac(struct reader *r, struct ip_dev *dev)
{
	if (to_value(r) || mac_parse(r->d, r->words, r->i, dev->mac))
		return -EINVAL;
	dev->has_mac = true;
	r->i++;
	return 0;
}

static int dev_name(struct reader *r, char *name)
{
	if (*name)
		return diag_usage(r->d, r->i, "unknown word \"%s\", and the device is \"%s\" already",
				  r->words[r->i], name);
	if (dev_name_check(r->d, r->i, r->words[r->i]))
		return -EINVAL;
	strcpy(name, r->words[r->i++]);
	return 0;
}

static int netns_name(struct reader *r, char *name)
{
	if (to_value(r) || netns_name_check(r->d, r->i, r->words[r->i]))
		return -EINVAL;
	strcpy(name, r->words[r->i++]);
	return 0;
}

/* The words that a new device and one that is there have in common; 1 if the next word is none of them. */
static int dev_word(struct reader *r, struct ip_dev *dev)
{
	if (here(r, "up") || here(r, "down")) {
		dev->up = here(r, "up");
		r->i++;
		return 0;
	}
	if (here(r, "mtu"))
		return number(r, 68, 65535, &dev->mtu);
	if (here(r, "address"))
		return mac(r, dev);
	if (here(r, "txqueuelen") || here(r, "txqlen")) {
		dev->has_txqlen = true;
		return number(r, 0, UINT32_MAX, &dev->txqlen);
	}
	return 1;
}

static int new_dev_word(struct reader *r, struct ip_dev *dev)
{
	int err = dev_word(r, dev);

	if (err <= 0)
		return err;
	if (here(r, "numtxqueues"))
		return number(r, 1, QUEUES_MAX, &dev->tx_queues);
	if (here(r, "numrxqueues"))
		return number(r, 1, QUEUES_MAX, &dev->rx_queues);
	if (here(r, "netns"))
		return netns_name(r, dev->end.netns);
	if ((here(r, "name") || here(r, "dev")) && to_value(r))
		return -EINVAL;
	return dev_name(r, dev->end.dev);
}

static int peer(struct reader *r)
{
	int err = 0;

	if (strcmp(r->spec->kind, "veth"))
		return diag_usage(r->d, r->i, "\"peer\" is of a veth");
	r->i++;
	while (!err && r->i < r->n)
		err = new_dev_word(r, &r->spec->peer);
	if (!err && !r->spec->peer.end.dev[0])
		err = diag_usage(r->d, r->i - 1, "\"peer\" needs the name of the other end");
	return err;
}

static int type(struct reader *r)
{
	static const char *const kinds[] = { "veth", "dummy", "ifb" };

	if (to_value(r))
		return -EINVAL;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (!strcmp(kinds[k], r->words[r->i])) {
			strcpy(r->spec->kind, kinds[k]);
			r->i++;
			return 0;
		}
	return diag_usage(r->d, r->i, "unknown type \"%s\": veth, dummy or ifb", r->words[r->i]);
}

static int link_add(struct reader *r)
{
	struct ip_spec *spec = r->spec;
	int err = 0;

	/* both ends are made where the words are for, unless they say otherwise */
	strcpy(spec->dev.end.netns, r->netns);
	strcpy(spec->peer.end.netns, r->netns);
	spec->peer.up = -1;
	while (!err && r->i < r->n) {
		if (here(r, "type"))
			err = *spec->kind ? diag_usage(r->d, r->i, "\"type\" is there twice") : type(r);
		else if (here(r, "peer"))
			err = peer(r);
		else
			err = new_dev_word(r, &spec->dev);
	}
	if (err)
		return err;
	if (!spec->dev.end.dev[0])
		return diag_usage(r->d, -1, "a name is needed");
	return *spec->kind ? 0 : diag_usage(r->d, -1, "\"type veth\", dummy or ifb is needed");
}

static int link_set(struct reader *r)
{
	struct ip_spec *spec = r->spec;
	int start, err = 0;

	if (here(r, "dev") && to_value(r))
		return -EINVAL;
	if (r->i >= r->n)
		return diag_usage(r->d, r->i - 1, "a device is needed");
	strcpy(spec->dev.end.netns, r->netns);
	err = dev_name(r, spec->dev.end.dev);
	start = r->i;
	while (!err && r->i < r->n) {
		err = dev_word(r, &spec->dev);
		if (err <= 0)
			continue;
		if (here(r, "netns")) {
			spec->moves = true;
			err = netns_name(r, spec->to);
		} else if (here(r, "name")) {
			err = to_value(r);
			if (!err)
				err = dev_name(r, spec->name);
		} else {
			err = diag_usage(r->d, r->i, "unknown word \"%s\": up, down, mtu, address, txqueuelen, name or netns",
					 r->words[r->i]);
		}
	}
	if (!err && r->i == start)
		err = diag_usage(r->d, -1, "what is to be set: up, down, mtu, address, txqueuelen, name or netns?");
	return err;
}

static int link_del(struct reader *r)
{
	strcpy(r->spec->dev.end.netns, r->netns);
	if (here(r, "dev") && to_value(r))
		return -EINVAL;
	if (r->i >= r->n)
		return diag_usage(r->d, r->i - 1, "a device is needed");
	return dev_name(r, r->spec->dev.end.dev);
}

static int brd(struct reader *r)
{
	if (to_value(r))
		return -EINVAL;
	if (strcmp(r->words[r->i], "+"))
		return diag_usage(r->d, r->i, "\"%s\": only + is known, the broadcast address of the network",
				  r->words[r->i]);
	r->spec->brd = true;
	r->i++;
	return 0;
}

/* The address at the next word. */
static int address(struct reader *r)
{
	struct ip_spec *spec = r->spec;
	struct prefix prefix;

	if (spec->family)
		return diag_usage(r->d, r->i, "unknown word \"%s\": dev, brd or nodad", r->words[r->i]);
	spec->family = strchr(r->words[r->i], ':') ? AF_INET6 : AF_INET;
	if (prefix_parse(r->d, r->words, r->i, spec->family, &prefix))
		return -EINVAL;
	memcpy(spec->addr, prefix.bytes, sizeof(spec->addr));
	spec->bits = prefix.bits;
	r->i++;
	return 0;
}

static int addr(struct reader *r)
{
	struct ip_spec *spec = r->spec;
	int err = 0;

	strcpy(spec->dev.end.netns, r->netns);
	while (!err && r->i < r->n) {
		if (here(r, "dev")) {
			err = to_value(r);
			if (!err)
				err = dev_name(r, spec->dev.end.dev);
		} else if (here(r, "brd") || here(r, "broadcast")) {
			err = brd(r);
		} else if (here(r, "nodad")) {
			spec->nodad = true;
			r->i++;
		} else {
			err = here(r, "local") ? to_value(r) : 0;
			if (!err)
				err = address(r);
		}
	}
	if (!err && !spec->family)
		err = diag_usage(r->d, -1, "an address is needed");
	if (!err && !spec->dev.end.dev[0])
		err = diag_usage(r->d, -1, "\"dev D\" is needed");
	if (!err && spec->brd && spec->family != AF_INET)
		err = diag_usage(r->d, -1, "brd is of IPv4");
	return err;
}

static int netns(struct reader *r)
{
	if (r->i >= r->n)
		return diag_usage(r->d, r->i - 1, "a name is needed");
	if (netns_name_check(r->d, r->i, r->words[r->i]))
		return -EINVAL;
	strcpy(r->spec->dev.end.netns, r->words[r->i++]);
	return 0;
}

static int verb(struct reader *r, enum ip_op *op)
{
	if (!r->n)
		return diag_usage(r->d, -1, "add%s or del is needed",
				  r->spec->object == IP_LINK ? ", set" : "");
	for (*op = IP_ADD; *op <= IP_DEL; ++*op)
		if (!strcmp(link_verbs[*op], r->words[0]) &&
		    (*op != IP_SET || r->spec->object == IP_LINK))
			return 0;
	*op = IP_DEL;
	return strcmp(r->words[0], "delete") == 0 ? 0 :
	       diag_usage(r->d, 0, "unknown word \"%s\": add%s or del", r->words[0],
			  r->spec->object == IP_LINK ? ", set" : "");
}

int ip_spec_parse(struct diag *d, enum ip_object object, const char *netns_for, char **words, int n,
		  struct ip_spec *spec)
{
	struct reader r = { d, netns_for, words, n, 1, spec };
	int err;

	memset(spec, 0, sizeof(*spec));
	spec->object = object;
	spec->dev.up = -1;
	spec->peer.up = -1;
	err = verb(&r, &spec->op);
	if (!err && object == IP_ADDR)
		err = addr(&r);
	else if (!err && object == IP_NETNS)
		err = netns(&r);
	else if (!err)
		err = spec->op == IP_ADD ? link_add(&r) : spec->op == IP_SET ? link_set(&r) : link_del(&r);
	if (!err && r.i < n)
		err = diag_usage(d, r.i, "\"%s\" is one word too many", words[r.i]);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_IP_SPEC_H
#define QBED_IP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "pure/names.h"

struct diag;
struct nl_msg;

enum ip_object {
	IP_LINK,
	IP_ADDR,
	IP_NETNS,
};

enum ip_op {
	IP_ADD,
	IP_SET,
	IP_DEL,
};

/**
 * struct ip_dev - what can be said of a device
 * @end: its name and namespace
 * @mtu: 0 for not given
 * @txqlen: length of its queue, see @has_txqlen
 * @has_txqlen: that was given
 * @tx_queues: 0 for not given
 * @rx_queues: 0 for not given
 * @has_mac: @mac was given
 * @mac: address
 * @up: 1 up, 0 down, -1 not given
 */
struct ip_dev {
	struct link_end end;
	unsigned int mtu;
	unsigned int txqlen;
	bool has_txqlen;
	unsigned int tx_queues;
	unsigned int rx_queues;
	bool has_mac;
	uint8_t mac[6];
	int up;
};

/**
 * struct ip_spec - a line of ip(8) as it is asked for
 * @object: what it is about
 * @op: what is done
 * @dev: the device; of %IP_NETNS only @dev.end.netns, the namespace
 * @kind: of a new device: "veth", "dummy", "ifb"
 * @peer: the other end of a new veth; @peer.end.dev is "" when nothing was said of it
 * @moves: the device goes to the namespace @to, see there
 * @to: where a device that is set goes to
 * @name: its new name, "" for none
 * @family: AF_INET or AF_INET6
 * @addr: the address, 4 or 16 bytes
 * @bits: of its network
 * @brd: 1: with the broadcast address of its network ("brd +")
 * @nodad: usable at once
 */
struct ip_spec {
	enum ip_object object;
	enum ip_op op;
	struct ip_dev dev;
	char kind[8];
	struct ip_dev peer;
	bool moves;
	char to[NETNS_NAME_MAX + 1];
	char name[IFNAMSIZ];
	int family;
	uint8_t addr[16];
	unsigned int bits;
	bool brd;
	bool nodad;
};

/* Whether @word names one of the objects: "link", "addr", "address", "netns". */
bool ip_object_find(const char *word, enum ip_object *object);
const char *ip_object_name(enum ip_object object);
const char *ip_op_name(enum ip_op op);

/*
 * Reads the words after the object's name, in ip's way, the verb first.
 * @netns is the namespace that they are for, "" for the caller's.
 */
int ip_spec_parse(struct diag *d, enum ip_object object, const char *netns, char **words, int n,
		  struct ip_spec *spec);

/**
 * struct ip_numbers - what has to be found out before a message can be made
 * @ifindex: of the device; 0 for a new one
 * @netns: fd of the namespace that the new device, or the one that moves, goes to; -1 for none
 * @peer_netns: fd of the one for the other end; -1 for none
 */
struct ip_numbers {
	int ifindex;
	int netns;
	int peer_netns;
};

/* The request, not of %IP_NETNS. 0, or -ENOMEM. */
int ip_spec_msg(const struct ip_spec *spec, const struct ip_numbers *numbers, struct nl_msg **msg);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_H
#define QBED_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pure/names.h"

struct diag;

#define TOPO_SCHEMA "qbed-topology-1"
#define TOPO_QUEUES_MAX 4096	/* the kernel's limit of IFLA_NUM_TX_QUEUES */
#define TOPO_MTU_MIN 68		/* ETH_MIN_MTU */
#define TOPO_MTU_MAX 65535	/* ETH_MAX_MTU */

/**
 * struct topo_stmt - one line of a topology file, split into words
 * @line: line number, from 1; in a JSON document the index into "topology", from 1
 * @nwords: number of @words
 * @words: the words, the keyword first; @words[@nwords] is NULL
 * @cols: column of each word, from 1 (bytes)
 */
struct topo_stmt {
	int line;
	int nwords;
	char **words;
	int *cols;
};

/**
 * struct topo_dev - one end of a link
 * @end: namespace as it is named live (with the prefix) and device
 * @netns: index into topo.netns, -1 for the caller's
 * @mac: address given in the message that creates the device: the file's, or made from the name
 */
struct topo_dev {
	struct link_end end;
	int netns;
	uint8_t mac[6];
};

/**
 * struct topo_link - a veth pair
 * @dev: both ends
 * @queues: tx and rx queues of both ends, and all of them real
 * @mtu: 0 for the driver's own
 * @down: leave both ends down
 * @stmt: index into the statements
 */
struct topo_link {
	struct topo_dev dev[2];
	unsigned int queues;
	unsigned int mtu;
	bool down;
	int stmt;
};

/* A device is told by its link and which end of it. */
struct topo_ref {
	int link;
	int end;
};

struct topo_addr {
	struct topo_ref dev;
	int family;		/* AF_INET, AF_INET6 */
	unsigned int plen;
	uint8_t bytes[16];
	int stmt;
};

struct topo_xps {
	struct topo_ref dev;
	int stmt;
};

struct topo_sysctl {
	int netns;		/* index into topo.netns, -1 for the caller's */
	const char *key;	/* with slashes: net/ipv4/ip_forward */
	const char *value;
	int stmt;
};

/**
 * struct topo_qdisc - one qdisc, after "parent 1:*" was written out per queue
 * @dev: where
 * @queue: 1.. when it came from a star, else 0
 * @words: tc's words: [root|parent H] [handle H] [est A B] KIND OPTIONS
 * @cols: column of each word in the file
 * @nwords: number of @words
 * @stmt: index into the statements
 * @kind: index of the kind into @words
 */
struct topo_qdisc {
	struct topo_ref dev;
	unsigned int queue;
	char **words;
	int *cols;
	int nwords;
	int stmt;
	int kind;
	uint32_t parent;
	uint32_t handle;	/* 0 when the kernel is to choose */
};

struct topo_netns {
	char name[NETNS_NAME_MAX + 1];	/* with the prefix */
	int stmt;
};

/**
 * struct topo - a topology, checked as far as that goes without a kernel
 * @file: name for messages
 * @prefix: put before every namespace's name, "" for none
 */
struct topo {
	char *file;
	char *prefix;
	struct topo_stmt *stmts;
	int nstmts;
	struct topo_netns *netns;
	int nnetns;
	struct topo_link *links;
	int nlinks;
	struct topo_addr *addrs;
	int naddrs;
	struct topo_xps *xps;
	int nxps;
	struct topo_sysctl *sysctls;
	int nsysctls;
	struct topo_qdisc *qdiscs;
	int nqdiscs;
	void *mem;		/* everything the words point into */
};

/**
 * topo_parse() - read a topology
 * @d: gets "FILE:LINE:COLUMN: what was wrong with which word"
 * @file: name for messages
 * @text: the whole file: lines, or a JSON document as "topo show --json" prints it
 * @len: length of @text
 * @prefix: for namespace names; NULL takes the document's own, or none
 * @topo: the result, freed with topo_free()
 *
 * Return: 0, -EINVAL for a bad file, -ENOMEM.
 */
int topo_parse(struct diag *d, const char *file, const char *text, size_t len,
	       const char *prefix, struct topo **topo);
void topo_free(struct topo *topo);

/* One statement with single spaces, as it is shown again; malloc()ed. */
char *topo_stmt_text(const struct topo_stmt *stmt);

const struct topo_dev *topo_dev(const struct topo *topo, struct topo_ref ref);

/* "NS:DEV", or "DEV" in the caller's namespace; @buf of TOPO_END_LEN bytes. Returns @buf. */
#define TOPO_END_LEN (NETNS_NAME_MAX + IFNAMSIZ + 2)
char *topo_end_format(char *buf, const struct link_end *end);

/* Puts "FILE:LINE:COLUMN: " before an error whose word index counts from @cols. */
void topo_locate(struct diag *d, const struct topo *topo, int stmt, const int *cols, int ncols);

enum topo_step_kind {
	TOPO_STEP_NETNS,	/* create topo.netns[index], lo up */
	TOPO_STEP_SYSCTL,	/* write topo.sysctls[index] */
	TOPO_STEP_LINK,		/* create both ends of topo.links[index], read back */
	TOPO_STEP_QDISC,	/* add topo.qdiscs[index] */
	TOPO_STEP_XPS,		/* topo.xps[index] */
	TOPO_STEP_UP,		/* end index % 2 of topo.links[index / 2] */
	TOPO_STEP_ADDR,		/* topo.addrs[index] */
	TOPO_STEP_NEIGH,	/* the other end of that link learns topo.addrs[index] */
};

struct topo_step {
	enum topo_step_kind kind;
	int index;
};

/*
 * What "up" does, in order; @steps is malloc()ed. Once the links are there, a
 * namespace is done at a time: a step needs nothing of another's.
 */
int topo_plan(struct diag *d, const struct topo *topo, struct topo_step **steps, int *nsteps);

/* A step in words, "addr tx:eth1 10.0.0.1/24"; malloc()ed, NULL without memory. */
char *topo_step_text(const struct topo *topo, const struct topo_step *step);

/* Statement a step comes from, index into topo.stmts. */
int topo_step_stmt(const struct topo *topo, const struct topo_step *step);

#endif

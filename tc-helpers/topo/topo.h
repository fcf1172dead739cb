/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_H
#define QBED_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pure/names.h"
#include "pure/units.h"

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
 * struct topo_dev - one end of a link, or the ifb of an end
 * @end: namespace as it is named live (with the prefix) and device
 * @netns: index into topo.netns, -1 for the caller's
 * @mac: address given in the message that creates the device: the file's, or made from the name
 * @tx: transmit queues, all of them real
 * @rx: receive queues, all of them real
 * @last: the qdisc or class that was last declared on it, index into topo.qdiscs; -1 for none
 * @last_filter: the same of filters, index into topo.filters
 * @clsact: a filter is at its ingress or egress
 */
struct topo_dev {
	struct link_end end;
	int netns;
	uint8_t mac[6];
	unsigned int tx;
	unsigned int rx;
	int last;
	int last_filter;
	bool clsact;
};

/**
 * struct topo_link - a veth pair
 * @dev: both ends
 * @mtu: 0 for the driver's own
 * @offload_set: offloads that the file says something of, 1 << the number of topo_offload_name()
 * @offload_on: of those, the ones to be on
 * @down: leave both ends down
 * @stmt: index into the statements
 */
struct topo_link {
	struct topo_dev dev[2];
	unsigned int mtu;
	unsigned int offload_set;
	unsigned int offload_on;
	bool down;
	int stmt;
};

/* Names of offloads as ethtool -K has them, from 0; NULL after the last. */
const char *topo_offload_name(unsigned int i);

#define TOPO_OFFLOAD_GSO 1u
#define TOPO_OFFLOAD_SEGMENTS 7u	/* gso, tso and gro: what makes or keeps frames larger than the MTU */

/**
 * struct topo_ref - a device of the topology
 * @link: index into topo.links; below 0 the ifb of topo.ingress[-1 - @link]
 * @end: which end of the link
 */
struct topo_ref {
	int link;
	int end;
};

/**
 * struct topo_ingress - what arrives at an end goes through an ifb first
 * @of: the end
 * @ifb: the device made for it, with as many queues as @of receives on
 * @stmt: index into the statements
 */
struct topo_ingress {
	struct topo_ref of;
	struct topo_dev ifb;
	int stmt;
};

struct topo_addr {
	struct topo_ref dev;
	int family;		/* AF_INET, AF_INET6 */
	unsigned int plen;
	uint8_t bytes[16];
	int stmt;
};

/**
 * struct topo_route - a route of a namespace
 * @netns: index into topo.netns
 * @family: AF_INET or AF_INET6, of @dst and @src
 * @via_family: AF_INET, AF_INET6; 0 without a next hop
 * @dev: the device, if @has_dev
 * @metric: 0 for the kernel's default
 */
struct topo_route {
	int netns;
	int family;
	uint8_t dst[16];
	unsigned int plen;
	int via_family;
	uint8_t via[16];
	struct topo_ref dev;
	bool has_dev;
	bool has_src;
	bool onlink;
	uint8_t src[16];
	uint32_t metric;
	int stmt;
};

/**
 * struct topo_steer - CPUs of a device's queues: xps, rps
 * @rps: of the receive queues
 * @each: queue i and CPU i; else @cpus for every queue
 */
struct topo_steer {
	struct topo_ref dev;
	bool rps;
	bool each;
	struct cpus cpus;
	int stmt;
};

struct topo_sysctl {
	int netns;		/* index into topo.netns, -1 for the caller's */
	const char *key;	/* with slashes: net/ipv4/ip_forward */
	const char *value;
	int stmt;
};

/**
 * struct topo_qdisc - one qdisc or class, after "parent 1:*" was written out per queue
 * @dev: where
 * @is_class: it is a class
 * @queue: 1.. when it came from a star, else 0
 * @words: tc's words: [root|parent H] [handle H|classid H] [est A B] KIND OPTIONS
 * @cols: column of each word in the file
 * @nwords: number of @words
 * @stmt: index into the statements
 * @kind: index of the kind into @words
 * @parent_word: index of the parent's value into @words, -1 for none
 * @parent: 0xffffffff for the root
 * @handle: of a class the classid; of a qdisc 0 when the kernel is to choose
 * @before: the one declared before it on the device, index into topo.qdiscs; -1 for none
 */
struct topo_qdisc {
	struct topo_ref dev;
	bool is_class;
	unsigned int queue;
	char **words;
	int *cols;
	int nwords;
	int stmt;
	int kind;
	int parent_word;
	uint32_t parent;
	uint32_t handle;
	int before;
};

#define TOPO_INGRESS 0xfffffff2U	/* TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS) */
#define TOPO_EGRESS 0xfffffff3U

/**
 * struct topo_filter - a filter of a qdisc, or of what arrives or leaves
 * @dev: where; its words are those of the statement from the third on, tc's own
 * @parent: a qdisc or class, %TOPO_INGRESS or %TOPO_EGRESS
 * @clsact: it is one of the last two
 * @makes_clsact: the first of those on its device
 * @first: the first at this parent of its device
 * @before: the one declared before it on the device, index into topo.filters; -1 for none
 * @stmt: index into the statements
 */
struct topo_filter {
	struct topo_ref dev;
	uint32_t parent;
	bool clsact;
	bool makes_clsact;
	bool first;
	int before;
	int stmt;
};

/**
 * struct topo_event - a change while "topo play" runs
 * @time_ns: since its beginning
 * @tc: the qdisc or class that is changed, with all its words
 * @file: where its line stands: a trace file, or NULL for the topology
 * @line: see @file
 * @order: among those of one time, set by topo_events_sort()
 */
struct topo_event {
	int64_t time_ns;
	struct topo_qdisc tc;
	const char *file;
	int line;
	int order;
};

/**
 * struct topo_trace - a file of values that one option of a qdisc takes in turn
 * @tc: the qdisc or class, index into topo.qdiscs
 * @option: the word that its values follow ("delay")
 * @file: as it is written
 */
struct topo_trace {
	int tc;
	const char *option;
	const char *file;
	int stmt;
};

struct topo_netns {
	char name[NETNS_NAME_MAX + 1];	/* with the prefix */
	int stmt;
};

/**
 * struct topo - a topology, checked as far as that goes without a kernel
 * @file: name for messages
 * @prefix: put before every namespace's name, "" for none
 * @units: what a time without a unit is in tc's words ("tc-units")
 */
struct topo {
	char *file;
	char *prefix;
	enum tc_units units;
	struct topo_stmt *stmts;
	int nstmts;
	struct topo_netns *netns;
	int nnetns;
	struct topo_link *links;
	int nlinks;
	struct topo_addr *addrs;
	int naddrs;
	struct topo_ingress *ingress;
	int ningress;
	struct topo_route *routes;
	int nroutes;
	struct topo_steer *steers;
	int nsteers;
	struct topo_sysctl *sysctls;
	int nsysctls;
	struct topo_qdisc *qdiscs;
	int nqdiscs;
	struct topo_filter *filters;
	int nfilters;
	struct topo_event *events;
	int nevents;
	struct topo_trace *traces;
	int ntraces;
	struct topo_map *names;
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

/* All devices have numbers from 0: end e of link l is 2 * l + e, then come the ifbs. */
int topo_ndevs(const struct topo *topo);
int topo_dev_number(const struct topo *topo, struct topo_ref ref);
struct topo_ref topo_ref_at(const struct topo *topo, int number);

/* Bytes that a frame may have behind its Ethernet header. */
unsigned int topo_mtu(const struct topo *topo, struct topo_ref ref);

/* Has the topology a device of that name, end of a link or ifb? */
bool topo_find_dev(const struct topo *topo, const struct link_end *end, struct topo_ref *ref);

/* "NS:DEV", or "DEV" in the caller's namespace; @buf of TOPO_END_LEN bytes. Returns @buf. */
#define TOPO_END_LEN (NETNS_NAME_MAX + IFNAMSIZ + 2)
char *topo_end_format(char *buf, const struct link_end *end);

/* Puts "FILE:LINE:COLUMN: " before an error whose word index counts from @cols. */
void topo_locate(struct diag *d, const struct topo *topo, int stmt, const int *cols, int ncols);
void topo_locate_at(struct diag *d, const char *file, int line, const int *cols, int ncols);

/* The ifb of an end, index into topo.ingress, or -1. */
int topo_ingress_of(const struct topo *topo, struct topo_ref end);

/* Are the devices of @ref up when the topology is? */
bool topo_is_up(const struct topo *topo, struct topo_ref ref);

/**
 * topo_trace_read() - a trace file's lines as events
 * @d: gets "FILE:LINE:COLUMN: ..."
 * @topo: gets the events
 * @trace: index into topo->traces
 * @file: the name for messages
 * @text: lines "TIME VALUE...", times from the beginning of the play, never less than the one before
 * @len: length of @text
 *
 * Return: 0, -EINVAL for a bad file, -ENOMEM.
 */
int topo_trace_read(struct diag *d, struct topo *topo, int trace, const char *file,
		    const char *text, size_t len);

/* By time; those of one time stay in the order of the file. */
void topo_events_sort(struct topo *topo);

enum topo_step_kind {
	TOPO_STEP_NETNS,	/* create topo.netns[index], lo up */
	TOPO_STEP_SYSCTL,	/* write topo.sysctls[index] */
	TOPO_STEP_LINK,		/* create both ends of topo.links[index], read back */
	TOPO_STEP_OFFLOAD,	/* of end index % 2 of topo.links[index / 2] */
	TOPO_STEP_IFB,		/* create the ifb of topo.ingress[index] */
	TOPO_STEP_QDISC,	/* add topo.qdiscs[index], a qdisc or a class */
	TOPO_STEP_STEER,	/* topo.steers[index] */
	TOPO_STEP_REDIRECT,	/* topo.ingress[index]: ifb up, what arrives goes there */
	TOPO_STEP_FILTER,	/* topo.filters[index], and before the first its clsact */
	TOPO_STEP_UP,		/* end index % 2 of topo.links[index / 2] */
	TOPO_STEP_ADDR,		/* topo.addrs[index] */
	TOPO_STEP_NEIGH,	/* the other end of that link learns topo.addrs[index] */
	TOPO_STEP_ROUTE,	/* topo.routes[index] */
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
/* An event: "at 500ms qdisc change tx:eth1 root netem delay 20ms". */
char *topo_event_text(const struct topo *topo, const struct topo_event *event);

/* Statement a step comes from, index into topo.stmts. */
int topo_step_stmt(const struct topo *topo, const struct topo_step *step);

#endif

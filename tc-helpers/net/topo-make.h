/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_MAKE_H
#define QBED_TOPO_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/rtnl-queue.h"
#include "topo/topo.h"

struct diag;
struct journal;
struct namer;
struct nets;
struct nl_msg;
struct nlb;
struct nlmsghdr;
struct progress;
struct qdisc_put;
struct snap;

/* Every device that a topology makes is in this group (IFLA_GROUP): "qbed" in ASCII. */
#define TOPO_GROUP 0x71626564

/**
 * struct maker - what the steps of one "up" share
 * @d: where errors go
 * @topo: what is made
 * @j: where it is written down first
 * @nets: sockets
 * @snap: what stands, read back
 * @steps: see topo_plan()
 * @nsteps: how many
 * @at: the step at work
 * @base: number of the first device, see maker_ifindex()
 * @late: by topo_dev_number(): something is to be done to it before it is up
 * @ipv6: the kernel has it
 * @filter: what sends frames from an end to its ifb: matchall, or u32 in a kernel that lacks it
 * @put: what is kept from qdisc to qdisc
 * @namer: makes the namespaces
 * @progress: who watches
 */
struct maker {
	struct diag *d;
	const struct topo *topo;
	struct journal *j;
	struct nets *nets;
	struct snap *snap;
	struct topo_step *steps;
	int nsteps;
	int at;
	int base;
	bool *late;
	bool ipv6;
	enum { FILTER_UNKNOWN, FILTER_MATCHALL, FILTER_U32 } filter;
	struct qdisc_put *put;
	struct namer *namer;
	struct progress *progress;
};

/*
 * A step is a function (m, object): it puts its requests in line with
 * maker_queue(), in the order in which they are to be done. What is no
 * request (sysfs, sysctl) calls nets_flush() first, or uses what does
 * (nets_rtnl(), nets_sysfs()). 0, or -errno with @d; an error of a request
 * comes from a later call, with the words of its own step.
 */

/* Takes @msg. Messages of an error begin with the step at work. */
int maker_queue(struct maker *m, const char *netns, struct nl_msg *msg);
/* The same, with what is special of @req: pass, refused. */
int maker_queue_as(struct maker *m, const char *netns, struct nl_msg *msg,
		   const struct rtnl_req *req);
/* Of a message that is still in its builder, which is freed; of one that stays the caller's. */
int maker_queue_nlb(struct maker *m, const char *netns, struct nlb *nlb, const struct rtnl_req *req);
int maker_queue_bytes(struct maker *m, const char *netns, const struct nlmsghdr *nlh,
		      const struct rtnl_req *req);

/*
 * The ifindex of a device: chosen before it is made, so that nothing has to be
 * asked. No two ends of a topology have the same: the kernel takes equal
 * numbers of a pair for a device that is no pair, and is late to see its carrier.
 */
static inline int maker_ifindex(const struct maker *m, struct topo_ref ref)
{
	return m->base + topo_dev_number(m->topo, ref);
}

static inline const struct topo_step *maker_step(const struct maker *m)
{
	return &m->steps[m->at];
}

/* "FILE:LINE: STEP", malloc()ed; NULL without memory. */
char *topo_step_what(const struct topo *topo, const struct topo_step *step);

/* Words of a request whose index is that of its step. */
void maker_words(char *buf, size_t len, const void *m, int index);

/* Has a signal come that ends the program? "up" blocks them. */
bool topo_told_to_end(void);

/* topo-netns.c: @threads is 1 or 2, or 0 for two where that is faster. The end is needed also after an error. */
int topo_netns_start(struct maker *m, unsigned int threads);
int topo_netns_end(struct maker *m);
/* Is a thread at it? */
bool topo_netns_elsewhere(const struct maker *m);
/* Else here: the namespaces of the step at work and of those that follow at once. */
int topo_netns_here(struct maker *m);
/* Until topo.netns[@netns] and those before are there. */
int topo_netns_wait(struct maker *m, int netns);

/* link.c */
int link_lo_msg(struct diag *d, struct nl_msg **msg);	/* lo up */
int link_create(struct maker *m, int link);
int link_up(struct maker *m, struct topo_ref ref);

/* offload.c */
int offload_set(struct maker *m, struct topo_ref ref);

/* ingress.c */
int ifb_create(struct maker *m, int ingress);
int ingress_redirect(struct maker *m, int ingress);

/* route.c */
int route_add(struct maker *m, const struct topo_route *route);

/* topo-filter.c */
int topo_filter_add(struct maker *m, const struct topo_filter *f);

/* steer.c, as the topology has it */
struct steer topo_steer_of(const struct topo *topo, const struct topo_steer *steer);

/*
 * topo-verify.c: all devices are as they were asked for, and packets can pass; waits for carriers,
 * 5 s at most. What stands is in the snapshot then.
 */
int topo_verify(struct maker *m);

/* link-addr.c */
int link_addr(struct maker *m, const struct topo_addr *addr);
int link_neigh(struct maker *m, const struct topo_addr *addr);

/* topo-qdisc.c */
int topo_qdisc_add(struct maker *m, const struct topo_qdisc *q);
void qdisc_put_free(struct qdisc_put *put);

/* topo-make.c: makes it all; what was made before an error stays for the caller to take back. */
int topo_make(struct diag *d, struct journal *j, const struct topo *topo, int base,
	      unsigned int threads, struct progress *progress);

#endif

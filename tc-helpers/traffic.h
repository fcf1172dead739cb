/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TRAFFIC_H
#define QBED_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/sender.h"
#include "measure/stop.h"
#include "pure/names.h"

struct diag;
struct doc;

/*
 * What the commands that send have in common: options, sockets, one run.
 */

#define TRAFFIC_PORT		47000	/* sink of the first sender; of the others the next ones */
#define TRAFFIC_FLOOR_PORT	48500	/* the same for the floor link: CPUS_MAX ports away */
#define TRAFFIC_SNDBUF		(8 << 20)	/* a saturated sender's packets in flight, so that the qdisc's limit counts */

/**
 * struct traffic - options of a sending command
 * @from: end that sends; its device has the qdisc
 * @to: other end of the link
 * @cpus: a sender on each
 * @hog: CPUs that are kept busy
 * @rate_pps: packets per second of each sender, 0 for as fast as it goes
 * @burst: packets back to back
 * @duration_ns: time of sending
 * @size: bytes of a frame as tc counts them
 * @seed: of the senders' phases
 * @has_from: --from was given
 * @has_to: --to was given
 * @has_rate: --rate was given
 * @has_cpus: --cpus was given
 */
struct traffic {
	struct link_end from;
	struct link_end to;
	struct cpus cpus;
	struct cpus hog;
	uint64_t rate_pps;
	uint64_t burst;
	int64_t duration_ns;
	uint64_t size;
	uint64_t seed;
	bool has_from;
	bool has_to;
	bool has_rate;
	bool has_cpus;
};

#define TRAFFIC_DEFAULTS						\
	{ .burst = 1, .duration_ns = 4000000000, .size = 128, .seed = 1 }

/* Rows of an option table; @cfg has a struct traffic called @t. */
#define TRAFFIC_OPT(cfg, t, field) (offsetof(cfg, t) + offsetof(struct traffic, field))
#define TRAFFIC_OPTS(cfg, t)								\
	{ "from", OPT_END, TRAFFIC_OPT(cfg, t, from), "NS:DEV",				\
	  "end that sends, through the qdisc of its device",				\
	  .set = TRAFFIC_OPT(cfg, t, has_from) + 1 },					\
	{ "to", OPT_END, TRAFFIC_OPT(cfg, t, to), "NS:DEV",				\
	  "other end of the link", .set = TRAFFIC_OPT(cfg, t, has_to) + 1 },		\
	{ "cpus", OPT_CPUS, TRAFFIC_OPT(cfg, t, cpus), "LIST",				\
	  "a pinned sender on each of these CPUs (all but those of --hog)",		\
	  .set = TRAFFIC_OPT(cfg, t, has_cpus) + 1 },					\
	{ "hog", OPT_CPUS, TRAFFIC_OPT(cfg, t, hog), "LIST",				\
	  "keep these CPUs busy while the senders run (none)" },			\
	{ "duration", OPT_TIME, TRAFFIC_OPT(cfg, t, duration_ns), "TIME",		\
	  "how long to send (4s)", .max = 86400000000000 },				\
	{ "size", OPT_SIZE, TRAFFIC_OPT(cfg, t, size), "BYTES",				\
	  "bytes of a frame as tc counts them, Ethernet header included (128)",		\
	  .min = 82, .max = 65549 },							\
	{ "burst", OPT_U64, TRAFFIC_OPT(cfg, t, burst), "N",				\
	  "packets back to back; the rate stays (1)", .min = 1, .max = 65536 },		\
	{ "seed", OPT_U64, TRAFFIC_OPT(cfg, t, seed), "N",				\
	  "seed of the senders' start phases (1)" }

/* A number of packets per second, or "max" (0). */
int rate_pps_parse(struct diag *d, char **words, int i, void *field);

/* Completes and checks the options. */
int traffic_check(struct diag *d, struct traffic *t);

/*
 * Makes @plan with a sender per CPU, each with @npaths paths that have no
 * socket yet; traffic_plan_free() closes and frees.
 */
int traffic_plan(struct diag *d, const struct traffic *t, unsigned int npaths,
		 struct send_plan *plan);
void traffic_plan_free(struct send_plan *plan);

/*
 * Opens what path @j of each sender needs, from @from to @to: a sink of
 * @rcvbuf bytes in @sinks (one per sender) and the connected socket.
 */
int traffic_connect(struct diag *d, const struct traffic *t, struct send_plan *plan,
		    unsigned int j, const struct link_end *from, const struct link_end *to,
		    int rcvbuf, int *sinks);

/* Hogs on, senders_run(), hogs off. */
int traffic_run(struct diag *d, const struct traffic *t, struct send_plan *plan,
		struct stop *stop);

/* Members of the object that is open: parameters, complete, window_ns. */
void traffic_doc(struct doc *doc, const struct traffic *t, const struct send_plan *plan);
/* Members of the object that is open: phase, and the counts of path @j. */
void traffic_sender_doc(struct doc *doc, const struct send_plan *plan, const struct sender *s,
			unsigned int j);

/* What a finished run says about itself: stopped early, or packets that could not be sent. 0 or -errno. */
int traffic_verdict(struct diag *d, const char *what, const struct send_plan *plan,
		    const struct stop *stop);

#endif

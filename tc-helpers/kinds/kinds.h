/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_KINDS_H
#define QBED_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds/keyword.h"

struct diag;
struct doc;
struct nlattr;
struct nlb;

/* Times of struct tc_netem_qopt and friends are ticks of 64 ns: PSCHED_SHIFT, include/net/pkt_sched.h. */
#define PSCHED_TICK_NS 64

/* Shares (loss and the like, and correlations) are of UINT32_MAX. */
struct netem_cfg {
	uint32_t given;
	uint32_t limit;		/* packets */
	int64_t delay_ns;
	int64_t jitter_ns;
	uint64_t rate_bps;
	uint32_t delay_corr;
	uint32_t loss, loss_corr;
	uint32_t duplicate, duplicate_corr;
	uint32_t corrupt, corrupt_corr;
	uint32_t reorder, reorder_corr;
	uint32_t gap;		/* packets */
};

struct fifo_cfg {
	uint32_t given;
	uint32_t limit;		/* packets of pfifo, bytes of bfifo */
};

struct tbf_cfg {
	uint32_t given;
	uint32_t burst;		/* bytes */
	uint32_t limit;		/* bytes */
	uint32_t mtu;		/* bytes, bucket of the peak rate */
	uint64_t rate_bps;
	uint64_t peakrate_bps;
	int64_t latency_ns;
};

union kind_cfg {
	struct netem_cfg netem;
	struct fifo_cfg fifo;
	struct tbf_cfg tbf;
};

/**
 * struct kind - a qdisc kind: words in, attributes out, and back
 * @name: as the kernel calls it
 * @config: the CONFIG_ option that brings it
 * @words: its keywords
 * @multiqueue: a root whose classes are the device's transmit queues
 * @parse: reads the words after the kind's name; NULL: only shown, never made
 * @fill: writes TCA_OPTIONS, or nothing; NULL for a kind without options
 * @show: puts the options into the open object and the text (" limit 1000 ...")
 * @advise: warns of settings that do not fit a device that sends frames of up to @frame bytes
 */
struct kind {
	const char *name;
	const char *config;
	const struct keyword *words;
	bool multiqueue;
	int (*parse)(struct diag *d, char **words, int n, union kind_cfg *cfg);
	void (*fill)(struct nlb *nlb, const union kind_cfg *cfg);
	void (*show)(struct doc *doc, struct nlattr *opts);
	void (*advise)(struct diag *d, const union kind_cfg *cfg, unsigned int frame);
};

/* One per file; kinds.c lists them. */
extern const struct kind kind_mq;
extern const struct kind kind_netem;
extern const struct kind kind_tbf;
extern const struct kind kind_pfifo;
extern const struct kind kind_bfifo;
extern const struct kind kind_pfifo_fast;

/* The list ends with NULL. */
extern const struct kind *const kinds[];

const struct kind *kind_find(const char *name);
/* "mq, netem, ...": those that can be made. Returns @buf. */
char *kinds_names(char *buf, size_t len);

#endif

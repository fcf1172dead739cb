/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NETEM_H
#define QBED_NETEM_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "kinds/keyword.h"
#include "pure/dist.h"

struct doc;
struct nlattr;
struct nlb;

/* In linux/pkt_sched.h since 6.6. */
#define NETEM_PRNG_SEED 14	/* TCA_NETEM_PRNG_SEED */
#define NETEM_ATTR_MAX 14

enum netem_word {
	NETEM_LIMIT, NETEM_DELAY, NETEM_DIST, NETEM_LOSS, NETEM_RANDOM, NETEM_STATE, NETEM_GEMODEL,
	NETEM_ECN, NETEM_DUPLICATE, NETEM_CORRUPT, NETEM_REORDER, NETEM_GAP, NETEM_RATE, NETEM_SLOT,
	NETEM_SLOT_DIST, NETEM_PACKETS, NETEM_BYTES, NETEM_SEED,
};

#define NETEM_GIVEN(c, word) ((c)->given & 1u << (word))

/**
 * struct netem_cfg - the words of a netem
 *
 * Shares (loss and the like, and correlations) are of UINT32_MAX; a field that
 * ends with _n is how many values stood after the word.
 *
 * @given: bits of enum netem_word
 * @p13: 4-state loss model: from good reception to a burst of losses; the others likewise
 * @ge_p: Gilbert-Elliott model: from good to bad, @ge_r back
 * @ge_1h: loss in the bad state
 * @ge_1k: loss in the good one
 * @slot_packets: in a slot, 0 for any number
 * @slot_delay: mean of the slots' distribution
 */
struct netem_cfg {
	uint32_t given;
	uint32_t limit;		/* packets */
	int64_t delay_ns;
	int64_t jitter_ns;
	uint32_t delay_corr;
	uint32_t loss, loss_corr;
	struct share p13;
	uint32_t p31, p32, p23, p14;
	struct share ge_p;
	uint32_t ge_r, ge_1h, ge_1k;
	uint32_t duplicate, duplicate_corr;
	uint32_t corrupt, corrupt_corr;
	uint32_t reorder, reorder_corr;
	uint32_t gap;		/* packets */
	uint64_t rate_bps;
	int32_t packet_overhead;	/* bytes, as the two below */
	uint32_t cell_size;
	int32_t cell_overhead;
	int64_t slot_min_ns, slot_max_ns;
	int64_t slot_delay_ns, slot_jitter_ns;
	uint32_t slot_packets;
	uint32_t slot_bytes;
	uint64_t seed;
	uint8_t delay_n, loss_n, state_n, ge_n, duplicate_n, corrupt_n, reorder_n, slot_n;
	const char *dist_word, *slot_dist_word;	/* gone once the words are */
	struct dist dist, slot_dist;
};

/* TCA_OPTIONS of the words */
extern const struct attr_desc netem_options;
void netem_fill(struct nlb *nlb, const void *cfg);

/*
 * A kernel that has no duplicates in a tree with another netem refuses them
 * when it has set limit, delay and loss already: see struct kind.
 */
bool netem_rehearse(struct nlb *nlb, const void *cfg, struct nlattr *old);

/* The options of a netem as the kernel tells them, with tc's keys. */
void netem_show(struct doc *doc, struct nlattr *opts);
void netem_xstats(struct doc *doc, struct nlattr *app);

/**
 * struct netem_opts - TCA_OPTIONS of a netem, taken apart
 * @opt: the fixed part
 * @tb: the attributes behind it
 */
struct netem_opts {
	struct tc_netem_qopt *opt;
	struct nlattr *tb[NETEM_ATTR_MAX + 1];
};

/* False if @opts is too short. */
bool netem_opts_read(struct nlattr *opts, struct netem_opts *o);

#endif

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

/**
 * struct kind_class - the classes of a kind that has some
 * @words: keywords of a class
 * @cfg_size: bytes of what @parse fills
 * @parse: reads the words after the kind's name; NULL: the kernel's own, shown and never made
 * @fill: writes TCA_OPTIONS
 * @show: puts the options into the open object and the text; NULL: shown without
 * @xstats: puts the kind's own counters (TCA_STATS_APP) there; may be NULL
 */
struct kind_class {
	const struct keyword *words;
	size_t cfg_size;
	int (*parse)(struct diag *d, char **words, int n, void *cfg);
	void (*fill)(struct nlb *nlb, const void *cfg);
	void (*show)(struct doc *doc, struct nlattr *opts);
	void (*xstats)(struct doc *doc, struct nlattr *app);
};

/**
 * struct kind - a qdisc kind: words in, attributes out, and back
 * @name: as the kernel calls it
 * @config: the CONFIG_ option that brings it
 * @words: its keywords
 * @multiqueue: a root whose classes are the device's transmit queues
 * @no_est: the kernel refuses a rate estimator there
 * @cfg_size: bytes of what @parse fills; they are zero before
 * @parse: reads the words after the kind's name; NULL: only shown, never made
 * @drop: frees what @cfg holds; NULL when that is nothing
 * @fill: writes TCA_OPTIONS, or nothing; NULL for a kind without options
 * @show: puts the options into the open object and the text (" limit 1000 ...")
 * @xstats: puts the kind's own counters (TCA_STATS_APP) there; may be NULL
 * @advise: warns of settings that do not fit a device that sends frames of up to @frame bytes
 * @judge: refuses settings that a device with so many transmit queues in use cannot have; may be NULL
 * @hint: what may be behind a refusal for which the kernel has no words; may be NULL
 * @class: its classes, NULL when it has none that are made or shown
 */
struct kind {
	const char *name;
	const char *config;
	const struct keyword *words;
	bool multiqueue;
	bool no_est;
	size_t cfg_size;
	int (*parse)(struct diag *d, char **words, int n, void *cfg);
	void (*drop)(void *cfg);
	void (*fill)(struct nlb *nlb, const void *cfg);
	void (*show)(struct doc *doc, struct nlattr *opts);
	void (*xstats)(struct doc *doc, struct nlattr *app);
	void (*advise)(struct diag *d, const void *cfg, unsigned int frame);
	int (*judge)(struct diag *d, const void *cfg, unsigned int queues);
	const char *hint;
	const struct kind_class *class;
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

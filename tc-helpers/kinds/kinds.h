/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_KINDS_H
#define QBED_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kinds/keyword.h"

struct attr_desc;
struct diag;
struct doc;
struct nlattr;
struct nlb;
struct tc_env;

/* Times of struct tc_netem_qopt and friends are ticks of 64 ns: PSCHED_SHIFT, include/net/pkt_sched.h. */
#define PSCHED_TICK_NS 64

/**
 * struct class_place - where a class is put, for kind_class.advise
 * @classid: its number
 * @frame: bytes of the device's largest frame
 * @inner: it has classes below it
 * @qdisc: TCA_OPTIONS of its qdisc, NULL if not known
 * @told: what the kernel itself warned of, "" for nothing
 */
struct class_place {
	uint32_t classid;
	unsigned int frame;
	bool inner;
	struct nlattr *qdisc;
	const char *told;
};

/**
 * struct kind_class - the classes of a kind that has some
 * @words: keywords of a class
 * @cfg_size: bytes of what @parse fills
 * @numbered: the kernel finds a class id by itself when none is given
 * @flat: there is one level of classes: what is asked for as parent counts for nothing
 * @parse: reads the words after the kind's name; NULL: the kernel's own, shown and never
 *	made. @fresh: of a class that is to be new
 * @fill: writes TCA_OPTIONS
 * @options: what those are: their names and bytes, ATTR_OPTIONS(); NULL when there are none
 * @show: puts the options into the open object and the text; NULL: shown without.
 *	@details: all of them
 * @xstats: puts the kind's own counters (TCA_STATS_APP) there; may be NULL
 * @advise: warns of settings that do not fit the place; may be NULL
 * @hint: what may be behind an EINVAL for which the kernel has no words; may be NULL
 */
struct kind_class {
	const struct keyword *words;
	size_t cfg_size;
	bool numbered;
	bool flat;
	int (*parse)(struct diag *d, char **words, int n, bool fresh, void *cfg);
	void (*fill)(struct nlb *nlb, const void *cfg);
	const struct attr_desc *options;
	void (*show)(struct doc *doc, struct nlattr *opts, bool details);
	void (*xstats)(struct doc *doc, struct nlattr *app);
	void (*advise)(struct diag *d, const void *cfg, const struct class_place *at);
	const char *hint;
};

/**
 * struct kind - a qdisc kind: words in, attributes out, and back
 * @name: as the kernel calls it
 * @config: the CONFIG_ option that brings it
 * @words: its keywords
 * @multiqueue: a root whose classes are the device's transmit queues
 * @place: the one parent that it can have, beside the root, and its handle in that; 0 for any
 * @no_est: the kernel refuses a rate estimator there
 * @cfg_size: bytes of what @parse fills; they are zero before
 * @parse: reads the words after the kind's name; NULL: only shown, never made
 * @load: reads the tables that its words name, by @env's means; NULL when there are none
 * @drop: frees what @cfg holds; NULL when that is nothing
 * @fill: writes TCA_OPTIONS, or nothing; NULL for a kind without options
 * @options: what those are: their names and bytes, ATTR_OPTIONS(); NULL when there are none
 * @show: puts the options into the open object and the text (" limit 1000 ...")
 * @xstats: puts the kind's own counters (TCA_STATS_APP) there; may be NULL
 * @advise: warns of settings that do not fit a device that sends frames of up to @frame bytes
 * @per_frame: the first word of @cfg that is about single frames: it takes what a sender hands
 *	over at once for one. NULL for none; may be NULL
 * @judge: refuses settings that a device with so many transmit queues in use cannot have; may be NULL
 * @hint: what may be behind a refusal for which the kernel has no words; may be NULL
 * @default_class: minor number of the class that gets what no filter claims, 0 for none;
 *	NULL for a kind without such
 * @unclaimed: what becomes of those packets while that class is not there
 * @lost: the first word of @cfg that @opts, as the kernel shows them, say nothing of: an old
 *	kernel takes an attribute that it does not know without a word. With @opts NULL, the
 *	first word that is so new. NULL for none; may be NULL
 * @rehearse: writes TCA_OPTIONS that ask for nothing but what the kernel may refuse, everything
 *	else being as in @old, the options that stand: a kernel that refuses a change when it
 *	has made half of it is asked so first. False when there is no need; with @old NULL
 *	nothing is written, and true when there may be. Among several of the kind on a device
 *	only. May be NULL
 * @class: its classes, NULL when it has none that are made or shown
 */
struct kind {
	const char *name;
	const char *config;
	const struct keyword *words;
	bool multiqueue;
	uint32_t place;
	bool no_est;
	size_t cfg_size;
	int (*parse)(struct diag *d, char **words, int n, void *cfg);
	int (*load)(struct diag *d, char **words, int n, void *cfg, const struct tc_env *env);
	void (*drop)(void *cfg);
	void (*fill)(struct nlb *nlb, const void *cfg);
	const struct attr_desc *options;
	void (*show)(struct doc *doc, struct nlattr *opts);
	void (*xstats)(struct doc *doc, struct nlattr *app);
	void (*advise)(struct diag *d, const void *cfg, unsigned int frame);
	const char *(*per_frame)(const void *cfg);
	int (*judge)(struct diag *d, const void *cfg, unsigned int queues);
	const char *hint;
	uint32_t (*default_class)(const void *cfg);
	const char *unclaimed;
	const char *(*lost)(const void *cfg, struct nlattr *opts);
	bool (*rehearse)(struct nlb *nlb, const void *cfg, struct nlattr *old);
	const struct kind_class *class;
};

/* One per file; kinds.c lists them. */
extern const struct kind kind_mq;
extern const struct kind kind_netem;
extern const struct kind kind_tbf;
extern const struct kind kind_pfifo;
extern const struct kind kind_pfifo_head_drop;
extern const struct kind kind_bfifo;
extern const struct kind kind_pfifo_fast;
extern const struct kind kind_htb;
extern const struct kind kind_hfsc;
extern const struct kind kind_drr;
extern const struct kind kind_prio;
extern const struct kind kind_cbq;
extern const struct kind kind_fq;
extern const struct kind kind_fq_codel;
extern const struct kind kind_codel;
extern const struct kind kind_ingress;
extern const struct kind kind_clsact;
extern const struct kind kind_etf;
extern const struct kind kind_mqprio;
extern const struct kind kind_taprio;
extern const struct kind kind_cake;
extern const struct kind kind_cake_mq;

/* The list ends with NULL. */
extern const struct kind *const kinds[];

const struct kind *kind_find(const char *name);
/* "mq, netem, ...": those that can be made. Returns @buf. */
char *kinds_names(char *buf, size_t len);

#endif

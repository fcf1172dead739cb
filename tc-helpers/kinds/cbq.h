/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CBQ_H
#define QBED_CBQ_H

#include <stdbool.h>
#include <stdint.h>

struct doc;
struct nlattr;

/*
 * What the kernel and cbq say to each other. The kernel's header has this no
 * more since Linux 6.8, so it stands here; kernels before 6.3 understand it.
 */
enum {
	CBQ_LSSOPT = 1,		/* struct cbq_lssopt */
	CBQ_WRROPT,		/* struct cbq_wrropt */
	CBQ_FOPT,		/* struct cbq_fopt */
	CBQ_OVL_STRATEGY,
	CBQ_RATE,		/* struct tc_ratespec */
	CBQ_RTAB,		/* rate table */
	CBQ_POLICE,
	CBQ_MAX = CBQ_POLICE,
};

#define CBQ_PRIO_MAX 8		/* "no-transmit" */
#define CBQ_EWMA_DEFAULT 5
#define CBQ_MINIDLE_NONE 0x7fffffff

/* How a class lends and borrows; @change says which members count. Times are ticks. */
struct cbq_lssopt {
	uint8_t change;
	uint8_t flags;
	uint8_t ewma_log;
	uint8_t level;
	uint32_t maxidle;	/* shifted by ewma_log, as minidle */
	uint32_t minidle;
	uint32_t offtime;
	uint32_t avpkt;		/* bytes */
};

#define CBQ_BOUNDED 1
#define CBQ_ISOLATED 2

#define CBQ_CHANGE_FLAGS 0x01
#define CBQ_CHANGE_EWMA 0x02
#define CBQ_CHANGE_MAXIDLE 0x04
#define CBQ_CHANGE_MINIDLE 0x08
#define CBQ_CHANGE_OFFTIME 0x10
#define CBQ_CHANGE_AVPKT 0x20

/* Whose turn it is. */
struct cbq_wrropt {
	uint8_t flags;
	uint8_t priority;
	uint8_t cpriority;
	uint8_t reserved;
	uint32_t allot;		/* bytes */
	uint32_t weight;
};

/* Which priorities of packets go to the class. */
struct cbq_fopt {
	uint32_t split;		/* classid */
	uint32_t defmap;
	uint32_t defchange;
};

struct cbq_xstats {
	uint32_t borrows;
	uint32_t overactions;
	int32_t avgidle;
	int32_t undertime;
};

/* Shown alike: the qdisc (its own root class) and a class; cbq-show.c */
void cbq_show(struct doc *doc, struct nlattr *opts);
void cbq_class_show(struct doc *doc, struct nlattr *opts, bool details);
void cbq_xstats(struct doc *doc, struct nlattr *app);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TCMAP_H
#define QBED_TCMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/keyword.h"
#include "kinds/uapi-compat.h"

struct doc;
struct nlattr;
struct nlb;

/**
 * struct tcmap - from priorities to traffic classes to transmit queues
 * @num_tc: traffic classes
 * @opt: what the kernel is told, but for its num_tc
 * @nmap: how many priorities were named
 * @nqueues: how many ranges of queues were
 * @fp: TC_FP_* of each traffic class
 * @nfp: how many of those were named
 *
 * The first member of the settings of mqprio and taprio, which share the words.
 */
struct tcmap {
	uint32_t num_tc;
	struct tc_mqprio_qopt opt;
	uint32_t nmap;
	uint32_t nqueues;
	uint32_t fp[TC_QOPT_MAX_QUEUE];
	uint32_t nfp;
};

/* The bytes of struct tc_mqprio_qopt, for struct attr_desc */
#define ATTR_MQPRIO_QOPT "num_tc=u8 prio_tc_map=u8*16 hw=u8 count=u16*16 offset=u16*16"

/* Readers of the words "map P ...", "queues COUNT@OFFSET ...", "fp E|P ..." */
int tcmap_map_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg);
int tcmap_queues_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
		      void *cfg);
int tcmap_fp_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg);

/*
 * What no device could do: priorities of classes that are not there, ranges
 * that overlap (unless @overlap). With @queues each class must have some.
 */
int tcmap_check(struct diag *d, const struct tcmap *m, bool queues, bool overlap);
/* Ranges beyond the device's @queues transmit queues */
int tcmap_judge(struct diag *d, const struct tcmap *m, unsigned int queues);

/* "tc" and "map" of @opt; its num_tc is what may be looked at in it. False when it says more than can be. */
bool tcmap_show(struct doc *doc, const struct tc_mqprio_qopt *opt);

/**
 * struct tc_entries - what the kernel tells of single traffic classes
 * @max_sdu: bytes, 0 for no limit
 * @fp: TC_FP_*
 * @nmax_sdu: one more than the last class that has a max_sdu
 * @nfp: the same for fp
 */
struct tc_entries {
	uint32_t max_sdu[TC_QOPT_MAX_QUEUE];
	uint32_t fp[TC_QOPT_MAX_QUEUE];
	int nmax_sdu;
	int nfp;
};

/* Reads those of type @type among the @len bytes of attributes at @attrs; the numbers within are @max_sdu, 0 for none, and @fp. */
void tc_entries_read(struct tc_entries *e, const void *attrs, int len, int type, int max_sdu,
		     int fp);
/* "fp" with the text @lead before it, nothing if the kernel does not tell */
void tc_entries_show_fp(struct doc *doc, const struct tc_entries *e, const char *lead);

#endif

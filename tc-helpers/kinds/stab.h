/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_STAB_H
#define QBED_STAB_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/keyword.h"

struct diag;
struct doc;
struct nlattr;
struct nlb;

/**
 * struct stab - the size table of a qdisc: what its packets count for on the link below
 * @given: bits of the words that were there, 0 for no table
 * @mtu: bytes of the largest packet that the table has, 0 for tc's default
 * @mpu: bytes that the smallest packet counts for
 * @tsize: entries of the table, 0 for tc's default
 * @overhead: bytes that every packet counts for besides its own, may be negative
 * @linklayer: TC_LINKLAYER_*
 */
struct stab {
	uint32_t given;
	uint32_t mtu;
	uint32_t mpu;
	uint32_t tsize;
	int32_t overhead;
	uint32_t linklayer;
};

extern const struct keyword stab_words[];

/* Reads what follows "stab" at @words[@i]; returns how many words that were, or -errno. */
int stab_parse(struct diag *d, char **words, int i, int n, struct stab *stab);

/* TCA_STAB, if one is wanted */
void stab_fill(struct nlb *nlb, const struct stab *stab);

/* Puts TCA_STAB into the open object, with tc's keys, and the text; @attr may be NULL. */
void stab_show(struct doc *doc, struct nlattr *attr);

#endif

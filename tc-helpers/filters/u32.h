/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_U32_H
#define QBED_U32_H

#include <linux/pkt_cls.h>
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct doc;
struct filter_view;
struct nlattr;

/* nkeys of struct tc_u32_sel has 8 bits; the kernel refuses more than 128. */
#define U32_KEYS_MAX 128

/**
 * struct u32_cfg - what u32 compares
 * @sel: the kernel's head of the keys
 * @key: the keys, values and masks in network order
 * @marked: the mark is compared too
 * @mark: with that
 */
struct u32_cfg {
	struct tc_u32_sel sel;
	struct tc_u32_key key[U32_KEYS_MAX];
	bool marked;
	struct tc_u32_mark mark;
};

/* Reads what stands after "match"; returns the index of the word after it. */
int u32_match_take(struct diag *d, char **words, int i, int n, struct u32_cfg *c);
/* The words that u32_match_take() knows, ended by NULL. */
extern const char *const u32_match_words[];

/* "800::800" */
int u32_handle_parse(struct diag *d, char **words, int i, uint32_t *handle);

void u32_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view);

#endif

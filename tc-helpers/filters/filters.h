/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FILTERS_H
#define QBED_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr-desc.h"

struct diag;
struct doc;
struct filter_spec;
struct nlattr;
struct nlb;

/**
 * struct filter_view - how a filter is to be shown
 * @statistics: with the counters
 * @handle: of the filter, from the kernel's message
 * @ifname: name of the device with that index; never NULL
 * @arg: first argument of @ifname
 */
struct filter_view {
	bool statistics;
	uint32_t handle;
	const char *(*ifname)(void *arg, int ifindex);
	void *arg;
};

/**
 * struct filter_word - a word of a filter and what reads the words after it
 * @word: as it is written; the list ends with a NULL one
 * @bit: bit of @spec->given; spellings of one thing share it
 * @many: it may be there more than once
 * @take: reads the words from @i on (the one after @word) and returns the
 *	index of the first one that is not its own; negative with @d filled
 */
struct filter_word {
	const char *word;
	unsigned int bit;
	bool many;
	int (*take)(struct diag *d, char **words, int i, int n, struct filter_spec *spec);
};

/**
 * struct classifier - a kind of filter: words in, attributes out, and back
 * @name: as the kernel calls it
 * @config: the CONFIG_ option that brings it
 * @words: its own words; classid, action and skip_... are every classifier's
 * @values: what may stand after its words, for bash completion, ended by NULL; may be NULL
 * @cfg_size: bytes of @spec->cfg, zero before
 * @handle: reads the handle at @words[@i]; NULL: a plain number
 * @check: looks at the whole; may be NULL
 * @fill: writes its own attributes into the open TCA_OPTIONS; may be NULL
 * @options: the attributes of TCA_OPTIONS, ATTR_OPTIONS()
 * @show: puts the options into the open object and the text
 * @classid_attr: attribute of the class
 * @flags_attr: attribute of TCA_CLS_FLAGS_..., 0 when it has none
 * @act_attr: attribute of the actions
 * @bare: TCA_OPTIONS is sent though no word came after the name
 */
struct classifier {
	const char *name;
	const char *config;
	const struct filter_word *words;
	const char *const *values;
	size_t cfg_size;
	int (*handle)(struct diag *d, char **words, int i, struct filter_spec *spec);
	int (*check)(struct diag *d, const struct filter_spec *spec);
	void (*fill)(struct nlb *nlb, const struct filter_spec *spec);
	const struct attr_desc *options;
	void (*show)(struct doc *doc, struct nlattr *opts, const struct filter_view *view);
	uint16_t classid_attr;
	uint16_t flags_attr;
	uint16_t act_attr;
	bool bare;
};

/* One per file; filters.c lists them. */
extern const struct classifier classifier_matchall;
extern const struct classifier classifier_u32;
extern const struct classifier classifier_flower;
extern const struct classifier classifier_fw;

/* The list ends with NULL. */
extern const struct classifier *const classifiers[];

const struct classifier *classifier_find(const char *name);
/* "matchall, u32, ..." Returns @buf. */
char *classifiers_names(char *buf, size_t len);

/* The options of a qdisc, class, filter, action or link of that kind, for nl_decode(). */
const struct attr_desc *tc_options_find(enum attr_by by, const char *kind);

/* Takes words by the tables until none knows the next one; returns its index. */
int filter_words_take(struct diag *d, const struct filter_word *own,
		      const struct filter_word *common, char **words, int i, int n,
		      struct filter_spec *spec);

/* "skip_hw", "in_hw" ..., with @lead before each in the text. */
void filter_flags_show(struct doc *doc, struct nlattr *flags, const char *lead);
/* "flowid 1:1" after @lead; @key is what tc calls it there. */
void filter_classid_show(struct doc *doc, struct nlattr *classid, const char *key,
			 const char *lead);

#endif

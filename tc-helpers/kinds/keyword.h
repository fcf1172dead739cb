/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_KEYWORD_H
#define QBED_KEYWORD_H

#include <stddef.h>
#include <stdint.h>

struct diag;

enum kw_type {
	KW_NONE,
	KW_TIME,	/* int64_t, ns */
	KW_RATE,	/* uint64_t, bit/s */
	KW_SIZE,	/* uint32_t, bytes */
	KW_U32,		/* uint32_t */
	KW_PERCENT,	/* uint32_t, of UINT32_MAX */
};

#define KW_VALUES 3

/**
 * struct keyword - a word of a qdisc kind and the values after it
 * @word: as it is written; the list ends with a NULL one
 * @bit: bit of @given that says it was there; spellings of one thing share it
 * @required: how many values must follow; the others may, if they look like numbers
 * @value: type and place in the kind's config of each value
 * @min: least number or size
 * @max: greatest one, 0 for what the field holds
 */
struct keyword {
	const char *word;
	unsigned int bit;
	unsigned int required;
	struct {
		enum kw_type type;
		size_t offset;
	} value[KW_VALUES];
	uint64_t min;
	uint64_t max;
};

/*
 * Reads all @n words into @cfg by @table; @given gets the bits of the words
 * that were there. A word that is not in the table, twice there, or without
 * its values is an error that names it.
 */
int keywords_parse(struct diag *d, const struct keyword *table, char **words, int n,
		   void *cfg, uint32_t *given);

#endif

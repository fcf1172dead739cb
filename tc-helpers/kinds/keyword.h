/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_KEYWORD_H
#define QBED_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

enum kw_type {
	KW_NONE,
	KW_TIME,	/* int64_t, ns; bare, it is us to every tc */
	KW_TIME_NS,	/* the same; bare, it is ns to every tc */
	KW_TIME_NETEM,	/* the same; bare, it is us to tc before 6.9 and ns to later ones */
	KW_TIME_US,	/* uint32_t, us: what the kernel holds in us; no part of one is lost without a word */
	KW_RATE,	/* uint64_t, bit/s */
	KW_SIZE,	/* uint32_t, bytes */
	KW_COUNT,	/* uint32_t, packets; tc takes 1k for 1024 */
	KW_U32,		/* uint32_t */
	KW_S32,		/* int32_t */
	KW_U64,		/* uint64_t, within [min, max]; max 0: no bound */
	KW_PERCENT,	/* uint32_t, of UINT32_MAX */
	KW_SHARE,	/* struct share */
	KW_WORD,	/* const char *, the word itself: lives as long as the words do */
	KW_OTHER,	/* what @parse of the keyword reads */
};

/* A percentage and what is missing to 100 %, each of UINT32_MAX and rounded as tc rounds it. */
struct share {
	uint32_t part;
	uint32_t rest;
};

#define KW_VALUES 5

/**
 * struct keyword - a word of a qdisc kind and the values after it
 * @word: as it is written; the list ends with a NULL one
 * @bit: bit of @given that says it was there; spellings of one thing share it
 * @required: how many values must follow; the others may, if they look like numbers
 * @value: type and place in the kind's config of each value
 * @min: least number or size
 * @max: greatest one, 0 for what the field holds
 * @count: 1 + place of a uint8_t that gets how many values there were, 0 for none
 * @sub: words that may stand right after this one instead of its values, NULL for none
 * @again: the word may be there several times
 * @take: reads what follows @words[@i] by itself, instead of @value; returns the
 *	index of the next word, or -EINVAL with @d filled
 * @parse: reads a %KW_OTHER at @words[@i] into @field: 0, or -EINVAL with @d filled
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
	size_t count;
	const struct keyword *sub;
	bool again;
	int (*take)(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg);
	int (*parse)(struct diag *d, char **words, int i, void *field);
};

/*
 * A row of a word that needs no value because it is one: of the words that
 * share @_bit there can be one, and the uint32_t at @_offset says which.
 */
#define KW_CHOICE(_word, _bit, _offset, _value) \
	{ (_word), (_bit), 0, { { KW_NONE, (_offset) } }, .max = (_value), .take = keyword_choice }

int keyword_choice(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg);

/*
 * The values after @words[@i], at most @max and at least @min of them, as long
 * as @like says that a word is one. @one reads @words[@i] into element @k of
 * @array. Returns how many there were, or -EINVAL with @d filled.
 */
int keyword_list(struct diag *d, char **words, int n, int i, unsigned int min, unsigned int max,
		 bool (*like)(const char *word),
		 int (*one)(struct diag *d, char **words, int i, unsigned int k, void *array),
		 void *array);

/* Begins as a number does. */
bool like_a_number(const char *word);

/*
 * Reads all @n words into @cfg by @table; @given gets the bits of the words
 * that were there. A word that is not in the table, twice there, or without
 * its values is an error that names it.
 */
int keywords_parse(struct diag *d, const struct keyword *table, char **words, int n,
		   void *cfg, uint32_t *given);

/* The same up to the first word that is not in the table. Returns how many were read, or -errno. */
int keywords_read(struct diag *d, const struct keyword *table, char **words, int n, void *cfg,
		  uint32_t *given);

/*
 * Calls @each for every value behind a word of @table: @words[@i] is of @type.
 * Nothing is judged: up to the first mistake they are the values that
 * keywords_parse() reads. What a @take reads is passed over, but for words of
 * @table that stand there.
 */
void keywords_values(const struct keyword *table, char **words, int n,
		     void (*each)(enum kw_type type, char **words, int i, void *arg), void *arg);

/* Emits the words of @table and those after them: for bash completion. */
void keywords_emit(const struct keyword *table, void (*emit)(const char *word));

#endif

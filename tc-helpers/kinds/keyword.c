// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of words: one reader for the options of every kind. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "kinds/keyword.h"
#include "pure/diag.h"
#include "pure/units.h"

/**
 * struct reader - what is read, and by whom
 * @value: is given every value that follows a word, with the word's row
 * @cfg: the kind's config
 * @given: bits of the words so far
 * @some: a word that no table has ends the reading
 * @lenient: nothing is judged: words that no table has are passed over, and so is
 *	what a @take would read
 */
struct reader {
	struct diag *d;
	char **words;
	int n;
	int (*value)(struct reader *r, const struct keyword *kw, unsigned int v, int i);
	void *arg;
	void *cfg;
	uint32_t given;
	bool some;
	bool lenient;
};

static const struct keyword *keyword_find(const struct keyword *table, const char *word)
{
	for (; table->word; table++)
		if (!strcmp(table->word, word))
			return table;
	return NULL;
}

bool like_a_number(const char *word)
{
	return isdigit((unsigned char)*word) || (*word && strchr("+-.", *word));
}

/* "random, state or gemodel" */
static void sub_names(const struct keyword *sub, char *buf, size_t len)
{
	*buf = '\0';
	for (; sub->word; sub++) {
		if (*buf)
			strncat(buf, sub[1].word ? ", " : " or ", len - strlen(buf) - 1);
		strncat(buf, sub->word, len - strlen(buf) - 1);
	}
}

static int lacks_value(struct reader *r, const struct keyword *kw, int at)
{
	char names[128] = "";

	if (kw->sub)
		sub_names(kw->sub, names, sizeof(names));
	return diag_usage(r->d, at, "\"%s\" needs a value%s%s", r->words[at],
			  kw->sub ? ", or " : "", names);
}

static int neither(struct reader *r, const struct keyword *kw, int at)
{
	char names[128];

	sub_names(kw->sub, names, sizeof(names));
	return diag_usage(r->d, at + 1, "%s: \"%s\": neither a value nor %s", r->words[at],
			  r->words[at + 1], names);
}

/* The word that said it before is named if it was another one. */
static int twice(struct reader *r, const struct keyword *table, const struct keyword *kw, int i)
{
	for (int k = 0; k < i; k++) {
		const struct keyword *before = keyword_find(table, r->words[k]);

		if (before && before != kw && before->bit == kw->bit)
			return diag_usage(r->d, i, "\"%s\" after \"%s\": the same setting is there twice",
					  r->words[i], r->words[k]);
	}
	return diag_usage(r->d, i, "\"%s\" is there twice", r->words[i]);
}

static int word_once(struct reader *r, const struct keyword *table, const struct keyword *kw, int i)
{
	if (r->given & 1u << kw->bit && !kw->again && !r->lenient)
		return twice(r, table, kw, i);
	r->given |= 1u << kw->bit;
	return 0;
}

/* The values after @words[@at], by its row @kw; returns the next word's index. */
static int read_values(struct reader *r, const struct keyword *kw, int at)
{
	const struct keyword *sub;
	int i = at + 1;
	int err;

	if (kw->take && r->lenient)
		return i;
	if (kw->take)
		return kw->take(r->d, kw, r->words, r->n, at, r->cfg);
	if (kw->sub && i < r->n) {
		sub = keyword_find(kw->sub, r->words[i]);
		if (sub) {
			err = word_once(r, kw->sub, sub, i);
			return err ? err : read_values(r, sub, i);
		}
		if (!like_a_number(r->words[i]))
			return neither(r, kw, at);
	}
	for (unsigned int v = 0; v < KW_VALUES && kw->value[v].type != KW_NONE; v++, i++) {
		if (v >= kw->required && (i >= r->n || !like_a_number(r->words[i])))
			break;
		if (i >= r->n)
			return lacks_value(r, kw, at);
		err = r->value(r, kw, v, i);
		if (err)
			return diag_context(r->d, 0, "%s", r->words[at]);
	}
	return i;
}

/* Returns how many words were read, or -errno. */
static int read_words(struct reader *r, const struct keyword *table)
{
	int i = 0;
	int err;

	while (i < r->n) {
		const struct keyword *kw = keyword_find(table, r->words[i]);

		if (!kw && r->some)
			break;
		if (!kw && r->lenient) {
			i++;
			continue;
		}
		if (!kw)
			return diag_usage(r->d, i, "unknown word \"%s\"", r->words[i]);
		err = word_once(r, table, kw, i);
		if (err)
			return err;
		i = read_values(r, kw, i);
		if (i < 0)
			return i;
	}
	return i;
}

static int size_within(struct diag *d, const struct keyword *kw, char **words, int i,
		       uint64_t max, const char *unit, uint64_t *v)
{
	int err = size_parse(d, words, i, v);

	if (!err && *v < kw->min)
		err = diag_usage(d, i, "\"%s\": less than %" PRIu64 "%s", words[i], kw->min, unit);
	if (!err && *v > max)
		err = diag_usage(d, i, "\"%s\": more than %" PRIu64 "%s", words[i], max, unit);
	return err;
}

static int us_parse(struct diag *d, const struct keyword *kw, char **words, int i, uint32_t *us)
{
	uint64_t max = kw->max ? kw->max : UINT32_MAX;
	int64_t ns;
	int err = time_parse(d, words, i, &ns);

	if (err)
		return err;
	if (ns % 1000)
		return diag_usage(d, i, "\"%s\": finer than 1 us", words[i]);
	if ((uint64_t)ns / 1000 < kw->min)
		return diag_usage(d, i, "\"%s\": less than %" PRIu64 " us", words[i], kw->min);
	if ((uint64_t)ns / 1000 > max)
		return diag_usage(d, i, "\"%s\": more than %" PRIu64 " us", words[i], max);
	*us = (uint32_t)(ns / 1000);
	return 0;
}

static int s32_parse(struct diag *d, char **words, int i, int32_t *field)
{
	int64_t v;
	int err = i64_parse(d, words, i, INT32_MIN, INT32_MAX, &v);

	if (!err)
		*field = (int32_t)v;
	return err;
}

/* Into a field of 32 bits */
static int u32_parse(struct diag *d, const struct keyword *kw, enum kw_type type, char **words,
		     int i, uint32_t *field)
{
	uint64_t max = kw->max ? kw->max : UINT32_MAX;
	uint64_t v;
	int err;

	if (type == KW_SIZE)
		err = size_within(d, kw, words, i, max, " bytes", &v);
	else if (type == KW_COUNT && strcspn(words[i], "kKmMgG.") < strlen(words[i]))
		err = size_within(d, kw, words, i, max, "", &v);
	else
		err = u64_parse(d, words, i, kw->min, max, &v);
	if (!err)
		*field = (uint32_t)v;
	return err;
}

static int value_parse(struct reader *r, const struct keyword *kw, unsigned int v, int i)
{
	void *field = (char *)r->cfg + kw->value[v].offset;
	struct share *share = field;

	if (kw->count)
		*((uint8_t *)r->cfg + kw->count - 1) = (uint8_t)(v + 1);
	switch (kw->value[v].type) {
	case KW_NONE:
		break;
	case KW_TIME:
	case KW_TIME_NS:
	case KW_TIME_NETEM:
		return time_parse(r->d, r->words, i, field);
	case KW_TIME_US:
		return us_parse(r->d, kw, r->words, i, field);
	case KW_RATE:
		return rate_parse(r->d, r->words, i, field);
	case KW_PERCENT:
		return percent_parse(r->d, r->words, i, field, NULL);
	case KW_SHARE:
		return percent_parse(r->d, r->words, i, &share->part, &share->rest);
	case KW_SIZE:
	case KW_COUNT:
	case KW_U32:
		return u32_parse(r->d, kw, kw->value[v].type, r->words, i, field);
	case KW_OTHER:
		return kw->parse(r->d, r->words, i, field);
	case KW_S32:
		return s32_parse(r->d, r->words, i, field);
	case KW_U64:
		return u64_parse(r->d, r->words, i, kw->min, kw->max ? kw->max : UINT64_MAX, field);
	case KW_WORD:
		*(const char **)field = r->words[i];
		return 0;
	}
	return -EINVAL;
}

int keywords_parse(struct diag *d, const struct keyword *table, char **words, int n,
		   void *cfg, uint32_t *given)
{
	struct reader r = { .d = d, .words = words, .n = n, .value = value_parse, .cfg = cfg };
	int err = read_words(&r, table);

	*given = r.given;
	return err < 0 ? err : 0;
}

int keywords_read(struct diag *d, const struct keyword *table, char **words, int n, void *cfg,
		  uint32_t *given)
{
	struct reader r = {
		.d = d, .words = words, .n = n, .value = value_parse, .cfg = cfg, .some = true,
	};
	int used = read_words(&r, table);

	*given = r.given;
	return used;
}

/* struct reader's @arg for keywords_values() */
struct visit {
	void (*each)(enum kw_type type, char **words, int i, void *arg);
	void *arg;
};

static int value_visit(struct reader *r, const struct keyword *kw, unsigned int v, int i)
{
	const struct visit *visit = r->arg;

	visit->each(kw->value[v].type, r->words, i, visit->arg);
	return 0;
}

void keywords_values(const struct keyword *table, char **words, int n,
		     void (*each)(enum kw_type type, char **words, int i, void *arg), void *arg)
{
	struct visit visit = { each, arg };
	struct diag quiet;
	struct reader r = {
		.d = &quiet, .words = words, .n = n, .value = value_visit, .arg = &visit,
		.lenient = true,
	};

	diag_init(&quiet);	/* keywords_parse() is to say what is wrong */
	read_words(&r, table);
	diag_free(&quiet);
}

void keywords_emit(const struct keyword *table, void (*emit)(const char *word))
{
	for (const struct keyword *kw = table; kw && kw->word; kw++) {
		emit(kw->word);
		keywords_emit(kw->sub, emit);
	}
}

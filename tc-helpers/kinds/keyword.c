// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "kinds/keyword.h"
#include "pure/diag.h"
#include "pure/units.h"

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

static int value_parse(struct diag *d, const struct keyword *kw, enum kw_type type,
		       char **words, int i, void *field)
{
	uint64_t max = kw->max ? kw->max : UINT32_MAX;
	uint64_t v = 0;
	int err = -EINVAL;

	switch (type) {
	case KW_NONE:
		break;
	case KW_TIME:
		return time_parse(d, words, i, field);
	case KW_TIME_US:
		return us_parse(d, kw, words, i, field);
	case KW_RATE:
		return rate_parse(d, words, i, field);
	case KW_PERCENT:
		return percent_parse(d, words, i, field);
	case KW_OTHER:
		return kw->parse(d, words, i, field);
	case KW_U32:
		err = u64_parse(d, words, i, kw->min, max, &v);
		break;
	case KW_SIZE:
		err = size_parse(d, words, i, &v);
		if (!err && v < kw->min)
			err = diag_usage(d, i, "\"%s\": less than %" PRIu64 " bytes", words[i], kw->min);
		if (!err && v > max)
			err = diag_usage(d, i, "\"%s\": more than %" PRIu64 " bytes", words[i], max);
		break;
	}
	if (!err)
		*(uint32_t *)field = (uint32_t)v;
	return err;
}

/* The word that said it before is named if it was another one. */
static int twice(struct diag *d, const struct keyword *table, const struct keyword *kw,
		 char **words, int i)
{
	for (int k = 0; k < i; k++) {
		const struct keyword *before = keyword_find(table, words[k]);

		if (before && before != kw && before->bit == kw->bit)
			return diag_usage(d, i, "\"%s\" after \"%s\": the same setting is there twice",
					  words[i], words[k]);
	}
	return diag_usage(d, i, "\"%s\" is there twice", words[i]);
}

int keywords_parse(struct diag *d, const struct keyword *table, char **words, int n,
		   void *cfg, uint32_t *given)
{
	*given = 0;
	for (int i = 0; i < n;) {
		const struct keyword *kw = keyword_find(table, words[i]);
		int at = i;

		if (!kw)
			return diag_usage(d, i, "unknown word \"%s\"", words[i]);
		if (*given & 1u << kw->bit && !kw->again)
			return twice(d, table, kw, words, i);
		*given |= 1u << kw->bit;
		if (kw->take) {
			i = kw->take(d, kw, words, n, i, cfg);
			if (i < 0)
				return i;
			continue;
		}
		i++;
		for (unsigned int v = 0; v < KW_VALUES && kw->value[v].type != KW_NONE; v++, i++) {
			if (v >= kw->required && (i >= n || !like_a_number(words[i])))
				break;
			if (i >= n)
				return diag_usage(d, at, "\"%s\" needs a value", words[at]);
			if (value_parse(d, kw, kw->value[v].type, words, i,
					(char *)cfg + kw->value[v].offset))
				return diag_context(d, 0, "%s", words[at]);
		}
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Words that are no "word and its values": choices and lists. */
#include <stdint.h>

#include "kinds/keyword.h"
#include "pure/diag.h"

int keyword_choice(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	*(uint32_t *)((char *)cfg + kw->value[0].offset) = (uint32_t)kw->max;
	return i + 1;
}

int keyword_list(struct diag *d, char **words, int n, int i, unsigned int min, unsigned int max,
		 bool (*like)(const char *word),
		 int (*one)(struct diag *d, char **words, int i, unsigned int k, void *array),
		 void *array)
{
	unsigned int k = 0;
	int at = i;

	for (i++; i < n && like(words[i]); i++, k++) {
		if (k == max)
			return diag_usage(d, i, "%s: \"%s\": more than %u values", words[at], words[i],
					  max);
		if (one(d, words, i, k, array))
			return diag_context(d, 0, "%s", words[at]);
	}
	if (!k)
		return diag_usage(d, at, "\"%s\" needs a value", words[at]);
	if (k < min)
		return diag_usage(d, at, "\"%s\" needs %u values, there are %u", words[at], min, k);
	return (int)k;
}

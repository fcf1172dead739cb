// SPDX-License-Identifier: GPL-2.0-or-later
/* How a histogram is put into an answer. */
#include <stdio.h>

#include "pure/doc.h"
#include "pure/hist.h"
#include "pure/stats.h"
#include "pure/units.h"

static const struct {
	const char *key;
	uint32_t q_ppm;
} columns[] = {
	{ "min_ns", HIST_MIN },
	{ "p50_ns", HIST_P50 },
	{ "p90_ns", HIST_P90 },
	{ "p99_ns", HIST_P99 },
	{ "p999_ns", HIST_P999 },
	{ "max_ns", HIST_MAX },
};

static bool column_value(const struct hist *h, uint32_t q_ppm, int64_t *value)
{
	if (q_ppm != HIST_MIN && q_ppm != HIST_MAX)
		return hist_quantile(h, q_ppm, value);
	*value = q_ppm == HIST_MIN ? h->min : h->max;
	return h->n > 0;
}

void stats_doc(struct doc *doc, const char *key, const struct hist *h)
{
	if (key)
		doc_open_object(doc, key);
	doc_u64(doc, "count", NULL, h->n);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		int64_t value;

		if (column_value(h, columns[i].q_ppm, &value))
			doc_i64(doc, columns[i].key, NULL, value);
		else
			doc_null(doc, columns[i].key);
	}
	if (key)
		doc_close_object(doc);
}

char *stats_us(char *buf, size_t len, const struct hist *h, uint32_t q_ppm)
{
	int64_t value;

	if (column_value(h, q_ppm, &value))
		return us_format(buf, len, value);
	snprintf(buf, len, "-");
	return buf;
}

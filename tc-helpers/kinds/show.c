// SPDX-License-Identifier: GPL-2.0-or-later
#include "kinds/show.h"
#include "pure/doc.h"
#include "pure/units.h"

void show_us(struct doc *doc, const char *key, int64_t us)
{
	char text[32];

	doc_i64(doc, key, NULL, us);
	doc_text(doc, " %s %s", key, us ? time_format(text, sizeof(text), us * 1000) : "0us");
}

void show_ns(struct doc *doc, const char *key, uint64_t ns)
{
	char text[32];

	doc_u64(doc, key, NULL, ns);
	doc_text(doc, " %s %s", key, ns ? time_format(text, sizeof(text), (int64_t)ns) : "0ns");
}

void show_size(struct doc *doc, const char *key, uint64_t bytes)
{
	char text[32];

	doc_u64(doc, key, NULL, bytes);
	doc_text(doc, " %s %s", key, size_format(text, sizeof(text), bytes));
}

void show_rate(struct doc *doc, const char *key, uint64_t bytes_per_s)
{
	char text[32];

	doc_u64(doc, key, NULL, bytes_per_s);
	doc_text(doc, " %s %s", key, rate_format(text, sizeof(text), bytes_per_s * 8));
}

void show_count(struct doc *doc, const char *key, uint64_t n)
{
	doc_u64(doc, key, NULL, n);
	doc_text(doc, " %s %llu", key, (unsigned long long)n);
}

void show_count_if(struct doc *doc, const char *key, uint64_t n)
{
	if (n)
		show_count(doc, key, n);
}

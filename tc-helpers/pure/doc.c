// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two streams that grow side by side: the text as the caller words it, and
 * the JSON. Both are whole in memory, so a failed command prints nothing.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/doc.h"

#define DEPTH_MAX 32

struct buf {
	char *data;
	size_t len;
	size_t room;
};

/**
 * struct doc - see doc.h
 * @text: the answer for people
 * @json: the answer for programs, containers still open at its end
 * @open: the closing brackets that @json lacks
 * @depth: how many of them
 * @more: a value stands in the innermost container, the next one needs a comma
 */
struct doc {
	struct buf text;
	struct buf json;
	char open[DEPTH_MAX];
	unsigned int depth;
	bool more;
};

static void buf_add(struct buf *b, const char *data, size_t n)
{
	if (b->len + n + 1 > b->room) {
		b->room = (b->len + n + 1) * 2;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			abort();	/* out of memory while wording an answer */
	}
	memcpy(b->data + b->len, data, n);
	b->len += n;
	b->data[b->len] = '\0';
}

static void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

__attribute__((format(printf, 2, 0)))
static void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	char *s;
	int n = vasprintf(&s, fmt, ap);

	if (n < 0)
		abort();
	buf_add(b, s, (size_t)n);
	free(s);
}

__attribute__((format(printf, 2, 3)))
static void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

/* Length of the UTF-8 sequence at @s, 0 if there is none. */
static size_t utf8_len(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
		   s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* A JSON string; bytes that are no UTF-8 become U+FFFD. */
static void json_string(struct buf *b, const char *s)
{
	buf_add(b, "\"", 1);
	while (*s) {
		size_t n = utf8_len((const unsigned char *)s);

		if (*s == '"' || *s == '\\')
			buf_printf(b, "\\%c", *s);
		else if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f))
			buf_printf(b, "\\u%04x", (unsigned int)*s);
		else if (n)
			buf_add(b, s, n);
		else
			buf_puts(b, "\xef\xbf\xbd");
		s += n ? n : 1;
	}
	buf_add(b, "\"", 1);
}

/* Comma and key before a value. A key at the top implies the object around it. */
static void json_lead(struct doc *doc, const char *key)
{
	if (!doc->depth && doc->json.len)
		abort();	/* two values at the top: a bug of the caller */
	if (!doc->depth && key) {
		buf_puts(&doc->json, "{");
		doc->open[doc->depth++] = '}';
		doc->more = false;
	}
	if (doc->more)
		buf_puts(&doc->json, ",");
	doc->more = true;
	if (key && doc->open[doc->depth - 1] == '}') {
		json_string(&doc->json, key);
		buf_puts(&doc->json, ":");
	}
}

static void json_open(struct doc *doc, const char *key, char bracket, char closing)
{
	json_lead(doc, key);
	if (doc->depth == DEPTH_MAX)
		abort();
	buf_add(&doc->json, &bracket, 1);
	doc->open[doc->depth++] = closing;
	doc->more = false;
}

static void json_close(struct doc *doc, char closing)
{
	if (!doc->depth || doc->open[doc->depth - 1] != closing)
		abort();	/* unbalanced: a bug of the caller */
	buf_add(&doc->json, &closing, 1);
	doc->depth--;
	doc->more = true;
}

struct doc *doc_new(void)
{
	struct doc *doc = calloc(1, sizeof(*doc));

	if (!doc)
		abort();
	return doc;
}

void doc_free(struct doc *doc)
{
	if (!doc)
		return;
	free(doc->text.data);
	free(doc->json.data);
	free(doc);
}

void doc_open_object(struct doc *doc, const char *key)
{
	json_open(doc, key, '{', '}');
}

void doc_close_object(struct doc *doc)
{
	json_close(doc, '}');
}

void doc_open_array(struct doc *doc, const char *key)
{
	json_open(doc, key, '[', ']');
}

void doc_close_array(struct doc *doc)
{
	json_close(doc, ']');
}

/* The format comes from the caller and has one conversion, of the one value. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void text_value(struct doc *doc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&doc->text, fmt, ap);
	va_end(ap);
}
#pragma GCC diagnostic pop

/* Both streams get @value; a NULL @key or @fmt leaves its stream alone. */
#define VALUE(doc, key, fmt, value, json_value)					\
	do {									\
		if (key) {							\
			json_lead(doc, key);					\
			json_value;						\
		}								\
		if (fmt)							\
			text_value(doc, fmt, value);				\
	} while (0)

void doc_str(struct doc *doc, const char *key, const char *fmt, const char *value)
{
	if (!value) {
		doc_null(doc, key);
		value = "-";
		key = NULL;
	}
	VALUE(doc, key, fmt, value, json_string(&doc->json, value));
}

void doc_u64(struct doc *doc, const char *key, const char *fmt, uint64_t value)
{
	VALUE(doc, key, fmt, value, buf_printf(&doc->json, "%" PRIu64, value));
}

void doc_counts(struct doc *doc, const struct doc_count *counts, size_t n, const void *from)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value;

		memcpy(&value, (const char *)from + counts[i].offset, sizeof(value));
		doc_u64(doc, counts[i].key, NULL, value);
	}
}

void doc_i64(struct doc *doc, const char *key, const char *fmt, int64_t value)
{
	VALUE(doc, key, fmt, value, buf_printf(&doc->json, "%" PRId64, value));
}

/* The shortest of 15 or 17 digits that reads back as the same double. */
static void json_real(struct buf *b, double value)
{
	char s[32];

	if (!isfinite(value)) {
		buf_puts(b, "null");
		return;
	}
	snprintf(s, sizeof(s), "%.15g", value);
	if (strtod(s, NULL) != value)
		snprintf(s, sizeof(s), "%.17g", value);
	buf_puts(b, s);
}

void doc_real(struct doc *doc, const char *key, const char *fmt, double value)
{
	VALUE(doc, key, fmt, value, json_real(&doc->json, value));
}

void doc_bool(struct doc *doc, const char *key, const char *text, bool value)
{
	if (key) {
		json_lead(doc, key);
		buf_puts(&doc->json, value ? "true" : "false");
	}
	if (text && value)
		buf_puts(&doc->text, text);
}

void doc_null(struct doc *doc, const char *key)
{
	if (!key)
		return;
	json_lead(doc, key);
	buf_puts(&doc->json, "null");
}

void doc_text(struct doc *doc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&doc->text, fmt, ap);
	va_end(ap);
}

size_t doc_text_len(const struct doc *doc)
{
	return doc->text.len;
}

void doc_text_one_line(struct doc *doc, size_t from)
{
	size_t to = from;

	for (size_t i = from; i < doc->text.len; i++) {
		bool blank = strchr(" \t\n", doc->text.data[i]);

		if (!blank)
			doc->text.data[to++] = doc->text.data[i];
		else if (to > 0 && doc->text.data[to - 1] != ' ')
			doc->text.data[to++] = ' ';
	}
	while (to > from && doc->text.data[to - 1] == ' ')
		to--;
	doc->text.len = to;
	if (doc->text.data)
		doc->text.data[to] = '\0';
}

void doc_drop_text(struct doc *doc)
{
	doc->text.len = 0;
	if (doc->text.data)
		*doc->text.data = '\0';
}

const char *doc_as_text(const struct doc *doc)
{
	return doc->text.data ? doc->text.data : "";
}

char *doc_as_json(const struct doc *doc)
{
	struct buf all = { 0 };

	buf_add(&all, doc->json.data ? doc->json.data : "", doc->json.len);
	for (unsigned int i = doc->depth; i; i--)
		buf_add(&all, &doc->open[i - 1], 1);
	return all.data;
}

bool doc_is_empty(const struct doc *doc)
{
	return !doc->json.len && !doc->text.len;
}

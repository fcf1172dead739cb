/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_DOC_H
#define QBED_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct doc - one answer, built once, shown as text or as JSON
 *
 * The way of iproute2's print_*(): one call gives the JSON key and the
 * text, so that the two cannot drift apart. It is built in memory; main.c
 * writes it. A @key of NULL leaves the JSON alone, a @fmt of NULL the text.
 *
 * The outermost value is what is opened first with a NULL key; a key at the
 * top opens the object around it by itself. Values of an array take the key
 * "" (NULL would leave them out). What is left open is closed at the end.
 */
struct doc;

struct doc *doc_new(void);
void doc_free(struct doc *doc);

void doc_open_object(struct doc *doc, const char *key);
void doc_close_object(struct doc *doc);
void doc_open_array(struct doc *doc, const char *key);
void doc_close_array(struct doc *doc);

void doc_str(struct doc *doc, const char *key, const char *fmt, const char *value);
void doc_u64(struct doc *doc, const char *key, const char *fmt, uint64_t value); /* %PRIu64 in @fmt */
void doc_i64(struct doc *doc, const char *key, const char *fmt, int64_t value);

/**
 * struct doc_count - a uint64_t of a struct that is a member of an answer
 * @key: its name there
 * @offset: where it is
 */
struct doc_count {
	const char *key;
	size_t offset;
};

/* The @n @counts of the struct @from, in their order, JSON only. */
void doc_counts(struct doc *doc, const struct doc_count *counts, size_t n, const void *from);
void doc_real(struct doc *doc, const char *key, const char *fmt, double value);
void doc_bool(struct doc *doc, const char *key, const char *text, bool value); /* @text shown when true */
void doc_null(struct doc *doc, const char *key);
void doc_text(struct doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Owned by @doc, valid until the next doc_* call. JSON keeps insertion order. */
const char *doc_as_text(const struct doc *doc);
/* Of the text from @from on, which doc_text_len() gave, make one line: one space for each run of blanks. */
size_t doc_text_len(const struct doc *doc);
void doc_text_one_line(struct doc *doc, size_t from);
/* Forgets the text so far, which has been shown; the JSON stays. */
void doc_drop_text(struct doc *doc);
/* malloc()ed, one line, no trailing newline; "" for a document without a value. */
char *doc_as_json(const struct doc *doc);
bool doc_is_empty(const struct doc *doc);

#endif

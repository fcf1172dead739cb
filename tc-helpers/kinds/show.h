/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SHOW_H
#define QBED_SHOW_H

#include <stdint.h>

struct doc;

/*
 * One setting or counter under @key, as tc -j has it, and " WORD VALUE" as
 * text with its unit; the word is the key.
 */
void show_us(struct doc *doc, const char *key, int64_t us);
void show_ns(struct doc *doc, const char *key, uint64_t ns);
void show_size(struct doc *doc, const char *key, uint64_t bytes);
void show_rate(struct doc *doc, const char *key, uint64_t bytes_per_s);
void show_count(struct doc *doc, const char *key, uint64_t n);
/* The same for what is left out when it is 0. */
void show_count_if(struct doc *doc, const char *key, uint64_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FUZZ_H
#define QBED_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * A target: what a parser must bear, whatever the bytes. Called by libFuzzer ("make fuzz") and,
 * over its seeds, by replay.c ("make check").
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Takes one seed. */
typedef void seed_fn(const void *data, size_t len);

/* Gives the target's seeds, made of the tables and samples of the tests. */
void fuzz_seeds(seed_fn *seed);

/* For fuzz_seeds(); paths from the top of the source tree, a folder stands for its files. */
void seed_files(const char *path, seed_fn *seed);
void seed_lines(const char *path, seed_fn *seed);	/* each line that is no comment */
void seed_words(const char *path, seed_fn *seed);	/* each word of those */

/* A property that must hold; where it does not, this is a crash with the reason. */
#define must(condition) do { if (!(condition)) must_failed(__FILE__, __LINE__, #condition); } while (0)
__attribute__((noreturn)) void must_failed(const char *file, int line, const char *condition);

/* It can be shown as text, and as JSON that a parser takes. */
struct doc;
void must_be_sound(const struct doc *doc);

/* The input as words: @room at most, NULL behind the last one. @text is written to. */
int split_words(char *text, char **words, int room);

/* A copy with a NUL behind it. */
char *text_of(const uint8_t *data, size_t len);

#endif

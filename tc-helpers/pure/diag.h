/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_DIAG_H
#define QBED_DIAG_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes of qbed; kselftest's skip is 4. */
enum {
	EXIT_DONE = 0,
	EXIT_USAGE = 1,
	EXIT_FAILED = 2,
	EXIT_CANNOT = 4,
};

/**
 * struct diag - what a layer has to say to the person at the edge
 * @exit: exit code that the error asks for, %EXIT_DONE while there is none
 * @word: index into the caller's words of the bad one, -1 when no word is to blame
 * @text: the error, one line, no trailing newline
 * @warnings: lines that do not stop the work, in order
 * @nwarnings: length of @warnings
 * @errnum: the kernel's (positive) errno when it refused a request, else 0
 * @told: the kernel's own words, of a refusal or of a warning; "" for none
 *
 * Layers fill it, only main.c prints it. The first error stays: a later one
 * is a consequence and is dropped.
 */
struct diag {
	int exit;
	int word;
	char text[1024];
	char **warnings;
	size_t nwarnings;
	int errnum;
	char told[256];
};

void diag_init(struct diag *d);
void diag_free(struct diag *d);

/* The words were wrong (exit 1). Returns -EINVAL. */
int diag_usage(struct diag *d, int word, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The kernel refused or something failed (exit 2). @errnum is a positive
 * errno, its text is put after the message ("OBJECT: STEP: errno text"), 0
 * for none. Returns -errnum, or -EIO for 0.
 */
int diag_failed(struct diag *d, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* This machine cannot (exit 4): name the CONFIG_ option or the privilege. Returns -EOPNOTSUPP. */
int diag_cannot(struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A line that was there before is not said again. */
void diag_warn(struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* What the kernel said to a request by itself, beside the error or warning that it is part of. */
void diag_told(struct diag *d, int errnum, const char *words);

/* Appends ": text" to the error that stands, e.g. the kernel's ext-ack. */
void diag_append(struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Puts "text: " before the error that stands and adds @base to the index of
 * its word: a reader of part of the words tells its caller's reader where it
 * was. Returns -EINVAL.
 */
int diag_context(struct diag *d, int base, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif

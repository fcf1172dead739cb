// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"

void diag_init(struct diag *d)
{
	memset(d, 0, sizeof(*d));
	d->word = -1;
}

void diag_free(struct diag *d)
{
	for (size_t i = 0; i < d->nwarnings; i++)
		free(d->warnings[i]);
	free(d->warnings);
	diag_init(d);
}

/* Texts go to a terminal and into one line: no control characters in them. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

/* True if this is the first error, which is the one that stays. */
static bool diag_take(struct diag *d, int exit, int word, const char *fmt, va_list ap)
{
	if (d->exit != EXIT_DONE)
		return false;
	d->exit = exit;
	d->word = word;
	vsnprintf(d->text, sizeof(d->text), fmt, ap);
	one_line(d->text);
	return true;
}

int diag_usage(struct diag *d, int word, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_take(d, EXIT_USAGE, word, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int diag_failed(struct diag *d, int errnum, const char *fmt, ...)
{
	va_list ap;
	bool first;

	va_start(ap, fmt);
	first = diag_take(d, EXIT_FAILED, -1, fmt, ap);
	va_end(ap);
	if (first && errnum)
		diag_append(d, "%s", strerror(errnum));
	return errnum ? -errnum : -EIO;
}

int diag_cannot(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_take(d, EXIT_CANNOT, -1, fmt, ap);
	va_end(ap);
	return -EOPNOTSUPP;
}

void diag_warn(struct diag *d, const char *fmt, ...)
{
	char **grown;
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	one_line(text);
	for (size_t i = 0; i < d->nwarnings; i++) {
		if (!strcmp(d->warnings[i], text)) {	/* of eight queues alike, say */
			free(text);
			return;
		}
	}
	grown = realloc(d->warnings, (d->nwarnings + 1) * sizeof(*grown));
	if (!grown) {
		free(text);
		return;
	}
	d->warnings = grown;
	d->warnings[d->nwarnings++] = text;
}

void diag_told(struct diag *d, int errnum, const char *words)
{
	if (d->errnum)
		return;
	d->errnum = errnum;
	snprintf(d->told, sizeof(d->told), "%s", words);
	one_line(d->told);
}

void diag_append(struct diag *d, const char *fmt, ...)
{
	size_t len = strlen(d->text);
	va_list ap;

	if (len && len + 2 < sizeof(d->text)) {
		strcpy(d->text + len, ": ");
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(d->text + len, sizeof(d->text) - len, fmt, ap);
	va_end(ap);
	one_line(d->text);
}

int diag_context(struct diag *d, int base, const char *fmt, ...)
{
	char rest[sizeof(d->text)];
	va_list ap;

	if (d->word >= 0)
		d->word += base;
	memcpy(rest, d->text, sizeof(rest));
	va_start(ap, fmt);
	vsnprintf(d->text, sizeof(d->text), fmt, ap);
	va_end(ap);
	diag_append(d, "%s", rest);
	return -EINVAL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_BATCH_READ_H
#define QBED_BATCH_READ_H

#include <stdio.h>

struct diag;

/**
 * struct batch_reader - where the lines of a batch come from
 * @file: name for messages
 * @in: opened
 * @line: number of the line that was read last
 * @at: number of its last part: more than @line where it was continued
 */
struct batch_reader {
	const char *file;
	FILE *in;
	int line;
	int at;
};

/* @file "-" is standard input. 0 or -errno with @d. */
int batch_open(struct batch_reader *r, struct diag *d, const char *file);
void batch_close(struct batch_reader *r);

/* The next line with what continues it, malloc()ed; NULL at the end, or with @err and @d. */
char *batch_read(struct batch_reader *r, struct diag *d, int *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_READ_FILE_H
#define QBED_READ_FILE_H

#include <stddef.h>

struct diag;

/* The whole of a file, "-" for standard input; at most 16 MiB. @text is malloc()ed, also on an error. */
int read_file(struct diag *d, const char *path, char **text, size_t *len);

#endif

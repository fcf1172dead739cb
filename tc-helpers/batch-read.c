// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch-read.h"
#include "pure/diag.h"
#include "pure/line.h"

int batch_open(struct batch_reader *r, struct diag *d, const char *file)
{
	*r = (struct batch_reader){ .file = file, .in = stdin };
	if (strcmp(file, "-") != 0)
		r->in = fopen(file, "re");
	return r->in ? 0 : diag_failed(d, errno, "%s: open", file);
}

void batch_close(struct batch_reader *r)
{
	if (r->in && r->in != stdin)
		fclose(r->in);
	r->in = NULL;
}

char *batch_read(struct batch_reader *r, struct diag *d, int *err)
{
	char *whole = NULL, *line = NULL;
	size_t len = 0, room = 0;
	bool more = true;
	ssize_t n;

	*err = 0;
	r->line = r->at + 1;
	while (more && (n = getline(&line, &room, r->in)) >= 0) {
		char *grown = realloc(whole, len + (size_t)n + 1);

		r->at++;
		if (!grown) {
			*err = diag_failed(d, ENOMEM, "%s:%d", r->file, r->at);
			break;
		}
		whole = grown;
		if (strlen(line) < (size_t)n) {
			*err = diag_usage(d, -1, "%s:%d: a zero byte in it", r->file, r->at);
			break;
		}
		more = line_continues(line);
		strcpy(whole + len, line);
		len += strlen(line);
	}
	if (!*err && ferror(r->in))
		*err = diag_failed(d, errno, "%s: read", r->file);
	free(line);
	if (!*err)
		return whole;
	free(whole);
	return NULL;
}

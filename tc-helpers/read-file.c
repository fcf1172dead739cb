// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "read-file.h"

#define FILE_MAX_BYTES (16UL << 20)

static int read_stream(struct diag *d, FILE *f, const char *path, char **text, size_t *len)
{
	size_t room = 0, n;

	*text = NULL;
	*len = 0;
	do {
		char *grown = realloc(*text, room + 65536);

		if (!grown)
			return diag_failed(d, ENOMEM, "%s", path);
		*text = grown;
		room += 65536;
		n = fread(*text + *len, 1, room - *len, f);
		*len += n;
		if (*len > FILE_MAX_BYTES)
			return diag_usage(d, -1, "%s: more than %lu bytes: too large", path,
					  FILE_MAX_BYTES);
	} while (n && *len == room);
	return ferror(f) ? diag_failed(d, errno ? errno : EIO, "%s: read", path) : 0;
}

int read_file(struct diag *d, const char *path, char **text, size_t *len)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	int err;

	*text = NULL;
	if (!f)
		return diag_failed(d, errno, "%s: open", path);
	err = read_stream(d, f, path, text, len);
	if (f != stdin)
		fclose(f);
	return err;
}

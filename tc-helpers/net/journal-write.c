// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/journal-file.h"
#include "pure/diag.h"
#include "topo/topo.h"

/* One line, one write: it is there whole or not at all. */
static int record(struct diag *d, struct journal *j, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int record(struct diag *d, struct journal *j, const char *fmt, ...)
{
	char *line;
	va_list ap;
	ssize_t n;
	int len, err = 0;

	va_start(ap, fmt);
	len = vasprintf(&line, fmt, ap);
	va_end(ap);
	if (len < 0)
		return diag_failed(d, ENOMEM, "%s", j->path);
	n = write(j->fd, line, (size_t)len);
	if (n < 0)
		err = journal_failed(d, errno, j->path, "write");
	else if (n < len)
		err = journal_failed(d, ENOSPC, j->path, "write");
	free(line);
	return err;
}

static int record_topo(struct diag *d, struct journal *j, const struct topo *topo)
{
	char *file = strdup(topo->file);
	int i, err;

	if (!file)
		return diag_failed(d, ENOMEM, "%s", j->path);
	for (i = 0; file[i]; i++)
		if (file[i] == '\n')
			file[i] = '?';
	err = record(d, j, JOURNAL_MAGIC "\nfile %s\nprefix %s\n", file, topo->prefix);
	free(file);
	for (i = 0; !err && i < topo->nstmts; i++) {
		char *text = topo_stmt_text(&topo->stmts[i]);

		err = text ? record(d, j, "line %s\n", text) : diag_failed(d, ENOMEM, "%s", j->path);
		if (!err && journal_add_line(&j->lines, &j->nlines, text))
			err = diag_failed(d, ENOMEM, "%s", j->path);
		free(text);
	}
	return err;
}

int journal_create(struct diag *d, const struct topo *topo, struct journal **out)
{
	char path[sizeof(JOURNAL_DIR) + 32];
	struct journal *j;
	int fd, n = 0, err;

	do {
		snprintf(path, sizeof(path), JOURNAL_DIR "/topo-%d", ++n);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
	} while (fd < 0 && errno == EEXIST);
	if (fd < 0)
		return journal_failed(d, errno, path, "create");
	j = journal_new(path);
	if (!j) {
		close(fd);
		unlink(path);
		return diag_failed(d, ENOMEM, "%s", path);
	}
	j->fd = fd;
	err = record_topo(d, j, topo);
	if (!err && journal_replace(&j->prefix, topo->prefix))
		err = diag_failed(d, ENOMEM, "%s", path);
	if (err) {
		unlink(path);
		journal_free(j);
		return err;
	}
	*out = j;
	return 0;
}

int journal_will_netns(struct diag *d, struct journal *j, const char *name)
{
	int err = record(d, j, "netns %s\n", name);

	if (!err && journal_note_netns(j, name, 0))
		err = diag_failed(d, ENOMEM, "%s", j->path);
	return err;
}

int journal_netns_cookie(struct diag *d, struct journal *j, const char *name, uint64_t cookie)
{
	int err = record(d, j, "cookie %" PRIu64 " %s\n", cookie, name);

	if (!err && journal_note_netns(j, name, cookie))
		err = diag_failed(d, ENOMEM, "%s", j->path);
	return err;
}

int journal_will_dev(struct diag *d, struct journal *j, const char *dev, const uint8_t *mac)
{
	int err = record(d, j, "dev %02x:%02x:%02x:%02x:%02x:%02x %s\n", mac[0], mac[1], mac[2],
			 mac[3], mac[4], mac[5], dev);

	if (!err && journal_note_dev(j, dev, mac))
		err = diag_failed(d, ENOMEM, "%s", j->path);
	return err;
}

int journal_up(struct diag *d, struct journal *j, const char *live)
{
	int err = 0;

	while (!err && *live) {
		int len = (int)strcspn(live, "\n");

		err = record(d, j, "live %.*s\n", len, live);
		live += len + (live[len] == '\n');
	}
	return err ? err : record(d, j, "up\n");
}

int journal_remove(struct diag *d, struct journal *j)
{
	if (unlink(j->path) && errno != ENOENT)
		return journal_failed(d, errno, j->path, "remove");
	return 0;
}

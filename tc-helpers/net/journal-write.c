// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "net/journal-file.h"
#include "net/snap.h"
#include "pure/diag.h"
#include "topo/topo.h"

/*
 * Lines, in one write: what a kill cuts off is the end, and a line that lacks
 * its newline is none.
 */
static int record(struct diag *d, struct journal *j, const char *lines, size_t len)
{
	ssize_t n = write(j->fd, lines, len);

	if (n < 0)
		return journal_failed(d, errno, j->path, "write");
	return (size_t)n < len ? journal_failed(d, ENOSPC, j->path, "write") : 0;
}

/* Lines that are written together, made in memory: what is wrong is seen at the end. */
static int record_stream(struct diag *d, struct journal *j, FILE *f, char **text, size_t *len)
{
	int err = ferror(f);

	if (fclose(f) || err)
		err = diag_failed(d, ENOMEM, "%s", j->path);
	else
		err = record(d, j, *text, *len);
	free(*text);
	return err;
}

static void put_line(FILE *f, const char *what, const char *text)
{
	fputs(what, f);
	fputs(text, f);
	putc('\n', f);
}

static int put_lines(FILE *f, struct journal *j, const struct topo *topo)
{
	int i, err = 0;

	fputs(JOURNAL_MAGIC "\nfile ", f);
	for (const char *c = topo->file; *c; c++)
		fputc(*c == '\n' ? '?' : *c, f);
	fprintf(f, "\nprefix %s\n", topo->prefix);
	for (i = 0; !err && i < topo->nstmts; i++) {
		char *text = topo_stmt_text(&topo->stmts[i]);

		if (!text || journal_add_line(&j->lines, &j->nlines, text))
			err = -ENOMEM;
		else
			put_line(f, "line ", text);
		free(text);
	}
	return err;
}

static int put_names(FILE *f, struct journal *j, const struct topo *topo)
{
	int i, n = topo_ndevs(topo), err = 0;

	for (i = 0; !err && i < topo->nnetns; i++) {
		put_line(f, "netns ", topo->netns[i].name);
		err = journal_note_netns(j, topo->netns[i].name);
	}
	for (i = 0; !err && i < n; i++) {
		const struct topo_dev *dev = topo_dev(topo, topo_ref_at(topo, i));
		const uint8_t *m = dev->mac;

		if (dev->netns >= 0)
			continue;
		fprintf(f, "dev %02x:%02x:%02x:%02x:%02x:%02x %s\n", m[0], m[1], m[2], m[3], m[4],
			m[5], dev->end.dev);
		err = journal_note_dev(j, dev->end.dev, m);
	}
	return err;
}

static int record_topo(struct diag *d, struct journal *j, const struct topo *topo)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err;

	err = !f || journal_replace(&j->prefix, topo->prefix) || put_lines(f, j, topo) ||
	      put_names(f, j, topo);
	if (!err)
		return record_stream(d, j, f, &text, &len);
	if (f)
		fclose(f);
	free(text);
	return diag_failed(d, ENOMEM, "%s", j->path);
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
	if (err) {
		unlink(path);
		journal_free(j);
		return err;
	}
	*out = j;
	return 0;
}

int journal_netns_cookie(struct diag *d, struct journal *j, int i, uint64_t cookie)
{
	char line[NETNS_NAME_MAX + 64];
	int n = snprintf(line, sizeof(line), "cookie %" PRIu64 " %s\n", cookie, j->netns[i].name);
	int err = record(d, j, line, (size_t)n);

	if (!err)
		j->netns[i].cookie = cookie;
	return err;
}

/* In one write, too: it counts when the last line, "up", is there. */
int journal_up(struct diag *d, struct journal *j, const struct snap *snap)
{
	static char up[] = "\nup\n";
	struct iovec iov[3];
	const void *data;
	char head[32];
	size_t len;
	ssize_t n;

	snap_bytes(snap, &data, &len);
	iov[0] = (struct iovec){ head, (size_t)snprintf(head, sizeof(head), "snap %zu\n", len) };
	iov[1] = (struct iovec){ (void *)data, len };
	iov[2] = (struct iovec){ up, strlen(up) };
	n = writev(j->fd, iov, 3);
	if (n < 0)
		return journal_failed(d, errno, j->path, "write");
	return (size_t)n < iov[0].iov_len + len + iov[2].iov_len ?
	       journal_failed(d, ENOSPC, j->path, "write") : 0;
}

int journal_remove(struct diag *d, struct journal *j)
{
	if (unlink(j->path) && errno != ENOENT)
		return journal_failed(d, errno, j->path, "remove");
	return 0;
}

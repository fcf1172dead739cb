// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "net/journal-file.h"
#include "pure/diag.h"
#include "topo/topo.h"

#define POLL_NS 10000000L
#define SNAP_MAX (1UL << 30)

/* What needs a privilege fails like this when it is missing. */
int journal_failed(struct diag *d, int errnum, const char *path, const char *step)
{
	if (errnum != EPERM && errnum != EACCES && errnum != EROFS)
		return diag_failed(d, errnum, "%s: %s", path, step);
	diag_cannot(d, "%s: %s: %s: be root, or try unshare -Urnm with a tmpfs on /run", path, step,
		    strerror(errnum));
	return -errnum;
}

static void holder_text(int fd, char *text, size_t len)
{
	ssize_t n = pread(fd, text, len - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

int journal_lock(struct diag *d, int wait_ms)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	char who[32];
	int fd, ms;

	if (mkdir(JOURNAL_DIR, 0755) && errno != EEXIST)
		return journal_failed(d, errno, JOURNAL_DIR, "mkdir");
	fd = open(JOURNAL_DIR "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return journal_failed(d, errno, JOURNAL_DIR "/lock", "open");
	for (ms = 0; flock(fd, LOCK_EX | LOCK_NB); ms += POLL_NS / 1000000) {
		int err = errno;

		if (err == EINTR)
			continue;
		if (err == EWOULDBLOCK && ms < wait_ms) {
			nanosleep(&pause, NULL);
			continue;
		}
		holder_text(fd, who, sizeof(who));
		close(fd);
		if (err == EWOULDBLOCK)
			return diag_failed(d, EBUSY, "another qbed topo (process %s) is at work", who);
		return diag_failed(d, err, JOURNAL_DIR "/lock: flock");
	}
	snprintf(who, sizeof(who), "%d\n", (int)getpid());
	if (ftruncate(fd, 0) || pwrite(fd, who, strlen(who), 0) < 0) {
		int err = errno;

		close(fd);
		return diag_failed(d, err, JOURNAL_DIR "/lock: write");
	}
	return fd;
}

static void free_lines(char **lines, int n)
{
	while (n)
		free(lines[--n]);
	free(lines);
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	free(j->path);
	free(j->file);
	free(j->prefix);
	free_lines(j->lines, j->nlines);
	free(j->snap);
	free(j->netns);
	free(j->devs);
	free(j);
}

void journal_free_all(struct journal **list)
{
	for (int i = 0; list && list[i]; i++)
		journal_free(list[i]);
	free(list);
}

struct journal *journal_new(const char *path)
{
	struct journal *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->fd = -1;
	j->path = strdup(path);
	j->file = strdup("");
	j->prefix = strdup("");
	if (j->path && j->file && j->prefix)
		return j;
	journal_free(j);
	return NULL;
}

int journal_add_line(char ***lines, int *n, const char *text)
{
	char **grown = *lines;

	/* Room for the power of two that is not below *@n; so with the others below. */
	if (!(*n & (*n - 1)))
		grown = realloc(*lines, (*n ? 2 * (size_t)*n : 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	*lines = grown;
	grown[*n] = strdup(text);
	if (!grown[*n])
		return -ENOMEM;
	(*n)++;
	return 0;
}

int journal_replace(char **where, const char *text)
{
	free(*where);
	*where = strdup(text);
	return *where ? 0 : -ENOMEM;
}

/* Cookies come in the order of the names, or nearly so. */
static void note_cookie(struct journal *j, const char *name, uint64_t cookie, int *next)
{
	for (int i = 0; i < j->nnetns; i++) {
		struct journal_netns *netns = &j->netns[(i + *next) % j->nnetns];

		if (strcmp(netns->name, name) != 0)
			continue;
		netns->cookie = cookie;
		*next = (int)(netns - j->netns) + 1;
		return;
	}
}

int journal_note_netns(struct journal *j, const char *name)
{
	size_t n = (size_t)j->nnetns;
	struct journal_netns *grown = j->netns;

	if (!(n & (n - 1)))
		grown = realloc(j->netns, (n ? 2 * n : 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	j->netns = grown;
	grown += j->nnetns++;
	snprintf(grown->name, sizeof(grown->name), "%s", name);
	grown->cookie = 0;
	return 0;
}

int journal_note_dev(struct journal *j, const char *dev, const uint8_t *mac)
{
	struct journal_dev *grown = realloc(j->devs, (size_t)(j->ndevs + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	j->devs = grown;
	grown += j->ndevs++;
	snprintf(grown->dev, sizeof(grown->dev), "%s", dev);
	memcpy(grown->mac, mac, sizeof(grown->mac));
	return 0;
}

/* One whole line of the file; a line that says nothing known is passed over. */
static int take_record(struct journal *j, char *line, int *next)
{
	char *rest = strchr(line, ' ');
	char name[NETNS_NAME_MAX + 1];
	uint8_t mac[6];
	uint64_t cookie;

	if (strcmp(line, "up") == 0)
		j->up = true;
	if (!rest)
		return 0;
	*rest++ = '\0';
	if (strcmp(line, "file") == 0)
		return journal_replace(&j->file, rest);
	if (strcmp(line, "prefix") == 0)
		return journal_replace(&j->prefix, rest);
	if (strcmp(line, "line") == 0)
		return journal_add_line(&j->lines, &j->nlines, rest);
	if (strcmp(line, "netns") == 0 && strlen(rest) <= NETNS_NAME_MAX)
		return journal_note_netns(j, rest);
	if (strcmp(line, "cookie") == 0 && sscanf(rest, "%" SCNu64 " %255s", &cookie, name) == 2)
		note_cookie(j, name, cookie, next);
	if (strcmp(line, "dev") == 0 &&
	    sscanf(rest, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx %15s", &mac[0], &mac[1], &mac[2], &mac[3],
		   &mac[4], &mac[5], name) == 7)
		return journal_note_dev(j, name, mac);
	return 0;
}

/* What is no file of ours is an error, never a wait: a FIFO's other end may not come. */
static FILE *open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		errno = EINVAL;
		return NULL;
	}
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

/* The first line, or what of it was written. */
static bool is_magic(const char *line, size_t n)
{
	return strncmp(line, JOURNAL_MAGIC "\n", n) == 0;
}

/* The one record that is no line. One that is cut off was the last: there is no "up" after it. */
static int take_snap(struct journal *j, FILE *f, size_t len)
{
	free(j->snap);
	j->snap_len = 0;
	j->snap = len <= SNAP_MAX ? malloc(len + 1) : NULL;
	if (!j->snap)
		return ENOMEM;
	j->snap_len = fread(j->snap, 1, len, f);
	return 0;
}

static int journal_read(struct diag *d, const char *path, struct journal **out)
{
	struct journal *j = journal_new(path);
	FILE *f = open_regular(path);
	char *line = NULL;
	size_t room = 0;
	bool ours = false;
	ssize_t n;
	size_t len;
	int next = 0, err = 0;

	if (!j || !f) {
		err = !j ? ENOMEM : errno;
		goto out;
	}
	while (!err && (n = getline(&line, &room, f)) > 0) {
		if (!ours && !is_magic(line, (size_t)n)) {
			diag_failed(d, 0, "%s: this is no journal of qbed's: look what it is, and remove it", path);
			err = EINVAL;
			break;
		}
		ours = true;
		/* The writer died within this line: what it is about was not done. */
		if (line[n - 1] != '\n')
			break;
		line[n - 1] = '\0';
		if (sscanf(line, "snap %zu", &len) == 1) {
			err = take_snap(j, f, len);
			continue;
		}
		err = -take_record(j, line, &next);
	}
	if (!err && ferror(f))
		err = EIO;
out:
	free(line);
	if (f)
		fclose(f);
	if (err) {
		journal_free(j);
		return journal_failed(d, err, path, "read");
	}
	*out = j;
	return 0;
}

static int is_journal(const struct dirent *entry)
{
	return strncmp(entry->d_name, "topo-", 5) == 0;
}

int journal_read_all(struct diag *d, struct journal ***out)
{
	struct dirent **names = NULL;
	int n = scandir(JOURNAL_DIR, &names, is_journal, versionsort);
	struct journal **list;
	char path[sizeof(JOURNAL_DIR) + 256];
	int i, have = 0, err = 0;

	if (n < 0 && errno != ENOENT)
		return journal_failed(d, errno, JOURNAL_DIR, "read");
	if (n < 0)
		n = 0;
	list = calloc((size_t)n + 1, sizeof(struct journal *));
	if (!list)
		err = diag_failed(d, ENOMEM, JOURNAL_DIR);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), JOURNAL_DIR "/%s", names[i]->d_name);
		if (!err)
			err = journal_read(d, path, &list[have]);
		have += !err;
		free(names[i]);
	}
	free(names);
	if (err) {
		journal_free_all(list);
		return err;
	}
	*out = list;
	return 0;
}

bool journal_shares(const struct journal *j, const struct topo *topo)
{
	int i, k;

	for (i = 0; i < j->nnetns; i++)
		for (k = 0; k < topo->nnetns; k++)
			if (strcmp(j->netns[i].name, topo->netns[k].name) == 0)
				return true;
	for (i = 0; i < j->ndevs; i++) {
		struct link_end end = { .netns = "" };
		struct topo_ref ref;

		memcpy(end.dev, j->devs[i].dev, sizeof(end.dev));
		if (topo_find_dev(topo, &end, &ref))
			return true;
	}
	return false;
}

bool journal_is_of(const struct journal *j, const struct topo *topo)
{
	bool same = j->nlines == topo->nstmts && strcmp(j->prefix, topo->prefix) == 0;

	for (int i = 0; same && i < j->nlines; i++) {
		char *text = topo_stmt_text(&topo->stmts[i]);

		same = text && strcmp(text, j->lines[i]) == 0;
		free(text);
	}
	return same;
}

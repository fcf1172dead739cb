// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/lock_stat and its switch. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/lockstat.h"
#include "pure/diag.h"
#include "pure/lockstat.h"

#define STAT_FILE	"/proc/lock_stat"
#define SWITCH_FILE	"/proc/sys/kernel/lock_stat"

static int switch_read(struct diag *d, char *buf, size_t len)
{
	int fd = open(SWITCH_FILE, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return diag_cannot(d, "%s: this kernel was built without CONFIG_LOCK_STAT",
				   SWITCH_FILE);
	got = read(fd, buf, len - 1);
	close(fd);
	if (got <= 0)
		return diag_failed(d, errno, "%s: read", SWITCH_FILE);
	buf[got] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

static int switch_write(struct diag *d, const char *value)
{
	int fd = open(SWITCH_FILE, O_WRONLY | O_CLOEXEC);
	ssize_t put = -1;
	int err = errno;

	if (fd >= 0) {
		put = write(fd, value, strlen(value));
		err = errno;
		close(fd);
	}
	if (put < 0)
		return diag_failed(d, err, "%s: write %s", SWITCH_FILE, value);
	return 0;
}

/* The whole file, read through an own descriptor: the kernel takes its snapshot on open. */
static char *stat_read(struct diag *d)
{
	int fd = open(STAT_FILE, O_RDONLY | O_CLOEXEC);
	size_t room = 256 * 1024;
	size_t len = 0;
	char *text = NULL;

	if (fd < 0) {
		diag_failed(d, errno, "%s: open", STAT_FILE);
		return NULL;
	}
	for (;;) {
		char *grown = realloc(text, room);
		ssize_t got;

		if (!grown) {
			diag_failed(d, ENOMEM, "%s: read", STAT_FILE);
			break;
		}
		text = grown;
		got = read(fd, text + len, room - len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			diag_failed(d, errno, "%s: read", STAT_FILE);
			break;
		}
		len += (size_t)got;
		if (got == 0) {
			text[len] = '\0';
			close(fd);
			return text;
		}
		if (room - len < 4096)
			room *= 2;
	}
	close(fd);
	free(text);
	return NULL;
}

static int stat_parse(struct diag *d, struct lockstat *ls)
{
	char *text = stat_read(d);
	int err;

	if (!text)
		return -EIO;
	err = lockstat_parse(d, text, ls);
	free(text);
	return err;
}

static int lockdep_alive(struct diag *d)
{
	struct lockstat ls;
	bool disabled;
	int err = stat_parse(d, &ls);

	if (err)
		return err;
	disabled = ls.disabled;
	lockstat_free(&ls);
	if (disabled)
		return diag_cannot(d, "lock_stat: lockdep has switched itself off after a warning since boot (see dmesg); nothing is counted until the next boot");
	return 0;
}

int lockmeter_start(struct lockmeter *m, struct diag *d)
{
	int err;

	memset(m, 0, sizeof(*m));
	m->fd = open(STAT_FILE, O_RDWR | O_CLOEXEC);
	if (m->fd < 0) {
		if (errno == ENOENT)
			return diag_cannot(d, "%s: this kernel was built without CONFIG_LOCK_STAT",
					   STAT_FILE);
		if (errno == EACCES || errno == EPERM)
			return diag_cannot(d, "%s: may be read and cleared by root only", STAT_FILE);
		return diag_failed(d, errno, "%s: open", STAT_FILE);
	}
	err = switch_read(d, m->before, sizeof(m->before));
	if (!err)
		err = lockdep_alive(d);
	if (!err)
		err = switch_write(d, "0");
	if (!err && write(m->fd, "0", 1) != 1)
		err = diag_failed(d, errno, "%s: clear", STAT_FILE);
	if (!err)
		err = switch_write(d, "1");
	if (err)
		lockmeter_abandon(m);
	return err;
}

void lockmeter_abandon(struct lockmeter *m)
{
	struct diag ignored;

	if (m->fd < 0)
		return;
	diag_init(&ignored);
	if (m->before[0])
		switch_write(&ignored, m->before);
	diag_free(&ignored);
	close(m->fd);
	m->fd = -1;
}

int lockmeter_stop(struct lockmeter *m, struct diag *d, struct lockstat *ls)
{
	int err = switch_write(d, "0");

	if (!err)
		err = stat_parse(d, ls);
	lockmeter_abandon(m);
	if (err)
		return err;
	if (ls->disabled) {
		lockstat_free(ls);
		return diag_failed(d, 0, "lock_stat: lockdep switched itself off during the run (see dmesg): the figures are void");
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "net/netns.h"
#include "net/sysctl.h"
#include "pure/diag.h"

/* /proc/sys/net shows the namespace of the thread that opens. */
static int sysctl_open(struct diag *d, const char *netns, const char *key, int flags)
{
	char path[512];
	int back, fd;

	if (snprintf(path, sizeof(path), "/proc/sys/%s", key) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	back = netns_enter(d, netns);
	if (back < 0)
		return back;
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	if (netns_leave(d, back)) {
		if (fd >= 0)
			close(fd);
		return -EIO;
	}
	return fd;
}

int sysctl_write(struct diag *d, const char *netns, const char *key, const char *value,
		 const char *what)
{
	int fd = sysctl_open(d, netns, key, O_WRONLY);
	int err = fd < 0 ? -fd : 0;

	if (!err && write(fd, value, strlen(value)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	return err ? diag_failed(d, err, "%s: write", what) : 0;
}

int sysctl_read(struct diag *d, const char *netns, const char *key, char *buf, size_t len)
{
	int fd = sysctl_open(d, netns, key, O_RDONLY);
	size_t i, out = 0;
	ssize_t n;

	if (fd < 0)
		return diag_failed(d, -fd, "sysctl %s %s: open", netns, key);
	n = read(fd, buf, len - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return diag_failed(d, (int)-n, "sysctl %s %s: read", netns, key);
	for (i = 0; i < (size_t)n; i++) {
		if (!strchr(" \t\n", buf[i]))
			buf[out++] = buf[i];
		else if (out && buf[out - 1] != ' ')
			buf[out++] = ' ';
	}
	while (out && buf[out - 1] == ' ')
		out--;
	buf[out] = '\0';
	return 0;
}

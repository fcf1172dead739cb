// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables and speeds that the words of a qdisc name, read from the machine. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/netns.h"
#include "net/tc-env.h"
#include "pure/diag.h"
#include "pure/names.h"

#define TABLE_BYTES_MAX (1 << 20)	/* of text; the largest table that the kernel takes needs a tenth */

/*
 * Where iproute2 keeps its tables: Debian 12 and 13 have them in the
 * architecture's folder, others in /usr/lib or /usr/lib64.
 */
#define TABLE_DIRS "/usr/{lib,lib/*-linux-*,lib64,share,local/lib}/tc"

static int read_all(struct diag *d, int fd, const char *path, char **text, size_t *len)
{
	char *buf = malloc(TABLE_BYTES_MAX);
	ssize_t n = 1;

	*len = 0;
	if (!buf)
		return diag_failed(d, ENOMEM, "%s", path);
	while (n > 0 && *len < TABLE_BYTES_MAX) {
		n = read(fd, buf + *len, TABLE_BYTES_MAX - *len);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			*len += (size_t)n;
	}
	if (n < 0 || *len == TABLE_BYTES_MAX) {
		int err = n < 0 ? errno : EFBIG;

		free(buf);
		return diag_failed(d, err, "%s: read", path);
	}
	*text = buf;
	return 0;
}

static int read_file(struct diag *d, const char *path, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return diag_failed(d, errno, "table %s: open", path);
	err = read_all(d, fd, path, text, len);
	close(fd);
	return err;
}

/* The file of the table @name: malloc()ed, or NULL. */
static char *table_find(const char *name)
{
	const char *dir = getenv("TC_LIB_DIR");
	char *pattern, *path = NULL;
	glob_t found;

	if (dir)
		return asprintf(&path, "%s/%s.dist", dir, name) < 0 ? NULL : path;
	if (strpbrk(name, "*?[]{}\\") || asprintf(&pattern, TABLE_DIRS "/%s.dist", name) < 0)
		return NULL;
	if (!glob(pattern, GLOB_BRACE | GLOB_NOSORT, NULL, &found)) {
		if (found.gl_pathc)
			path = strdup(found.gl_pathv[0]);
		globfree(&found);
	}
	free(pattern);
	return path;
}

static int table_read(struct diag *d, char **words, int i, char **text, size_t *len)
{
	char *path;
	int err;

	if (strchr(words[i], '/'))
		return read_file(d, words[i], text, len);
	path = table_find(words[i]);
	if (!path)
		return diag_failed(d, ENOENT,
				   "table \"%s\": there is no %s.dist in " TABLE_DIRS " (Debian's iproute2 has some; $TC_LIB_DIR names another folder, and a word with a / a file)",
				   words[i], words[i]);
	err = read_file(d, path, text, len);
	free(path);
	return err;
}

static int speed_read(struct diag *d, const char *netns, const struct link_end *end, uint64_t *bps)
{
	const char *ns = end->netns[0] || !netns ? end->netns : netns;
	char path[IFNAMSIZ + 8], text[32];
	int net, fd, n;
	int64_t mbit;

	if (!end->dev[0])
		return diag_usage(d, -1, "a share of the link's speed needs \"dev D\" before it");
	net = netns_sysfs(d, ns);
	if (net < 0)
		return net;
	snprintf(path, sizeof(path), "%s/speed", end->dev);
	fd = openat(net, path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : (int)read(fd, text, sizeof(text) - 1);
	if (n < 0)
		diag_failed(d, errno, "%s: its speed cannot be read, so no rate can be a share of it",
			    end->dev);
	if (fd >= 0)
		close(fd);
	close(net);
	if (n < 0)
		return -EIO;
	text[n] = '\0';
	mbit = strtoll(text, NULL, 10);
	if (mbit <= 0)	/* -1: the driver does not know it */
		return diag_failed(d, 0, "%s: its speed is unknown, so no rate can be a share of it",
				   end->dev);
	*bps = (uint64_t)mbit * 1000000;
	return 0;
}

struct tc_env tc_env_machine(enum tc_units units, const char *netns)
{
	return (struct tc_env){
		.units = units, .netns = netns, .table = table_read, .speed = speed_read,
	};
}

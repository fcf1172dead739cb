// SPDX-License-Identifier: GPL-2.0-or-later
/* XPS and RPS: files of sysfs, a mask of CPUs for each queue. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/nets.h"
#include "net/steer.h"
#include "pure/diag.h"

#define ONLINE "/sys/devices/system/cpu/online"
#define MASK_LEN (CPUS_MAX / 32 * 9 + 2)	/* sysfs: 32 bits as 8 digits, and a comma */

static int online_read(struct diag *d, char *text, int len, struct cpus *online, const char *what)
{
	char *words[] = { text };
	FILE *f = fopen(ONLINE, "re");
	bool got = f && fgets(text, len, f);

	if (f)
		fclose(f);
	if (!got)
		return diag_failed(d, EIO, "%s: read " ONLINE, what);
	text[strcspn(text, "\n")] = '\0';
	return cpus_parse(d, words, 0, online);
}

/* XPS of a device with one queue is ENOENT to the kernel. */
static bool has_maps(const struct steer *steer)
{
	return steer->rps || steer->queues > 1;
}

int steer_check(struct diag *d, const struct steer *steer, const char *what)
{
	struct cpus online = { 0 };
	char text[256] = "", want[256];
	unsigned int cpu;
	int err;

	if (!has_maps(steer))
		return 0;
	err = online_read(d, text, sizeof(text), &online, what);
	if (err)
		return err;
	for (cpu = 0; !steer->cpus && cpu < steer->queues; cpu++)
		if (cpu >= CPUS_MAX || !cpus_has(&online, cpu))
			return diag_cannot(d, "%s: %u queues need CPUs 0-%u, this machine has %s", what,
					   steer->queues, steer->queues - 1, text);
	for (cpu = 0; steer->cpus && cpu < CPUS_MAX; cpu++)
		if (cpus_has(steer->cpus, cpu) && !cpus_has(&online, cpu))
			return diag_cannot(d, "%s: CPUs %s are asked for, this machine has %s", what,
					   cpus_format(want, sizeof(want), steer->cpus), text);
	return 0;
}

static int map_open(struct diag *d, struct nets *nets, const struct steer *steer,
		    unsigned int queue, int flags)
{
	char path[IFNAMSIZ + 48];
	int sysfs = nets_sysfs(d, nets, steer->end->netns);
	int fd;

	if (sysfs < 0)
		return sysfs;
	snprintf(path, sizeof(path), "%.15s/queues/%s-%u/%s_cpus", steer->end->dev,
		 steer->rps ? "rx" : "tx", queue, steer->rps ? "rps" : "xps");
	fd = openat(sysfs, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* 32-bit words in hex, the highest first. */
static void mask_parse(const char *text, struct cpus *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	for (const char *c = text; *c && *c != '\n'; c++) {
		char digit[2] = { *c, '\0' };
		uint64_t carry = strtoull(digit, NULL, 16);

		if (*c == ',')
			continue;
		for (size_t i = 0; i < CPUS_MAX / 64; i++) {
			uint64_t out = cpus->bits[i] >> 60;

			cpus->bits[i] = cpus->bits[i] << 4 | carry;
			carry = out;
		}
	}
}

static size_t mask_format(char *buf, const struct cpus *cpus)
{
	char *at = buf;

	for (unsigned int word = CPUS_MAX / 32; word-- > 0; ) {
		uint32_t bits = (uint32_t)(cpus->bits[word / 2] >> 32 * (word % 2));

		if (at != buf)
			at += sprintf(at, ",%08" PRIx32, bits);
		else if (bits || !word)
			at += sprintf(at, "%" PRIx32, bits);
	}
	return (size_t)(at - buf);
}

int steer_read(struct diag *d, struct nets *nets, const struct steer *steer, unsigned int queue,
	       struct cpus *cpus)
{
	int fd = map_open(d, nets, steer, queue, O_RDONLY);
	char text[MASK_LEN + 1];
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	mask_parse(text, cpus);
	return 0;
}

static int map_write(struct diag *d, struct nets *nets, const struct steer *steer,
		     unsigned int queue, const struct cpus *cpus, const char *what)
{
	int fd = map_open(d, nets, steer, queue, O_WRONLY);
	const char *name = steer->rps ? "RPS" : "XPS";
	char mask[MASK_LEN + 1];
	int err = fd < 0 ? -fd : 0;

	if (fd < 0 && d->exit)
		return fd;
	if (!err && write(fd, mask, mask_format(mask, cpus)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT)
		return diag_cannot(d, "%s: queue %u: no %s_cpus in sysfs: needs CONFIG_%s", what, queue,
				   steer->rps ? "rps" : "xps", name);
	if (err == EPERM || err == EACCES)
		return diag_cannot(d, "%s: queue %u: %s: the kernel takes %s from the initial user namespace alone: be root",
				   what, queue, strerror(err), name);
	return err ? diag_failed(d, err, "%s: queue %u: write", what, queue) : 0;
}

int steer_set(struct diag *d, struct nets *nets, const struct steer *steer, const char *what)
{
	struct cpus want, have;
	unsigned int i;
	int err;

	for (i = 0; has_maps(steer) && i < steer->queues; i++) {
		memset(&want, 0, sizeof(want));
		if (steer->cpus)
			want = *steer->cpus;
		else
			cpus_add(&want, i);
		err = map_write(d, nets, steer, i, &want, what);
		if (err)
			return err;
		err = steer_read(d, nets, steer, i, &have);
		if (err)
			return d->exit ? err : diag_failed(d, -err, "%s: queue %u: read back", what, i);
		if (memcmp(&want, &have, sizeof(want)) != 0)
			return diag_failed(d, 0, "%s: queue %u: read back: it has other CPUs", what, i);
	}
	return 0;
}

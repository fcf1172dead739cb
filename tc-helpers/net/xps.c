// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/nets.h"
#include "net/xps.h"
#include "pure/diag.h"

#define ONLINE "/sys/devices/system/cpu/online"
#define MASK_LEN (CPUS_MAX / 32 * 9 + 2)	/* sysfs: 32 bits as 8 digits, and a comma */

int xps_check(struct diag *d, unsigned int queues, const char *what)
{
	char text[256] = "", *words[] = { text };
	struct cpus online = { 0 };
	FILE *f = fopen(ONLINE, "re");
	unsigned int cpu;
	int err;

	if (!f || !fgets(text, sizeof(text), f)) {
		if (f)
			fclose(f);
		return diag_failed(d, EIO, "%s: read " ONLINE, what);
	}
	fclose(f);
	text[strcspn(text, "\n")] = '\0';
	err = cpus_parse(d, words, 0, &online);
	if (err)
		return err;
	for (cpu = 0; queues > 1 && cpu < queues; cpu++)
		if (cpu >= CPUS_MAX || !cpus_has(&online, cpu))
			return diag_cannot(d, "%s: %u queues need CPUs 0-%u, this machine has %s", what,
					   queues, queues - 1, text);
	return 0;
}

static int xps_open(struct diag *d, struct nets *nets, const struct link_end *end,
		    unsigned int queue, int flags)
{
	char path[IFNAMSIZ + 48];
	int sysfs = nets_sysfs(d, nets, end->netns);
	int fd;

	if (sysfs < 0)
		return sysfs;
	snprintf(path, sizeof(path), "%.15s/queues/tx-%u/xps_cpus", end->dev, queue);
	fd = openat(sysfs, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* 32-bit words in hex, the highest first. */
static int mask_parse(const char *text, struct cpus *cpus)
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
	return 0;
}

int xps_read(struct diag *d, struct nets *nets, const struct link_end *end, unsigned int queue,
	     struct cpus *cpus)
{
	int fd = xps_open(d, nets, end, queue, O_RDONLY);
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
	return mask_parse(text, cpus);
}

static int xps_write(struct diag *d, struct nets *nets, const struct link_end *end,
		     unsigned int queue, unsigned int cpu, const char *what)
{
	int fd = xps_open(d, nets, end, queue, O_WRONLY);
	char mask[MASK_LEN + 1], *at = mask;
	int err = fd < 0 ? -fd : 0;

	if (fd < 0 && d->exit)
		return fd;
	at += sprintf(at, "%x", 1U << cpu % 32);
	for (unsigned int words = cpu / 32; words; words--)
		at += sprintf(at, ",00000000");
	if (!err && write(fd, mask, (size_t)(at - mask)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT)
		return diag_cannot(d, "%s: queue %u: no xps_cpus in sysfs: needs CONFIG_XPS", what, queue);
	if (err == EPERM || err == EACCES)
		return diag_cannot(d, "%s: queue %u: %s: the kernel takes XPS from the initial user namespace alone: be root",
				   what, queue, strerror(err));
	return err ? diag_failed(d, err, "%s: queue %u: write xps_cpus", what, queue) : 0;
}

int xps_cpu_per_queue(struct diag *d, struct nets *nets, const struct link_end *end,
		      unsigned int queues, const char *what)
{
	struct cpus want, have;
	unsigned int i;
	int err;

	for (i = 0; queues > 1 && i < queues; i++) {
		err = xps_write(d, nets, end, i, i, what);
		if (err)
			return err;
		err = xps_read(d, nets, end, i, &have);
		if (err)
			return d->exit ? err : diag_failed(d, -err, "%s: queue %u: read xps_cpus", what, i);
		memset(&want, 0, sizeof(want));
		cpus_add(&want, i);
		if (memcmp(&want, &have, sizeof(want)) != 0)
			return diag_failed(d, 0, "%s: queue %u: read back: xps_cpus has other CPUs", what, i);
	}
	return 0;
}

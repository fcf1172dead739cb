/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NAMES_H
#define QBED_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

struct diag;

#define NETNS_NAME_MAX 255

/**
 * struct link_end - one end of a link as people write it, NS:DEV
 * @netns: namespace, "" for the caller's own (written without "NS:")
 * @dev: device name
 */
struct link_end {
	char netns[NETNS_NAME_MAX + 1];
	char dev[IFNAMSIZ];
};

/* Names are judged before any kernel call: no '/', no "..", no space, lengths. */
int netns_name_check(struct diag *d, int word, const char *name);
int dev_name_check(struct diag *d, int word, const char *name);
int link_end_parse(struct diag *d, char **words, int i, struct link_end *end);

/*
 * tc handles, in hex and with their colon. A handle is "10:"; a class id (what
 * a qdisc hangs on) is "1:2", "1:", ":2" or "root".
 */
int handle_parse(struct diag *d, char **words, int i, uint32_t *handle);
int classid_parse(struct diag *d, char **words, int i, uint32_t *classid);
char *handle_format(char *buf, uint32_t handle); /* @buf >= 12 bytes; "1:", "1:2", ":2", "root", "none" */

/**
 * struct cpus - a set of CPUs, written "0-6,8" (pure/cpus.c)
 */
#define CPUS_MAX 1024
struct cpus {
	uint64_t bits[CPUS_MAX / 64];
};

int cpus_parse(struct diag *d, char **words, int i, struct cpus *set);
bool cpus_has(const struct cpus *set, unsigned int cpu);
void cpus_add(struct cpus *set, unsigned int cpu);
unsigned int cpus_count(const struct cpus *set);
int cpus_next(const struct cpus *set, int after); /* next CPU > @after, -1 at the end */
char *cpus_format(char *buf, size_t len, const struct cpus *set);

#endif

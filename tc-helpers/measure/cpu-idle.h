/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CPU_IDLE_H
#define QBED_CPU_IDLE_H

#include <stddef.h>
#include <stdint.h>

struct diag;

/**
 * cpu_idle_read() - how long each CPU has been idle since boot
 * @d: gets the error
 * @idle_ns: of CPUs 0 .. @ncpus - 1, in whole ticks of user space (10 ms); -1 for one that is offline
 * @ncpus: see @idle_ns
 *
 * Return: 0, or -errno in @d.
 */
int cpu_idle_read(struct diag *d, int64_t *idle_ns, size_t ncpus);

#endif

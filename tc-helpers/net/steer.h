/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_STEER_H
#define QBED_STEER_H

#include "pure/names.h"

struct diag;
struct nets;

/**
 * struct steer - CPUs of the queues of a device
 * @end: the device
 * @rps: of its receive queues (RPS), else of its transmit queues (XPS)
 * @queues: how many queues that way
 * @cpus: of each queue; NULL: queue i and CPU i
 */
struct steer {
	const struct link_end *end;
	bool rps;
	unsigned int queues;
	const struct cpus *cpus;
};

/* Has this machine the CPUs? -EOPNOTSUPP (exit 4) with @d if not. */
int steer_check(struct diag *d, const struct steer *steer, const char *what);

/* Writes the maps and reads them back. A device of one tx queue has no XPS and gets none. */
int steer_set(struct diag *d, struct nets *nets, const struct steer *steer, const char *what);

/* CPUs of @queue; -ENOENT without a message where the kernel has no map. */
int steer_read(struct diag *d, struct nets *nets, const struct steer *steer, unsigned int queue,
	       struct cpus *cpus);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_XPS_H
#define QBED_XPS_H

#include "pure/names.h"

struct diag;
struct nets;

/* Has this machine a CPU for each of @queues queues? -EOPNOTSUPP (exit 4) with @d if not. */
int xps_check(struct diag *d, unsigned int queues, const char *what);

/* Queue i of @end sends from CPU i and no other; read back. One queue needs no map and gets none. */
int xps_cpu_per_queue(struct diag *d, struct nets *nets, const struct link_end *end,
		      unsigned int queues, const char *what);

/* CPUs that send to @queue; -ENOENT without a message where the kernel has no map. */
int xps_read(struct diag *d, struct nets *nets, const struct link_end *end, unsigned int queue,
	     struct cpus *cpus);

#endif

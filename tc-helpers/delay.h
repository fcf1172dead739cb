/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_DELAY_H
#define QBED_DELAY_H

#include <stdbool.h>

#include "measure/receiver.h"
#include "net/queues.h"
#include "traffic.h"

struct diag;
struct doc;

enum { PATH_QDISC, PATH_FLOOR };

struct delay_floor {
	struct link_end from;
	struct link_end to;
	bool has_to;
};

struct delay_cfg {
	struct traffic t;
	struct cpus receiver_cpus;
	bool has_receiver_cpus;
	struct delay_floor floor;
	bool has_floor;
};

/**
 * struct delay_run - everything of one measurement
 * @cfg: options
 * @npaths: 1, or 2 with a floor
 * @plan: the senders
 * @queues: of --from's device
 * @qd: per sender, the qdisc of its queue
 * @receiver: per sender
 * @sinks: per path and sender
 * @receivers: the threads while they run
 */
struct delay_run {
	struct delay_cfg *cfg;
	unsigned int npaths;
	struct send_plan plan;
	struct queues queues;
	const struct queue_delay **qd;
	struct receiver *receiver;
	int *sinks[SEND_PATHS];
	struct receivers *receivers;
};

/*
 * Puts a finished run into @doc; warnings (early packets, overruns) into @d.
 * -EIO with @d when not one probe arrived.
 */
int delay_doc(struct doc *doc, struct diag *d, const struct delay_run *run);

#endif

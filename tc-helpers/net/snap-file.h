/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SNAP_FILE_H
#define QBED_SNAP_FILE_H

#include "net/dev.h"
#include "net/snap.h"

/* Between snap.c, which keeps, and snap-ask.c, which asks; nobody else includes it. */

/* Numbers by a number, in a table of which at least half is free. */
struct snap_table {
	struct snap_slot {
		uint64_t key;	/* 0 for a free one */
		size_t value;
	} *slots;
	size_t room;	/* a power of two */
	size_t used;
};

/**
 * struct snap - see snap.h
 * @topo: what it is about
 * @nets: NULL when it does not ask
 * @data: answers, one after the other
 * @len: bytes of @data in use
 * @room: bytes of @data
 * @begun: where the answer that is being given starts
 * @answers: where in @data the answer to a question is
 * @devs: the topology's devices by their numbers, as RTM_GETLINK has them; ifindex 0: not there
 * @linked: for netns i at i + 1: its devices are in @devs
 * @numbers: the number of a device by namespace and ifindex
 */
struct snap {
	const struct topo *topo;
	struct nets *nets;
	char *data;
	size_t len;
	size_t room;
	size_t begun;
	struct snap_table answers;
	struct dev *devs;
	bool *linked;
	struct snap_table numbers;
};

/* Adds to the answer that is being given. 0 or -ENOMEM. */
int snap_add(struct snap *snap, const void *data, size_t len);
/* What was added is dropped. */
void snap_begin_again(struct snap *snap);
/* Number of the device @ifindex, -1 when it is none of the topology's. */
int snap_number(const struct snap *snap, int netns, int ifindex);
/* What a message of a dump is about, 0 for nothing. */
int snap_ifindex(const struct nlmsghdr *nlh);
/* "" for the caller's. */
const char *snap_netns_name(const struct snap *snap, int netns);

/* Adds the kernel's answer. 0, or -errno with @d. */
int snap_ask(struct snap *snap, struct diag *d, int netns, int type, int key);

#endif

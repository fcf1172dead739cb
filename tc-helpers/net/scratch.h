/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SCRATCH_H
#define QBED_SCRATCH_H

#include <stdbool.h>

struct rtnl;

/*
 * Calls @run with a socket in a network namespace of its own, whose one device
 * is @lo: a place to ask the kernel what it knows, where nothing is anybody's.
 * It ends with the call. False when no such namespace can be made.
 */
bool scratch_net(void (*run)(struct rtnl *rtnl, int lo, void *arg), void *arg);

#endif

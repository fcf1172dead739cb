/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_ENV_H
#define QBED_TC_ENV_H

#include "kinds/env.h"

/*
 * What tc's words find on this machine: iproute2's tables (or those in
 * $TC_LIB_DIR) and the speeds of links. @netns is where a device is whose
 * name has no namespace, NULL for the caller's.
 */
struct tc_env tc_env_machine(enum tc_units units, const char *netns);

#endif

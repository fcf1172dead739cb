/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RTAB_H
#define QBED_RTAB_H

#include <stdbool.h>
#include <stdint.h>

struct tc_ratespec;

/*
 * Rate tables: how long packets of 256 lengths take, for cbq, which still
 * looks there. All times are cut as tc 6.1 cuts them, to whole us and then to
 * ticks (PSCHED_TICK_NS), so that the kernel is told the same.
 */
#define RTAB_LEN 256

/* Ticks of @us, cut as tc cuts. False when it is below 0 or a message cannot hold it. */
bool rtab_ticks(double us, uint32_t *ticks);

/*
 * Fills the table for @spec, of which rate, mpu, cell_log and linklayer are
 * set. A time that a message cannot hold becomes the longest.
 */
void rtab_fill(const struct tc_ratespec *spec, uint32_t rtab[RTAB_LEN]);

#endif

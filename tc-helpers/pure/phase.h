/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PHASE_H
#define QBED_PHASE_H

#include <stdint.h>

/*
 * splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014): advances @state and returns the next 64 bits.
 * Every seed is a good one, 0 too.
 */
uint64_t splitmix64(uint64_t *state);

/*
 * Start phase of sender @index: uniform in [0, @period_ns), a function of
 * @seed and @index alone, so adding a sender moves no other one.
 */
uint64_t phase_ns(uint64_t seed, uint32_t index, uint64_t period_ns);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Start phases from a seed. */
#include "pure/phase.h"

uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t phase_ns(uint64_t seed, uint32_t index, uint64_t period_ns)
{
	uint64_t state = seed;
	uint64_t draw;

	/* a stream per sender: the index picks the state through the mixer itself */
	state = splitmix64(&state) + index;
	draw = splitmix64(&state);
	/* modulo bias is below 2^-20 for periods under 4 h: of no matter for a phase */
	return period_ns ? draw % period_ns : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/pkt_sched.h>

#include "kinds/kinds.h"
#include "kinds/rtab.h"

#define ATM_CELL 53		/* bytes on the wire */
#define ATM_CELL_PAYLOAD 48	/* of which these are the packet's */

bool rtab_ticks(double us, uint32_t *ticks)
{
	double t;

	*ticks = UINT32_MAX;
	if (!(us >= 0 && us < UINT32_MAX))
		return false;
	t = (uint32_t)us * (1000.0 / PSCHED_TICK_NS);
	if (t > UINT32_MAX)
		return false;
	*ticks = (uint32_t)t;
	return true;
}

void rtab_fill(const struct tc_ratespec *spec, uint32_t rtab[RTAB_LEN])
{
	for (uint32_t i = 0; i < RTAB_LEN; i++) {
		uint32_t size = (i + 1) << spec->cell_log;

		if (size < spec->mpu)
			size = spec->mpu;
		if (spec->linklayer == TC_LINKLAYER_ATM)
			size = (size + ATM_CELL_PAYLOAD - 1) / ATM_CELL_PAYLOAD * ATM_CELL;
		/* in this order: the rounding of each step is tc's */
		rtab_ticks(1000000 * ((double)size / (double)spec->rate), &rtab[i]);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CODEL_H
#define QBED_CODEL_H

#include <stdbool.h>
#include <stdint.h>

struct diag;

/**
 * struct codel_times - what codel and fq_codel are steered by
 * @target_us: delay that is fine
 * @interval_us: how long it may be more
 * @ce_threshold_us: from this delay on, packets are marked
 */
struct codel_times {
	uint32_t target_us;
	uint32_t interval_us;
	uint32_t ce_threshold_us;
};

/* Warns of what the kernel makes of them; @given says that ce_threshold was there. */
void codel_advise(struct diag *d, const char *kind, const struct codel_times *t, bool given);

#endif

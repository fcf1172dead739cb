// SPDX-License-Identifier: GPL-2.0-or-later
/* pfifo_fast: the kernel's default. It is shown, never made. */
#include "kinds/kinds.h"
#include "kinds/prio.h"

const struct kind kind_pfifo_fast = {
	.name = "pfifo_fast",
	.config = "CONFIG_NET_SCHED",
	.options = &prio_options,
	.show = prio_show,
};

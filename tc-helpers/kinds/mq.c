// SPDX-License-Identifier: GPL-2.0-or-later
/* mq: a root with one class per transmit queue. It has no options. */
#include "kinds/kinds.h"
#include "pure/diag.h"

static const struct keyword mq_words[] = { { NULL } };

static int mq_parse(struct diag *d, char **words, int n, void *cfg)
{
	if (n)
		return diag_usage(d, 0, "unknown word \"%s\": mq has no options", words[0]);
	return 0;
}

const struct kind kind_mq = {
	.name = "mq",
	.config = "CONFIG_NET_SCHED",
	.words = mq_words,
	.multiqueue = true,
	.no_est = true,
	.parse = mq_parse,
};

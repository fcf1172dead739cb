// SPDX-License-Identifier: GPL-2.0-or-later
/* ingress and clsact: no queue, only a place for filters of what comes in, and of what goes out. */
#include <linux/pkt_sched.h>

#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"

static const struct keyword no_words[] = { { NULL } };

static int no_options(struct diag *d, char **words, int n, void *cfg)
{
	return n ? diag_usage(d, 0, "unknown word \"%s\": it has no options", words[0]) : 0;
}

/* The line is tc's. */
static void ingress_show(struct doc *doc, struct nlattr *opts)
{
	doc_text(doc, " ----------------");
}

const struct kind kind_ingress = {
	.name = "ingress",
	.config = "CONFIG_NET_SCH_INGRESS",
	.words = no_words,
	.place = TC_H_INGRESS,
	.parse = no_options,
	.show = ingress_show,
};

const struct kind kind_clsact = {
	.name = "clsact",
	.config = "CONFIG_NET_SCH_INGRESS",
	.words = no_words,
	.place = TC_H_CLSACT,
	.parse = no_options,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* pfifo_fast: the kernel's default. It is shown, never made. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <netlink/attr.h>
#include <string.h>

#include "kinds/kinds.h"
#include "pure/doc.h"

static void pfifo_fast_show(struct doc *doc, struct nlattr *opts)
{
	struct tc_prio_qopt opt;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	doc_i64(doc, "bands", " bands %" PRId64, opt.bands);
	doc_open_array(doc, "priomap");
	doc_text(doc, " priomap");
	for (int i = 0; i <= TC_PRIO_MAX; i++)
		doc_u64(doc, "", " %" PRIu64, opt.priomap[i]);
	doc_close_array(doc);
	doc_bool(doc, "multiqueue", NULL, false);	/* only prio's old multiqueue mode was */
}

const struct kind kind_pfifo_fast = {
	.name = "pfifo_fast",
	.config = "CONFIG_NET_SCHED",
	.show = pfifo_fast_show,
};

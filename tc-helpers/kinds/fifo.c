// SPDX-License-Identifier: GPL-2.0-or-later
/* pfifo and bfifo: one queue, bounded in packets or in bytes. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/nlb.h"

enum { FIFO_LIMIT };

struct fifo_cfg {
	uint32_t given;
	uint32_t limit;		/* packets of pfifo, bytes of bfifo */
};

#define F(name) offsetof(struct fifo_cfg, name)

/* A size as well for packets: tc's "limit 1k" is 1024 of them. */
static const struct keyword pfifo_words[] = {
	{ "limit", FIFO_LIMIT, 1, { { KW_SIZE, F(limit) } }, .min = 1 },
	{ NULL }
};

static const struct keyword bfifo_words[] = {
	{ "limit", FIFO_LIMIT, 1, { { KW_SIZE, F(limit) } }, .min = 1 },
	{ NULL }
};

static int pfifo_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct fifo_cfg *c = cfg;

	return keywords_parse(d, pfifo_words, words, n, c, &c->given);
}

static int bfifo_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct fifo_cfg *c = cfg;

	return keywords_parse(d, bfifo_words, words, n, c, &c->given);
}

/* Without options the kernel takes the device's tx_queue_len (and its MTU). */
static void fifo_fill(struct nlb *nlb, const void *cfg)
{
	const struct fifo_cfg *c = cfg;
	struct tc_fifo_qopt opt = { .limit = c->limit };

	if (c->given & 1u << FIFO_LIMIT)
		nlb_put(nlb, TCA_OPTIONS, &opt, sizeof(opt));
}

static void fifo_show(struct doc *doc, struct nlattr *opts, const char *fmt)
{
	struct tc_fifo_qopt opt;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	doc_u64(doc, "limit", fmt, opt.limit);
}

static void pfifo_show(struct doc *doc, struct nlattr *opts)
{
	fifo_show(doc, opts, " limit %" PRIu64 "p");
}

static void bfifo_show(struct doc *doc, struct nlattr *opts)
{
	fifo_show(doc, opts, " limit %" PRIu64 "b");
}

const struct kind kind_pfifo = {
	.name = "pfifo",
	.config = "CONFIG_NET_SCHED",
	.words = pfifo_words,
	.cfg_size = sizeof(struct fifo_cfg),
	.parse = pfifo_parse,
	.fill = fifo_fill,
	.show = pfifo_show,
};

const struct kind kind_bfifo = {
	.name = "bfifo",
	.config = "CONFIG_NET_SCHED",
	.words = bfifo_words,
	.cfg_size = sizeof(struct fifo_cfg),
	.parse = bfifo_parse,
	.fill = fifo_fill,
	.show = bfifo_show,
};

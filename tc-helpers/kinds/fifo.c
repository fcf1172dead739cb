// SPDX-License-Identifier: GPL-2.0-or-later
/* pfifo, bfifo and pfifo_head_drop: one queue, bounded in packets or in bytes. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

enum { FIFO_LIMIT };

struct fifo_cfg {
	uint32_t given;
	uint32_t limit;		/* packets of pfifo, bytes of bfifo */
};

#define F(name) offsetof(struct fifo_cfg, name)

static const struct keyword pfifo_words[] = {
	{ "limit", FIFO_LIMIT, 1, { { KW_COUNT, F(limit) } } },
	{ NULL }
};

static const struct keyword bfifo_words[] = {
	{ "limit", FIFO_LIMIT, 1, { { KW_SIZE, F(limit) } } },
	{ NULL }
};

static int fifo_parse(struct diag *d, const struct keyword *table, char **words, int n,
		      struct fifo_cfg *c)
{
	int err = keywords_parse(d, table, words, n, c, &c->given);

	if (!err && c->given && !c->limit)
		diag_warn(d, "fifo: a limit of 0 drops every packet");
	return err;
}

static int pfifo_parse(struct diag *d, char **words, int n, void *cfg)
{
	return fifo_parse(d, pfifo_words, words, n, cfg);
}

static int bfifo_parse(struct diag *d, char **words, int n, void *cfg)
{
	return fifo_parse(d, bfifo_words, words, n, cfg);
}

/* Without options the kernel takes the device's tx_queue_len (and its MTU). */
static void fifo_fill(struct nlb *nlb, const void *cfg)
{
	const struct fifo_cfg *c = cfg;
	struct tc_fifo_qopt opt = { .limit = c->limit };

	if (c->given & 1u << FIFO_LIMIT)
		nlb_put(nlb, TCA_OPTIONS, &opt, sizeof(opt));
}

static bool limit_read(struct nlattr *opts, uint32_t *limit)
{
	struct tc_fifo_qopt opt;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return false;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	*limit = opt.limit;
	return true;
}

static void pfifo_show(struct doc *doc, struct nlattr *opts)
{
	uint32_t limit;

	if (limit_read(opts, &limit))
		doc_u64(doc, "limit", " limit %" PRIu64 "p", limit);
}

static void bfifo_show(struct doc *doc, struct nlattr *opts)
{
	uint32_t limit;
	char text[32];

	if (!limit_read(opts, &limit))
		return;
	doc_u64(doc, "limit", NULL, limit);
	doc_text(doc, " limit %s", size_format(text, sizeof(text), limit));
}

const struct kind kind_pfifo = {
	.name = "pfifo",
	.config = "CONFIG_NET_SCHED",
	.words = pfifo_words,
	.cfg_size = sizeof(struct fifo_cfg),
	.parse = pfifo_parse,
	.fill = fifo_fill,
	.options = ATTR_OPTIONS("limit=u32", NULL),
	.show = pfifo_show,
};

const struct kind kind_bfifo = {
	.name = "bfifo",
	.config = "CONFIG_NET_SCHED",
	.words = bfifo_words,
	.cfg_size = sizeof(struct fifo_cfg),
	.parse = bfifo_parse,
	.fill = fifo_fill,
	.options = ATTR_OPTIONS("limit=u32", NULL),
	.show = bfifo_show,
};

/* A full queue drops the oldest packet instead of the one that comes. */
const struct kind kind_pfifo_head_drop = {
	.name = "pfifo_head_drop",
	.config = "CONFIG_NET_SCHED",
	.words = pfifo_words,
	.cfg_size = sizeof(struct fifo_cfg),
	.parse = pfifo_parse,
	.fill = fifo_fill,
	.options = ATTR_OPTIONS("limit=u32", NULL),
	.show = pfifo_show,
};

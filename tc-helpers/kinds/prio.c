// SPDX-License-Identifier: GPL-2.0-or-later
/* prio: bands that are served in order; a map puts each priority of a packet into one. */
#include <errno.h>
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/prio.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

#define PRIO_BANDS_MIN 2	/* TCQ_MIN_PRIO_BANDS and TCQ_PRIO_BANDS, net/sched/sch_prio.c */
#define PRIO_BANDS_MAX 16
#define PRIO_MAP_LEN (TC_PRIO_MAX + 1)

enum { PRIO_BANDS, PRIO_MAP };

struct prio_cfg {
	uint32_t given;
	uint32_t bands;
	uint8_t map[PRIO_MAP_LEN];	/* band of each priority */
	uint32_t named;			/* how many of those were asked for */
};

static int band_parse(struct diag *d, char **words, int i, unsigned int k, void *map)
{
	uint64_t band;
	int err = u64_parse(d, words, i, 0, UINT8_MAX, &band);

	if (!err)
		((uint8_t *)map)[k] = (uint8_t)band;
	return err;
}

static int map_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct prio_cfg *c = cfg;
	int k = keyword_list(d, words, n, i, 1, PRIO_MAP_LEN, like_a_number, band_parse, c->map);

	if (k < 0)
		return k;
	c->named = (uint32_t)k;
	return i + 1 + k;
}

static const struct keyword prio_words[] = {
	{ "bands", PRIO_BANDS, 1, { { KW_U32, offsetof(struct prio_cfg, bands) } } },
	{ "priomap", PRIO_MAP, .take = map_take },
	{ NULL }
};

/* What prio_tune() would refuse without a word. A band that was asked for is the words' fault. */
static int prio_check(struct diag *d, const struct prio_cfg *c)
{
	if (c->bands < PRIO_BANDS_MIN || c->bands > PRIO_BANDS_MAX)
		return diag_failed(d, EINVAL, "bands %u: the kernel takes %d to %d", c->bands,
				   PRIO_BANDS_MIN, PRIO_BANDS_MAX);
	for (uint32_t i = 0; i < PRIO_MAP_LEN; i++) {
		if (c->map[i] < c->bands)
			continue;
		if (i < c->named)
			return diag_usage(d, -1, "priomap: band %u: there are %u, counted from 0",
					  c->map[i], c->bands);
		return diag_failed(d, EINVAL, "bands %u: priority %u goes to band %u unless \"priomap\" says otherwise",
				   c->bands, i, c->map[i]);
	}
	return 0;
}

static int prio_parse(struct diag *d, char **words, int n, void *cfg)
{
	static const uint8_t map[PRIO_MAP_LEN] = {	/* tc-prio(8) */
		1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1
	};
	struct prio_cfg *c = cfg;
	int err;

	c->bands = 3;
	memcpy(c->map, map, sizeof(map));
	err = keywords_parse(d, prio_words, words, n, c, &c->given);
	return err ? err : prio_check(d, c);
}

/* The empty attribute behind the struct is tc's: a nest that held the multiqueue flag of old. */
static void prio_fill(struct nlb *nlb, const void *cfg)
{
	const struct prio_cfg *c = cfg;
	struct tc_prio_qopt opt = { .bands = (int)c->bands };
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	memcpy(opt.priomap, c->map, sizeof(opt.priomap));
	nlb_raw(nlb, &opt, sizeof(opt));
	nlb_put(nlb, TCA_OPTIONS, NULL, 0);
	nlb_nest_end(nlb, nest);
}

void prio_show(struct doc *doc, struct nlattr *opts)
{
	struct tc_prio_qopt opt;

	if (!opts || nla_len(opts) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(opts), sizeof(opt));
	doc_i64(doc, "bands", " bands %" PRId64, opt.bands);
	doc_open_array(doc, "priomap");
	doc_text(doc, " priomap");
	for (int i = 0; i < PRIO_MAP_LEN; i++)
		doc_u64(doc, "", " %" PRIu64, opt.priomap[i]);
	doc_close_array(doc);
	doc_bool(doc, "multiqueue", NULL, false);	/* only prio's old multiqueue mode was */
}

/* Its classes are the bands: there from the start, and none is made by hand. */
/* tc's empty attribute, from when there was one for multiqueue devices */
static const struct attr_desc prio_attrs[] = {
	ATTR(TCA_OPTIONS, "flag"),
	ATTR_END
};

const struct attr_desc prio_options = {
	.value = "bands=s32 priomap=u8*16 +", .sub = prio_attrs,
};

const struct kind kind_prio = {
	.name = "prio",
	.config = "CONFIG_NET_SCH_PRIO",
	.words = prio_words,
	.cfg_size = sizeof(struct prio_cfg),
	.parse = prio_parse,
	.fill = prio_fill,
	.options = &prio_options,
	.show = prio_show,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* drr: deficit round robin. Classes take turns, each with a quantum of bytes. */
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/show.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"
#include "wire/nlb.h"

enum { DRR_QUANTUM };

/* Stable kernels of 2025 and later keep a quantum within these: drr_change_class(). */
#define DRR_QUANTUM_MIN 256
#define DRR_QUANTUM_MAX (1 << 20)

static const struct keyword drr_words[] = { { NULL } };

static int drr_parse(struct diag *d, char **words, int n, void *cfg)
{
	if (n)
		return diag_usage(d, 0, "unknown word \"%s\": drr has no options, its classes have",
				  words[0]);
	return 0;
}

struct drr_class_cfg {
	uint32_t given;
	uint32_t quantum;	/* bytes */
};

static const struct keyword drr_class_words[] = {
	{ "quantum", DRR_QUANTUM, 1, { { KW_SIZE, offsetof(struct drr_class_cfg, quantum) } },
	  .min = 1 },
	{ NULL }
};

static int drr_class_parse(struct diag *d, char **words, int n, bool fresh, void *cfg)
{
	struct drr_class_cfg *c = cfg;

	return keywords_parse(d, drr_class_words, words, n, c, &c->given);
}

/* The kernel asks for the attribute even when there is nothing in it: it then takes the MTU. */
static void drr_class_fill(struct nlb *nlb, const void *cfg)
{
	const struct drr_class_cfg *c = cfg;
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (c->given & 1u << DRR_QUANTUM)
		nlb_put_u32(nlb, TCA_DRR_QUANTUM, c->quantum);
	nlb_nest_end(nlb, nest);
}

static void drr_class_show(struct doc *doc, struct nlattr *opts, bool details)
{
	struct nlattr *tb[TCA_DRR_MAX + 1];
	uint32_t quantum;

	if (opts && nla_parse_nested(tb, TCA_DRR_MAX, opts, NULL) >= 0 &&
	    attr_u32(tb, TCA_DRR_QUANTUM, &quantum))
		show_size(doc, "quantum", quantum);
}

static void drr_class_xstats(struct doc *doc, struct nlattr *app)
{
	struct tc_drr_stats st;

	if (nla_len(app) < (int)sizeof(st))
		return;
	memcpy(&st, nla_data(app), sizeof(st));
	doc_text(doc, "\n");
	show_size(doc, "deficit", st.deficit);
}

static void drr_class_advise(struct diag *d, const void *cfg, const struct class_place *at)
{
	const struct drr_class_cfg *c = cfg;
	char name[12];

	if (!c->quantum || (c->quantum >= DRR_QUANTUM_MIN && c->quantum <= DRR_QUANTUM_MAX))
		return;
	diag_warn(d, "drr: class %s: quantum %u: kernels since 2025 keep it within %u and %u bytes (show tells)",
		  handle_format(name, at->classid), c->quantum, DRR_QUANTUM_MIN, DRR_QUANTUM_MAX);
}

static const struct attr_desc drr_class_attrs[] = {
	ATTR(TCA_DRR_QUANTUM, "bytes32"),
	ATTR_END
};

static const struct kind_class drr_class = {
	.words = drr_class_words,
	.cfg_size = sizeof(struct drr_class_cfg),
	.flat = true,
	.parse = drr_class_parse,
	.fill = drr_class_fill,
	.options = ATTR_OPTIONS("+", drr_class_attrs),
	.show = drr_class_show,
	.xstats = drr_class_xstats,
	.advise = drr_class_advise,
};

const struct kind kind_drr = {
	.name = "drr",
	.config = "CONFIG_NET_SCH_DRR",
	.words = drr_words,
	.parse = drr_parse,
	.class = &drr_class,
};

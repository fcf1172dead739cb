// SPDX-License-Identifier: GPL-2.0-or-later
/* skbedit: sets what the stack knows of a packet: its class, its queue, its mark. */
#include <ctype.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <linux/tc_act/tc_skbedit.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "filters/masked.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

struct skbedit_cfg {
	uint32_t given;		/* SKBEDIT_F_... */
	uint32_t priority;	/* a class: 1:2 is 0x10002 */
	uint32_t mark;
	uint32_t mask;
	uint16_t queue;
	uint16_t ptype;
};

static const char *const skbedit_words[] = {
	"priority", "queue_mapping", "mark", "ptype", "inheritdsfield", "index", NULL
};

static const char *const ptypes[] = {
	[PACKET_HOST] = "host",
	[PACKET_BROADCAST] = "broadcast",
	[PACKET_MULTICAST] = "multicast",
	[PACKET_OTHERHOST] = "otherhost",
};

static int ptype_parse(struct diag *d, char **words, int i, uint16_t *ptype)
{
	for (size_t p = 0; p < sizeof(ptypes) / sizeof(ptypes[0]); p++)
		if (!strcmp(ptypes[p], words[i])) {
			*ptype = (uint16_t)p;
			return 0;
		}
	return diag_usage(d, i, "\"%s\": host, broadcast, multicast or otherhost", words[i]);
}

static int mark_parse(struct diag *d, char **words, int i, struct skbedit_cfg *c)
{
	if (masked_u32_parse(d, words, i, &c->mark, &c->mask))
		return -1;
	if (strchr(words[i], '/'))
		c->given |= SKBEDIT_F_MASK;
	return 0;
}

/* A priority is a class, whose colon tc lets be left out for a small number: hex in either form. */
static int priority_parse(struct diag *d, char **words, int i, uint32_t *priority)
{
	unsigned long v;
	char *end;

	if (!strcmp(words[i], "0:0") || !strcmp(words[i], "none")) {
		*priority = 0;
		return 0;
	}
	if (strchr(words[i], ':'))
		return classid_parse(d, words, i, priority);
	v = strtoul(words[i], &end, 16);
	if (*end || !isxdigit((unsigned char)words[i][0]) || v > UINT16_MAX)
		return diag_usage(d, i, "\"%s\": not MAJOR:MINOR, nor MINOR alone up to ffff (hex)",
				  words[i]);
	*priority = (uint32_t)v;
	return 0;
}

/* Reads the value of the word at @i, which takes one; 0, or -1 with @d filled. */
static int word_parse(struct diag *d, char **words, int i, struct skbedit_cfg *c, uint32_t *flag)
{
	uint64_t v = 0;
	int err;

	if (!strcmp(words[i], "priority")) {
		*flag = SKBEDIT_F_PRIORITY;
		return priority_parse(d, words, i + 1, &c->priority);
	}
	if (!strcmp(words[i], "queue_mapping")) {
		*flag = SKBEDIT_F_QUEUE_MAPPING;
		err = u64_parse(d, words, i + 1, 0, UINT16_MAX, &v);
		c->queue = (uint16_t)v;
		return err;
	}
	if (!strcmp(words[i], "mark")) {
		*flag = SKBEDIT_F_MARK;
		return mark_parse(d, words, i + 1, c);
	}
	*flag = SKBEDIT_F_PTYPE;
	return ptype_parse(d, words, i + 1, &c->ptype);
}

static bool takes_value(const char *word)
{
	return !strcmp(word, "priority") || !strcmp(word, "queue_mapping") ||
	       !strcmp(word, "mark") || !strcmp(word, "ptype");
}

static int skbedit_parse(struct diag *d, char **words, int i, int n, struct filter_action *act)
{
	struct skbedit_cfg *c = act->cfg;
	int start = i;

	while (i < n) {
		uint32_t flag = SKBEDIT_F_INHERITDSFIELD;
		bool value = takes_value(words[i]);

		if (!value && strcmp(words[i], "inheritdsfield"))
			break;
		if (value && i + 1 >= n)
			return diag_usage(d, i, "\"%s\" needs a value", words[i]);
		if (value && word_parse(d, words, i, c, &flag))
			return diag_context(d, 0, "%s", words[i]);
		if (c->given & flag)
			return diag_usage(d, i, "\"%s\" is there twice", words[i]);
		c->given |= flag;
		i += value ? 2 : 1;
	}
	if (i == start && (i >= n || strcmp(words[i], "index")))
		return diag_usage(d, i < n ? i : i - 1,
				  "priority, queue_mapping, mark, ptype or inheritdsfield is needed after \"%s\"",
				  words[i - 1]);
	act->control = TC_ACT_PIPE;
	i = control_parse(d, words, i, n, &act->control);
	return i < 0 ? i : index_parse(d, words, i, n, &act->index);
}

static void skbedit_fill(struct nlb *nlb, const struct filter_action *act)
{
	const struct skbedit_cfg *c = act->cfg;
	struct tc_skbedit parms = { .index = act->index, .action = act->control };

	nlb_put(nlb, TCA_SKBEDIT_PARMS, &parms, sizeof(parms));
	if (c->given & SKBEDIT_F_QUEUE_MAPPING)
		nlb_put(nlb, TCA_SKBEDIT_QUEUE_MAPPING, &c->queue, sizeof(c->queue));
	if (c->given & SKBEDIT_F_PRIORITY)
		nlb_put_u32(nlb, TCA_SKBEDIT_PRIORITY, c->priority);
	if (c->given & SKBEDIT_F_MARK)
		nlb_put_u32(nlb, TCA_SKBEDIT_MARK, c->mark);
	if (c->given & SKBEDIT_F_MASK)
		nlb_put_u32(nlb, TCA_SKBEDIT_MASK, c->mask);
	if (c->given & SKBEDIT_F_PTYPE)
		nlb_put(nlb, TCA_SKBEDIT_PTYPE, &c->ptype, sizeof(c->ptype));
	if (c->given & SKBEDIT_F_INHERITDSFIELD)
		nlb_put_u64(nlb, TCA_SKBEDIT_FLAGS, SKBEDIT_F_INHERITDSFIELD);
}

static void skbedit_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_SKBEDIT_MAX + 1];
	struct tc_skbedit p;
	char text[12];

	if (nla_parse_nested(tb, TCA_SKBEDIT_MAX, opts, NULL) < 0 || !tb[TCA_SKBEDIT_PARMS] ||
	    nla_len(tb[TCA_SKBEDIT_PARMS]) < (int)sizeof(p))
		return;
	memcpy(&p, nla_data(tb[TCA_SKBEDIT_PARMS]), sizeof(p));
	doc_text(doc, " ");	/* tc's, also when nothing follows that begins without one */
	if (tb[TCA_SKBEDIT_QUEUE_MAPPING])
		doc_u64(doc, "queue_mapping", "queue_mapping %" PRIu64,
			nla_get_u16(tb[TCA_SKBEDIT_QUEUE_MAPPING]));
	if (tb[TCA_SKBEDIT_PRIORITY])
		doc_str(doc, "priority", " priority %s",
			handle_format(text, nla_get_u32(tb[TCA_SKBEDIT_PRIORITY])));
	if (tb[TCA_SKBEDIT_MARK])
		doc_u64(doc, "mark", " mark %" PRIu64, nla_get_u32(tb[TCA_SKBEDIT_MARK]));
	if (tb[TCA_SKBEDIT_MASK])
		hex_show(doc, "mask", "/0x%s", nla_get_u32(tb[TCA_SKBEDIT_MASK]));
	if (tb[TCA_SKBEDIT_PTYPE]) {
		uint16_t ptype = nla_get_u16(tb[TCA_SKBEDIT_PTYPE]);

		if (ptype < sizeof(ptypes) / sizeof(ptypes[0]))
			doc_str(doc, "ptype", " ptype %s", ptypes[ptype]);
		else
			doc_u64(doc, "ptype", " ptype %" PRIu64, ptype);
	}
	if (tb[TCA_SKBEDIT_FLAGS] &&
	    nla_get_u64(tb[TCA_SKBEDIT_FLAGS]) & SKBEDIT_F_INHERITDSFIELD) {
		doc_null(doc, "inheritdsfield");	/* as tc has it */
		doc_text(doc, " inheritdsfield");
	}
	doc_text(doc, " ");
	control_show(doc, p.action);
	index_show(doc, "\t ", p.index, p.refcnt, p.bindcnt, tb[TCA_SKBEDIT_TM], view);
}

static const struct attr_desc skbedit_attrs[] = {
	ATTR(TCA_SKBEDIT_TM, ATTR_TCF_T),
	ATTR(TCA_SKBEDIT_PARMS, ATTR_TC_GEN),
	ATTR(TCA_SKBEDIT_PRIORITY, "handle"),
	ATTR(TCA_SKBEDIT_QUEUE_MAPPING, "u16"),
	ATTR(TCA_SKBEDIT_MARK, "x32"),
	ATTR(TCA_SKBEDIT_PAD, "hex"),
	ATTR(TCA_SKBEDIT_PTYPE, "u16"),
	ATTR(TCA_SKBEDIT_MASK, "x32"),
	ATTR(TCA_SKBEDIT_FLAGS, "x64"),
	ATTR(TCA_SKBEDIT_QUEUE_MAPPING_MAX, "u16"),
	ATTR_END
};

const struct action action_skbedit = {
	.name = "skbedit",
	.config = "CONFIG_NET_ACT_SKBEDIT",
	.words = skbedit_words,
	.cfg_size = sizeof(struct skbedit_cfg),
	.parse = skbedit_parse,
	.fill = skbedit_fill,
	.options = ATTR_OPTIONS("+", skbedit_attrs),
	.show = skbedit_show,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* u32 as tc shows it. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "filters/masked.h"
#include "filters/u32.h"
#include "pure/doc.h"

/* "800:", "800::800", "800:1:800" */
static char *u32_handle_format(char *buf, size_t len, uint32_t handle)
{
	size_t used = (size_t)snprintf(buf, len, "%x:", handle >> 20);

	if (TC_U32_HASH(handle))
		used += (size_t)snprintf(buf + used, len - used, "%x", TC_U32_HASH(handle));
	if (TC_U32_NODE(handle))
		snprintf(buf + used, len - used, ":%x", TC_U32_NODE(handle));
	return buf;
}

static void key_show(struct doc *doc, const struct tc_u32_key *key, const char *name,
		     const uint64_t *hits)
{
	doc_open_object(doc, name);
	hex_show(doc, "value", NULL, ntohl(key->val));
	hex_show(doc, "mask", NULL, ntohl(key->mask));
	doc_str(doc, "offmask", NULL, key->offmask ? "nexthdr+" : "");
	doc_i64(doc, "off", NULL, key->off);
	if (hits)
		doc_u64(doc, "success", NULL, *hits);
	doc_close_object(doc);
}

/*
 * tc writes one "match" per key into the same object, of which a reader of
 * JSON keeps the last: that one is here, and all are in "matches".
 */
static void keys_show(struct doc *doc, const struct tc_u32_sel *sel, const struct tc_u32_key *keys,
		      const struct tc_u32_pcnt *hits, const uint64_t *kcnts)
{
	if (!sel->nkeys)
		return;
	for (unsigned int k = 0; k < sel->nkeys; k++) {
		doc_text(doc, "\n  match %08x/%08x at %s%d", ntohl(keys[k].val), ntohl(keys[k].mask),
			 keys[k].offmask ? "nexthdr+" : "", keys[k].off);
		if (hits)
			doc_text(doc, " (success %" PRIu64 " )", kcnts[k]);
	}
	key_show(doc, &keys[sel->nkeys - 1], "match", NULL);
	doc_open_array(doc, "matches");
	for (unsigned int k = 0; k < sel->nkeys; k++)
		key_show(doc, &keys[k], "", hits ? &kcnts[k] : NULL);
	doc_close_array(doc);
}

static void table_show(struct doc *doc, struct nlattr **tb)
{
	if (tb[TCA_U32_DIVISOR]) {
		doc_u64(doc, "ht_divisor", " ht divisor %" PRIu64, nla_get_u32(tb[TCA_U32_DIVISOR]));
	} else if (tb[TCA_U32_HASH]) {
		uint32_t table = nla_get_u32(tb[TCA_U32_HASH]);

		hex_show(doc, "key_ht", " key ht %s", TC_U32_USERHTID(table));
		hex_show(doc, "bkt", " bkt %s", TC_U32_HASH(table));
	}
}

static void offset_show(struct doc *doc, const struct tc_u32_sel *sel)
{
	if (sel->flags & (TC_U32_VAROFFSET | TC_U32_OFFSET)) {
		doc_text(doc, "\n    offset");
		if (sel->flags & TC_U32_VAROFFSET) {
			doc_text(doc, " %04x>>%d at %d", ntohs(sel->offmask), sel->offshift, sel->offoff);
			hex_show(doc, "offset_mask", NULL, ntohs(sel->offmask));
			doc_i64(doc, "offset_shift", NULL, sel->offshift);
			doc_i64(doc, "offset_off", NULL, sel->offoff);
		}
		if (sel->off)
			doc_i64(doc, "plus", " plus %" PRId64, sel->off);
	}
	if (sel->flags & TC_U32_EAT)
		doc_text(doc, "  eat");
	if (sel->hmask) {
		hex_show(doc, "hash_mask", NULL, ntohl(sel->hmask));
		doc_text(doc, "\n    hash mask %08x", ntohl(sel->hmask));
		doc_i64(doc, "hash_off", " at %" PRId64, sel->hoff);
	}
}

static void mark_show(struct doc *doc, struct nlattr *attr)
{
	struct tc_u32_mark mark;
	char text[16];

	if (!attr || nla_len(attr) < (int)sizeof(mark))
		return;
	memcpy(&mark, nla_data(attr), sizeof(mark));
	snprintf(text, sizeof(text), "0x%x", mark.val);
	doc_str(doc, "fwmark_value", NULL, text);
	snprintf(text, sizeof(text), "0x%x", mark.mask);
	doc_str(doc, "fwmark_mask", NULL, text);
	doc_text(doc, "\n  mark 0x%04x 0x%04x", mark.val, mark.mask);
	doc_u64(doc, "fwmark_success", " (success %" PRIu64 ")", mark.success);
}

/* The counters are behind a head of their own: rcnt, rhit, then one per key. */
static bool hits_get(struct nlattr *attr, struct tc_u32_pcnt *hits, uint64_t *kcnts,
		     unsigned int nkeys)
{
	if (!attr || nla_len(attr) < (int)(sizeof(*hits) + nkeys * sizeof(*kcnts)))
		return false;
	memcpy(hits, nla_data(attr), sizeof(*hits));
	memcpy(kcnts, (char *)nla_data(attr) + sizeof(*hits), nkeys * sizeof(*kcnts));
	return true;
}

static bool sel_get(struct nlattr *attr, struct tc_u32_sel *sel, struct tc_u32_key *keys)
{
	if (!attr || nla_len(attr) < (int)sizeof(*sel))
		return false;
	memcpy(sel, nla_data(attr), sizeof(*sel));
	if (sel->nkeys > U32_KEYS_MAX ||
	    nla_len(attr) < (int)(sizeof(*sel) + sel->nkeys * sizeof(*keys)))
		return false;
	memcpy(keys, (char *)nla_data(attr) + sizeof(*sel), sel->nkeys * sizeof(*keys));
	return true;
}

void u32_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct tc_u32_key keys[U32_KEYS_MAX];
	uint64_t kcnts[U32_KEYS_MAX];
	struct nlattr *tb[TCA_U32_MAX + 1];
	struct tc_u32_sel sel = { 0 };
	struct tc_u32_pcnt hits;
	char text[16];
	bool selects, counted;

	if (nla_parse_nested(tb, TCA_U32_MAX, opts, NULL) < 0)
		return;
	selects = sel_get(tb[TCA_U32_SEL], &sel, keys);
	if (view->handle)
		doc_str(doc, "fh", " fh %s", u32_handle_format(text, sizeof(text), view->handle));
	if (TC_U32_NODE(view->handle))
		doc_u64(doc, "order", " order %" PRIu64, TC_U32_NODE(view->handle));
	table_show(doc, tb);
	if (tb[TCA_U32_CLASSID])
		filter_classid_show(doc, tb[TCA_U32_CLASSID], "flowid",
				    sel.flags & TC_U32_TERMINAL ? " *" : " ");
	else if (sel.flags & TC_U32_TERMINAL)
		doc_text(doc, " terminal flowid");
	if (tb[TCA_U32_LINK])
		doc_str(doc, "link", " link %s",
			u32_handle_format(text, sizeof(text), nla_get_u32(tb[TCA_U32_LINK])));
	filter_flags_show(doc, tb[TCA_U32_FLAGS], " ");
	counted = view->statistics && selects &&
		  hits_get(tb[TCA_U32_PCNT], &hits, kcnts, sel.nkeys);
	if (counted) {
		doc_u64(doc, "rule_hit", " (rule hit %" PRIu64, hits.rcnt);
		doc_u64(doc, "success", " success %" PRIu64 ")", hits.rhit);
	}
	mark_show(doc, tb[TCA_U32_MARK]);
	keys_show(doc, &sel, keys, counted ? &hits : NULL, kcnts);
	offset_show(doc, &sel);
	if (tb[TCA_U32_INDEV])
		doc_str(doc, "input_dev", "\n  input dev %s\n", nla_get_string(tb[TCA_U32_INDEV]));
	actions_show(doc, tb[TCA_U32_ACT], view);
}

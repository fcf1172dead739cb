// SPDX-License-Identifier: GPL-2.0-or-later
/* u32: packets by the bits at given places. Hash tables of one's own are not made, only shown. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_cls.h>

#include "filters/filter-spec.h"
#include "filters/u32.h"
#include "pure/diag.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

enum { U32_MATCH = FILTER_OWN };

static int match_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	return u32_match_take(d, words, i, n, spec->cfg);
}

static const struct filter_word u32_words[] = {
	{ "match", U32_MATCH, .many = true, .take = match_take },
	{ NULL }
};

/* Up to @max, hex; nothing is 0. Moves @p on; -1 if it is too large. */
static long hex_part(const char **p, unsigned long max)
{
	unsigned long v = 0;
	char *end;

	if (isxdigit((unsigned char)**p)) {
		v = strtoul(*p, &end, 16);
		*p = end;
	}
	return v > max ? -1 : (long)v;
}

/* TABLE:BUCKET:NODE in 12, 8 and 12 bits: TC_U32_USERHTID() and friends. */
int u32_handle_parse(struct diag *d, char **words, int i, uint32_t *handle)
{
	const char *p = words[i];
	long table, bucket = 0, node = 0;

	table = hex_part(&p, 0xfff);
	if (table < 0 || *p != ':')
		return diag_usage(d, i, "\"%s\": not TABLE:BUCKET:NODE in hex, such as 800::800", words[i]);
	p++;
	bucket = hex_part(&p, 0xff);
	if (*p == ':') {
		p++;
		node = hex_part(&p, 0xfff);
	}
	if (bucket < 0 || node < 0 || *p)
		return diag_usage(d, i, "\"%s\": not TABLE:BUCKET:NODE in hex, such as 800::800", words[i]);
	*handle = (uint32_t)table << 20 | (uint32_t)bucket << 12 | (uint32_t)node;
	return 0;
}

static int handle_read(struct diag *d, char **words, int i, struct filter_spec *spec)
{
	return u32_handle_parse(d, words, i, &spec->handle);
}

static int u32_check(struct diag *d, const struct filter_spec *spec)
{
	if (!(spec->given & 1u << U32_MATCH))
		return diag_usage(d, -1, "\"match\" is needed (\"match u32 0 0\" is every packet)");
	return 0;
}

static void u32_fill(struct nlb *nlb, const struct filter_spec *spec)
{
	const struct u32_cfg *c = spec->cfg;
	struct {
		struct tc_u32_sel sel;
		struct tc_u32_key key[U32_KEYS_MAX];
	} wire = { .sel = c->sel };

	/* with a class or an action the search ends here */
	if (spec->given & (1u << FILTER_CLASSID | 1u << FILTER_ACTION))
		wire.sel.flags |= TC_U32_TERMINAL;
	memcpy(wire.key, c->key, sizeof(wire.key));
	if (spec->given & 1u << U32_MATCH)
		nlb_put(nlb, TCA_U32_SEL, &wire,
			sizeof(wire.sel) + c->sel.nkeys * sizeof(wire.key[0]));
	if (c->marked)
		nlb_put(nlb, TCA_U32_MARK, &c->mark, sizeof(c->mark));
}

static const struct attr_desc u32_attrs[] = {
	ATTR(TCA_U32_CLASSID, "handle"),
	ATTR(TCA_U32_HASH, "x32"),
	ATTR(TCA_U32_LINK, "x32"),
	ATTR(TCA_U32_DIVISOR, "u32"),
	ATTR(TCA_U32_SEL, "flags=x8 offshift=u8 nkeys=u8 .pad=u8 offmask=xbe16 off=u16 offoff=s16 hoff=s16 hmask=xbe32 key=u32-key*"),
	ATTR(TCA_U32_POLICE, "hex"),
	ATTR_NEST(TCA_U32_ACT, actions_attrs),
	ATTR(TCA_U32_INDEV, "str"),
	ATTR(TCA_U32_PCNT, "rcnt=u64 rhit=u64 kcnt=u64*"),
	ATTR(TCA_U32_MARK, "val=x32 mask=x32 success=u32"),
	ATTR(TCA_U32_FLAGS, "x32"),
	ATTR(TCA_U32_PAD, "hex"),
	ATTR_END
};

const struct classifier classifier_u32 = {
	.name = "u32",
	.config = "CONFIG_NET_CLS_U32",
	.words = u32_words,
	.values = u32_match_words,
	.cfg_size = sizeof(struct u32_cfg),
	.handle = handle_read,
	.check = u32_check,
	.fill = u32_fill,
	.options = ATTR_OPTIONS("+", u32_attrs),
	.show = u32_show,
	.classid_attr = TCA_U32_CLASSID,
	.flags_attr = TCA_U32_FLAGS,
	.act_attr = TCA_U32_ACT,
};

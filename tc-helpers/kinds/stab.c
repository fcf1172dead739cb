// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Size tables, tc-stab(8): a packet counts for as many bytes as the link
 * below (ATM cells, a tunnel's headers) needs for it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>

#include "kinds/rate.h"
#include "kinds/stab.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/nlb.h"

#define STAB_MTU 2047		/* tc's defaults, tc-stab(8) */
#define STAB_TSIZE 512
#define STAB_TSIZE_MAX 16384	/* an attribute has 64 KiB, and the qdisc's options want some */

/* ATM: 48 bytes go into a cell of 53. */
#define CELL_PAYLOAD 48
#define CELL 53

enum { STAB_MTU_, STAB_MPU, STAB_TSIZE_, STAB_OVERHEAD, STAB_LINKLAYER };

#define F(name) offsetof(struct stab, name)
#define GIVEN(s, word) ((s)->given & 1u << (word))

const struct keyword stab_words[] = {
	{ "mtu", STAB_MTU_, 1, { { KW_U32, F(mtu) } } },
	{ "mpu", STAB_MPU, 1, { { KW_U32, F(mpu) } } },
	{ "tsize", STAB_TSIZE_, 1, { { KW_U32, F(tsize) } }, .max = STAB_TSIZE_MAX },
	{ "overhead", STAB_OVERHEAD, 1, { { KW_S32, F(overhead) } } },
	{ "linklayer", STAB_LINKLAYER, 1, { { KW_OTHER, F(linklayer) } },
	  .parse = linklayer_parse },
	{ NULL }
};

int stab_parse(struct diag *d, char **words, int i, int n, struct stab *stab)
{
	int used = keywords_read(d, stab_words, words + i + 1, n - i - 1, stab, &stab->given);

	if (used < 0) {
		diag_context(d, i + 1, "stab");
		return used;
	}
	if (!stab->overhead && !stab->mpu && !stab->linklayer)
		return diag_usage(d, i, "\"stab\" does nothing without \"overhead\", \"mpu\" or \"linklayer\"");
	return used;
}

/* What a packet of @size bytes counts for, before the overhead. */
static uint64_t counted(const struct stab *stab, uint64_t size)
{
	if (size < stab->mpu)
		size = stab->mpu;
	if (stab->linklayer == TC_LINKLAYER_ATM)
		size = (size + CELL_PAYLOAD - 1) / CELL_PAYLOAD * CELL;
	return size;
}

/* Ethernet without a least size needs no table: the overhead says it all. */
static bool needs_table(const struct stab *stab)
{
	return stab->mpu || stab->linklayer == TC_LINKLAYER_ATM;
}

/*
 * Entry i is for packets of up to (i + 1) << cell_log bytes, and the kernel
 * looks up with the length less one: hence the cell_align of -1.
 */
static uint16_t *table_make(const struct stab *stab, struct tc_sizespec *spec)
{
	uint16_t *data = calloc(spec->tsize, sizeof(*data));

	if (!data)
		return NULL;
	while (spec->cell_log < 31 && (uint64_t)spec->mtu >> spec->cell_log > spec->tsize - 1)
		spec->cell_log++;
	while (counted(stab, (uint64_t)spec->tsize << spec->cell_log) >> spec->size_log > UINT16_MAX)
		spec->size_log++;
	for (uint32_t i = 0; i < spec->tsize; i++)
		data[i] = (uint16_t)(counted(stab, (uint64_t)(i + 1) << spec->cell_log) >>
				     spec->size_log);
	spec->cell_align = -1;
	return data;
}

void stab_fill(struct nlb *nlb, const struct stab *stab)
{
	struct tc_sizespec spec = {
		.overhead = stab->overhead, .linklayer = stab->linklayer, .mpu = stab->mpu,
	};
	uint16_t *data = NULL;
	size_t nest;

	if (!stab->given)
		return;
	if (needs_table(stab)) {
		spec.mtu = stab->mtu ? stab->mtu : STAB_MTU;
		spec.tsize = stab->tsize ? stab->tsize : STAB_TSIZE;
		data = table_make(stab, &spec);
		if (!data) {
			nlb->err = -ENOMEM;
			return;
		}
	}
	nest = nlb_nest(nlb, TCA_STAB);
	nlb_put(nlb, TCA_STAB_BASE, &spec, sizeof(spec));
	if (data)
		nlb_put(nlb, TCA_STAB_DATA, data, spec.tsize * sizeof(*data));
	nlb_nest_end(nlb, nest);
	free(data);
}

void stab_show(struct doc *doc, struct nlattr *attr)
{
	struct nlattr *tb[TCA_STAB_MAX + 1];
	struct tc_sizespec spec;

	if (!attr || nla_parse_nested(tb, TCA_STAB_MAX, attr, NULL) < 0 || !tb[TCA_STAB_BASE] ||
	    nla_len(tb[TCA_STAB_BASE]) < (int)sizeof(spec))
		return;
	memcpy(&spec, nla_data(tb[TCA_STAB_BASE]), sizeof(spec));
	doc_open_object(doc, "stab");
	doc_text(doc, "\n");
	if (spec.linklayer)
		doc_str(doc, "linklayer", " linklayer %s", linklayer_name(spec.linklayer));
	if (spec.overhead)
		doc_i64(doc, "overhead", " overhead %" PRId64, spec.overhead);
	if (spec.mpu)
		doc_u64(doc, "mpu", " mpu %" PRIu64, spec.mpu);
	if (spec.mtu)
		doc_u64(doc, "mtu", " mtu %" PRIu64, spec.mtu);
	if (spec.tsize)
		doc_u64(doc, "tsize", " tsize %" PRIu64, spec.tsize);
	doc_close_object(doc);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Traffic classes and their queues, as mqprio and taprio have them. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>

#include "kinds/tcmap.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"

static int map_parse(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	uint64_t v;
	int err = u64_parse(d, words, i, 0, TC_QOPT_MAX_QUEUE - 1, &v);

	if (!err)
		((uint8_t *)array)[k] = (uint8_t)v;
	return err;
}

int tcmap_map_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct tcmap *m = cfg;
	int k;

	(void)kw;
	memset(m->opt.prio_tc_map, 0, sizeof(m->opt.prio_tc_map));
	k = keyword_list(d, words, n, i, 1, sizeof(m->opt.prio_tc_map), like_a_number, map_parse,
			 m->opt.prio_tc_map);
	if (k < 0)
		return k;
	m->nmap = (uint32_t)k;
	return i + 1 + k;
}

/* COUNT@OFFSET, 16 bits each */
static int range_parse(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	struct tc_mqprio_qopt *opt = array;
	char text[16], *half[2] = { text, NULL };
	uint64_t v[2];
	int err = 0;

	snprintf(text, sizeof(text), "%s", words[i]);
	half[1] = strchr(text, '@');
	if (strlen(words[i]) >= sizeof(text) || !half[1])
		return diag_usage(d, i, "\"%s\": not COUNT@OFFSET", words[i]);
	*half[1]++ = '\0';
	for (int h = 0; h < 2 && !err; h++)
		err = u64_parse(d, half, h, h ? 0 : 1, UINT16_MAX, &v[h]);
	if (err) {
		d->word = i;
		return diag_context(d, 0, "\"%s\"", words[i]);
	}
	opt->count[k] = (uint16_t)v[0];
	opt->offset[k] = (uint16_t)v[1];
	return 0;
}

int tcmap_queues_take(struct diag *d, const struct keyword *kw, char **words, int n, int i,
		      void *cfg)
{
	struct tcmap *m = cfg;
	int k = keyword_list(d, words, n, i, 1, TC_QOPT_MAX_QUEUE, like_a_number, range_parse,
			     &m->opt);

	(void)kw;
	if (k < 0)
		return k;
	m->nqueues = (uint32_t)k;
	return i + 1 + k;
}

static bool like_fp(const char *word)
{
	return isalpha((unsigned char)word[0]) && !word[1];
}

static int fp_parse(struct diag *d, char **words, int i, unsigned int k, void *array)
{
	if (strcmp(words[i], "E") && strcmp(words[i], "P"))
		return diag_usage(d, i, "\"%s\": E (express) or P (preemptible)", words[i]);
	((uint32_t *)array)[k] = *words[i] == 'E' ? TC_FP_EXPRESS : TC_FP_PREEMPTIBLE;
	return 0;
}

int tcmap_fp_take(struct diag *d, const struct keyword *kw, char **words, int n, int i, void *cfg)
{
	struct tcmap *m = cfg;
	int k = keyword_list(d, words, n, i, 1, TC_QOPT_MAX_QUEUE, like_fp, fp_parse, m->fp);

	(void)kw;
	if (k < 0)
		return k;
	m->nfp = (uint32_t)k;
	return i + 1 + k;
}

static int check_priorities(struct diag *d, const struct tcmap *m)
{
	for (uint32_t i = 0; i < sizeof(m->opt.prio_tc_map); i++) {
		uint32_t tc = m->opt.prio_tc_map[i];

		if (tc < m->num_tc)
			continue;
		if (m->nmap)
			return diag_usage(d, -1, "map: priority %u: traffic class %u: there are %u, counted from 0",
					  i, tc, m->num_tc);
		return diag_usage(d, -1, "\"map\" is needed: without it priority %u is of traffic class %u, and there are %u, counted from 0",
				  i, tc, m->num_tc);
	}
	return 0;
}

static int check_overlap(struct diag *d, const struct tc_mqprio_qopt *opt, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (opt->offset[i] < opt->offset[k] + opt->count[k] &&
			    opt->offset[k] < opt->offset[i] + opt->count[i])
				return diag_usage(d, -1, "queues: %u@%u and %u@%u overlap",
						  opt->count[i], opt->offset[i], opt->count[k],
						  opt->offset[k]);
	return 0;
}

int tcmap_check(struct diag *d, const struct tcmap *m, bool queues, bool overlap)
{
	int err = check_priorities(d, m);

	if (err)
		return err;
	if (m->nqueues > m->num_tc)
		return diag_usage(d, -1, "queues: %u ranges for %u traffic classes", m->nqueues,
				  m->num_tc);
	if (m->nfp > m->num_tc)
		return diag_usage(d, -1, "fp: %u values for %u traffic classes", m->nfp, m->num_tc);
	if (queues && m->nqueues < m->num_tc)
		return diag_usage(d, -1, "queues: traffic class %u of %u, counted from 0, has none",
				  m->nqueues, m->num_tc);
	return overlap ? 0 : check_overlap(d, &m->opt, m->nqueues);
}

int tcmap_judge(struct diag *d, const struct tcmap *m, unsigned int queues)
{
	for (uint32_t i = 0; i < m->nqueues; i++)
		if (m->opt.offset[i] + m->opt.count[i] > queues)
			return diag_failed(d, EINVAL, "queues %u@%u: the device has %u transmit queues in use, 0 to %u",
					   m->opt.count[i], m->opt.offset[i], queues, queues - 1);
	return 0;
}

bool tcmap_show(struct doc *doc, const struct tc_mqprio_qopt *opt)
{
	if (opt->num_tc > TC_QOPT_MAX_QUEUE)
		return false;
	doc_u64(doc, "tc", " tc %" PRIu64, opt->num_tc);
	doc_open_array(doc, "map");
	doc_text(doc, " map");
	for (size_t i = 0; i < sizeof(opt->prio_tc_map); i++)
		doc_u64(doc, "", " %" PRIu64, opt->prio_tc_map[i]);
	doc_close_array(doc);
	return true;
}

static uint32_t entry_u32(struct nlattr *entry, int type, uint32_t otherwise)
{
	struct nlattr *a = nla_find(nla_data(entry), nla_len(entry), type);
	uint32_t v = otherwise;

	if (a && nla_len(a) >= (int)sizeof(v))
		memcpy(&v, nla_data(a), sizeof(v));
	return v;
}

void tc_entries_read(struct tc_entries *e, const void *attrs, int len, int type, int max_sdu,
		     int fp)
{
	struct nlattr *a = (struct nlattr *)attrs;

	memset(e, 0, sizeof(*e));
	for (; nla_ok(a, len); a = nla_next(a, &len)) {
		uint32_t tc;

		if (nla_type(a) != type)
			continue;
		tc = entry_u32(a, 1, UINT32_MAX);	/* TCA_MQPRIO_TC_ENTRY_INDEX, TCA_TAPRIO_TC_ENTRY_INDEX */
		if (tc >= TC_QOPT_MAX_QUEUE)
			continue;
		e->fp[tc] = entry_u32(a, fp, 0);
		if (e->fp[tc] && e->nfp <= (int)tc)
			e->nfp = (int)tc + 1;
		if (!max_sdu || entry_u32(a, max_sdu, UINT32_MAX) == UINT32_MAX)
			continue;
		e->max_sdu[tc] = entry_u32(a, max_sdu, 0);
		if (e->nmax_sdu <= (int)tc)
			e->nmax_sdu = (int)tc + 1;
	}
}

void tc_entries_show_fp(struct doc *doc, const struct tc_entries *e, const char *lead)
{
	if (!e->nfp)
		return;
	doc_open_array(doc, "fp");
	doc_text(doc, "%s", lead);
	for (int i = 0; i < e->nfp; i++)
		doc_str(doc, "", " %s", e->fp[i] == TC_FP_PREEMPTIBLE ? "P" :
					e->fp[i] == TC_FP_EXPRESS ? "E" : "?");
	doc_close_array(doc);
}

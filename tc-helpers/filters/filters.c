// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include <linux/pkt_cls.h>
#include <netlink/attr.h>

#include "filters/filter-spec.h"
#include "filters/filters.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/names.h"
#include "wire/rt-names.h"

const struct classifier *const classifiers[] = {
	&classifier_matchall,
	&classifier_u32,
	&classifier_flower,
	&classifier_fw,
	NULL
};

const struct classifier *classifier_find(const char *name)
{
	for (const struct classifier *const *kind = classifiers; *kind; kind++)
		if (!strcmp((*kind)->name, name))
			return *kind;
	return NULL;
}

char *classifiers_names(char *buf, size_t len)
{
	size_t used = 0;

	*buf = '\0';
	for (const struct classifier *const *kind = classifiers; *kind && used < len; kind++)
		used += (size_t)snprintf(buf + used, len - used, "%s%s", used ? ", " : "",
					 (*kind)->name);
	return buf;
}

const struct attr_desc *tc_options_find(enum attr_by by, const char *name)
{
	const struct classifier *filter;
	const struct action *action;
	const struct kind *kind;

	switch (by) {
	case ATTR_BY_QDISC:
		kind = kind_find(name);
		return kind ? kind->options : NULL;
	case ATTR_BY_CLASS:
		kind = kind_find(name);
		return kind && kind->class ? kind->class->options : NULL;
	case ATTR_BY_FILTER:
		filter = classifier_find(name);
		return filter ? filter->options : NULL;
	case ATTR_BY_ACTION:
		action = action_find(name);
		return action ? action->options : NULL;
	case ATTR_BY_LINK:
		return link_options(name);
	default:
		return NULL;
	}
}

static const struct filter_word *word_find(const struct filter_word *table, const char *word)
{
	for (; table && table->word; table++)
		if (!strcmp(table->word, word))
			return table;
	return NULL;
}

int filter_words_take(struct diag *d, const struct filter_word *own,
		      const struct filter_word *common, char **words, int i, int n,
		      struct filter_spec *spec)
{
	while (i < n) {
		const struct filter_word *fw = word_find(own, words[i]);
		int at = i;

		if (!fw)
			fw = word_find(common, words[i]);
		if (!fw)
			return i;
		if (!fw->many && spec->given & 1u << fw->bit)
			return diag_usage(d, i, "\"%s\" is there twice", words[i]);
		spec->given |= 1u << fw->bit;
		i = fw->take(d, words, i + 1, n, spec);
		if (i < 0)
			return diag_context(d, 0, "%s", words[at]);
	}
	return i;
}

void filter_flags_show(struct doc *doc, struct nlattr *attr, const char *lead)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ TCA_CLS_FLAGS_SKIP_HW, "skip_hw" },
		{ TCA_CLS_FLAGS_SKIP_SW, "skip_sw" },
		{ TCA_CLS_FLAGS_IN_HW, "in_hw" },
		{ TCA_CLS_FLAGS_NOT_IN_HW, "not_in_hw" },
	};
	uint32_t flags;

	if (!attr || nla_len(attr) < (int)sizeof(flags))
		return;
	flags = nla_get_u32(attr);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(flags & names[i].flag))
			continue;
		doc_text(doc, "%s%s", lead, names[i].name);
		doc_bool(doc, names[i].name, NULL, true);
	}
}

void filter_classid_show(struct doc *doc, struct nlattr *attr, const char *key,
			 const char *lead)
{
	char classid[12];

	if (!attr || nla_len(attr) < 4)
		return;
	handle_format(classid, nla_get_u32(attr));
	doc_text(doc, "%s%s %s", lead, key, classid);
	doc_str(doc, key, NULL, classid);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a kernel tells of a qdisc or class, through the kinds' show and xstats functions, with a
 * short, long or odd attribute as well. Input: number of the kind, which function, the attribute's
 * bytes.
 */
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "kinds/kinds.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/doc.h"

#define WORDS_MAX 200
#define BYTES_MAX (UINT16_MAX - NLA_HDRLEN)

static size_t kinds_count(void)
{
	size_t n = 0;

	while (kinds[n])
		n++;
	return n;
}

/* Function @which of @kind: 0 show, 1 xstats, 2 and 3 those of its classes; + 4: with details. */
static void call(const struct kind *kind, uint8_t which, struct doc *doc, struct nlattr *attr)
{
	const struct kind_class *class = kind->class;

	if ((which & 3) == 0 && kind->show)
		kind->show(doc, attr);
	else if ((which & 3) == 1 && kind->xstats)
		kind->xstats(doc, attr);
	else if ((which & 3) == 2 && class && class->show)
		class->show(doc, attr, which & 4);
	else if ((which & 3) == 3 && class && class->xstats)
		class->xstats(doc, attr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct nlattr *attr;
	struct doc *doc;

	if (len < 2 || len - 2 > BYTES_MAX)
		return 0;
	attr = malloc(NLA_HDRLEN + len - 2);
	doc = doc_new();
	must(attr && doc);
	attr->nla_type = TCA_OPTIONS;
	attr->nla_len = (uint16_t)(NLA_HDRLEN + len - 2);
	memcpy((char *)attr + NLA_HDRLEN, data + 2, len - 2);
	doc_open_object(doc, NULL);
	call(kinds[data[0] % kinds_count()], data[1], doc, attr);
	must_be_sound(doc);
	doc_free(doc);
	free(attr);
	return 0;
}

static seed_fn *sink;

/* The options of a message are much like those that the kernel tells. */
static void give(const struct tc_spec *spec, struct nlattr *opts)
{
	uint8_t *data = malloc((size_t)nla_len(opts) + 2);
	uint8_t number = 0;

	must(data);
	while (kinds[number] != spec->kind)
		number++;
	data[0] = number;
	data[1] = spec->object == OBJECT_CLASS ? 2 : 0;
	memcpy(data + 2, nla_data(opts), (size_t)nla_len(opts));
	sink(data, (size_t)nla_len(opts) + 2);
	data[1] |= 1;
	sink(data, (size_t)nla_len(opts) + 2);
	data[1] ^= 5;
	sink(data, (size_t)nla_len(opts) + 2);
	free(data);
}

static void line_message(const void *line, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(line, len);
	int n = split_words(text, words, WORDS_MAX), i = 0;
	enum tc_object object = OBJECT_QDISC;
	struct tc_spec spec;
	struct nl_msg *msg;
	struct nlattr *opts;
	struct diag d;

	while (i < n && (words[i][0] == '@' || words[i][0] == '+'))
		i++;
	if (i < n && !strcmp(words[i], "class")) {
		object = OBJECT_CLASS;
		i++;
	}
	diag_init(&d);
	if (!tc_spec_parse(&d, NULL, object, OP_ADD, words + i, n - i, &spec) &&
	    !tc_spec_msg(&spec, OP_ADD, 7, &msg)) {
		opts = nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_OPTIONS);
		if (opts)
			give(&spec, opts);
		nlmsg_free(msg);
	}
	tc_spec_free(&spec);
	diag_free(&d);
	free(text);
}

void fuzz_seeds(seed_fn *seed)
{
	sink = seed;
	seed_lines("tests/data/tc-lines", line_message);
}

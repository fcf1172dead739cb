// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tc's words: a line of the tables of tests/data/tc-lines. What is taken becomes a sound message, and
 * what it would be shown as is sound JSON.
 */
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/doc.h"

#define WORDS_MAX 200

static void show(const struct tc_spec *spec, struct nlattr *opts)
{
	const struct kind_class *class = spec->kind->class;
	struct doc *doc = doc_new();

	must(doc);
	doc_open_object(doc, NULL);
	if (spec->object == OBJECT_QDISC && spec->kind->show)
		spec->kind->show(doc, opts);
	else if (spec->object == OBJECT_CLASS && class->show)
		class->show(doc, opts, true);
	must_be_sound(doc);
	doc_free(doc);
}

static void check(const struct tc_spec *spec, enum tc_op op)
{
	struct nlattr *tb[TCA_MAX + 1];
	struct nl_msg *msg;

	if (tc_spec_msg(spec, op, 7, &msg))
		return;
	must(!nlmsg_parse(nlmsg_hdr(msg), sizeof(struct tcmsg), tb, TCA_MAX, NULL));
	if (spec->kind) {
		must(tb[TCA_KIND] && !strcmp(nla_get_string(tb[TCA_KIND]), spec->kind->name));
		if (tb[TCA_OPTIONS])
			show(spec, tb[TCA_OPTIONS]);
	}
	nlmsg_free(msg);
}

static enum tc_op op_of(const char *word)
{
	for (enum tc_op op = OP_ADD; op <= OP_SHOW; op++)
		if (!strcmp(word, tc_op_name(op)))
			return op;
	return OP_ADD;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(data, len);
	int n = split_words(text, words, WORDS_MAX), i = 0;
	enum tc_object object = OBJECT_QDISC;
	struct tc_spec spec;
	enum tc_op op;
	struct diag d;

	while (i < n && (words[i][0] == '@' || words[i][0] == '+'))
		i++;
	if (i < n && !strcmp(words[i], "class")) {
		object = OBJECT_CLASS;
		i++;
	}
	op = i < n ? op_of(words[i]) : OP_ADD;
	if (i < n && !strcmp(words[i], tc_op_name(op)))
		i++;
	diag_init(&d);
	if (!tc_spec_parse(&d, object, op, words + i, n - i, &spec)) {
		if (op != OP_SHOW)
			check(&spec, op);
	} else {
		must(d.exit != EXIT_DONE && d.text[0] && d.word < n);
	}
	tc_spec_free(&spec);
	diag_free(&d);
	free(text);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	seed_lines("tests/data/tc-lines", seed);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tc's words: a line of the tables of tests/data/tc-lines. What is taken becomes a sound message, and
 * what it would be shown as is sound JSON.
 */
#include <errno.h>
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

static int table(struct diag *d, char **words, int i, char **text, size_t *len)
{
	if (!strcmp(words[i], "nosuch"))
		return diag_failed(d, ENOENT, "table");
	*text = strdup("-8192 0 8191");
	must(*text);
	*len = strlen(*text);
	return 0;
}

static int speed(struct diag *d, const char *netns, const struct link_end *end, uint64_t *bps)
{
	if (!end->dev[0])
		return diag_usage(d, -1, "no device");
	*bps = 10000000000;
	return 0;
}

static const struct tc_env env = { .units = TC_UNITS_6_1, .table = table, .speed = speed };

static void judge(const struct tc_env *e, enum tc_object object, enum tc_op op, char **words, int n)
{
	struct tc_spec spec;
	struct diag d;

	diag_init(&d);
	if (!tc_spec_parse(&d, e, object, op, words, n, &spec)) {
		if (op != OP_SHOW)
			check(&spec, op);
	} else {
		must(d.exit != EXIT_DONE && d.text[0] && d.word < n);
	}
	tc_spec_free(&spec);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(data, len);
	int n = split_words(text, words, WORDS_MAX), i = 0;
	enum tc_object object = OBJECT_QDISC;
	enum tc_op op;

	while (i < n && (words[i][0] == '@' || words[i][0] == '+'))
		i++;
	if (i < n && !strcmp(words[i], "class")) {
		object = OBJECT_CLASS;
		i++;
	}
	op = i < n ? op_of(words[i]) : OP_ADD;
	if (i < n && !strcmp(words[i], tc_op_name(op)))
		i++;
	judge(NULL, object, op, words + i, n - i);
	judge(&env, object, op, words + i, n - i);
	free(text);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	seed_lines("tests/data/tc-lines", seed);
}

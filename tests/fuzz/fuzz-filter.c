// SPDX-License-Identifier: GPL-2.0-or-later
/* tc's words for filters. What is taken becomes a sound message with a name for each attribute, and is shown as sound JSON. */
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "filters/filter-spec.h"
#include "fuzz.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "wire/nl-decode.h"

#define WORDS_MAX 200

static const char *ifname(void *arg, int ifindex)
{
	(void)arg;
	(void)ifindex;
	return "eth1";
}

static void show(const struct filter_spec *spec, struct nlattr *opts)
{
	const struct filter_view view = { .statistics = true, .handle = spec->handle, .ifname = ifname };
	struct doc *doc = doc_new();

	must(doc);
	doc_open_object(doc, NULL);
	spec->kind->show(doc, opts, &view);
	must_be_sound(doc);
	doc_free(doc);
}

static void check(const struct filter_spec *spec, enum tc_op op)
{
	struct nlattr *tb[TCA_MAX + 1];
	unsigned int unknown;
	struct nl_msg *msg;
	char *text;

	if (filter_spec_msg(spec, op, 7, &msg))
		return;
	must(!nlmsg_parse(nlmsg_hdr(msg), sizeof(struct tcmsg), tb, TCA_MAX, NULL));
	text = nl_decode("", nlmsg_hdr(msg), nlmsg_hdr(msg)->nlmsg_len, tc_options_find, &unknown);
	must(text && !unknown && !strstr(text, "rest hex"));
	free(text);
	if (spec->kind) {
		must(tb[TCA_KIND] && !strcmp(nla_get_string(tb[TCA_KIND]), spec->kind->name));
		if (tb[TCA_OPTIONS])
			show(spec, tb[TCA_OPTIONS]);
	}
	nlmsg_free(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(data, len);
	int n = split_words(text, words, WORDS_MAX);

	for (enum tc_op op = OP_ADD; op <= OP_SHOW; op++) {
		struct filter_spec spec;
		struct diag d;

		diag_init(&d);
		if (filter_spec_parse(&d, op, words, n, &spec))
			must(d.exit != EXIT_DONE && d.text[0] && d.word < n);
		else if (op != OP_SHOW)
			check(&spec, op);
		filter_spec_free(&spec);
		diag_free(&d);
	}
	free(text);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	seed_lines("tests/data/filter-lines", seed);
}

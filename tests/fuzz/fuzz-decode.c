// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of rtnetlink in words: whatever they are, the text is whole and of plain characters. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "filters/filter-spec.h"
#include "fuzz.h"
#include "ip/ip-spec.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "wire/nl-decode.h"
#include "wire/nlb.h"

#define WORDS_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = nl_decode("-> ", data, len, tc_options_find, NULL);
	size_t end;
	char name[16];

	must(text && !strncmp(text, "-> ", 3));
	end = strlen(text);
	must(end && text[end - 1] == '\n');
	for (size_t i = 0; i < end; i++)
		must(text[i] == '\n' || ((unsigned char)text[i] >= ' ' && text[i] != 0x7f));
	free(text);
	for (uint32_t offset = 0; offset < len + 8 && offset < 300; offset += 4)
		if (nl_attr_at(data, len, offset, tc_options_find, name, sizeof(name)))
			must(*name && memchr(name, 0, sizeof(name)));
	return 0;
}

static seed_fn *sink;

static void give(struct nl_msg *msg)
{
	sink(nlmsg_hdr(msg), nlmsg_hdr(msg)->nlmsg_len);
	nlmsg_free(msg);
}

static void tc_message(const void *line, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(line, len);
	int n = split_words(text, words, WORDS_MAX), i = 0;
	enum tc_object object = OBJECT_QDISC;
	struct tc_spec spec;
	struct nl_msg *msg;
	struct diag d;

	while (i < n && (words[i][0] == '@' || words[i][0] == '+'))
		i++;
	if (i < n && !strcmp(words[i], "class")) {
		object = OBJECT_CLASS;
		i++;
	}
	diag_init(&d);
	if (!tc_spec_parse(&d, NULL, object, OP_ADD, words + i, n - i, &spec) &&
	    !tc_spec_msg(&spec, OP_ADD, 7, &msg))
		give(msg);
	tc_spec_free(&spec);
	diag_free(&d);
	free(text);
}

static void filter_message(const void *line, size_t len)
{
	char *words[WORDS_MAX + 1], *text = text_of(line, len);
	int n = split_words(text, words, WORDS_MAX);
	struct filter_spec spec;
	struct nl_msg *msg;
	struct diag d;

	diag_init(&d);
	if (!filter_spec_parse(&d, OP_ADD, words, n, &spec) && !filter_spec_msg(&spec, OP_ADD, 7, &msg))
		give(msg);
	filter_spec_free(&spec);
	diag_free(&d);
	free(text);
}

static void link_message(const char *line)
{
	const struct ip_numbers numbers = { .ifindex = 7, .netns = 3, .peer_netns = 4 };
	char *words[WORDS_MAX + 1], *text = text_of((const uint8_t *)line, strlen(line));
	int n = split_words(text, words, WORDS_MAX);
	enum ip_object object = IP_LINK;
	struct ip_spec spec;
	struct nl_msg *msg;
	struct diag d;

	diag_init(&d);
	must(ip_object_find(words[0], &object));
	if (!ip_spec_parse(&d, object, "", words + 1, n - 1, &spec) && !ip_spec_msg(&spec, &numbers, &msg))
		give(msg);
	diag_free(&d);
	free(text);
}

/* A refusal, with the request in it or not, and the kernel's words. */
static void answer(uint16_t flags)
{
	const struct tcmsg tcm = { 0 };
	const struct nlmsgerr err = {
		.error = -22, .msg = { .nlmsg_len = NLMSG_LENGTH(sizeof(tcm)), .nlmsg_type = RTM_NEWQDISC },
	};
	struct nl_msg *msg;
	struct nlb nlb;

	nlb_init(&nlb, NLMSG_ERROR, flags);
	nlb_raw(&nlb, &err, sizeof(err));
	if (!(flags & NLM_F_CAPPED))
		nlb_raw(&nlb, &tcm, sizeof(tcm));
	nlb_put_str(&nlb, NLMSGERR_ATTR_MSG, "no such");
	nlb_put_u32(&nlb, NLMSGERR_ATTR_OFFS, 36);
	must(!nlb_finish(&nlb, &msg));
	give(msg);
}

void fuzz_seeds(seed_fn *seed)
{
	sink = seed;
	seed_lines("tests/data/tc-lines", tc_message);
	seed_lines("tests/data/filter-lines", filter_message);
	link_message("link add name eth1 mtu 1400 numtxqueues 8 type veth peer name eth1");
	link_message("link set dev eth1 up");
	link_message("addr add 2001:db8::1/64 dev eth1");
	answer(NLM_F_ACK_TLVS);
	answer(NLM_F_ACK_TLVS | NLM_F_CAPPED);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of netem's words share: an environment of its own, and the message of a line. */
#ifndef QBED_TEST_NETEM_WORDS_H
#define QBED_TEST_NETEM_WORDS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "kinds/netem.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/doc.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS_MAX 48

/* Tables as files would be: "few" and "late" are small, "big" is as large as can be. */
static inline int table(struct diag *d, char **words, int i, char **text, size_t *len)
{
	size_t room = DIST_MAX * 3;

	if (!strcmp(words[i], "big")) {
		*text = malloc(room);
		assert_non_null(*text);
		for (*len = 0; *len < room; *len += 2)
			memcpy(*text + *len, "5 ", 2);
		*len = DIST_MAX * 2;
		return 0;
	}
	if (!strcmp(words[i], "few") || !strcmp(words[i], "bad")) {
		*text = strdup(words[i][0] == 'f' ? "-1 0 1" : "-1 0 one");
		*len = strlen(*text);
		return 0;
	}
	return diag_failed(d, ENOENT, "table \"%s\"", words[i]);
}

static inline int speed(struct diag *d, const char *netns, const struct link_end *end, uint64_t *bps)
{
	if (strcmp(end->dev, "eth1"))
		return diag_failed(d, 0, "%s: its speed is unknown", end->dev);
	*bps = 10000000000;
	return 0;
}

static const struct tc_env env = { .table = table, .speed = speed };

static inline int parse(struct diag *d, const struct tc_env *e, const char *text, struct tc_spec *spec)
{
	static char line[512];
	char *words[WORDS_MAX];
	int n = 0;

	snprintf(line, sizeof(line), "%s", text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		words[n++] = word;
	diag_init(d);
	return tc_spec_parse(d, e, OBJECT_QDISC, OP_ADD, words, n, spec);
}

/* The message of "dev eth1 root netem TEXT" */
static inline struct nl_msg *message(const struct tc_env *e, const char *text)
{
	struct tc_spec spec;
	struct nl_msg *msg;
	char line[512];
	struct diag d;

	snprintf(line, sizeof(line), "dev eth1 root netem %s", text);
	if (parse(&d, e, line, &spec))
		fail_msg("%s: %s", text, d.text);
	assert_int_equal(tc_spec_msg(&spec, OP_ADD, 7, &msg), 0);
	tc_spec_free(&spec);
	diag_free(&d);
	return msg;
}

static inline struct nlattr *options(struct nl_msg *msg)
{
	struct nlattr *opts = nlmsg_find_attr(nlmsg_hdr(msg), sizeof(struct tcmsg), TCA_OPTIONS);

	assert_non_null(opts);
	return opts;
}

static inline struct nlattr *option(struct nl_msg *msg, int type)
{
	struct nlattr *opts = options(msg);
	size_t fixed = sizeof(struct tc_netem_qopt);

	return nla_find((struct nlattr *)((char *)nla_data(opts) + fixed),
			nla_len(opts) - (int)fixed, type);
}

#endif

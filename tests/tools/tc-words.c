// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tc-words <BATCH >CAPTURE: what qbed makes of the lines "qdisc|class VERB dev dN WORDS...", as
 * tc-capture keeps messages; nothing is sent. N + 1000 is the device's index. A line that is refused
 * gives a line on stderr.
 */
#include <netlink/msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/spec.h"
#include "net/tc-env.h"
#include "pure/diag.h"

#define WORDS_MAX 1000
#define FIRST_INDEX 1000

static enum tc_op op_of(const char *verb)
{
	for (enum tc_op op = OP_ADD; op <= OP_DEL; op++)
		if (!strcmp(verb, tc_op_name(op)))
			return op;
	fprintf(stderr, "tc-words: verb \"%s\"\n", verb);
	exit(1);
}

static void write_message(const struct tc_spec *spec, enum tc_op op)
{
	struct nl_msg *msg;

	if (tc_spec_msg(spec, op, FIRST_INDEX + atoi(spec->end.dev + 1), &msg)) {
		fprintf(stderr, "tc-words: no message\n");
		exit(1);
	}
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST;
	fwrite(nlmsg_hdr(msg), 1, NLMSG_ALIGN(nlmsg_hdr(msg)->nlmsg_len), stdout);
	nlmsg_free(msg);
}

int main(void)
{
	struct tc_env env = tc_env_machine(TC_UNITS_NONE, NULL);
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		char *words[WORDS_MAX], *rest = NULL;
		struct tc_spec spec;
		enum tc_object object;
		struct diag d;
		int n = 0;

		for (char *word = strtok_r(line, " \n", &rest); word && n < WORDS_MAX;
		     word = strtok_r(NULL, " \n", &rest))
			words[n++] = word;
		if (n < 3)
			continue;
		object = strcmp(words[0], "class") ? OBJECT_QDISC : OBJECT_CLASS;
		diag_init(&d);
		if (tc_spec_parse(&d, &env, object, op_of(words[1]), words + 2, n - 2, &spec))
			fprintf(stderr, "%s\n", d.text);
		else
			write_message(&spec, op_of(words[1]));
		tc_spec_free(&spec);
		diag_free(&d);
	}
	free(line);
	return fflush(stdout) || ferror(stdout);
}

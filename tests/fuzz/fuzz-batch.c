// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a batch: how they are cut into words, and the words of every object. */
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz.h"
#include "pure/diag.h"
#include "pure/line.h"
#include "wire/nl-decode.h"

/* Made of words, a message has a name for each of its attributes. */
static void check_message(struct nl_msg *msg)
{
	unsigned int unknown;
	char *text = nl_decode("", nlmsg_hdr(msg), nlmsg_hdr(msg)->nlmsg_len, tc_options_find, &unknown);

	must(text && !unknown && !strstr(text, "rest hex"));
	free(text);
	nlmsg_free(msg);
}

static void check(const struct command *cmd)
{
	const struct ip_numbers numbers = { .ifindex = 7, .netns = 3, .peer_netns = 4 };
	struct nl_msg *msg;

	if (cmd->kind == COMMAND_IP) {
		if (cmd->ip.object != IP_NETNS && !ip_spec_msg(&cmd->ip, &numbers, &msg))
			check_message(msg);
	} else if (cmd->op == OP_SHOW) {
		return;
	} else if (cmd->kind == COMMAND_FILTER) {
		if (!filter_spec_msg(&cmd->filter, cmd->op, 7, &msg))
			check_message(msg);
	} else if (!tc_spec_msg(&cmd->tc, cmd->op, 7, &msg)) {
		check_message(msg);
	}
}

/* Such words have this machine's files and devices read: fuzz-tc has them, with files of its own. */
static bool asks_the_machine(char **words, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], "distribution") || strchr(words[i], '%'))
			return true;
	return false;
}

static void one_line(char *line)
{
	static const struct tc_object_cfg cfg;
	char *words[LINE_WORDS_MAX + 1];
	struct command cmd;
	struct diag d;
	int n;

	diag_init(&d);
	n = line_split(&d, line, words);
	must(n <= LINE_WORDS_MAX && (n < 0) == (d.exit != EXIT_DONE));
	if (n > 0 && !asks_the_machine(words, n)) {
		if (command_line(&d, &cfg, words, n, &cmd))
			must(d.exit != EXIT_DONE && d.text[0] && d.word < n);
		else
			check(&cmd);
		command_free(&cmd);
	}
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = text_of(data, len), *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t before = strlen(line);

		must(line_continues(line) ? strlen(line) < before : strlen(line) <= before);
		one_line(line);
	}
	free(text);
	return 0;
}

static seed_fn *sink;

static void as_filter(const void *data, size_t len)
{
	static const char lead[] = "filter add dev eth1 ";
	char *line = malloc(sizeof(lead) + len);

	must(line);
	memcpy(line, lead, sizeof(lead) - 1);
	memcpy(line + sizeof(lead) - 1, data, len);
	sink(line, sizeof(lead) - 1 + len);
	free(line);
}

void fuzz_seeds(seed_fn *seed)
{
	sink = seed;
	seed_files("tests/data/batch-lines", seed);
	seed_lines("tests/data/batch-lines", seed);
	seed_lines("tests/data/filter-lines", as_filter);
}

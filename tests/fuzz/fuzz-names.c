// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of namespaces and devices, handles, sets of CPUs. */
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "pure/names.h"

static void check_handles(struct diag *d, char *word)
{
	uint32_t id, again = 1;
	char text[12], *shown = text;

	if (!handle_parse(d, &word, 0, &id)) {
		must(id && !TC_H_MIN(id));
		handle_format(text, id);
		must(!handle_parse(d, &shown, 0, &again) && again == id);
	}
	if (!classid_parse(d, &word, 0, &id) && id) {
		handle_format(text, id);
		must(!classid_parse(d, &shown, 0, &again) && again == id);
	}
}

static void check_cpus(struct diag *d, char *word)
{
	struct cpus set, again;
	char text[8192], *shown = text;

	if (cpus_parse(d, &word, 0, &set))
		return;
	cpus_format(text, sizeof(text), &set);
	must(!cpus_parse(d, &shown, 0, &again) && !memcmp(&set, &again, sizeof(set)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *word = text_of(data, len);
	struct link_end end;
	struct diag d;

	diag_init(&d);
	if (!dev_name_check(&d, 0, word))
		must(strlen(word) < IFNAMSIZ && !strchr(word, '/'));
	if (!netns_name_check(&d, 0, word))
		must(strlen(word) <= NETNS_NAME_MAX && !strchr(word, '/'));
	if (!link_end_parse(&d, &word, 0, &end))
		must(end.dev[0] && memchr(end.dev, 0, sizeof(end.dev)) &&
		     memchr(end.netns, 0, sizeof(end.netns)));
	check_handles(&d, word);
	check_cpus(&d, word);
	diag_free(&d);
	free(word);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	static const char *const words[] = {
		"tx:eth1", "eth1", "a/b", "..", ":eth1", "tx:", "abcdefghijklmno", "abcdefghijklmnop",
		"ffff:ffff", "root", "none", "1:", ":1", "ingress", "clsact", "0:0", "0-6,8", "0-1023",
		"1024", "3-1", "0,0", "7-", "",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		seed(words[i], strlen(words[i]));
	seed_words("tests/data/tc-lines/mq", seed);
	seed_words("tests/data/tc-lines/pfifo", seed);
}

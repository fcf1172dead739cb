/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_TEXTS_H
#define QBED_TOPO_TEXTS_H

/*
 * Topologies as texts, for the unit tests that read them; include after
 * cmocka.h. A text that is refused says where and with which words.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo.h"

#define TWO "netns tx\nnetns rx\n"
#define LINK8 TWO "link tx:eth1 rx:eth1 queues 8\n"
#define LINK1 TWO "link tx:eth1 rx:eth1\n"

struct bad_text {
	const char *text;
	const char *at;		/* what the message begins with: "f:3:1: " */
	const char *say;	/* what is in it */
};

static inline struct topo *parse_ok(const char *text, const char *prefix)
{
	struct topo *topo;
	struct diag d;

	diag_init(&d);
	if (topo_parse(&d, "f", text, strlen(text), prefix, &topo))
		fail_msg("refused: %s", d.text);
	diag_free(&d);
	return topo;
}

static inline void all_refused(const struct bad_text *bad, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct topo *topo;
		struct diag d;

		diag_init(&d);
		if (topo_parse(&d, "f", bad[i].text, strlen(bad[i].text), NULL, &topo) != -EINVAL)
			fail_msg("taken: %s", bad[i].text);
		if (strncmp(d.text, bad[i].at, strlen(bad[i].at)) != 0 || !strstr(d.text, bad[i].say))
			fail_msg("for: %s\nwanted: %s...%s\ngot: %s", bad[i].text, bad[i].at,
				 bad[i].say, d.text);
		assert_int_equal(d.exit, EXIT_USAGE);
		assert_null(topo);
		diag_free(&d);
	}
}

/* All steps of "up", a line each; malloc()ed. */
static inline char *steps_of(const struct topo *topo)
{
	struct topo_step *steps;
	struct diag d;
	char *all = calloc(1, 1 << 16);
	int i, n;

	diag_init(&d);
	assert_int_equal(topo_plan(&d, topo, &steps, &n), 0);
	for (i = 0; i < n; i++) {
		char *text = topo_step_text(topo, &steps[i]);

		assert_in_range(topo_step_stmt(topo, &steps[i]), 0, topo->nstmts - 1);
		strcat(all, text);
		strcat(all, "\n");
		free(text);
	}
	free(steps);
	diag_free(&d);
	return all;
}

static inline void steps_are(const char *text, const char *steps)
{
	struct topo *topo = parse_ok(text, NULL);
	char *have = steps_of(topo);

	assert_string_equal(have, steps);
	free(have);
	topo_free(topo);
}

#endif

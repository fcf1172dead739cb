// SPDX-License-Identifier: GPL-2.0-or-later
/* Result documents: one that is taken can be reported, beside itself with another seed too. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "report/expect.h"
#include "report/group.h"
#include "report/report.h"
#include "report/result.h"

static void check_report(struct diag *d, struct result **results, size_t n)
{
	struct expect expect;
	struct outcome outcome = { 0 };
	struct report report = { .expects = &expect, .outcomes = &outcome, .seeds_shown = true };
	struct doc *doc = doc_new();
	struct group *groups = NULL;

	must(doc);
	if (!groups_build(d, results, &n, &groups, &report.ngroups)) {
		report.groups = groups;
		must(!expect_parse(d, 0, "mq-netem.after.away_percent <= 5", &expect));
		report.nexpects = !expect_judge(d, &expect, groups, report.ngroups, &outcome);
		report_json(doc, &report);
		must(!report_text(d, doc, &report) || d->exit != EXIT_DONE);
		must_be_sound(doc);
		expect_free(&expect);
		groups_free(groups, report.ngroups);
	} else {
		must(d->exit != EXIT_DONE);
	}
	for (size_t i = 0; i < n; i++)
		result_free(results[i]);
	doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct result *results[2];
	struct diag d;

	diag_init(&d);
	if (result_parse(&d, "a", (const char *)data, len, &results[0])) {
		must(d.exit != EXIT_DONE && d.text[0]);
	} else {
		must(!result_parse(&d, "b", (const char *)data, len, &results[1]));
		results[1]->seed ^= 1;
		check_report(&d, results, 2);
	}
	diag_free(&d);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	seed_files("tests/data/results/sample", seed);
}

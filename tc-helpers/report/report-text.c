// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report as text, in the shape that a commit message wants.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pure/diag.h"
#include "pure/doc.h"
#include "report/expect.h"
#include "report/group.h"
#include "report/report.h"
#include "report/result.h"
#include "report/table.h"

static int put_group(FILE *out, const struct report *report, const struct group *g)
{
	const struct result *r = g->results[0];
	char title[640], lead[REPORT_INDENT + 1];
	int err;

	snprintf(lead, sizeof(lead), "%*s", REPORT_INDENT, "");
	snprintf(title, sizeof(title), "%s (base %s)%s%s", r->experiment, r->base,
		 *r->title ? ": " : "", r->title);
	text_wrap(out, lead, lead, title, REPORT_WIDTH, "");
	fputc('\n', out);
	report_environment(out, g);
	fputc('\n', out);
	err = report_table(out, g, report->seeds_shown);
	report_commands(out, g);
	return err;
}

static void put_expects(FILE *out, const struct report *report)
{
	char first[16], next[16];

	snprintf(first, sizeof(first), "%*s", REPORT_INDENT, "");
	snprintf(next, sizeof(next), "%*s", REPORT_INDENT + 4, "");
	if (report->nexpects)
		fprintf(out, "\n%sBounds:\n", first);
	for (size_t i = 0; i < report->nexpects; i++) {
		const struct outcome *o = &report->outcomes[i];
		char text[1024];

		snprintf(text, sizeof(text), "%s: %s (%s)", verdict_name(o->verdict),
			 report->expects[i].text, o->text);
		text_wrap(out, first, next, text, REPORT_WIDTH, "");
	}
}

int report_text(struct diag *d, struct doc *doc, const struct report *report)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int err = out ? 0 : -ENOMEM;

	for (size_t i = 0; i < report->ngroups && !err; i++) {
		if (i)
			fputc('\n', out);
		err = put_group(out, report, &report->groups[i]);
	}
	if (!err)
		put_expects(out, report);
	if (out && fclose(out))
		err = -ENOMEM;
	if (err)
		diag_failed(d, ENOMEM, "report");
	else
		doc_text(doc, "%s", text);
	free(text);
	return err;
}

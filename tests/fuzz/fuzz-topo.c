// SPDX-License-Identifier: GPL-2.0-or-later
/* Topology files, as lines and as JSON. What is taken has a plan, and is taken again as it is shown. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "topo/topo.h"

static void check_plan(const struct topo *topo)
{
	struct topo_step *steps;
	struct diag d;
	int n;

	diag_init(&d);
	if (!topo_plan(&d, topo, &steps, &n)) {
		for (int i = 0; i < n; i++) {
			char *text = topo_step_text(topo, &steps[i]);

			must(text && topo_step_stmt(topo, &steps[i]) < topo->nstmts);
			free(text);
		}
		free(steps);
	} else {
		must(d.exit != EXIT_DONE);
	}
	diag_free(&d);
}

static void check_again(const struct topo *topo)
{
	struct topo *again;
	char *all = NULL;
	size_t len;
	FILE *out = open_memstream(&all, &len);
	struct diag d;

	must(out);
	for (int i = 0; i < topo->nstmts; i++) {
		char *text = topo_stmt_text(&topo->stmts[i]);

		must(text);
		fprintf(out, "%s\n", text);
		free(text);
	}
	fclose(out);
	diag_init(&d);
	must(!topo_parse(&d, "again", all, len, topo->prefix, &again));
	must(again->nstmts == topo->nstmts && again->nqdiscs == topo->nqdiscs &&
	     again->nlinks == topo->nlinks);
	topo_free(again);
	diag_free(&d);
	free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = text_of(data, len);
	struct topo *topo;
	struct diag d;

	diag_init(&d);
	if (!topo_parse(&d, "f", text, len, NULL, &topo)) {
		check_plan(topo);
		check_again(topo);
		topo_free(topo);
	} else {
		must(d.exit != EXIT_DONE && d.text[0]);
	}
	diag_free(&d);
	free(text);
	return 0;
}

static seed_fn *sink;

/* The same lines as a document. */
static void as_json(const void *data, size_t len)
{
	char *json = NULL, *text = text_of(data, len), *rest = NULL;
	FILE *out = open_memstream(&json, &len);
	bool first = true;

	must(out);
	fputs("{\"schema\":\"" TOPO_SCHEMA "\",\"topology\":[", out);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		fprintf(out, "%s\"", first ? "" : ",");
		for (; *line && *line != '#'; line++)
			fputc(*line == '\t' || *line == '"' || *line == '\\' ? ' ' : *line, out);
		fputc('"', out);
		first = false;
	}
	fputs("]}", out);
	fclose(out);
	sink(json, len);
	free(json);
	free(text);
}

void fuzz_seeds(seed_fn *seed)
{
	static const char *const paths[] = {
		"testbed/experiments/mq-netem/topology", "testbed/experiments/retire/topology",
		"tests/data/topologies",
	};

	sink = seed;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		seed_files(paths[i], seed);
		seed_files(paths[i], as_json);
		seed_lines(paths[i], seed);
	}
}

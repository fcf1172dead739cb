// SPDX-License-Identifier: GPL-2.0-or-later
/* Result documents: what is read, what is refused, and what may stand beside what. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "pure/diag.h"
#include "report/group.h"
#include "report/result.h"

static const char sound[] =
	"{'schema':'qbed-result-1','experiment':'sample','title':'t','base':'6.1','arm':'before','seed':1,"
	"'flavour':'plain','command':'c','environment':{'kernel_release':'6.1','clock':'virtual','shift':2,"
	"'kernel_sha256':'aa','cpus':8,'hz':250,'qemu':'1'},'parameters':{'rate':'500'},"
	"'metrics':[{'name':'m','path':'x','reduce':'median','unit':'','better':'none'}],"
	"'measurements':{'x':1}}";

/* The sound document with @from made @to, ' for ". malloc()ed */
static char *document(const char *from, const char *to)
{
	char *text = calloc(1, sizeof(sound) + 256);
	const char *at = strstr(sound, from);

	if (!at)
		fail_msg("the test's own pattern: %s", from);
	sprintf(text, "%.*s%s%s", (int)(at - sound), sound, to, at + strlen(from));
	for (char *c = text; *c; c++)
		if (*c == '\'')
			*c = '"';
	return text;
}

static struct result *parse(const char *file, const char *from, const char *to)
{
	char *text = document(from, to);
	struct result *r;
	struct diag d;

	diag_init(&d);
	if (result_parse(&d, file, text, strlen(text), &r))
		fail_msg("refused: %s", d.text);
	free(text);
	return r;
}

static void a_sound_document_is_read(void **state)
{
	struct result *r = parse("f", "'seed':1", "'seed':12");

	assert_string_equal(r->experiment, "sample");
	assert_string_equal(r->arm, "before");
	assert_int_equal(r->seed, 12);
	assert_int_equal(r->nmetrics, 1);
	assert_string_equal(result_env(r, "kernel_release"), "6.1");
	assert_null(result_env(r, "compiler"));
	assert_int_equal(result_env_int(r, "cpus"), 8);
	assert_int_equal(result_env_int(r, "nothing"), -1);
	result_free(r);
}

static void each_fault_is_named(void **state)
{
	static const struct {
		const char *from;
		const char *to;
		const char *says;
	} cases[] = {
		{ "'x':1}}", "'x':1}", "f:1:" },
		{ "'x':1", "'x':NaN", "f:1:" },
		{ "'x':1", "'x':1e999", "f:1:" },
		{ "'x':1", "'x':99999999999999999999", "f:1:" },
		{ "'seed':1", "'seed':1,'seed':2", "duplicate" },
		{ "'measurements':{'x':1}}", "'measurements':{'x':1}} 7", "f:1:" },
		{ "'schema':'qbed-result-1',", "", "schema: no such string" },
		{ "qbed-result-1", "other-1", "'other-1'" },
		{ "'experiment':'sample'", "'experiment':'sa.mple'", "experiment: 'sa.mple' is no name" },
		{ "'arm':'before'", "'arm':''", "arm: '' is no name" },
		{ "'arm':'before'", "'arm':7", "arm: no such string" },
		{ "'arm':'before',", "", "arm: no such string" },
		{ "'base':'6.1'", "'base':'../6.1'", "base: '../6.1'" },
		{ "'seed':1", "'seed':-1", "seed: not" },
		{ "'seed':1", "'seed':1.5", "seed: not" },
		{ "'seed':1", "'seed':'1'", "seed: not" },
		{ "'parameters':{'rate':'500'}", "'parameters':[]", "parameters: no such object" },
		{ "'rate':'500'", "'a':[[[[[[[[1]]]]]]]]", "parameters: too deep" },
		{ "'measurements':{'x':1}", "'measurements':1", "measurements: no such object" },
		{ "'kernel_release':'6.1',", "", "environment.kernel_release" },
		{ "'clock':'virtual'", "'clock':'sun'", "environment.clock" },
		{ "'shift':2,", "", "environment.shift" },
		{ "'shift':2", "'shift':99", "environment.shift" },
		{ "'cpus':8", "'cpus':'8'", "environment.cpus" },
		{ "'hz':250", "'hz':-1", "environment.hz" },
		{ "'qemu':'1'", "'qemu':1", "environment.qemu: not a string" },
		{ "'reduce':'median'", "'reduce':'mode'", "metrics[0].reduce" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = document(cases[i].from, cases[i].to);
		struct result *r = NULL;
		struct diag d;
		int err;

		diag_init(&d);
		err = result_parse(&d, "f", text, strlen(text), &r);
		if (err != -EINVAL || d.exit != EXIT_USAGE)
			fail_msg("%s: %d, exit %d, '%s'", cases[i].to, err, d.exit, d.text);
		if (!strstr(d.text, cases[i].says) || strncmp(d.text, "f", 1))
			fail_msg("%s: '%s' is not in '%s'", cases[i].to, cases[i].says, d.text);
		free(text);
	}
}

static void every_cut_of_a_document_is_refused(void **state)
{
	char *text = document("'seed':1", "'seed':1");

	for (size_t len = 0; len < strlen(text); len++) {
		struct result *r = NULL;
		struct diag d;

		diag_init(&d);
		if (result_parse(&d, "f", text, len, &r) != -EINVAL || d.exit != EXIT_USAGE)
			fail_msg("%zu bytes: taken, or '%s'", len, d.text);
		if (!len)
			assert_string_equal(d.text, "f: empty");
	}
	free(text);
}

static void another_schema_of_qbed_is_told_from_a_fault(void **state)
{
	char *text = document("qbed-result-1", "qbed-report-1");
	struct result *r;
	struct diag d;

	diag_init(&d);
	assert_int_equal(result_parse(&d, "f", text, strlen(text), &r), -ENOMSG);
	free(text);
}

static void the_first_difference_is_named_whatever_the_order_of_keys(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		const char *where;	/* NULL: equal */
	} cases[] = {
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", NULL },
		{ "{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}", "p.a.b.1: 2 against 3" },
		{ "{\"a\":1}", "{}", "p.a: 1 against nothing" },
		{ "{}", "{\"a\":null}", "p.a: nothing against null" },
		{ "{\"a\":1}", "{\"a\":1.0}", "p.a: 1 against 1.0" },
		{ "{\"a\":[1]}", "{\"a\":[1,2]}", "p.a: [1] against [1,2]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *a = json_loads(cases[i].a, 0, NULL), *b = json_loads(cases[i].b, 0, NULL);
		char buf[256] = "";

		assert_int_equal(json_difference(a, b, "p", buf, sizeof(buf)), !!cases[i].where);
		if (cases[i].where)
			assert_string_equal(buf, cases[i].where);
		json_decref(a);
		json_decref(b);
	}
}

/* Groups @n documents made by replacing @from[i] with @to[i]; @says: the error, or NULL. */
static void group_these(const char *const from[], const char *const to[], size_t n,
			const char *says, void (*look)(const struct group *g, size_t ngroups))
{
	struct result *results[8];
	struct group *groups = NULL;
	size_t ngroups = 0;
	struct diag d;
	int err;

	for (size_t i = 0; i < n; i++) {
		char file[24];

		snprintf(file, sizeof(file), "f%zu", i);
		results[i] = parse(file, from[i], to[i]);
	}
	diag_init(&d);
	err = groups_build(&d, results, &n, &groups, &ngroups);
	if (says && (err != -EINVAL || d.exit != EXIT_USAGE || !strstr(d.text, says)))
		fail_msg("'%s' is not in '%s' (%d)", says, d.text, err);
	if (!says && err)
		fail_msg("refused: %s", d.text);
	if (look)
		look(groups, ngroups);
	groups_free(groups, ngroups);
	for (size_t i = 0; i < n; i++)
		result_free(results[i]);
}

static void look_at_arms(const struct group *g, size_t n)
{
	static const char *const want[] = { "before", "after", "migration-off", "next", "a", "b" };

	assert_int_equal(n, 1);
	assert_int_equal(g->narms, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(g->arms[i], want[i]);
	assert_int_equal(group_arm(g, "next"), 3);
	assert_int_equal(group_arm(g, "nix"), -1);
}

static void arms_have_an_order_of_their_own(void **state)
{
	const char *const from[] = { "before", "before", "before", "before", "before", "before" };
	const char *const to[] = { "b", "next", "migration-off", "a", "after", "before" };

	group_these(from, to, 6, NULL, look_at_arms);
}

static void look_at_seeds(const struct group *g, size_t n)
{
	const struct cell *c = &g->rows[0].cells[0];

	assert_int_equal(n, 1);
	assert_int_equal(g->nrows, 1);
	assert_int_equal(c->n, 3);
	assert_int_equal(c->have, 2);
	assert_int_equal(c->seeds[0], 1);
	assert_int_equal(c->seeds[2], 10);
	assert_int_equal(c->values[0].i, 1);
	assert_int_equal(c->values[1].type, VALUE_NONE);
	assert_int_equal(c->min.i, 1);
	assert_int_equal(c->reduced.type, VALUE_NONE);
}

static void a_figure_that_a_seed_lacks_is_given_for_no_arm(void **state)
{
	const char *const from[] = { "'seed':1", "'seed':1,'flavour':'plain','command':'c'", "'seed':1" };
	const char *const to[] = { "'seed':10", "'seed':2,'flavour':'plain','command':'c'", "'seed':1" };
	struct result *results[3];
	struct group *groups;
	size_t n = 3, ngroups;
	struct diag d;

	for (size_t i = 0; i < 3; i++)
		results[i] = parse("f", from[i], to[i]);
	json_object_clear((json_t *)results[1]->measurements);
	diag_init(&d);
	assert_int_equal(groups_build(&d, results, &n, &groups, &ngroups), 0);
	look_at_seeds(groups, ngroups);
	groups_free(groups, ngroups);
	for (size_t i = 0; i < n; i++)
		result_free(results[i]);
}

static void look_at_one_boot(const struct group *g, size_t n)
{
	assert_int_equal(n, 1);
	assert_int_equal(g->nresults, 1);
	assert_int_equal(g->rows[0].cells[0].n, 1);
}

static void a_document_given_twice_counts_once(void **state)
{
	const char *const from[] = { "sample", "sample", "sample" };

	group_these(from, from, 3, NULL, look_at_one_boot);
}

static void look_at_bases(const struct group *g, size_t n)
{
	assert_int_equal(n, 3);
	assert_string_equal(g[0].results[0]->base, "6.1");
	assert_string_equal(g[1].results[0]->base, "6.12");
	assert_string_equal(g[2].results[0]->base, "7.3");
}

static void bases_are_apart_and_in_the_order_of_versions(void **state)
{
	const char *const from[] = { "'base':'6.1'", "'base':'6.1'", "'base':'6.1'" };
	const char *const to[] = { "'base':'7.3'", "'base':'6.12'", "'base':'6.1'" };

	group_these(from, to, 3, NULL, look_at_bases);
}

static void what_cannot_be_compared_is_refused_by_name(void **state)
{
	static const struct {
		const char *from[2];
		const char *to[2];
		const char *says;	/* NULL: it can */
	} cases[] = {
		{ { "'x':1", "'x':1" }, { "'x':1", "'x':2" },
		  "f0, f1: the same boot (seed 1 of before) with two results, first at measurements.x: 1 against 2" },
		{ { "'seed':1", "'rate':'500'" }, { "'seed':2", "'rate':'600'" },
		  "parameters.rate: \"600\" against \"500\"" },
		{ { "'arm':'before','seed':1", "'rate':'500'" }, { "'arm':'after','seed':1", "'rate':'500','b':1" },
		  "parameters.b: 1 against nothing" },
		{ { "'seed':1", "'unit':''" }, { "'seed':2", "'unit':'ns'" }, "metrics.0.unit" },
		{ { "'seed':1", "'kernel_sha256':'aa'" }, { "'seed':2", "'kernel_sha256':'bb'" },
		  "environment.kernel_sha256" },
		{ { "'arm':'before'", "'kernel_sha256':'aa'" }, { "'arm':'after'", "'kernel_sha256':'bb'" }, NULL },
		{ { "'arm':'before'", "'shift':2" }, { "'arm':'after'", "'shift':1" }, "environment.shift: 1 against 2" },
		{ { "'arm':'before'", "'cpus':8" }, { "'arm':'after'", "'cpus':4" }, "environment.cpus" },
		{ { "'arm':'before'", "'hz':250" }, { "'arm':'after'", "'hz':100" }, "environment.hz" },
		{ { "'arm':'before'", "'qemu':'1'" }, { "'arm':'after'", "'qemu':'2'" }, "environment.qemu" },
		{ { "'arm':'before'", "'qemu':'1'" }, { "'arm':'after'", "'qemu':''" }, NULL },
		{ { "'arm':'before'", "'hz':250" }, { "'arm':'after'", "'hz':0" }, NULL },
		{ { "'arm':'before'", "'clock':'virtual'" }, { "'arm':'after'", "'clock':'host'" }, "environment.clock" },
		{ { "'flavour':'plain'", "'shift':2" }, { "'flavour':'lockstat'", "'shift':1" }, NULL },
		{ { "'base':'6.1'", "'rate':'500'" }, { "'base':'7.3'", "'rate':'600'" }, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		group_these(cases[i].from, cases[i].to, 2, cases[i].says, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_document_is_read),
		cmocka_unit_test(each_fault_is_named),
		cmocka_unit_test(every_cut_of_a_document_is_refused),
		cmocka_unit_test(another_schema_of_qbed_is_told_from_a_fault),
		cmocka_unit_test(the_first_difference_is_named_whatever_the_order_of_keys),
		cmocka_unit_test(arms_have_an_order_of_their_own),
		cmocka_unit_test(a_figure_that_a_seed_lacks_is_given_for_no_arm),
		cmocka_unit_test(a_document_given_twice_counts_once),
		cmocka_unit_test(bases_are_apart_and_in_the_order_of_versions),
		cmocka_unit_test(what_cannot_be_compared_is_refused_by_name),
	};

	return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}

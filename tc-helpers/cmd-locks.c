// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed locks: contention of the qdisc locks while a command runs. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "measure/lockstat.h"
#include "measure/wrap.h"
#include "pure/lockstat.h"
#include "pure/units.h"

extern const struct cmd cmd_locks;

#define CLASSES_MAX 16

struct locks_cfg {
	const char *classes[CLASSES_MAX];
};

static int class_parse(struct diag *d, char **words, int i, void *field)
{
	const char **classes = field;
	int n = 0;

	if (!*words[i] || strlen(words[i]) > LOCKSTAT_NAME_MAX)
		return diag_usage(d, i, "\"%s\": a class name has 1 to %d characters", words[i],
				  LOCKSTAT_NAME_MAX);
	while (n < CLASSES_MAX && classes[n])
		n++;
	if (n == CLASSES_MAX)
		return diag_usage(d, i, "\"%s\": more than %d classes", words[i], CLASSES_MAX);
	classes[n] = words[i];
	return 0;
}

static bool class_wanted(const struct locks_cfg *cfg, const char *name)
{
	int i;

	if (strstr(name, LOCKSTAT_SCH) || strstr(name, LOCKSTAT_BUSY))
		return true;
	for (i = 0; i < CLASSES_MAX && cfg->classes[i]; i++) {
		if (strstr(name, cfg->classes[i]))
			return true;
	}
	return false;
}

static const struct doc_count figures[] = {
	{ "contentions", offsetof(struct lockstat_class, contentions) },
	{ "acquisitions", offsetof(struct lockstat_class, acquisitions) },
	{ "bounces", offsetof(struct lockstat_class, bounces) },
	{ "waittime_max_ns", offsetof(struct lockstat_class, wait_max_ns) },
	{ "waittime_total_ns", offsetof(struct lockstat_class, wait_total_ns) },
	{ "holdtime_max_ns", offsetof(struct lockstat_class, hold_max_ns) },
	{ "holdtime_total_ns", offsetof(struct lockstat_class, hold_total_ns) },
};

/* The members of the object that is open, and the line of text. */
static void figures_doc(struct doc *doc, const char *name, const struct lockstat_class *c)
{
	char wait[24];

	doc_counts(doc, figures, sizeof(figures) / sizeof(figures[0]), c);
	doc_text(doc, "%-30s %11" PRIu64 " %12" PRIu64 " %13s\n", name, c->contentions,
		 c->acquisitions, us_format(wait, sizeof(wait), (int64_t)c->wait_max_ns));
}

static size_t sum_doc(struct doc *doc, const struct lockstat *ls, const char *key,
		      const char *pattern, const char *name)
{
	struct lockstat_class sum;
	size_t n = lockstat_sum(ls, pattern, &sum);

	doc_open_object(doc, key);
	doc_u64(doc, "classes", NULL, n);
	figures_doc(doc, name, &sum);
	doc_close_object(doc);
	return n;
}

static void answer(struct ctx *ctx, const struct locks_cfg *cfg, struct lockstat *ls, int code)
{
	struct doc *doc = ctx->doc;
	struct lockstat_class root;
	size_t i;

	lockstat_sort(ls);
	doc_str(doc, "schema", NULL, "qbed-locks-1");
	doc_i64(doc, "command_exit", NULL, code);
	doc_text(doc, "%-30s %11s %12s %13s\n", "lock class", "contentions", "acquisitions",
		 "max wait us");
	sum_doc(doc, ls, "root", LOCKSTAT_ROOT, "all qdisc root locks");
	sum_doc(doc, ls, "busylock", LOCKSTAT_BUSY, "all qdisc busylocks");

	doc_open_array(doc, "classes");
	for (i = 0; i < ls->nclasses; i++) {
		const struct lockstat_class *c = &ls->classes[i];

		if (!class_wanted(cfg, c->name))
			continue;
		doc_open_object(doc, "");
		doc_str(doc, "name", NULL, c->name);
		figures_doc(doc, c->name, c);
		doc_close_object(doc);
	}
	doc_close_array(doc);

	lockstat_sum(ls, LOCKSTAT_ROOT, &root);
	if (!root.acquisitions)
		diag_warn(ctx->diag, "no qdisc root lock was taken while the command ran: its zero contentions say nothing");
}

static int run(struct ctx *ctx, void *config, int argc, char **argv)
{
	const struct locks_cfg *cfg = config;
	struct lockmeter meter;
	struct lockstat ls;
	struct wrap wrap;
	int code;
	int err;

	if (!argc)
		return diag_usage(ctx->diag, -1, "locks: a command to run is needed: locks [OPTIONS] -- COMMAND...");
	wrap_arm(&wrap);
	code = lockmeter_start(&meter, ctx->diag);
	if (!code) {
		code = wrap_run(&wrap, ctx->diag, argv);
		if (code < 0) {
			lockmeter_abandon(&meter);
		} else {
			err = lockmeter_stop(&meter, ctx->diag, &ls);
			if (err < 0 && !code)
				code = err;
			if (!err) {
				answer(ctx, cfg, &ls, code);
				lockstat_free(&ls);
				ctx->print_anyway = true;
			}
		}
	}
	wrap_disarm(&wrap);
	return code;
}

static const struct opt opts[] = {
	{ "class", OPT_FN, offsetof(struct locks_cfg, classes), "NAME",
	  "list lock classes with NAME in their name too (may be repeated)", .parse = class_parse },
	{ 0 }
};

const struct cmd cmd_locks = {
	.name = "locks",
	.summary = "Contention of the qdisc locks while a command runs; clears /proc/lock_stat.",
	.usage = "[--class NAME]... [--json | -o FILE] -- COMMAND...",
	.opts = opts,
	.cfg_size = sizeof(struct locks_cfg),
	.wraps = true,
	.run = run,
};

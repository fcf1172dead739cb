// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed topo: namespaces, links, addresses and qdiscs from one file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "net/journal.h"
#include "net/topo-net.h"
#include "read-file.h"
#include "tc-object.h"
#include "topo-play.h"
#include "topo/topo.h"

struct topo_cfg {
	bool dry_run;
	bool all;
	uint64_t threads;
	const char *prefix;
	enum tc_units units;
	struct play_cfg play;
	bool duration_set;
	bool speed_set;
	bool late_set;
};

#define FIELD(name) offsetof(struct topo_cfg, name)
#define SET(name) (offsetof(struct topo_cfg, name) + 1)

static const struct topo_cfg topo_defaults = {
	.play = { .speed_ppm = PLAY_SPEED_ONE, .late_ns = 1000000 },
};

static const struct opt topo_opts[] = {
	{ "dry-run", OPT_FLAG, FIELD(dry_run), NULL,
	  "up, down, play: print the steps, do nothing" },
	{ "prefix", OPT_STR, FIELD(prefix), "P", "put P before the name of every namespace" },
	TC_UNITS_OPT(FIELD(units)),
	{ "threads", OPT_U64, FIELD(threads), "N",
	  "up: 1 or 2 (default 2 for many namespaces, where there are CPUs)", .min = 1, .max = 2 },
	{ "all", OPT_FLAG, FIELD(all), NULL, "down, show: everything that qbed made, no FILE" },
	{ "duration", OPT_TIME, FIELD(play.duration_ns), "TIME",
	  "play: end at that time of the schedule (with the last change)", .set = SET(duration_set) },
	{ "speed", OPT_FN, FIELD(play.speed_ppm), "N", "play: N times as fast (1)",
	  .parse = play_speed_parse, .set = SET(speed_set) },
	{ "late", OPT_TIME0, FIELD(play.late_ns), "TIME",
	  "play: tell of changes that were done later than this (1ms)", .set = SET(late_set) },
	{ 0 }
};

/* As if the file ended with a line "tc-units VERSION". */
static int add_units(struct diag *d, const char *name, enum tc_units units, char **text, size_t *len)
{
	const char *line = units == TC_UNITS_6_1 ? "\ntc-units 6.1\n" : "\ntc-units 6.9\n";
	char *longer;
	size_t i = 0;

	while (i < *len && strchr(" \t\r\n", (*text)[i]))
		i++;
	if (i < *len && (*text)[i] == '{')
		return diag_usage(d, -1, "%s: --tc-units is for lines: a document says it itself", name);
	longer = realloc(*text, *len + strlen(line));
	if (!longer)
		return diag_failed(d, ENOMEM, "%s", name);
	memcpy(longer + *len, line, strlen(line));
	*text = longer;
	*len += strlen(line);
	return 0;
}

static int read_topo(struct diag *d, const char *path, const struct topo_cfg *cfg,
		     struct topo **topo)
{
	const char *name = strcmp(path, "-") == 0 ? "(standard input)" : path;
	char *text = NULL;
	size_t len;
	int err;

	*topo = NULL;
	err = read_file(d, path, &text, &len);
	if (!err && cfg->units)
		err = add_units(d, name, cfg->units, &text, &len);
	if (!err)
		err = topo_parse(d, name, text, len, cfg->prefix, topo);
	free(text);
	return err;
}

/* The document that "topo up" takes again: the file's lines. */
static void put_topology(struct doc *doc, const struct topo *topo)
{
	doc_str(doc, "schema", NULL, TOPO_SCHEMA);
	doc_str(doc, "prefix", NULL, topo->prefix);
	doc_open_array(doc, "topology");
	for (int i = 0; i < topo->nstmts; i++) {
		char *text = topo_stmt_text(&topo->stmts[i]);

		doc_str(doc, "", NULL, text ? text : "");
		free(text);
	}
	doc_close_array(doc);
}

static int dry_up(struct ctx *ctx, const struct topo *topo)
{
	struct topo_step *steps;
	int i, n, err;

	err = topo_qdiscs_check(ctx->diag, topo, false);
	if (!err)
		err = topo_plan(ctx->diag, topo, &steps, &n);
	if (err)
		return err;
	doc_open_object(ctx->doc, NULL);
	put_topology(ctx->doc, topo);
	doc_open_array(ctx->doc, "steps");
	for (i = 0; i < n; i++) {
		char *text = topo_step_text(topo, &steps[i]);

		doc_str(ctx->doc, "", "%s\n", text ? text : "");
		free(text);
	}
	doc_close_array(ctx->doc);
	doc_close_object(ctx->doc);
	free(steps);
	return 0;
}

static int topo_cmd_up(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo)
{
	static const char *const states[] = {
		[TOPO_MADE] = "made",
		[TOPO_MADE_AGAIN] = "made again",
		[TOPO_UNCHANGED] = "unchanged",
	};
	enum topo_up_result result;
	struct doc *quiet;
	int err;

	if (cfg->dry_run)
		return dry_up(ctx, topo);
	err = topo_up(ctx->diag, topo, (unsigned int)cfg->threads, ctx->progress, &result);
	if (err)
		return err;
	ctx->stands = "the topology stands";
	/* In text nothing is said of what went as asked, unless with -v. */
	if (!ctx->json && !ctx->output && !ctx->verbose)
		return 0;
	quiet = ctx->doc;
	doc_open_object(quiet, NULL);
	put_topology(quiet, topo);
	doc_str(quiet, "state", "# %s\n", states[result]);
	err = topo_live(ctx->diag, topo, false, ctx->progress, quiet);
	doc_close_object(quiet);
	if (err)
		diag_append(ctx->diag, "%s", ctx->stands);
	return err;
}

static int dry_down(struct ctx *ctx, const struct topo *topo)
{
	struct journal **list;
	int i, k, err;

	err = journal_read_all(ctx->diag, &list);
	if (err)
		return err;
	doc_open_object(ctx->doc, NULL);
	doc_open_array(ctx->doc, "steps");
	for (i = 0; list[i]; i++) {
		if (topo && !journal_shares(list[i], topo))
			continue;
		for (k = 0; k < list[i]->ndevs; k++) {
			doc_text(ctx->doc, "delete dev ");
			doc_str(ctx->doc, "", "%s\n", list[i]->devs[k].dev);
		}
		for (k = 0; k < list[i]->nnetns; k++) {
			doc_text(ctx->doc, "delete netns ");
			doc_str(ctx->doc, "", "%s\n", list[i]->netns[k].name);
		}
	}
	doc_close_array(ctx->doc);
	doc_close_object(ctx->doc);
	journal_free_all(list);
	return 0;
}

static int topo_cmd_down(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo)
{
	int n, err;

	if (cfg->dry_run)
		return dry_down(ctx, topo);
	err = topo_down(ctx->diag, topo, ctx->progress, &n);
	if (err)
		return err;
	doc_open_object(ctx->doc, NULL);
	doc_i64(ctx->doc, "topologies_removed", NULL, n);
	doc_close_object(ctx->doc);
	return 0;
}

static int put_journal(struct ctx *ctx, const struct journal *j, bool head)
{
	struct topo *topo;
	int err = topo_of_journal(ctx->diag, j, &topo);

	if (err)
		return err;
	doc_open_object(ctx->doc, head ? "" : NULL);
	put_topology(ctx->doc, topo);
	doc_str(ctx->doc, "file", head ? "# %s" : NULL, j->file);
	doc_bool(ctx->doc, "complete", NULL, j->up);
	if (head)
		doc_text(ctx->doc, "%s\n", j->up ? "" : ", begun and not completed");
	err = topo_live(ctx->diag, topo, false, ctx->progress, ctx->doc);
	doc_close_object(ctx->doc);
	topo_free(topo);
	return err;
}

static int show_all(struct ctx *ctx)
{
	struct journal **list;
	int i, err, one;

	err = journal_read_all(ctx->diag, &list);
	if (err)
		return err;
	doc_open_object(ctx->doc, NULL);
	doc_open_array(ctx->doc, "topologies");
	/* One that is damaged does not hide the others. */
	for (i = 0; list[i]; i++) {
		one = put_journal(ctx, list[i], true);
		err = err ? err : one;
	}
	ctx->print_anyway = true;
	doc_close_array(ctx->doc);
	doc_close_object(ctx->doc);
	journal_free_all(list);
	return err;
}

static int find_up(struct ctx *ctx, const struct topo *topo, struct journal **j)
{
	int err = topo_find(ctx->diag, topo, j);

	if (!err && !*j)
		err = diag_failed(ctx->diag, 0, "%s: nothing of it is up", topo->file);
	return err;
}

static int topo_cmd_show(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo)
{
	struct journal *j;
	int err;

	(void)cfg;
	if (!topo)
		return show_all(ctx);
	err = find_up(ctx, topo, &j);
	if (err)
		return err;
	if (!journal_is_of(j, topo))
		diag_warn(ctx->diag, "%s: what is up was made from other lines (of %s)", topo->file,
			  j->file);
	err = put_journal(ctx, j, false);
	journal_free(j);
	return err;
}

struct drift {
	struct doc *doc;
	int n;
};

static void put_drift(void *arg, char sign, const char *fact)
{
	struct drift *drift = arg;
	char text[2] = { sign, '\0' };

	drift->n++;
	doc_open_object(drift->doc, "");
	doc_str(drift->doc, "sign", "%s ", text);
	doc_str(drift->doc, "fact", "%s\n", fact);
	doc_close_object(drift->doc);
}

static int topo_cmd_check(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo)
{
	struct drift drift = { .doc = ctx->doc };
	struct journal *j;
	int err;

	(void)cfg;
	err = find_up(ctx, topo, &j);
	if (err)
		return err;
	doc_open_object(ctx->doc, NULL);
	doc_open_array(ctx->doc, "drift");
	if (!j->up)
		put_drift(&drift, '-', "the end of \"topo up\": it was begun and not completed");
	err = topo_drift(ctx->diag, topo, j, ctx->progress, put_drift, &drift);
	doc_close_array(ctx->doc);
	doc_close_object(ctx->doc);
	journal_free(j);
	ctx->print_anyway = !err;
	if (!err && drift.n)
		err = diag_failed(ctx->diag, 0, "%s: %d %s not as declared", topo->file, drift.n,
				  drift.n == 1 ? "fact is" : "facts are");
	return err;
}

static int topo_cmd_play(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo)
{
	if (cfg->dry_run) {
		play_dry(ctx, topo);
		return 0;
	}
	return play(ctx, &cfg->play, topo);
}

static const struct verb {
	const char *name;
	bool takes_all;
	bool takes_dry_run;
	int (*run)(struct ctx *ctx, const struct topo_cfg *cfg, const struct topo *topo);
} verbs[] = {
	{ "up", false, true, topo_cmd_up },
	{ "down", true, true, topo_cmd_down },
	{ "show", true, false, topo_cmd_show },
	{ "check", false, false, topo_cmd_check },
	{ "play", false, true, topo_cmd_play },
};

#define NVERBS (sizeof(verbs) / sizeof(verbs[0]))

static void topo_words(void (*emit)(const char *word))
{
	for (size_t i = 0; i < NVERBS; i++)
		emit(verbs[i].name);
}

static int words_check(struct diag *d, const struct verb *verb, const struct topo_cfg *cfg, int argc,
		       char **argv)
{
	if (cfg->dry_run && !verb->takes_dry_run)
		return diag_usage(d, -1, "%s: --dry-run is for up, down and play", verb->name);
	if (cfg->threads && verb->run != topo_cmd_up)
		return diag_usage(d, -1, "%s: --threads is for up", verb->name);
	if ((cfg->duration_set || cfg->speed_set || cfg->late_set) && verb->run != topo_cmd_play)
		return diag_usage(d, -1, "%s: --duration, --speed and --late are for play", verb->name);
	if (cfg->all && !verb->takes_all)
		return diag_usage(d, -1, "%s: --all is for down and show", verb->name);
	if (cfg->all && (argc > 1 || cfg->prefix))
		return diag_usage(d, argc > 1 ? 1 : -1, "%s: --all stands for every topology: no FILE, no --prefix",
				  verb->name);
	if (!cfg->all && argc < 2)
		return diag_usage(d, argc, "%s: the FILE is missing (\"-\" for standard input)", verb->name);
	if (argc > 2)
		return diag_usage(d, 2, "%s: \"%s\" is one word too many", verb->name, argv[2]);
	return 0;
}

static int topo_run(struct ctx *ctx, void *config, int argc, char **argv)
{
	const struct topo_cfg *cfg = config;
	struct topo *topo = NULL;
	size_t i;
	int err;

	if (!argc)
		return diag_usage(ctx->diag, 0, "topo: up, down, show, check or play?");
	for (i = 0; i < NVERBS && strcmp(verbs[i].name, argv[0]) != 0; i++)
		;
	if (i == NVERBS)
		return diag_usage(ctx->diag, 0, "\"%s\": up, down, show, check or play", argv[0]);
	err = words_check(ctx->diag, &verbs[i], cfg, argc, argv);
	if (!err && !cfg->all)
		err = read_topo(ctx->diag, argv[1], cfg, &topo);
	/* A schedule that cannot be played is found before the kernel is touched. */
	if (!err && topo && (verbs[i].run == topo_cmd_up || verbs[i].run == topo_cmd_play))
		err = play_load(ctx->diag, topo, argv[1]);
	if (!err)
		err = verbs[i].run(ctx, cfg, topo);
	topo_free(topo);
	return err;
}

const struct cmd cmd_topo = {
	.name = "topo",
	.summary = "namespaces, links, addresses and qdiscs from one file",
	.usage = "up [--dry-run] [--prefix P] [--threads N] FILE\n"
		 "down [--dry-run] [--prefix P] FILE | --all\n"
		 "show [--prefix P] FILE | --all\n"
		 "check [--prefix P] FILE\n"
		 "play [--dry-run] [--prefix P] [--duration TIME] [--speed N] [--late TIME] FILE",
	.opts = topo_opts,
	.defaults = &topo_defaults,
	.cfg_size = sizeof(struct topo_cfg),
	.words = topo_words,
	.run = topo_run,
};

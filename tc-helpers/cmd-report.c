// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qbed report: result documents in, text for a commit message, JSON, or an
 * exit code out. The work is in pure/; here are the files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "report/expect.h"
#include "report/group.h"
#include "report/report.h"
#include "report/result.h"

#define FILE_MAX (64u << 20)	/* a boot's document is some 10 kB */
#define FOLDERS_MAX 16		/* one in the other */


struct report_cfg {
	struct expect *expects;
	size_t nexpects;
	bool seeds_shown;
};

/**
 * struct input - what was read
 * @out: the report's own file, which may be made in a folder that is read; [0] -o, [1] stdout
 * @nout: how many of them there are
 */
struct input {
	struct result **results;
	size_t n;
	struct stat out[2];
	size_t nout;
};

static int expect_opt(struct diag *d, char **words, int i, void *field)
{
	struct report_cfg *cfg = (void *)((char *)field - offsetof(struct report_cfg, expects));
	struct expect *more = realloc(cfg->expects, (cfg->nexpects + 1) * sizeof(*more));
	int err;

	if (!more)
		return diag_failed(d, ENOMEM, "--expect");
	cfg->expects = more;
	err = expect_parse(d, i, words[i], &more[cfg->nexpects]);
	if (!err)
		cfg->nexpects++;
	return err;
}

static const struct opt report_opts[] = {
	{ "expect", OPT_FN, offsetof(struct report_cfg, expects), "EXPR",
	  "[BASE:]EXPERIMENT.ARM.METRIC OP VALUE must hold; may be repeated", .parse = expect_opt },
	{ "seeds-shown", OPT_FLAG, offsetof(struct report_cfg, seeds_shown), NULL,
	  "a line for each seed" },
	{ 0 }
};

/* The whole of @fd; *@text is malloc()ed. */
static int read_all(struct diag *d, int fd, const char *path, char **text, size_t *len)
{
	size_t room = 16384, n = 0;
	char *buf = malloc(room);

	while (buf) {
		ssize_t got = read(fd, buf + n, room - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = diag_usage(d, -1, "%s: read: %s", path, strerror(errno));

			free(buf);
			return err;
		}
		n += (size_t)got;
		if (!got) {
			*text = buf;
			*len = n;
			return 0;
		}
		if (n > FILE_MAX) {
			free(buf);
			return diag_usage(d, -1, "%s: greater than %u MiB: not a result of qbed",
					  path, FILE_MAX >> 20);
		}
		if (n == room) {
			char *more = realloc(buf, room *= 2);

			if (!more)
				free(buf);
			buf = more;
		}
	}
	return diag_failed(d, ENOMEM, "%s", path);
}

static int take_result(struct diag *d, struct input *in, struct result *r)
{
	struct result **more = realloc(in->results, (in->n + 1) * sizeof(*more));

	if (!more) {
		result_free(r);
		return diag_failed(d, ENOMEM, "report");
	}
	in->results = more;
	in->results[in->n++] = r;
	return 0;
}

/* A file that was @named must be a result; in a folder, other documents of qbed may stand. */
static int read_file(struct diag *d, struct input *in, const char *path, bool named)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	struct diag own;
	struct result *r;
	size_t len = 0;
	char *text = NULL;
	int err;

	/* exit 2 is kept for a bound that is broken: a bisection must not take this for one */
	if (fd < 0)
		return diag_usage(d, -1, "%s: open: %s", path, strerror(errno));
	err = read_all(d, fd, path, &text, &len);
	close(fd);
	if (err)
		return err;
	diag_init(&own);
	err = result_parse(&own, path, text, len, &r);
	free(text);
	if (!err)
		err = take_result(d, in, r);
	else if (err == -ENOMSG && !named)
		err = (diag_warn(d, "%s, left out", own.text), 0);
	else if (own.exit == EXIT_USAGE)
		err = diag_usage(d, -1, "%s", own.text);
	else
		err = diag_failed(d, 0, "%s", own.text);
	diag_free(&own);
	return err;
}

static void find_outputs(struct input *in, const struct ctx *ctx)
{
	if (ctx->output && !stat(ctx->output, &in->out[in->nout]))
		in->nout++;
	if (!fstat(STDOUT_FILENO, &in->out[in->nout]) && S_ISREG(in->out[in->nout].st_mode))
		in->nout++;
}

static bool is_output(const struct input *in, const struct stat *st)
{
	for (size_t i = 0; i < in->nout; i++)
		if (in->out[i].st_dev == st->st_dev && in->out[i].st_ino == st->st_ino)
			return true;
	return false;
}

static int entry_wanted(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int entry_cmp(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool ends_in_json(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, ".json");
}

static int read_folder(struct diag *d, struct input *in, const char *path, int depth)
{
	struct dirent **entries;
	int n = scandir(path, &entries, entry_wanted, entry_cmp), err = 0;

	if (n < 0)
		return diag_usage(d, -1, "%s: open: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		char *inner = NULL;
		struct stat st;

		if (!err && asprintf(&inner, "%s/%s", path, entries[i]->d_name) < 0)
			err = diag_failed(d, ENOMEM, "%s", path);
		/* links to files are followed, links to folders are not: they may go round */
		if (!err && !lstat(inner, &st)) {
			if (S_ISDIR(st.st_mode) && depth < FOLDERS_MAX)
				err = read_folder(d, in, inner, depth + 1);
			else if (ends_in_json(inner) && !stat(inner, &st) && S_ISREG(st.st_mode) &&
				 !is_output(in, &st))
				err = read_file(d, in, inner, false);
		}
		free(inner);
		free(entries[i]);
	}
	free(entries);
	return err;
}

static int read_input(struct diag *d, struct input *in, int argc, char **argv)
{
	if (!argc)
		return diag_usage(d, -1, "report: which results? Give files or folders");
	for (int i = 0; i < argc; i++) {
		size_t before = in->n;
		struct stat st;
		int err;

		if (strcmp(argv[i], "-") && !stat(argv[i], &st) && S_ISDIR(st.st_mode)) {
			err = read_folder(d, in, argv[i], 0);
			if (!err && in->n == before)
				err = diag_usage(d, -1, "%s: no results (*.json) in this folder",
						 argv[i]);
		} else {
			err = read_file(d, in, argv[i], true);
		}
		if (err)
			return err;
	}
	return 0;
}

/* Broken before cannot tell; each that did not hold is named. */
static int judge(struct ctx *ctx, struct report *report, struct outcome *outcomes)
{
	enum verdict worst = EXPECT_HELD;
	size_t which = 0;

	for (size_t i = 0; i < report->nexpects; i++) {
		int err = expect_judge(ctx->diag, &report->expects[i], report->groups,
				       report->ngroups, &outcomes[i]);

		if (err)
			return err;
		if (outcomes[i].verdict == EXPECT_HELD || worst == EXPECT_BROKEN)
			continue;
		if (worst == EXPECT_HELD || outcomes[i].verdict == EXPECT_BROKEN) {
			worst = outcomes[i].verdict;
			which = i;
		}
	}
	for (size_t i = 0; i < report->nexpects; i++)
		if (outcomes[i].verdict != EXPECT_HELD && i != which)
			diag_warn(ctx->diag, "report: %s: %s: %s", report->expects[i].text,
				  verdict_name(outcomes[i].verdict), outcomes[i].text);
	if (worst == EXPECT_HELD)
		return 0;
	ctx->print_anyway = true;
	if (worst == EXPECT_BROKEN)
		return diag_failed(ctx->diag, 0, "report: %s: broken: %s",
				   report->expects[which].text, outcomes[which].text);
	return diag_cannot(ctx->diag, "report: %s: cannot tell: %s", report->expects[which].text,
			   outcomes[which].text);
}

static int show(struct ctx *ctx, const struct report_cfg *cfg, struct group *groups,
		size_t ngroups)
{
	struct outcome *outcomes = calloc(cfg->nexpects + 1, sizeof(*outcomes));
	struct report report = {
		.groups = groups, .ngroups = ngroups,
		.expects = cfg->expects, .outcomes = outcomes, .nexpects = cfg->nexpects,
		.seeds_shown = cfg->seeds_shown,
	};
	int err, verdict;

	if (!outcomes)
		return diag_failed(ctx->diag, ENOMEM, "report");
	verdict = judge(ctx, &report, outcomes);
	err = verdict;
	if (!verdict || ctx->print_anyway) {
		report_json(ctx->doc, &report);
		err = report_text(ctx->diag, ctx->doc, &report);
	}
	free(outcomes);
	return verdict ? verdict : err;
}

static int report_run(struct ctx *ctx, void *config, int argc, char **argv)
{
	struct report_cfg *cfg = config;
	struct input in = { 0 };
	struct group *groups = NULL;
	size_t ngroups = 0;
	int err;

	find_outputs(&in, ctx);
	err = read_input(ctx->diag, &in, argc, argv);
	if (!err)
		err = groups_build(ctx->diag, in.results, &in.n, &groups, &ngroups);
	if (!err)
		err = show(ctx, cfg, groups, ngroups);
	groups_free(groups, ngroups);
	for (size_t i = 0; i < in.n; i++)
		result_free(in.results[i]);
	free(in.results);
	for (size_t i = 0; i < cfg->nexpects; i++)
		expect_free(&cfg->expects[i]);
	free(cfg->expects);
	return err;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Results of experiments as text for a commit message, or as JSON.",
	.usage = "FILE|DIR... [--expect EXPR]... [--seeds-shown]",
	.opts = report_opts,
	.cfg_size = sizeof(struct report_cfg),
	.run = report_run,
};

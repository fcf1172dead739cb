// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qbed: the edge. Words come in, one command runs, one document or one error
 * goes out. Nothing below this file prints or exits.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#else
#define PACKAGE_VERSION "unknown"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "help.h"
#include "net/rtnl.h"
#include "opt.h"
#include "progress.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "tc-mode.h"

extern const struct cmd cmd_batch;
extern const struct cmd cmd_class;
extern const struct cmd cmd_delay;
extern const struct cmd cmd_filter;
extern const struct cmd cmd_load;
extern const struct cmd cmd_locks;
extern const struct cmd cmd_qdisc;
extern const struct cmd cmd_report;
extern const struct cmd cmd_retire;
extern const struct cmd cmd_timers;
extern const struct cmd cmd_topo;

/* Every command, in the order of the help. A new one is a line here and one above. */
static const struct cmd *const cmds[] = {
	&cmd_topo,
	&cmd_qdisc,
	&cmd_class,
	&cmd_filter,
	&cmd_batch,
	&cmd_delay,
	&cmd_load,
	&cmd_locks,
	&cmd_report,
	&cmd_retire,
	&cmd_timers,
	NULL
};

/* What may stand before the command and among its own options. */
struct common {
	bool json;
	bool complete;
	bool version;
	int verbose;
	const char *output;
	const char *color;
};

#define FIELD(name) offsetof(struct common, name)

static int color_parse(struct diag *d, char **words, int i, void *field)
{
	if (strcmp(words[i], "never") && strcmp(words[i], "auto") && strcmp(words[i], "always"))
		return diag_usage(d, i, "\"%s\": never, auto or always", words[i]);
	*(const char **)field = words[i];
	return 0;
}

static const struct opt common_opts[] = {
	{ "json", OPT_FLAG, FIELD(json), NULL, "print JSON" },
	{ "output", OPT_STR, FIELD(output), "FILE", "write JSON to FILE, print nothing", .letter = 'o' },
	{ "color", OPT_FN, FIELD(color), "WHEN", "color messages: never, auto, always (auto)",
	  .parse = color_parse },
	{ "verbose", OPT_COUNT, FIELD(verbose), NULL, "say more; twice: every netlink message, decoded", .letter = 'v' },
	{ 0 }
};

/* Before the command only; --complete-words is for bash completion and kept out of the help. */
static const struct opt first_opts[] = {
	{ "version", OPT_FLAG, FIELD(version), NULL, "print the version", .letter = 'V' },
	{ 0 }
};

static const struct opt hidden_opts[] = {
	{ "complete-words", OPT_FLAG, FIELD(complete), NULL, NULL },
	{ 0 }
};

static const struct cmd *cmd_find(const char *name)
{
	for (const struct cmd *const *cmd = cmds; *cmd; cmd++)
		if (!strcmp((*cmd)->name, name) ||
		    ((*cmd)->alias && !strcmp((*cmd)->alias, name)))
			return *cmd;
	return NULL;
}

/* The message, in color where that is wanted and can be seen. */
static void say(const struct common *common, const char *sgr, const char *label, const char *text)
{
	const char *when = common->color ? common->color : "auto";
	bool color = !strcmp(when, "always");

	if (!strcmp(when, "auto"))
		color = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
	fprintf(stderr, "%sqbed: %s%s%s\n", color ? sgr : "", label, color ? "\033[0m" : "", text);
}

static void say_now(const struct ctx *ctx, const struct diag *d)
{
	const struct common *common = ctx->edge;

	for (size_t i = 0; i < d->nwarnings; i++)
		say(common, "\033[33m", "warning: ", d->warnings[i]);
	if (d->exit != EXIT_DONE)
		say(common, "\033[31m", "", d->text);
}

static void say_diag(const struct common *common, const struct diag *d, const struct cmd *cmd)
{
	const struct ctx ctx = { .edge = common };

	say_now(&ctx, d);
	if (d->exit == EXIT_USAGE)
		fprintf(stderr, "See qbed %s%s--help.\n", cmd ? cmd->name : "", cmd ? " " : "");
}

static void flush_now(const struct ctx *ctx)
{
	if (ctx->json || ctx->output)
		return;
	fputs(doc_as_text(ctx->doc), stdout);
	fflush(stdout);
	doc_drop_text(ctx->doc);
}

/* True if all of standard output arrived; says so if not (a full disk, a closed pipe). */
static bool stdout_flushed(const struct common *common, const struct ctx *ctx)
{
	char text[256];

	if (!fflush(stdout) && !ferror(stdout))
		return true;
	snprintf(text, sizeof(text), "standard output: write: %s%s%s", strerror(errno),
		 ctx->stands ? ": " : "", ctx->stands ? ctx->stands : "");
	say(common, "\033[31m", "", text);
	return false;
}

/**
 * struct outfile - the file of -o, opened before the work
 * @fd: -1 for none
 * @created: it was not there before: a failed command takes it away again
 */
struct outfile {
	int fd;
	bool created;
};

/* Opened early, so that a measurement of minutes is not lost to a wrong path. */
static int outfile_open(struct diag *d, const char *path, struct outfile *out)
{
	out->fd = -1;
	if (!path)
		return 0;
	out->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	out->created = out->fd >= 0;
	if (out->fd < 0 && errno == EEXIST)
		out->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (out->fd < 0)
		return diag_failed(d, errno, "%s: open", path);
	return 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* The document goes out whole or the command failed. */
static int print_doc(const struct ctx *ctx, struct outfile *out)
{
	char *json = ctx->json || ctx->output ? doc_as_json(ctx->doc) : NULL;
	int err = 0;

	if (json && !*json) {
		/* nothing to say as JSON */
	} else if (ctx->output) {
		struct stat st;

		if ((!fstat(out->fd, &st) && S_ISREG(st.st_mode) && ftruncate(out->fd, 0)) ||
		    write_all(out->fd, json, strlen(json)) || write_all(out->fd, "\n", 1))
			err = diag_failed(ctx->diag, errno, "%s: write", ctx->output);
	} else if (json) {
		puts(json);
	} else {
		fputs(doc_as_text(ctx->doc), stdout);
	}
	free(json);
	return err;
}

static void outfile_close(struct diag *d, struct outfile *out, const char *path, bool keep)
{
	if (out->fd < 0)
		return;
	if (close(out->fd) && keep)
		diag_failed(d, errno, "%s: close", path);
	if (!keep && out->created)
		unlink(path);
}

/* One write per message: they may come from several threads. */
static void show_message(const char *text)
{
	fputs(text, stderr);
}

static int run_cmd(const struct cmd *cmd, struct common *common, struct ctx *ctx,
		   int argc, char **argv)
{
	char **words = calloc((size_t)argc + 1, sizeof(*words));
	void *cfg = calloc(1, cmd->cfg_size ? cmd->cfg_size : 1);
	const struct opt_table tables[] = { { cmd->opts, cfg }, { common_opts, common } };
	struct outfile out = { .fd = -1 };
	bool print;
	int n, ret;

	if (!cfg || !words)
		return diag_failed(ctx->diag, ENOMEM, "qbed");
	if (cmd->defaults)
		memcpy(cfg, cmd->defaults, cmd->cfg_size);
	if (cmd->wraps) {
		n = opt_parse_tables(ctx->diag, tables, 2, argc, argv);
		if (n >= 0) {
			memcpy(words, argv + n, (size_t)(argc - n + 1) * sizeof(*words));
			n = argc - n;
		}
	} else {
		n = opt_permute(ctx->diag, tables, 2, argc, argv, words);
	}
	if (n == OPT_HELP) {
		help_cmd(cmd, common_opts);
		ret = 0;
		goto out;
	}
	ret = n < 0 ? n : outfile_open(ctx->diag, common->output, &out);
	if (!ret) {
		ctx->json = common->json;
		ctx->output = common->output;
		ctx->verbose = common->verbose;
		if (common->verbose > 1)
			rtnl_trace_to(show_message);
		ret = cmd->run(ctx, cfg, n, words);
		progress_clear(ctx->progress);
		print = !ret || ctx->print_anyway;
		if (print && print_doc(ctx, &out) && !ret) {
			ret = -EIO;
			if (ctx->stands)
				diag_append(ctx->diag, "%s", ctx->stands);
		}
		outfile_close(ctx->diag, &out, ctx->output, print);
	}
out:
	free(words);
	free(cfg);
	return ret;
}

/* A closed descriptor must not be reused for a socket that then gets our output. */
static void hold_std_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_FAILED);
}

static int dispatch(struct common *common, struct ctx *ctx, const struct cmd **cmd,
		    int argc, char **argv)
{
	const struct opt_table tables[] = {
		{ common_opts, common }, { first_opts, common }, { hidden_opts, common },
	};
	bool help;
	int n;

	n = opt_parse_tables(ctx->diag, tables, 3, argc, argv);
	if (n < 0 && n != OPT_HELP)
		return n;
	if (common->version) {
		printf("qbed %s\n", PACKAGE_VERSION);
		return 0;
	}
	if (common->complete) {
		help_words(cmds, common_opts, first_opts);
		return 0;
	}
	if (n == OPT_HELP) {
		help_main(cmds, common_opts, first_opts);
		return 0;
	}
	if (n == argc)
		return diag_usage(ctx->diag, -1, "a command is needed");
	help = !strcmp(argv[n], "help");
	if (help && ++n == argc) {
		help_main(cmds, common_opts, first_opts);
		return 0;
	}
	*cmd = cmd_find(argv[n]);
	if (!*cmd)
		return diag_usage(ctx->diag, n, "unknown command \"%s\"", argv[n]);
	if (help) {
		help_cmd(*cmd, common_opts);
		return 0;
	}
	return run_cmd(*cmd, common, ctx, argc - n - 1, argv + n + 1);
}

int main(int argc, char **argv)
{
	struct common common = { 0 };
	const struct cmd *cmd = NULL;
	struct diag diag;
	struct ctx ctx = {
		.argc = argc, .argv = argv, .diag = &diag, .say = say_now, .flush = flush_now,
		.progress = progress_on_terminal(), .edge = &common,
	};
	int ret;

	hold_std_fds();
	if (argc && tc_mode_is(argv[0]))
		return tc_mode_main(argc, argv);
	diag_init(&diag);
	ctx.doc = doc_new();
	ret = dispatch(&common, &ctx, &cmd, argc ? argc - 1 : 0, argv + 1);
	if (ret < 0 && diag.exit == EXIT_DONE)
		diag_failed(&diag, -ret, "%s", cmd ? cmd->name : "qbed");
	say_diag(&common, &diag, cmd);
	if (diag.exit != EXIT_DONE && ret <= 0)
		ret = diag.exit;
	if (!stdout_flushed(&common, &ctx) && !ret)
		ret = EXIT_FAILED;
	doc_free(ctx.doc);
	diag_free(&diag);
	return ret;
}

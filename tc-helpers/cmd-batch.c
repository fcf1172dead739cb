// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed batch: lines of tc's and ip's, done one after the other. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "batch-atomic.h"
#include "batch-read.h"
#include "cmd.h"
#include "command.h"
#include "measure/stop.h"
#include "pure/line.h"

struct batch_cfg {
	struct tc_object_cfg line;
	bool atomic;
	bool force;
};

/**
 * struct batch - a batch at work
 * @ctx: of the command
 * @cfg: its options
 * @from: where the lines come from
 * @line: number of the line at work
 * @session: sockets
 * @exit: exit code of the first line that failed
 * @done: lines that were done
 * @failed: lines that were not
 */
struct batch {
	struct ctx *ctx;
	const struct batch_cfg *cfg;
	struct batch_reader from;
	int line;
	struct session *session;
	int exit;
	unsigned int done;
	unsigned int failed;
};

/*
 * What a line had to say, with its place before it: at once, but for the error
 * that ends the batch, which is the command's.
 */
static void tell(struct batch *b, const struct diag *line)
{
	struct diag now, *out = b->cfg->force ? &now : b->ctx->diag;

	diag_init(&now);
	for (size_t i = 0; i < line->nwarnings; i++)
		diag_warn(&now, "%s:%d: %s", b->from.file, b->line, line->warnings[i]);
	if (line->exit != EXIT_DONE && out->exit == EXIT_DONE) {
		diag_failed(out, 0, "%s:%d: %s", b->from.file, b->line, line->text);
		out->exit = line->exit;
		if (b->exit == EXIT_DONE)
			b->exit = line->exit;
	}
	if (now.nwarnings || now.exit != EXIT_DONE)
		b->ctx->say(b->ctx, &now);
	diag_free(&now);
}

/* Reads lines up to the first that has words: 1, 0 at the end, negative with @d. */
static int next_line(struct batch *b, struct diag *d, struct batch_line *line)
{
	char *words[LINE_WORDS_MAX + 1];
	int n, err = 0;

	for (;;) {
		memset(line, 0, sizeof(*line));
		line->text = batch_read(&b->from, b->ctx->diag, &err);
		b->line = b->from.line;
		if (!line->text)
			return err;
		line->line = b->line;
		n = line_split(d, line->text, words);
		if (n)
			break;
		free(line->text);
	}
	err = n < 0 ? n : command_line(d, &b->cfg->line, words, n, &line->cmd);
	return err ? err : 1;
}

static void line_free(struct batch_line *line)
{
	command_free(&line->cmd);
	free(line->text);
	memset(line, 0, sizeof(*line));
}

/* Line after line, as they come. */
static int run_plainly(struct batch *b)
{
	struct batch_line line;
	struct diag d;
	int more, err;

	do {
		diag_init(&d);
		more = next_line(b, &d, &line);
		err = more < 0 ? more : 0;
		if (more > 0)
			err = command_run(&d, b->session, &line.cmd, b->ctx->doc, NULL);
		if (err)
			b->failed++;
		else if (more > 0)
			b->done++;
		tell(b, &d);
		b->ctx->flush(b->ctx);
		diag_free(&d);
		line_free(&line);
		/* what cannot be read cannot be gone past */
		if (b->ctx->diag->exit != EXIT_DONE)
			return err ? err : -EIO;
	} while (more);
	if (!b->failed)
		return 0;
	diag_failed(b->ctx->diag, 0, "%s: %u of %u lines failed", b->from.file, b->failed,
		    b->done + b->failed);
	b->ctx->diag->exit = b->exit;
	return -EIO;
}

/* All lines, each judged; they are to be freed whatever is returned. */
static int read_all(struct batch *b, struct atomic *atomic, struct batch_line **lines, size_t *n)
{
	struct batch_line line, *grown;
	struct diag d;
	int more;

	do {
		diag_init(&d);
		more = next_line(b, &d, &line);
		if (more > 0 && atomic_check(atomic, &d, &line))
			more = -EINVAL;
		tell(b, &d);
		diag_free(&d);
		grown = realloc(*lines, (*n + 1) * sizeof(*grown));
		if (!grown) {
			line_free(&line);
			return diag_failed(b->ctx->diag, ENOMEM, "%s", b->from.file);
		}
		*lines = grown;
		grown[(*n)++] = line;
	} while (more > 0);
	return more;
}

static bool told_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1);
}

static void undo(struct batch *b, struct atomic *atomic)
{
	unsigned int left;

	b->ctx->print_anyway = false;
	if (atomic_is_empty(atomic))
		return;
	left = atomic_undo(atomic, b->ctx->diag, b->session, b->from.file);
	if (left)
		diag_append(b->ctx->diag, "of what was done before, %u could not be undone", left);
	else
		diag_append(b->ctx->diag, "all that was done before is undone");
}

/* The last of @lines is the end of the file, which has no words. */
static int run_all(struct batch *b, struct atomic *atomic, struct batch_line *lines, size_t n)
{
	struct stop stop;
	struct diag d;
	int err = 0;

	stop_arm(&stop);
	atomic_begin(atomic);
	for (size_t i = 0; !err && i + 1 < n; i++) {
		b->line = lines[i].line;
		diag_init(&d);
		err = told_to_end() ? diag_failed(&d, EINTR, "told to end") :
		      atomic_run(atomic, &d, b->session, &lines[i], b->ctx->doc);
		tell(b, &d);
		diag_free(&d);
	}
	if (err)
		undo(b, atomic);
	stop_disarm(&stop);
	return err;
}

static int run_atomically(struct batch *b)
{
	struct atomic *atomic = atomic_new(b->ctx->diag);
	struct batch_line *lines = NULL;
	size_t n = 0;
	int err;

	if (!atomic)
		return -ENOMEM;
	err = read_all(b, atomic, &lines, &n);
	if (!err)
		err = run_all(b, atomic, lines, n);
	for (size_t i = 0; i < n; i++)
		line_free(&lines[i]);
	free(lines);
	atomic_free(atomic);
	return err;
}

static int batch_run(struct ctx *ctx, void *cfg, int argc, char **argv)
{
	struct batch b = { .ctx = ctx, .cfg = cfg };
	int err;

	if (argc != 1)
		return diag_usage(ctx->diag, argc > 1 ? 1 : -1, "batch: one FILE is needed, or - for standard input");
	if (b.cfg->atomic && b.cfg->force)
		return diag_usage(ctx->diag, -1, "batch: --atomic and --force exclude each other");
	err = batch_open(&b.from, ctx->diag, argv[0]);
	if (err)
		return err;
	b.session = session_new(ctx->diag);
	err = b.session ? 0 : -ENOMEM;
	doc_open_array(ctx->doc, NULL);
	ctx->print_anyway = true;
	if (!err)
		err = b.cfg->atomic ? run_atomically(&b) : run_plainly(&b);
	doc_close_array(ctx->doc);
	session_free(b.session);
	batch_close(&b.from);
	return err;
}

static const struct opt batch_opts[] = {
	{ "netns", OPT_STR, offsetof(struct batch_cfg, line.netns), "NS",
	  "network namespace of lines that name none", .letter = 'n' },
	TC_UNITS_OPT(offsetof(struct batch_cfg, line.units)),
	{ "atomic", OPT_FLAG, offsetof(struct batch_cfg, atomic), NULL,
	  "all lines or none: what was done is undone when one fails" },
	{ "force", OPT_FLAG, offsetof(struct batch_cfg, force), NULL,
	  "go on after a line that fails" },
	{ 0 }
};

extern const struct cmd cmd_batch;
const struct cmd cmd_batch = {
	.name = "batch",
	.summary = "do lines of tc's and ip's words from a file",
	.usage = "[-n NS] [--atomic|--force] FILE|-",
	.opts = batch_opts,
	.cfg_size = sizeof(struct batch_cfg),
	.run = batch_run,
};

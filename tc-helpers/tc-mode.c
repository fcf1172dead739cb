// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Called as "tc": what was written for tc(8) runs here. This is an edge as
 * main.c is: it prints. Options, objects and verbs may be cut short, as there.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#else
#define PACKAGE_VERSION "unknown"
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "batch-read.h"
#include "command.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/line.h"
#include "pure/units.h"
#include "tc-mode.h"

/* tc's: -1 as exit() makes it, for words that are wrong before the kind's own. */
#define EXIT_WORDS 255
/* After a filter's refusal */
#define KERNEL_ERROR "We have an error talking to the kernel\n"

/**
 * struct tc_mode - how tc was called
 * @cfg: what its options say of every line
 * @json: -json
 * @pretty: -pretty
 * @oneline: -oneline
 * @force: -force
 * @batch: file of -batch, NULL for none
 * @session: sockets
 */
struct tc_mode {
	struct tc_object_cfg cfg;
	bool json;
	bool pretty;
	bool oneline;
	bool force;
	const char *batch;
	struct session *session;
};

bool tc_mode_is(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	return !strcmp(slash ? slash + 1 : argv0, "tc");
}

static void usage(void)
{
	fputs("Usage: tc [OPTIONS] qdisc|class|filter [add|change|replace|del|show] ...\n"
	      "       tc [OPTIONS] [-force] -batch FILE\n"
	      "Options: -V[ersion] -s[tatistics] -d[etails] -j[son] -p[retty] -o[neline] -n[etns] NS\n"
	      "         -b[atch] FILE -force --tc-units 6.1|6.9\n"
	      "This is qbed: see qbed-tc(8).\n", stderr);
}

/* As tc: @word is @whole or its beginning. */
static bool begins(const char *word, const char *whole)
{
	return !strncmp(word, whole, strlen(word));
}

enum option {
	O_STATISTICS, O_DETAILS, O_PRETTY, O_VERSION, O_HELP, O_FORCE, O_BATCH, O_NETNS, O_JSON,
	O_ONELINE, O_UNITS, O_NOTHING, O_NOTHING_VALUE,
};

/* In the order in which tc looks at them, which decides what a beginning stands for. */
static const struct {
	const char *name;
	enum option option;
} options[] = {
	{ "-stats", O_STATISTICS }, { "-statistics", O_STATISTICS }, { "-details", O_DETAILS },
	{ "-raw", O_NOTHING }, { "-pretty", O_PRETTY }, { "-graph", O_NOTHING },
	{ "-Version", O_VERSION }, { "-iec", O_NOTHING }, { "-help", O_HELP }, { "-force", O_FORCE },
	{ "-batch", O_BATCH }, { "-netns", O_NETNS }, { "-Numeric", O_NOTHING },
	{ "-names", O_NOTHING }, { "-nm", O_NOTHING }, { "-cf", O_NOTHING_VALUE },
	{ "-conf", O_NOTHING_VALUE }, { "-color", O_NOTHING }, { "-timestamp", O_NOTHING },
	{ "-tshort", O_NOTHING }, { "-json", O_JSON }, { "-oneline", O_ONELINE },
	{ "-brief", O_NOTHING }, { "--tc-units", O_UNITS },
};

static bool takes_value(enum option option)
{
	return option == O_BATCH || option == O_NETNS || option == O_UNITS || option == O_NOTHING_VALUE;
}

static int units_set(struct tc_mode *m, char **words, int i)
{
	struct diag d;
	int err;

	diag_init(&d);
	err = tc_units_parse(&d, words, i, &m->cfg.units);
	if (err)
		fprintf(stderr, "%s\n", d.text);
	diag_free(&d);
	return err;
}

/* Sets one option; -1, or the exit code to end with. */
static int option_set(struct tc_mode *m, enum option option, char **words, int i)
{
	switch (option) {
	case O_STATISTICS:
		m->cfg.statistics = true;
		break;
	case O_DETAILS:
		m->cfg.details = true;
		break;
	case O_PRETTY:
		m->pretty = true;
		break;
	case O_VERSION:
		printf("tc utility, iproute2-6.1 as qbed %s has it\n", PACKAGE_VERSION);
		return 0;
	case O_HELP:
		usage();
		return 0;
	case O_FORCE:
		m->force = true;
		break;
	case O_BATCH:
		m->batch = words[i + 1];
		break;
	case O_NETNS:
		m->cfg.netns = words[i + 1];
		break;
	case O_JSON:
		m->json = true;
		break;
	case O_ONELINE:
		m->oneline = true;
		break;
	case O_UNITS:
		return units_set(m, words, i + 1) ? EXIT_WORDS : -1;
	case O_NOTHING:
	case O_NOTHING_VALUE:
		break;
	}
	return -1;
}

/* Reads the options; the index of the first word after them, or -1 with the exit code in @code. */
static int options_read(struct tc_mode *m, int n, char **words, int *code)
{
	const size_t all = sizeof(options) / sizeof(options[0]);
	int i;

	for (i = 0; i < n && words[i][0] == '-'; i++) {
		size_t o = 0;

		while (o < all && !begins(words[i], options[o].name))
			o++;
		/* "-color=always" */
		if (o == all && strncmp(words[i], "-color=", 7) != 0) {
			fprintf(stderr, "Option \"%s\" is unknown, try \"tc -help\".\n", words[i]);
			*code = EXIT_WORDS;
			return -1;
		}
		if (o == all)
			continue;
		if (takes_value(options[o].option) && i + 1 >= n) {
			fprintf(stderr, "Command line is not complete. Try option \"help\"\n");
			*code = EXIT_WORDS;
			return -1;
		}
		*code = option_set(m, options[o].option, words, i);
		if (*code >= 0)
			return -1;
		i += takes_value(options[o].option);
	}
	return i;
}

/* The whole word that @word stands for in @whole, or NULL. */
static char *completed(const char *word, char *const *whole)
{
	for (; *whole; whole++)
		if (begins(word, *whole))
			return *whole;
	return NULL;
}

static void put_json(const struct tc_mode *m, const struct doc *doc)
{
	char *json = doc_as_json(doc), *pretty;
	json_t *value;

	if (m->pretty && *json) {
		value = json_loads(json, 0, NULL);
		pretty = value ? json_dumps(value, JSON_INDENT(4) | JSON_PRESERVE_ORDER) : NULL;
		json_decref(value);
		if (pretty) {
			free(json);
			json = pretty;
		}
	}
	if (*json)
		puts(json);
	free(json);
}

/* tc's -oneline leaves classes as they are. */
static void put_answer(const struct tc_mode *m, const struct doc *doc, bool class)
{
	if (m->json) {
		put_json(m, doc);
		return;
	}
	for (const char *c = doc_as_text(doc); *c; c++)
		putchar(*c == '\n' && m->oneline && !class ? '\\' : *c);
}

/* Wrong words; @code is what the parser returned. */
static int tell_words(const struct diag *d, const struct command *cmd, int code, const char *word)
{
	bool own = cmd->kind == COMMAND_FILTER ? cmd->filter.kind != NULL : cmd->tc.kind != NULL;

	if (code == -ENOENT && cmd->kind == COMMAND_TC && cmd->tc.object == OBJECT_CLASS) {
		fprintf(stderr, "Error: Qdisc \"%s\" is classless.\n", word);
		return 1;
	}
	/* tc asks the kernel, which refuses */
	if (code == -ENOENT) {
		fprintf(stderr, "Error: %s\n", cmd->kind == COMMAND_FILTER ? "TC classifier not found." :
			"Specified qdisc kind is unknown.");
		if (cmd->kind == COMMAND_FILTER)
			fputs(KERNEL_ERROR, stderr);
		return 2;
	}
	fprintf(stderr, "Error: %s\n", d->text);
	return own ? 1 : d->word < 0 ? 2 : EXIT_WORDS;
}

/* "device [NS:]NAME: No such device", before anything was asked of the kernel */
static bool tell_no_device(const struct diag *d)
{
	const char *end = strstr(d->text, ": No such device"), *name = d->text + 7;

	if (strncmp(d->text, "device ", 7) != 0 || !end)
		return false;
	for (const char *c = name; c < end; c++)
		if (*c == ':')
			name = c + 1;
	fprintf(stderr, "Cannot find device \"%.*s\"\n", (int)(end - name), name);
	return true;
}

/* tc's words for what was refused or failed, on standard error; its exit code. */
static int tell(const struct diag *d, const struct command *cmd)
{
	bool stop = *d->told && d->told[strlen(d->told) - 1] == '.';

	if (d->exit == EXIT_DONE) {
		if (*d->told)
			fprintf(stderr, "Warning: %s%s\n", d->told, stop ? "" : ".");
		return 0;
	}
	if (tell_no_device(d))
		return 1;
	if (*d->told)
		fprintf(stderr, "Error: %s%s\n", d->told, stop ? "" : ".");
	else if (d->errnum)
		fprintf(stderr, "RTNETLINK answers: %s\n", strerror(d->errnum));
	else
		fprintf(stderr, "Error: %s\n", d->text);
	if (d->errnum && cmd->op == OP_SHOW) {
		fprintf(stderr, "Dump terminated\n");
		return 1;
	}
	if (d->errnum && cmd->kind == COMMAND_FILTER)
		fputs(KERNEL_ERROR, stderr);
	return !d->errnum && !strncmp(d->text, "netns ", 6) ? EXIT_WORDS : 2;
}

static int unknown_verb(const char *object, const char *word)
{
	if (begins(word, "help")) {
		usage();
		return 0;
	}
	fprintf(stderr, "Command \"%s\" is unknown, try \"tc %s help\".\n", word, object);
	return EXIT_WORDS;
}

static int line_parse(struct diag *d, const char *object, char **words, int n, struct command *cmd)
{
	if (object[0] == 'f')
		return command_filter(d, words, n, cmd);
	return command_tc(d, object[0] == 'q' ? OBJECT_QDISC : OBJECT_CLASS, words, n, cmd);
}

/* One line, the object first; its exit code. @words is changed. */
static int line_run(struct tc_mode *m, char **words, int n)
{
	static char *const objects[] = { "qdisc", "class", "filter", NULL };
	static char *const verbs[] = {
		"add", "change", "replace", "delete", "list", "show", "ls", "lst", NULL
	};
	const char *object = completed(words[0], objects);
	struct command cmd = { .cfg = m->cfg };
	struct doc *doc;
	struct diag d;
	char *verb;
	int code;

	if (!object) {
		if (begins(words[0], "help")) {
			usage();
			return 0;
		}
		fprintf(stderr, "Object \"%s\" is unknown, try \"tc help\".\n", words[0]);
		return EXIT_WORDS;
	}
	if (n > 1) {
		verb = completed(words[1], verbs);
		if (!verb)
			return unknown_verb(object, words[1]);
		words[1] = strcmp(verb, "lst") ? verb : "list";
	}
	diag_init(&d);
	doc = doc_new();
	if (!m->session)
		m->session = session_new(&d);
	code = m->session ? line_parse(&d, object, words + 1, n - 1, &cmd) : -ENOMEM;
	if (cmd.kind == COMMAND_FILTER && cmd.op == OP_SHOW && !cmd.filter.end.dev[0] && d.word < 0) {
		code = 0;	/* of no device there are none */
	} else if (d.exit == EXIT_USAGE) {
		code = tell_words(&d, &cmd, code, d.word >= 0 ? words[1 + d.word] : "");
	} else {
		if (d.exit == EXIT_DONE)
			command_run(&d, m->session, &cmd, doc, NULL);
		if (d.exit == EXIT_DONE && cmd.op == OP_SHOW)
			put_answer(m, doc, object[0] == 'c');
		code = tell(&d, &cmd);
	}
	command_free(&cmd);
	doc_free(doc);
	diag_free(&d);
	fflush(stdout);
	return code;
}

static int batch_lines(struct tc_mode *m, struct batch_reader *r, struct diag *d)
{
	char *words[LINE_WORDS_MAX + 1], *text;
	int n, err, code = 0;

	while ((text = batch_read(r, d, &err))) {
		struct diag bad;

		diag_init(&bad);
		n = line_split(&bad, text, words);
		if (n < 0)
			fprintf(stderr, "Error: %s\n", bad.text);
		diag_free(&bad);
		if (n < 0 || (n && line_run(m, words, n))) {
			fprintf(stderr, "Command failed %s:%d\n", r->file, r->at);
			code = 1;
		}
		free(text);
		if (code && !m->force)
			return code;
	}
	if (!err)
		return code;
	fprintf(stderr, "%s\n", d->text);
	return 1;
}

static int batch_all(struct tc_mode *m)
{
	struct batch_reader r;
	struct diag d;
	int code;

	diag_init(&d);
	if (batch_open(&r, &d, m->batch)) {
		fprintf(stderr, "Cannot open file \"%s\" for reading: %s\n", m->batch, strerror(errno));
		code = 1;
	} else {
		code = batch_lines(m, &r, &d);
		batch_close(&r);
	}
	diag_free(&d);
	return code;
}

int tc_mode_main(int argc, char **argv)
{
	char *units = getenv("QBED_TC_UNITS");
	struct tc_mode m = { .cfg = { .units = TC_UNITS_6_1 } };
	int code = 0, i;

	units_as_tc(true);
	if (units && units_set(&m, &units, 0))
		return EXIT_WORDS;
	i = options_read(&m, argc - 1, argv + 1, &code);
	if (i >= 0 && m.batch) {
		code = batch_all(&m);
	} else if (i >= 0 && i == argc - 1) {
		usage();
		code = 0;
	} else if (i >= 0) {
		code = line_run(&m, argv + 1 + i, argc - 1 - i);
	}
	session_free(m.session);
	if ((fflush(stdout) || ferror(stdout)) && !code) {
		fprintf(stderr, "standard output: %s\n", strerror(errno));
		code = 2;
	}
	return code;
}

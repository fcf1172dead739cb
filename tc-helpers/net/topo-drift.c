// SPDX-License-Identifier: GPL-2.0-or-later
/* A topology that stands, against what it was when it was made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/journal.h"
#include "net/netns.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "topo/topo.h"

int topo_find(struct diag *d, const struct topo *topo, struct journal **journal)
{
	struct journal **list;
	int i, err;

	*journal = NULL;
	err = journal_read_all(d, &list);
	if (err)
		return err;
	for (i = 0; list[i]; i++) {
		if (!*journal && journal_shares(list[i], topo))
			*journal = list[i];
		else
			journal_free(list[i]);
	}
	free(list);
	return 0;
}

int topo_of_journal(struct diag *d, const struct journal *j, struct topo **topo)
{
	size_t len = 1;
	char *text, *at;
	int i, err;

	for (i = 0; i < j->nlines; i++)
		len += strlen(j->lines[i]) + 1;
	text = malloc(len);
	if (!text)
		return diag_failed(d, ENOMEM, "%s", j->path);
	for (at = text, i = 0; i < j->nlines; i++) {
		at = stpcpy(at, j->lines[i]);
		*at++ = '\n';
	}
	err = topo_parse(d, j->path, text, (size_t)(at - text), j->prefix, topo);
	free(text);
	if (err == -EINVAL) {	/* nobody has typed that */
		d->exit = EXIT_FAILED;
		diag_append(d, "this journal is damaged: \"qbed topo down --all\" removes what it names");
	}
	return err;
}

/* A namespace of the same name that is another one has none of our facts. */
static void other_netns(const struct journal *j, void (*each)(void *arg, char sign, const char *fact),
			void *arg)
{
	char fact[NETNS_NAME_MAX + 64];
	struct diag quiet;
	uint64_t cookie;
	int i, err;

	for (i = 0; i < j->nnetns; i++) {
		diag_init(&quiet);
		err = netns_cookie(&quiet, j->netns[i].name, &cookie);
		diag_free(&quiet);
		if (err || cookie == j->netns[i].cookie)
			continue;
		snprintf(fact, sizeof(fact), "netns %s that qbed did not make", j->netns[i].name);
		each(arg, '+', fact);
	}
}

/* Lines of @a that have no partner in @b, each used once. */
static void only_in(char **a, int na, char **b, int nb, bool *used, char sign,
		    void (*each)(void *arg, char sign, const char *fact), void *arg)
{
	int i, k;

	memset(used, 0, (size_t)nb * sizeof(*used));
	for (i = 0; i < na; i++) {
		for (k = 0; k < nb; k++)
			if (!used[k] && strcmp(a[i], b[k]) == 0)
				break;
		if (k < nb)
			used[k] = true;
		else
			each(arg, sign, a[i]);
	}
}

static char **split(char *text, int *n)
{
	size_t count = 1;
	char **lines, *line, *save = NULL;

	for (const char *c = text; *c; c++)
		count += *c == '\n';
	lines = calloc(count, sizeof(*lines));
	*n = 0;
	for (line = strtok_r(text, "\n", &save); lines && line; line = strtok_r(NULL, "\n", &save))
		lines[(*n)++] = line;
	return lines;
}

/* Lines of the file that were not there when the topology was made, and the other way round. */
static int other_lines(const struct topo *topo, const struct journal *j,
		       void (*each)(void *arg, char sign, const char *fact), void *arg)
{
	size_t most = (size_t)(topo->nstmts > j->nlines ? topo->nstmts : j->nlines) + 1;
	char **lines = calloc(most, sizeof(*lines));
	bool *used = calloc(most, sizeof(*used));
	int i, err = lines && used ? 0 : -ENOMEM;

	for (i = 0; !err && i < topo->nstmts; i++) {
		lines[i] = topo_stmt_text(&topo->stmts[i]);
		err = lines[i] ? 0 : -ENOMEM;
	}
	if (!err) {
		only_in(lines, topo->nstmts, j->lines, j->nlines, used, '-', each, arg);
		only_in(j->lines, j->nlines, lines, topo->nstmts, used, '+', each, arg);
	}
	for (i = 0; lines && i < topo->nstmts; i++)
		free(lines[i]);
	free(lines);
	free(used);
	return err;
}

int topo_drift(struct diag *d, const struct topo *topo, const struct journal *j,
	       void (*each)(void *arg, char sign, const char *fact), void *arg)
{
	struct doc *doc = doc_new();
	char *text = NULL, **lines = NULL;
	bool *used = NULL;
	int n = 0, err = 0;

	if (doc) {
		doc_open_object(doc, NULL);
		err = topo_live(d, topo, true, doc);
		doc_close_object(doc);
		text = strdup(doc_as_text(doc));
		doc_free(doc);
	}
	if (text)
		lines = split(text, &n);
	if (lines)
		used = calloc((size_t)(n > j->nlive ? n : j->nlive) + 1, sizeof(*used));
	if (!err && (!used || other_lines(topo, j, each, arg)))
		err = diag_failed(d, ENOMEM, "%s", topo->file);
	if (!err) {
		other_netns(j, each, arg);
		only_in(j->live, j->nlive, lines, n, used, '-', each, arg);
		only_in(lines, n, j->live, j->nlive, used, '+', each, arg);
	}
	free(used);
	free(lines);
	free(text);
	return err;
}

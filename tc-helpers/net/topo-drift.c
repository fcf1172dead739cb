// SPDX-License-Identifier: GPL-2.0-or-later
/* A topology that stands, against what it was when it was made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/journal.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/snap.h"
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
	int i, k, next = 0;

	memset(used, 0, (size_t)nb * sizeof(*used));
	for (i = 0; i < na; i++) {
		/* Nearly always it is the one after the last one found. */
		for (k = 0; k < nb; k++)
			if (!used[(next + k) % nb] && strcmp(a[i], b[(next + k) % nb]) == 0)
				break;
		if (k == nb) {
			each(arg, sign, a[i]);
			continue;
		}
		next = (next + k) % nb;
		used[next++] = true;
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

/* Facts in lines; freed with *@text and the array. */
static int facts(struct diag *d, const struct topo *topo, struct snap *snap,
		 struct progress *progress, char **text, char ***lines, int *n)
{
	struct doc *doc = doc_new();
	int err;

	doc_open_object(doc, NULL);
	err = topo_facts(d, topo, snap, true, progress, doc);
	doc_close_object(doc);
	*text = strdup(doc_as_text(doc));
	doc_free(doc);
	*lines = *text ? split(*text, n) : NULL;
	return err || *lines ? err : diag_failed(d, ENOMEM, "%s", topo->file);
}

/* Those of when it was made, by its own topology. */
static int old_facts(struct diag *d, const struct journal *j, char **text, char ***lines, int *n)
{
	struct topo *topo = NULL;
	struct snap *snap;
	int err = topo_of_journal(d, j, &topo);

	if (err)
		return err;
	snap = snap_new(d, topo, NULL);
	err = snap ? snap_load(snap, d, j->snap, j->snap_len) : -ENOMEM;
	if (!err)
		err = facts(d, topo, snap, NULL, text, lines, n);
	snap_free(snap);
	topo_free(topo);
	return err;
}

static int new_facts(struct diag *d, const struct topo *topo, struct progress *progress,
		     char **text, char ***lines, int *n)
{
	struct nets *nets = nets_new(d);
	struct snap *snap = nets ? snap_new(d, topo, nets) : NULL;
	int err = snap ? facts(d, topo, snap, progress, text, lines, n) : -ENOMEM;

	snap_free(snap);
	nets_close(nets);
	return err;
}

int topo_drift(struct diag *d, const struct topo *topo, const struct journal *j,
	       struct progress *progress, void (*each)(void *arg, char sign, const char *fact),
	       void *arg)
{
	char *text[2] = { NULL, NULL }, **lines[2] = { NULL, NULL };
	bool *used = NULL;
	int n[2], err;

	err = old_facts(d, j, &text[0], &lines[0], &n[0]);
	if (!err)
		err = new_facts(d, topo, progress, &text[1], &lines[1], &n[1]);
	if (!err) {
		used = calloc((size_t)(n[0] > n[1] ? n[0] : n[1]) + 1, sizeof(*used));
		if (!used || other_lines(topo, j, each, arg))
			err = diag_failed(d, ENOMEM, "%s", topo->file);
	}
	if (!err) {
		other_netns(j, each, arg);
		only_in(lines[0], n[0], lines[1], n[1], used, '-', each, arg);
		only_in(lines[1], n[1], lines[0], n[0], used, '+', each, arg);
	}
	free(used);
	for (int i = 0; i < 2; i++) {
		free(lines[i]);
		free(text[i]);
	}
	return err;
}

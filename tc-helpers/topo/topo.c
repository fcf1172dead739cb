// SPDX-License-Identifier: GPL-2.0-or-later
/* A topology file: from text to checked statements. */
#include <errno.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

/* Each statement is compared with those before it: more would take minutes. */
#define STMTS_MAX 16384

/* What is read lives as long as the topology: words are packed into blocks and freed with them. */
#define BLOCK_BYTES 16384U

struct block {
	struct block *next;
	size_t used;
	size_t room;
	max_align_t data[];
};

void *topo_alloc(struct diag *d, struct topo *topo, size_t size)
{
	size_t padded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct block *block = topo->mem;
	void *at;

	if (!block || padded > block->room - block->used) {
		size_t room = padded > BLOCK_BYTES ? padded : BLOCK_BYTES;

		block = calloc(1, sizeof(*block) + room);
		if (!block) {
			diag_failed(d, ENOMEM, "%s", topo->file);
			return NULL;
		}
		block->room = room;
		block->next = topo->mem;
		topo->mem = block;
	}
	at = (char *)block->data + block->used;
	block->used += padded;
	return at;
}

char *topo_strndup(struct diag *d, struct topo *topo, const char *s, size_t len)
{
	char *copy = topo_alloc(d, topo, len + 1);

	if (copy)
		memcpy(copy, s, len);
	return copy;
}

void *topo_add(struct diag *d, void *array, int *n, size_t size)
{
	char *grown;
	void *old;

	memcpy(&old, array, sizeof(old));	/* @array is a pointer to a pointer of any type */
	grown = old;
	/* There is room for the power of two that is not below *@n. */
	if (!(*n & (*n - 1)))
		grown = realloc(old, (*n ? 2 * (size_t)*n : 1) * size);
	if (!grown) {
		diag_failed(d, ENOMEM, "topology");
		return NULL;
	}
	memcpy(array, &grown, sizeof(old));
	grown += (size_t)(*n)++ * size;
	memset(grown, 0, size);
	return grown;
}

void topo_free(struct topo *topo)
{
	struct block *block, *next;

	if (!topo)
		return;
	for (block = topo->mem; block; block = next) {
		next = block->next;
		free(block);
	}
	free(topo->file);
	free(topo->prefix);
	free(topo->stmts);
	free(topo->netns);
	free(topo->links);
	free(topo->addrs);
	free(topo->ingress);
	free(topo->routes);
	free(topo->steers);
	free(topo->sysctls);
	free(topo->qdiscs);
	free(topo->filters);
	free(topo->events);
	free(topo->traces);
	topo_map_free(topo->names);
	free(topo);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool topo_next_word(const char *text, size_t len, size_t *at, size_t *start, size_t *n)
{
	while (*at < len && is_blank(text[*at]))
		(*at)++;
	if (*at == len || text[*at] == '#')
		return false;
	*start = *at;
	while (*at < len && !is_blank(text[*at]))
		(*at)++;
	*n = *at - *start;
	return true;
}

#define WORDS_AT_ONCE 32		/* places of so many are remembered; more are looked for again */

int topo_split_line(struct diag *d, struct topo *topo, const char *text, size_t len, int line)
{
	struct { size_t start, n; } first[WORDS_AT_ONCE];
	size_t at = 0, start, n;
	struct topo_stmt *stmt;
	int i, count = 0;

	while (topo_next_word(text, len, &at, &start, &n)) {
		if (count < WORDS_AT_ONCE) {
			first[count].start = start;
			first[count].n = n;
		}
		count++;
	}
	if (!count)
		return 0;
	if (topo->nstmts == STMTS_MAX)
		return diag_usage(d, -1, "%s:%d: more than %d statements: this is no topology",
				  topo->file, line, STMTS_MAX);
	stmt = topo_add(d, &topo->stmts, &topo->nstmts, sizeof(*stmt));
	if (!stmt)
		return -ENOMEM;
	stmt->line = line;
	stmt->words = topo_alloc(d, topo, (size_t)(count + 1) * sizeof(*stmt->words));
	stmt->cols = topo_alloc(d, topo, (size_t)(count + 1) * sizeof(*stmt->cols));
	if (!stmt->words || !stmt->cols)
		return -ENOMEM;
	at = 0;
	for (i = 0; i < count; i++) {
		if (count > WORDS_AT_ONCE) {
			topo_next_word(text, len, &at, &start, &n);
		} else {
			start = first[i].start;
			n = first[i].n;
		}
		stmt->words[stmt->nwords] = topo_strndup(d, topo, text + start, n);
		if (!stmt->words[stmt->nwords])
			return -ENOMEM;
		stmt->cols[stmt->nwords++] = (int)start + 1;
	}
	/* Where a missing word would stand. */
	stmt->cols[stmt->nwords] = stmt->cols[count - 1] + (int)strlen(stmt->words[count - 1]) + 1;
	return 0;
}

int topo_split(struct diag *d, struct topo *topo, const char *text, size_t len)
{
	const char *at = text, *end = text + len;
	int line = 1;

	for (; at < end; line++) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		const char *nul;
		size_t n = (size_t)((eol ? eol : end) - at);
		int err;

		nul = memchr(at, '\0', n);
		if (nul)
			return diag_usage(d, -1, "%s:%d:%d: a zero byte: this is no text file",
					  topo->file, line, (int)(nul - at) + 1);
		err = topo_split_line(d, topo, at, n, line);
		if (err)
			return err;
		at = eol ? eol + 1 : end;
	}
	return 0;
}

/* {"schema": ..., "prefix": ..., "topology": [line, ...], ...}: what "topo show --json" prints. */
static int split_json(struct diag *d, struct topo *topo, const char *text, size_t len)
{
	json_error_t error;
	json_t *doc, *lines, *value;
	const char *schema;
	size_t i;
	int err = 0;

	doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!doc)
		return diag_usage(d, -1, "%s:%d:%d: %s", topo->file, error.line, error.column,
				  error.text);
	schema = json_string_value(json_object_get(doc, "schema"));
	if (!schema || strcmp(schema, TOPO_SCHEMA) != 0) {
		err = diag_usage(d, -1, "%s: schema \"%s\" where \"%s\" is needed", topo->file,
				 schema ? schema : "", TOPO_SCHEMA);
		goto out;
	}
	lines = json_object_get(doc, "topology");
	if (!json_is_array(lines)) {
		err = diag_usage(d, -1, "%s: no array \"topology\" in the document", topo->file);
		goto out;
	}
	value = json_object_get(doc, "prefix");
	if (!topo->prefix && json_is_string(value)) {
		topo->prefix = strdup(json_string_value(value));
		if (!topo->prefix) {
			err = diag_failed(d, ENOMEM, "%s", topo->file);
			goto out;
		}
	}
	json_array_foreach(lines, i, value) {
		if (!json_is_string(value) || strchr(json_string_value(value), '\n')) {
			err = diag_usage(d, -1, "%s: topology[%zu] is not one line of text",
					 topo->file, i);
			goto out;
		}
		err = topo_split_line(d, topo, json_string_value(value),
				      json_string_length(value), (int)i + 1);
		if (err)
			goto out;
	}
out:
	json_decref(doc);
	return err;
}

void topo_locate_at(struct diag *d, const char *file, int line, const int *cols, int ncols)
{
	char text[sizeof(d->text)];
	int word = d->word;

	memcpy(text, d->text, sizeof(text));
	text[sizeof(text) - 1] = '\0';
	if (word < 0 || word >= ncols)
		snprintf(d->text, sizeof(d->text), "%s:%d: %.900s", file, line, text);
	else
		snprintf(d->text, sizeof(d->text), "%s:%d:%d: %.900s", file, line, cols[word], text);
	d->word = -1;
}

void topo_locate(struct diag *d, const struct topo *topo, int stmt, const int *cols, int ncols)
{
	const struct topo_stmt *s = &topo->stmts[stmt];

	if (cols)
		topo_locate_at(d, topo->file, s->line, cols, ncols);
	else
		topo_locate_at(d, topo->file, s->line, s->cols, s->nwords + 1);
}

static bool looks_like_json(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && (is_blank(text[i]) || text[i] == '\n'); i++)
		;
	return i < len && text[i] == '{';
}

static int parse(struct diag *d, struct topo *topo, const char *text, size_t len)
{
	int i, err;

	if (looks_like_json(text, len))
		err = split_json(d, topo, text, len);
	else
		err = topo_split(d, topo, text, len);
	if (err)
		return err;
	if (!topo->prefix) {
		topo->prefix = strdup("");
		if (!topo->prefix)
			return diag_failed(d, ENOMEM, "%s", topo->file);
	}
	if (!topo->nstmts)
		return diag_usage(d, -1, "%s: nothing in it: a topology needs at least one line",
				  topo->file);
	for (i = 0; i < topo->nstmts; i++) {
		err = topo_stmt_parse(d, topo, i);
		if (err) {
			if (err == -EINVAL)
				topo_locate(d, topo, i, NULL, 0);
			return err;
		}
	}
	return 0;
}

int topo_parse(struct diag *d, const char *file, const char *text, size_t len,
	       const char *prefix, struct topo **out)
{
	struct topo *topo = calloc(1, sizeof(*topo));
	int err;

	*out = NULL;
	if (topo) {
		topo->file = strdup(file);
		topo->prefix = prefix ? strdup(prefix) : NULL;
	}
	if (!topo || !topo->file || (prefix && !topo->prefix)) {
		topo_free(topo);
		return diag_failed(d, ENOMEM, "%s", file);
	}
	err = parse(d, topo, text, len);
	if (err) {
		topo_free(topo);
		return err;
	}
	*out = topo;
	return 0;
}

char *topo_stmt_text(const struct topo_stmt *stmt)
{
	size_t len = 1;
	char *text, *at;
	int i;

	for (i = 0; i < stmt->nwords; i++)
		len += strlen(stmt->words[i]) + 1;
	text = malloc(len);
	if (!text)
		return NULL;
	*text = '\0';
	for (at = text, i = 0; i < stmt->nwords; i++) {
		if (i)
			at = stpcpy(at, " ");
		at = stpcpy(at, stmt->words[i]);
	}
	return text;
}

const struct topo_dev *topo_dev(const struct topo *topo, struct topo_ref ref)
{
	return ref.link < 0 ? &topo->ingress[-1 - ref.link].ifb : &topo->links[ref.link].dev[ref.end];
}

struct topo_dev *topo_dev_of(struct topo *topo, struct topo_ref ref)
{
	return (struct topo_dev *)topo_dev(topo, ref);
}

int topo_ndevs(const struct topo *topo)
{
	return 2 * topo->nlinks + topo->ningress;
}

int topo_dev_number(const struct topo *topo, struct topo_ref ref)
{
	return ref.link < 0 ? 2 * topo->nlinks - 1 - ref.link : 2 * ref.link + ref.end;
}

struct topo_ref topo_ref_at(const struct topo *topo, int number)
{
	int ifb = number - 2 * topo->nlinks;

	return ifb < 0 ? (struct topo_ref){ number / 2, number % 2 } :
			 (struct topo_ref){ -1 - ifb, 0 };
}

unsigned int topo_mtu(const struct topo *topo, struct topo_ref ref)
{
	const unsigned int ethernet = 1500;	/* ETH_DATA_LEN: what a veth has by itself */

	if (ref.link < 0)
		ref = topo->ingress[-1 - ref.link].of;
	return topo->links[ref.link].mtu ? topo->links[ref.link].mtu : ethernet;
}

bool topo_is_up(const struct topo *topo, struct topo_ref ref)
{
	if (ref.link < 0)
		ref = topo->ingress[-1 - ref.link].of;
	return !topo->links[ref.link].down;
}

char *topo_end_format(char *buf, const struct link_end *end)
{
	char *at = buf;

	if (*end->netns) {
		at = stpcpy(at, end->netns);
		*at++ = ':';
	}
	strcpy(at, end->dev);
	return buf;
}

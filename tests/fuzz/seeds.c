// SPDX-License-Identifier: GPL-2.0-or-later
/* What the targets share: seeds from files, and text. */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "pure/doc.h"

void must_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: must be true: %s\n", file, line, condition);
	abort();
}

void must_be_sound(const struct doc *doc)
{
	char *json = doc_as_json(doc);
	json_error_t error;
	json_t *root;

	must(json && doc_as_text(doc));
	root = json_loads(json, JSON_DECODE_INT_AS_REAL, &error);
	if (!root)
		fprintf(stderr, "%s at %d of %s\n", error.text, error.position, json);
	must(root);
	json_decref(root);
	free(json);
}

static char *slurp(const char *path, size_t *len)
{
	FILE *in = fopen(path, "rbe");
	size_t room = 1 << 16;
	char *text = malloc(room);

	*len = 0;
	while (in && text) {
		*len += fread(text + *len, 1, room - *len, in);
		if (*len < room)
			break;
		room *= 2;
		text = realloc(text, room);
	}
	if (!in || !text) {
		perror(path);
		exit(1);
	}
	fclose(in);
	return text;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Calls @each for the file, or for the files of the folder, in order of their names. */
static void walk(const char *path, void (*each)(const char *text, size_t len, seed_fn *seed),
		 seed_fn *seed)
{
	struct dirent **entries;
	struct stat st;
	size_t len;
	char *text;
	int n;

	if (stat(path, &st)) {
		perror(path);
		exit(1);
	}
	if (!S_ISDIR(st.st_mode)) {
		text = slurp(path, &len);
		each(text, len, seed);
		free(text);
		return;
	}
	n = scandir(path, &entries, visible, alphasort);
	for (int i = 0; i < n; i++) {
		char *inner = NULL;

		if (strcmp(entries[i]->d_name, "README") &&
		    asprintf(&inner, "%s/%s", path, entries[i]->d_name) > 0)
			walk(inner, each, seed);
		free(inner);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void from_top(const char *path, void (*each)(const char *text, size_t len, seed_fn *seed),
		     seed_fn *seed)
{
	const char *top = getenv("QBED_SRCDIR");
	char *full = NULL;

	if (asprintf(&full, "%s/%s", top ? top : ".", path) > 0)
		walk(full, each, seed);
	free(full);
}

static void each_file(const char *text, size_t len, seed_fn *seed)
{
	seed(text, len);
}

static void each_line(const char *text, size_t len, seed_fn *seed)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		if (n && *text != '#')
			seed(text, n);
		if (!end)
			break;
		text += n + 1;
		len -= n + 1;
	}
}

static seed_fn *word_seed;

static void line_words(const void *data, size_t len)
{
	const char *text = data;

	for (size_t i = 0, start = 0; i <= len; i++) {
		if (i < len && text[i] != ' ' && text[i] != '\t')
			continue;
		if (i > start)
			word_seed(text + start, i - start);
		start = i + 1;
	}
}

static void each_word(const char *text, size_t len, seed_fn *seed)
{
	word_seed = seed;
	each_line(text, len, line_words);
}

void seed_files(const char *path, seed_fn *seed)
{
	from_top(path, each_file, seed);
}

void seed_lines(const char *path, seed_fn *seed)
{
	from_top(path, each_line, seed);
}

void seed_words(const char *path, seed_fn *seed)
{
	from_top(path, each_word, seed);
}

int split_words(char *text, char **words, int room)
{
	char *rest = NULL;
	int n = 0;

	for (char *word = strtok_r(text, " \t\n", &rest); word && n < room;
	     word = strtok_r(NULL, " \t\n", &rest))
		words[n++] = word;
	words[n] = NULL;
	return n;
}

char *text_of(const uint8_t *data, size_t len)
{
	char *text = malloc(len + 1);

	if (!text)
		abort();
	if (len)
		memcpy(text, data, len);
	text[len] = '\0';
	return text;
}

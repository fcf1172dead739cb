// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of "qdisc" and "class" before the kind: root, parent, handle, classid, est. */
#include <errno.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), m = strlen(tail);

	return n >= m && strcmp(s + n - m, tail) == 0;
}

/* "1:*": the handle before the star. */
static int star_parse(struct diag *d, struct topo *topo, char **words, int i, uint32_t *parent)
{
	char *handle[1];
	int err;

	handle[0] = topo_strndup(d, topo, words[i], strlen(words[i]) - 1);
	if (!handle[0])
		return -ENOMEM;
	err = handle_parse(d, handle, 0, parent);
	if (err)
		d->word = i;
	return err;
}

static int place_taken(struct diag *d, const struct topo_stmt *s, int i, const struct topo_place *p)
{
	if (!p->parent)
		return 0;
	return diag_usage(d, i, p->implied ? "\"%s\": it is the root already, and a line \"qdisc\" makes what is below" :
					     "\"%s\": where it goes stands here already", s->words[i]);
}

static int root_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		     struct topo_place *p)
{
	int err = place_taken(d, s, i, p);

	(void)topo;
	if (!err)
		p->parent = TOPO_ROOT;
	return err;
}

static int parent_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		       struct topo_place *p)
{
	int err = place_taken(d, s, i, p);

	if (!err)
		err = topo_need_word(d, s, i + 1, "the class (1:2, or 1:* for every queue)");
	if (err)
		return err;
	p->parent_word = ++i;
	if (ends_with(s->words[i], ":*")) {
		p->star = true;
		err = star_parse(d, topo, s->words, i, &p->parent);
	} else {
		err = classid_parse(d, s->words, i, &p->parent);
	}
	if (!err && !(p->parent >> 16))
		return diag_usage(d, i, "\"%s\": the qdisc above it needs a handle of its own: \"root handle 1: mq\", then \"parent 1:1\"",
				  s->words[i]);
	return err;
}

static int handle_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		       struct topo_place *p)
{
	const char *word = s->words[i];
	bool classid = strcmp(word, "classid") == 0;
	int err;

	(void)topo;
	if (classid != p->is_class)
		return diag_usage(d, i, "\"%s\": a %s", word,
				  classid ? "qdisc has a \"handle\" (10:)" : "class has a \"classid\" (1:10)");
	if (p->handle_word)
		return diag_usage(d, i, "\"%s\" stands here twice", word);
	err = topo_need_word(d, s, i + 1, classid ? "the class (1:10)" : "the handle (10:)");
	if (err)
		return err;
	p->handle_word = i + 1;
	if (!classid)
		return handle_parse(d, s->words, i + 1, &p->handle);
	err = classid_parse(d, s->words, i + 1, &p->handle);
	if (!err && (!(p->handle >> 16) || !(p->handle & 0xffff) || p->handle == TOPO_ROOT))
		err = diag_usage(d, i + 1, "\"%s\": a class has both numbers (1:10)", s->words[i + 1]);
	return err;
}

static int est_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		    struct topo_place *p)
{
	int err = topo_need_word(d, s, i + 1, "the interval (est 1sec 4sec)");

	(void)topo;
	(void)p;
	return err ? err : topo_need_word(d, s, i + 2, "the time constant (est 1sec 4sec)");
}

static int dev_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		    struct topo_place *p)
{
	(void)topo;
	return diag_usage(d, i, "\"dev\": the device is \"%s\" already", s->words[p->first - 1]);
}

static const struct place_word {
	const char *word;
	int values;
	int (*parse)(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		     struct topo_place *p);
} place_words[] = {
	{ "root", 0, root_word },
	{ "parent", 1, parent_word },
	{ "handle", 1, handle_word },
	{ "classid", 1, handle_word },
	{ "est", 2, est_word },
	{ "dev", 0, dev_word },
};

static const struct place_word *find(const char *word)
{
	for (size_t i = 0; i < sizeof(place_words) / sizeof(place_words[0]); i++)
		if (strcmp(word, place_words[i].word) == 0)
			return &place_words[i];
	return NULL;
}

int topo_place_parse(struct diag *d, struct topo *topo, const struct topo_stmt *s,
		     struct topo_place *p)
{
	const struct place_word *pw;
	int i = p->first, err;

	if (p->implied)
		p->parent = TOPO_ROOT;
	for (; i < s->nwords && (pw = find(s->words[i])); i += 1 + pw->values) {
		err = pw->parse(d, topo, s, i, p);
		if (err)
			return err;
	}
	err = topo_need_word(d, s, i, "the kind of qdisc");
	if (err)
		return err;
	p->kind = i;
	if (!p->parent)
		return diag_usage(d, i, p->is_class ? "\"%s\": say where: parent 1: or parent 1:2" :
						      "\"%s\": say where: root, parent 1:2, or parent 1:*",
				  s->words[i]);
	return 0;
}

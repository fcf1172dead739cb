// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "kinds/spec.h"
#include "pure/diag.h"
#include "wire/nlb.h"

const char *tc_op_name(enum tc_op op)
{
	static const char *const names[] = {
		[OP_ADD] = "add",
		[OP_CHANGE] = "change",
		[OP_REPLACE] = "replace",
		[OP_DEL] = "del",
		[OP_SHOW] = "show",
	};

	return names[op];
}

const char *tc_object_name(enum tc_object object)
{
	return object == OBJECT_CLASS ? "class" : "qdisc";
}

/* A word before the kind's name, and how many values follow it. */
struct place_word {
	const char *word;
	int values;
	int (*parse)(struct diag *d, char **words, int i, struct tc_spec *spec);
};

static int twice(struct diag *d, int i, char **words)
{
	return diag_usage(d, i, "\"%s\" is there twice", words[i]);
}

static int dev_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	return spec->end.dev[0] ? twice(d, i, words) : link_end_parse(d, words, i + 1, &spec->end);
}

static int root_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	if (spec->parent)
		return diag_usage(d, i, "\"%s\": the parent is there twice", words[i]);
	spec->parent = TC_H_ROOT;
	return 0;
}

static int parent_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	if (spec->parent)
		return diag_usage(d, i, "\"%s\": the parent is there twice", words[i]);
	return classid_parse(d, words, i + 1, &spec->parent) ? diag_context(d, 0, "parent") : 0;
}

static int handle_word_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	return spec->handle ? twice(d, i, words) : handle_parse(d, words, i + 1, &spec->handle);
}

static int classid_word_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	if (spec->handle)
		return twice(d, i, words);
	return classid_parse(d, words, i + 1, &spec->handle) ? diag_context(d, 0, "classid") : 0;
}

static int est_word_parse(struct diag *d, char **words, int i, struct tc_spec *spec)
{
	return spec->est.given ? twice(d, i, words) : est_parse(d, words, i + 1, &spec->est);
}

static const struct place_word qdisc_words[] = {
	{ "dev", 1, dev_parse },
	{ "root", 0, root_parse },
	{ "parent", 1, parent_parse },
	{ "handle", 1, handle_word_parse },
	{ "est", 2, est_word_parse },
	{ "estimator", 2, est_word_parse },
	{ NULL }
};

static const struct place_word class_words[] = {
	{ "dev", 1, dev_parse },
	{ "root", 0, root_parse },
	{ "parent", 1, parent_parse },
	{ "classid", 1, classid_word_parse },
	{ "est", 2, est_word_parse },
	{ "estimator", 2, est_word_parse },
	{ NULL }
};

static const struct place_word *words_of(enum tc_object object)
{
	return object == OBJECT_CLASS ? class_words : qdisc_words;
}

void tc_spec_words(enum tc_object object, void (*emit)(const char *word))
{
	for (const struct place_word *pw = words_of(object); pw->word; pw++)
		emit(pw->word);
}

/* "dev, root, ..." */
static char *place_names(enum tc_object object, char *buf, size_t len)
{
	*buf = '\0';
	for (const struct place_word *pw = words_of(object); pw->word; pw++) {
		if (*buf)
			strncat(buf, ", ", len - strlen(buf) - 1);
		strncat(buf, pw->word, len - strlen(buf) - 1);
	}
	return buf;
}

/* Room for what the kind, or its class, reads. */
static int cfg_alloc(struct diag *d, int i, struct tc_spec *spec)
{
	const struct kind *kind = spec->kind;
	size_t size = kind->cfg_size;

	if (spec->object == OBJECT_CLASS) {
		if (!kind->class || !kind->class->parse)
			return diag_usage(d, i, "%s has no classes that are made by hand", kind->name);
		size = kind->class->cfg_size;
	} else if (!kind->parse) {
		return diag_usage(d, i, "%s is the kernel's own and not made by hand", kind->name);
	}
	spec->cfg = calloc(1, size ? size : 1);
	return spec->cfg ? 0 : diag_failed(d, ENOMEM, "%s", kind->name);
}

static int kind_parse(struct diag *d, enum tc_op op, char **words, int i, int n,
		      struct tc_spec *spec)
{
	char names[512], places[128];
	int err;

	spec->kind = kind_find(words[i]);
	if (!spec->kind)
		return diag_usage(d, i, "unknown word \"%s\": neither %s nor a kind of qdisc (%s)",
				  words[i], place_names(spec->object, places, sizeof(places)),
				  kinds_names(names, sizeof(names)));
	err = cfg_alloc(d, i, spec);
	if (err)
		return err;
	if (spec->object == OBJECT_CLASS)
		err = spec->kind->class->parse(d, words + i + 1, n - i - 1, op == OP_ADD,
					       spec->cfg);
	else
		err = spec->kind->parse(d, words + i + 1, n - i - 1, spec->cfg);
	if (err)
		diag_context(d, i + 1, "%s", spec->kind->name);
	return err;
}

static int class_check(struct diag *d, enum tc_op op, const struct tc_spec *spec)
{
	char parent[12], classid[12];

	if (op == OP_SHOW)
		return spec->kind || spec->est.given ?
		       diag_usage(d, -1, "show takes dev, root, parent and classid only") : 0;
	if (!spec->kind && op != OP_DEL)
		return diag_usage(d, -1, "the kind of its qdisc is needed");
	if (!spec->handle && (op != OP_ADD || !spec->kind->class->numbered))
		return diag_usage(d, -1, "\"classid H\" is needed");
	if (!spec->handle)
		return spec->parent ? 0 : diag_usage(d, -1, "\"parent H\" or \"classid H\" is needed");
	handle_format(classid, spec->handle);
	if (!TC_H_MIN(spec->handle) || spec->handle == TC_H_ROOT)
		return diag_usage(d, -1, "classid %s: not a class: its minor number is 1 to ffff (hex)",
				  classid);
	if (spec->parent != TC_H_ROOT && TC_H_MAJ(spec->parent) && TC_H_MAJ(spec->handle) &&
	    TC_H_MAJ(spec->parent) != TC_H_MAJ(spec->handle))
		return diag_usage(d, -1, "parent %s and classid %s are of two qdiscs",
				  handle_format(parent, spec->parent), classid);
	return 0;
}

static int qdisc_check(struct diag *d, enum tc_op op, struct tc_spec *spec)
{
	char names[512];

	if (op == OP_SHOW)
		return spec->kind || spec->est.given ?
		       diag_usage(d, -1, "show takes dev, root, parent and handle only") : 0;
	if (!spec->parent && op != OP_CHANGE)
		return diag_usage(d, -1, "\"root\" or \"parent H\" is needed");
	if (!spec->parent && !spec->handle)
		return diag_usage(d, -1, "\"root\", \"parent H\" or \"handle H:\" is needed");
	if (!spec->kind && op != OP_DEL)
		return diag_usage(d, -1, "a kind of qdisc is needed: %s",
				  kinds_names(names, sizeof(names)));
	if (spec->kind && spec->kind->multiqueue && spec->parent != TC_H_ROOT)
		return diag_usage(d, -1, "%s: can only be the root", spec->kind->name);
	if (spec->kind && spec->kind->no_est && spec->est.given) {
		/* qdisc_create(): "Cannot attach rate estimator to a multi-queue root qdisc" */
		diag_warn(d, "%s: est is left out: the kernel has no rate estimator for a multi-queue root",
			  spec->kind->name);
		spec->est.given = false;
	}
	return 0;
}

static const struct place_word *place_word_find(enum tc_object object, const char *word)
{
	for (const struct place_word *pw = words_of(object); pw->word; pw++)
		if (!strcmp(pw->word, word))
			return pw;
	return NULL;
}

int tc_spec_parse(struct diag *d, enum tc_object object, enum tc_op op, char **words, int n,
		  struct tc_spec *spec)
{
	int err;

	memset(spec, 0, sizeof(*spec));
	spec->object = object;
	for (int i = 0; i < n;) {
		const struct place_word *pw = place_word_find(object, words[i]);

		if (!pw) {
			err = kind_parse(d, op, words, i, n, spec);
			if (err)
				return err;
			break;
		}
		if (i + pw->values >= n)
			return diag_usage(d, i, "\"%s\" needs %s", words[i],
					  pw->values == 2 ? "two values" : "a value");
		err = pw->parse(d, words, i, spec);
		if (err)
			return err;
		i += pw->values + 1;
	}
	return object == OBJECT_CLASS ? class_check(d, op, spec) : qdisc_check(d, op, spec);
}

void tc_spec_free(struct tc_spec *spec)
{
	if (spec->cfg && spec->object == OBJECT_QDISC && spec->kind->drop)
		spec->kind->drop(spec->cfg);
	free(spec->cfg);
	spec->cfg = NULL;
}

/* As tc: a class needs no flag to be replaced. */
static uint16_t msg_flags(enum tc_object object, enum tc_op op)
{
	switch (op) {
	case OP_ADD:
		return NLM_F_CREATE | NLM_F_EXCL;
	case OP_REPLACE:
		return object == OBJECT_CLASS ? NLM_F_CREATE : NLM_F_CREATE | NLM_F_REPLACE;
	default:
		return 0;
	}
}

static uint16_t msg_type(enum tc_object object, enum tc_op op)
{
	if (object == OBJECT_CLASS)
		return op == OP_DEL ? RTM_DELTCLASS : RTM_NEWTCLASS;
	return op == OP_DEL ? RTM_DELQDISC : RTM_NEWQDISC;
}

int tc_spec_msg(const struct tc_spec *spec, enum tc_op op, int ifindex, struct nl_msg **msg)
{
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = ifindex,
		.tcm_handle = spec->handle,
		.tcm_parent = spec->parent,
	};
	struct nlb nlb;

	nlb_init(&nlb, msg_type(spec->object, op), msg_flags(spec->object, op));
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	if (spec->kind)
		nlb_put_str(&nlb, TCA_KIND, spec->kind->name);
	est_fill(&nlb, &spec->est);
	if (spec->cfg && spec->object == OBJECT_CLASS)
		spec->kind->class->fill(&nlb, spec->cfg);
	else if (spec->cfg && spec->kind->fill)
		spec->kind->fill(&nlb, spec->cfg);
	return nlb_finish(&nlb, msg);
}

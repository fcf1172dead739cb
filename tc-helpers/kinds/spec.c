// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "kinds/resolve.h"
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

/**
 * struct place - the words before the kind, while they are read
 * @i: index of the one that is read now
 */
struct place {
	struct diag *d;
	const struct tc_env *env;
	enum tc_op op;
	char **words;
	int n;
	int i;
	struct tc_spec *spec;
};

/* A word before the kind's name. @parse returns how many words after it were its own, or -errno. */
struct place_word {
	const char *word;
	int values;	/* so many there must be */
	int (*parse)(struct place *p);
};

static int twice(struct place *p)
{
	return diag_usage(p->d, p->i, "\"%s\" is there twice", p->words[p->i]);
}

static int dev_parse(struct place *p)
{
	if (p->spec->end.dev[0])
		return twice(p);
	return link_end_parse(p->d, p->words, p->i + 1, &p->spec->end) ? -EINVAL : 1;
}

static int parent_is_there(struct place *p)
{
	return diag_usage(p->d, p->i, "\"%s\": the parent is there twice", p->words[p->i]);
}

static int root_parse(struct place *p)
{
	if (p->spec->parent)
		return parent_is_there(p);
	p->spec->parent = TC_H_ROOT;
	return 0;
}

static int parent_parse(struct place *p)
{
	if (p->spec->parent)
		return parent_is_there(p);
	if (classid_parse(p->d, p->words, p->i + 1, &p->spec->parent))
		return diag_context(p->d, 0, "parent");
	return 1;
}

static int handle_word_parse(struct place *p)
{
	if (p->spec->handle)
		return twice(p);
	return handle_parse(p->d, p->words, p->i + 1, &p->spec->handle) ? -EINVAL : 1;
}

static int classid_word_parse(struct place *p)
{
	if (p->spec->handle)
		return twice(p);
	if (classid_parse(p->d, p->words, p->i + 1, &p->spec->handle))
		return diag_context(p->d, 0, "classid");
	return 1;
}

static int est_word_parse(struct place *p)
{
	if (p->spec->est.given)
		return twice(p);
	return est_parse(p->d, p->env ? p->env->units : TC_UNITS_NONE, p->words, p->i + 1,
			 &p->spec->est) ? -EINVAL : 2;
}

static int stab_word_parse(struct place *p)
{
	return p->spec->stab.given ? twice(p) :
	       stab_parse(p->d, p->words, p->i, p->n, &p->spec->stab);
}

static int block_parse(struct place *p, uint32_t *block)
{
	uint64_t v;

	if (*block)
		return twice(p);
	if (u64_parse(p->d, p->words, p->i + 1, 1, UINT32_MAX, &v))
		return diag_context(p->d, 0, "%s", p->words[p->i]);
	*block = (uint32_t)v;
	return 1;
}

static int ingress_block_parse(struct place *p)
{
	return block_parse(p, &p->spec->ingress_block);
}

static int egress_block_parse(struct place *p)
{
	return block_parse(p, &p->spec->egress_block);
}

static const struct place_word qdisc_words[] = {
	{ "dev", 1, dev_parse },
	{ "root", 0, root_parse },
	{ "parent", 1, parent_parse },
	{ "handle", 1, handle_word_parse },
	{ "est", 2, est_word_parse },
	{ "estimator", 2, est_word_parse },
	{ "stab", 1, stab_word_parse },
	{ "ingress_block", 1, ingress_block_parse },
	{ "egress_block", 1, egress_block_parse },
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
	for (const struct place_word *pw = words_of(object); pw->word; pw++) {
		emit(pw->word);
		if (pw->parse == stab_word_parse)
			keywords_emit(stab_words, emit);
	}
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

/* The kind's own words, and the tables that they name. */
static int options_parse(struct place *p, char **words, int n)
{
	const struct kind *kind = p->spec->kind;
	int err;

	if (p->spec->object == OBJECT_CLASS)
		return kind->class->parse(p->d, words, n, p->op == OP_ADD, p->spec->cfg);
	err = kind->parse(p->d, words, n, p->spec->cfg);
	if (!err && kind->load && p->env)
		err = kind->load(p->d, words, n, p->spec->cfg, p->env);
	return err;
}

/* The word is the place too: ffff:fff1, with the handle ffff:. */
static int place_of_kind(struct place *p)
{
	struct tc_spec *spec = p->spec;
	const struct kind *kind = spec->kind;

	if (spec->parent && spec->parent != kind->place)
		return diag_usage(p->d, p->i, "\"%s\": the parent is there twice", kind->name);
	spec->parent = kind->place;
	if (p->op == OP_SHOW)
		spec->kind = NULL;
	else
		spec->handle = TC_H_MAJ(kind->place);
	return 0;
}

static int kind_parse(struct place *p)
{
	char names[512], places[128];
	struct tc_spec *spec = p->spec;
	char **options = p->words + p->i + 1;
	int n = p->n - p->i - 1;
	char **resolved;
	int err;

	spec->kind = kind_find(p->words[p->i]);
	if (!spec->kind) {
		diag_usage(p->d, p->i, "unknown word \"%s\": neither %s nor a kind of qdisc (%s)",
			   p->words[p->i], place_names(spec->object, places, sizeof(places)),
			   kinds_names(names, sizeof(names)));
		return -ENOENT;
	}
	err = spec->kind->place && spec->object == OBJECT_QDISC ? place_of_kind(p) : 0;
	if (!err && !spec->kind && n)
		err = diag_usage(p->d, p->i + 1, "unknown word \"%s\"", options[0]);
	if (err || !spec->kind)
		return err;
	err = cfg_alloc(p->d, p->i, spec);
	if (err)
		return err;
	err = words_resolve(p->d, p->env, spec, options, n, &resolved);
	if (!err)
		err = options_parse(p, resolved ? resolved : options, n);
	free(resolved);
	if (err)
		diag_context(p->d, p->i + 1, "%s", spec->kind->name);
	return err;
}

/* What a show, or a del, has no use for. */
static bool makes_something(const struct tc_spec *spec)
{
	return spec->kind || spec->est.given || spec->stab.given || spec->ingress_block ||
	       spec->egress_block;
}

static int class_check(struct diag *d, enum tc_op op, const struct tc_spec *spec)
{
	char parent[12], classid[12];

	if (op == OP_SHOW)
		return makes_something(spec) ?
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
		return makes_something(spec) ?
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

int tc_spec_parse(struct diag *d, const struct tc_env *env, enum tc_object object,
		  enum tc_op op, char **words, int n, struct tc_spec *spec)
{
	struct place p = { .d = d, .env = env, .op = op, .words = words, .n = n, .spec = spec };
	int used;

	memset(spec, 0, sizeof(*spec));
	spec->object = object;
	for (; p.i < n; p.i += used + 1) {
		const struct place_word *pw = place_word_find(object, words[p.i]);

		if (!pw) {
			int err = kind_parse(&p);

			if (err)
				return err;
			break;
		}
		if (p.i + pw->values >= n)
			return diag_usage(d, p.i, "\"%s\" needs %s", words[p.i],
					  pw->values == 2 ? "two values" : "a value");
		used = pw->parse(&p);
		if (used < 0)
			return used;
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
	if (spec->ingress_block)
		nlb_put_u32(&nlb, TCA_INGRESS_BLOCK, spec->ingress_block);
	if (spec->egress_block)
		nlb_put_u32(&nlb, TCA_EGRESS_BLOCK, spec->egress_block);
	if (spec->cfg && spec->object == OBJECT_CLASS)
		spec->kind->class->fill(&nlb, spec->cfg);
	else if (spec->cfg && spec->kind->fill)
		spec->kind->fill(&nlb, spec->cfg);
	stab_fill(&nlb, &spec->stab);
	return nlb_finish(&nlb, msg);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Words that mean nothing by themselves: a bare time, a share of the link's speed. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/resolve.h"
#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/names.h"

#define ROOM 40		/* for a word that is written out; longer ones stay and are refused by their readers */

/**
 * struct resolve - the words as they are written out
 * @out: them, and behind them @ROOM bytes for each
 * @link_bps: speed of the link once it has been asked for
 */
struct resolve {
	struct diag *d;
	const struct tc_env *env;
	const struct link_end *end;
	char **words;
	int n;
	char **out;
	bool asked;
	uint64_t link_bps;
	int err;
};

const char *bare_time_unit(enum tc_units units, enum kw_type type)
{
	if (units == TC_UNITS_NONE)
		return "";
	if (type == KW_TIME_NS || (type == KW_TIME_NETEM && units == TC_UNITS_6_9))
		return "ns";
	return "us";
}

/* Where the text of word @i goes; the block is made with the first. */
static char *room(struct resolve *r, int i)
{
	size_t n = (size_t)r->n;

	if (!r->out) {
		r->out = calloc(n, sizeof(*r->out) + ROOM);
		if (!r->out) {
			r->err = diag_failed(r->d, ENOMEM, "words");
			return NULL;
		}
		memcpy(r->out, r->words, n * sizeof(*r->out));
	}
	r->out[i] = (char *)(r->out + n) + (size_t)i * ROOM;
	return r->out[i];
}

static void resolve_time(struct resolve *r, enum kw_type type, int i)
{
	const char *unit = bare_time_unit(r->env->units, type);
	char *at;

	if (!*unit || !number_is_bare(r->words[i]) || strlen(r->words[i]) + 3 > ROOM)
		return;
	at = room(r, i);
	if (at)
		snprintf(at, ROOM, "%s%s", r->words[i], unit);
}

static void resolve_rate(struct resolve *r, int i)
{
	size_t len = strlen(r->words[i]);
	uint64_t bps;
	char *at;

	if (!len || r->words[i][len - 1] != '%' || !r->env->speed)
		return;
	r->err = rate_share_parse(r->d, r->words, i, 0, &bps);	/* before the machine is asked */
	if (!r->err && !r->asked)
		r->err = r->env->speed(r->d, r->env->netns, r->end, &r->link_bps);
	r->asked = true;
	if (!r->err)
		r->err = rate_share_parse(r->d, r->words, i, r->link_bps, &bps);
	at = r->err ? NULL : room(r, i);
	if (at)
		snprintf(at, ROOM, "%" PRIu64 "bit", bps);
}

static void resolve(enum kw_type type, char **words, int i, void *arg)
{
	struct resolve *r = arg;

	(void)words;
	if (r->err)
		return;
	if (type == KW_TIME || type == KW_TIME_US || type == KW_TIME_NS || type == KW_TIME_NETEM)
		resolve_time(r, type, i);
	else if (type == KW_RATE)
		resolve_rate(r, i);
}

/* Nothing to do for nearly all lines. */
static bool may_need(const struct tc_env *env, char **words, int n)
{
	bool need = env && env->units != TC_UNITS_NONE;

	for (int i = 0; env && !need && i < n; i++)
		need = strchr(words[i], '%');
	return need;
}

int words_resolve(struct diag *d, const struct tc_env *env, const struct tc_spec *spec,
		  char **words, int n, char ***out)
{
	struct resolve r = { .d = d, .env = env, .end = &spec->end, .words = words, .n = n };
	const struct kind *kind = spec->kind;
	const struct keyword *table = spec->object == OBJECT_CLASS ? kind->class->words : kind->words;

	*out = NULL;
	if (!table || !may_need(env, words, n))
		return 0;
	keywords_values(table, words, n, resolve, &r);
	if (r.err)
		free(r.out);
	else
		*out = r.out;
	return r.err;
}

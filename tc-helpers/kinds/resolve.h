/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RESOLVE_H
#define QBED_RESOLVE_H

#include "kinds/env.h"
#include "kinds/keyword.h"

struct tc_spec;

/*
 * Words of @spec's kind that mean something through @env alone, written out: a
 * time without a unit gets the one that @env->units gives it, a rate such as
 * "50%" the share of the speed of @spec's device. @out is one malloc()ed block
 * that holds the words that are other now (the rest are the caller's), or NULL
 * when none is.
 */
int words_resolve(struct diag *d, const struct tc_env *env, const struct tc_spec *spec,
		  char **words, int n, char ***out);

/* The unit of a bare time in @units, "" when it is to be refused. */
const char *bare_time_unit(enum tc_units units, enum kw_type type);

#endif

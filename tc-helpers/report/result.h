/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RESULT_H
#define QBED_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/metric.h"

#define RESULT_SCHEMA "qbed-result-1"

/**
 * struct result - a result document: one boot of one arm of an experiment
 * @file: name for messages
 * @root: the whole document; every string below belongs to it
 * @experiment: name
 * @title: one line for people
 * @base: kernel base, "6.1"
 * @arm: "before", "after", ...
 * @flavour: "plain", "lockstat", ...
 * @command: the line that repeats it
 * @seed: phases and random numbers of this boot
 * @environment: object
 * @patches: titles of the patches that the arm has on the base; NULL if that is not known
 * @parameters: object, the workload
 * @measurements: object, what the guest sent
 * @metrics: the experiment's definitions
 * @nmetrics: length of @metrics
 */
struct result {
	char *file;
	struct json_t *root;
	const char *experiment;
	const char *title;
	const char *base;
	const char *arm;
	const char *flavour;
	const char *command;
	int64_t seed;
	const struct json_t *environment;
	const struct json_t *patches;
	const struct json_t *parameters;
	const struct json_t *measurements;
	struct metric *metrics;
	size_t nmetrics;
};

/**
 * result_parse() - read a document and check what a report rests on
 * @d: gets "FILE:LINE:COLUMN: ..." for bad JSON, "FILE: MEMBER: ..." else (exit 1)
 * @file: name for messages
 * @text: the file's bytes
 * @len: their number
 * @result: freed with result_free()
 *
 * Return: 0; -EINVAL; -ENOMEM; -ENOMSG, with @d filled alike, for a sound
 * document of another schema of qbed's.
 */
int result_parse(struct diag *d, const char *file, const char *text, size_t len,
		 struct result **result);
void result_free(struct result *result);

/* A member of the environment; NULL when it is absent, null or "". */
const char *result_env(const struct result *r, const char *key);
/* The same for a whole number; -1 when it is absent or null. */
int64_t result_env_int(const struct result *r, const char *key);

/*
 * Where two JSON values differ first, as "PREFIX.key.0: A against B", into
 * @buf; false when they are equal. Order of keys does not count.
 */
bool json_difference(const struct json_t *a, const struct json_t *b, const char *prefix,
		     char *buf, size_t len);

#endif

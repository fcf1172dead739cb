// SPDX-License-Identifier: GPL-2.0-or-later
/* "delay 6ms step 2ms": a value that grows from queue to queue below "parent 1:*". */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pure/diag.h"
#include "pure/units.h"
#include "topo/topo-parse.h"

enum unit { UNIT_NONE, UNIT_TIME, UNIT_RATE, UNIT_SHARE, UNIT_NUMBER };

#define SHARE_DIGITS 9			/* digits after the point of a share */
#define SHARE_ONE 1000000000		/* 1 % */

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), m = strlen(tail);

	return n >= m && strcasecmp(s + n - m, tail) == 0;
}

/* What a word looks like. Sizes have the letters of rates ("10kbit"): they do not step with a unit. */
static enum unit unit_of(const char *word)
{
	if (!isdigit((unsigned char)*word) && *word != '.')
		return UNIT_NONE;
	if (!word[strspn(word, "0123456789")])
		return UNIT_NUMBER;
	if (ends_with(word, "%"))
		return UNIT_SHARE;
	if (ends_with(word, "bit") || ends_with(word, "bps"))
		return UNIT_RATE;
	if (ends_with(word, "s") || ends_with(word, "sec") || ends_with(word, "secs"))
		return UNIT_TIME;
	return UNIT_NONE;
}

/* "2.5%" in units of 10^-9 %. */
static int share_parse(struct diag *d, char **words, int i, uint64_t *v)
{
	const char *c = words[i];
	int places = -1;
	uint64_t n = 0;

	for (; isdigit((unsigned char)*c) || (*c == '.' && places < 0); c++) {
		if (*c == '.') {
			places = 0;
			continue;
		}
		if (places == SHARE_DIGITS || (places < 0 && n > 100))
			return diag_usage(d, i, "\"%s\": a share of at most 100%% with %d digits after the point",
					  words[i], SHARE_DIGITS);
		n = n * 10 + (uint64_t)(*c - '0');
		places += places >= 0;
	}
	if (strcmp(c, "%") != 0)
		return diag_usage(d, i, "\"%s\": no share (2%%)", words[i]);
	for (places = places < 0 ? 0 : places; places < SHARE_DIGITS; places++)
		n *= 10;
	*v = n;
	return 0;
}

static int value_parse(struct diag *d, enum unit unit, char **words, int i, uint64_t *v)
{
	int64_t ns = 0;
	int err;

	switch (unit) {
	case UNIT_TIME:
		err = time_parse(d, words, i, &ns);
		*v = (uint64_t)ns;
		return err;
	case UNIT_RATE:
		return rate_parse(d, words, i, v);
	case UNIT_SHARE:
		return share_parse(d, words, i, v);
	case UNIT_NUMBER:
		return u64_parse(d, words, i, 0, UINT64_MAX, v);
	case UNIT_NONE:
		break;
	}
	return -EINVAL;
}

/* Without the zeros at the end. */
static void share_format(char *buf, size_t len, uint64_t v)
{
	char *end;

	snprintf(buf, len, "%" PRIu64 ".%0*" PRIu64, v / SHARE_ONE, SHARE_DIGITS, v % SHARE_ONE);
	end = buf + strlen(buf);
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	strcpy(end, "%");
}

static void value_format(enum unit unit, char *buf, size_t len, uint64_t v)
{
	switch (unit) {
	case UNIT_TIME:
		time_format(buf, len, (int64_t)v);
		break;
	case UNIT_RATE:
		rate_format(buf, len, v);
		break;
	case UNIT_SHARE:
		share_format(buf, len, v);
		break;
	default:
		snprintf(buf, len, "%" PRIu64, v);
		break;
	}
}

bool topo_is_step(const struct topo_stmt *s, int i)
{
	return i < s->nwords && s->words[i][0] == 's' && strcmp(s->words[i], "step") == 0;
}

/* The value before "step" at word @i, and what it grows by. */
static int step_parse(struct diag *d, const struct topo_stmt *s, int i, enum unit *unit,
		      uint64_t *value, uint64_t *step)
{
	int err;

	*unit = unit_of(s->words[i - 1]);
	if (*unit == UNIT_NONE)
		return diag_usage(d, i, "\"step\" adds to the value before it, and \"%s\" is no time, rate, share or number",
				  s->words[i - 1]);
	err = topo_need_word(d, s, i + 1, "what is added from queue to queue");
	if (!err)
		err = value_parse(d, *unit, s->words, i - 1, value);
	if (!err)
		err = value_parse(d, *unit, s->words, i + 1, step);
	if (!err && (*value > INT64_MAX || *step > (INT64_MAX - *value) / TOPO_QUEUES_MAX))
		err = diag_usage(d, i + 1, "\"%s\": too large a step", s->words[i + 1]);
	return err;
}

int topo_steps_check(struct diag *d, const struct topo_stmt *s, int first, bool star)
{
	uint64_t value, step;
	enum unit unit;
	int i, err;

	for (i = first; i < s->nwords; i++) {
		if (!topo_is_step(s, i))
			continue;
		if (!star)
			return diag_usage(d, i, "\"step\" goes from queue to queue: with \"parent 1:*\" alone");
		if (topo_is_step(s, i - 2))
			return diag_usage(d, i, "\"step\" stands here twice");
		err = step_parse(d, s, i, &unit, &value, &step);
		if (err)
			return err;
	}
	return 0;
}

int topo_step_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		   unsigned int n, char **word)
{
	uint64_t value, step;
	enum unit unit;
	char buf[48];
	int err;

	*word = s->words[i];
	if (!topo_is_step(s, i + 1) || !n)
		return 0;
	err = step_parse(d, s, i + 1, &unit, &value, &step);
	if (err)
		return err;
	value_format(unit, buf, sizeof(buf), value + n * step);
	*word = topo_strndup(d, topo, buf, strlen(buf));
	return *word ? 0 : -ENOMEM;
}

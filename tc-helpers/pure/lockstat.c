// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of /proc/lock_stat, as kernel/locking/lockdep_proc.c writes it. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "lockstat.h"

/* con-bounces contentions wait{min max total avg} acq-bounces acquisitions hold{min max total avg} */
enum {
	COL_BOUNCES,
	COL_CONTENTIONS,
	COL_WAIT_MIN,
	COL_WAIT_MAX,
	COL_WAIT_TOTAL,
	COL_WAIT_AVG,
	COL_ACQ_BOUNCES,
	COL_ACQUISITIONS,
	COL_HOLD_MIN,
	COL_HOLD_MAX,
	COL_HOLD_TOTAL,
	COL_HOLD_AVG,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	"con-bounces", "contentions", "waittime-min", "waittime-max", "waittime-total",
	"waittime-avg", "acq-bounces", "acquisitions", "holdtime-min", "holdtime-max",
	"holdtime-total", "holdtime-avg",
};

/* "12.34" (us) -> 12340, "7" -> 7; false when the word is no such number. */
static bool number_read(const char **text, bool *is_time, uint64_t *value)
{
	const char *p = *text;
	uint64_t v = 0;
	bool time = false;
	bool minus;

	while (*p == ' ')
		p++;
	/* a clock that stepped back shows as a small negative time; it counts as none */
	minus = *p == '-';
	if (minus)
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (*p == '.') {
		if (!isdigit((unsigned char)p[1]))
			return false;
		time = true;
		v = v * 100;
		v += (uint64_t)(p[1] - '0') * 10;
		p += 2;
		if (isdigit((unsigned char)*p)) {
			v += (uint64_t)(*p - '0');
			p++;
		}
		v *= 10;
	}
	if (*p != ' ' && *p != '\n' && *p != '\0')
		return false;
	*text = p;
	*is_time = time;
	*value = minus ? 0 : v;
	return true;
}

static bool column_is_time(int col)
{
	return (col >= COL_WAIT_MIN && col <= COL_WAIT_AVG) || col >= COL_HOLD_MIN;
}

/* The twelve columns after the name's colon; false for a line that is not one of figures. */
static bool columns_read(const char *p, const char *end, uint64_t *cols)
{
	bool is_time;
	int i;

	for (i = 0; i < COLUMNS; i++) {
		if (!number_read(&p, &is_time, &cols[i]) || is_time != column_is_time(i))
			return false;
	}
	while (p < end && *p == ' ')
		p++;
	return p == end;
}

/* @len: of the line without its newline. 1: read, 0: no figures on this line, -EIO: cannot be read. */
static int line_read(const char *line, size_t len, struct lockstat_class *class)
{
	const char *end = line + len;
	const char *colon = memrchr(line, ':', len);
	const char *p = line;
	uint64_t cols[COLUMNS];
	size_t name_len;

	if (!colon || colon[1] != ' ')
		return 0;
	/* names hold blanks and colons: "dev->qdisc_tx_busylock ?: &qdisc_tx_b" */
	if (!columns_read(colon + 1, end, cols))
		return strspn(colon + 1, " -.0123456789") >= (size_t)(end - colon - 1) ? -EIO : 0;
	while (p < colon && *p == ' ')
		p++;
	name_len = (size_t)(colon - p);
	if (name_len == 0 || name_len > LOCKSTAT_NAME_MAX)
		return -EIO;

	memset(class, 0, sizeof(*class));
	memcpy(class->name, p, name_len);
	class->bounces = cols[COL_BOUNCES];
	class->contentions = cols[COL_CONTENTIONS];
	class->acquisitions = cols[COL_ACQUISITIONS];
	class->wait_max_ns = cols[COL_WAIT_MAX];
	class->wait_total_ns = cols[COL_WAIT_TOTAL];
	class->hold_max_ns = cols[COL_HOLD_MAX];
	class->hold_total_ns = cols[COL_HOLD_TOTAL];
	return 1;
}

static bool header_has_columns(const char *text)
{
	const char *at = strstr(text, "class name");
	const char *end = at ? strchr(at, '\n') : NULL;
	int i;

	for (i = 0; at && end && i < COLUMNS; i++) {
		at = strstr(at, column_names[i]);
		if (!at || at > end)
			return false;
		at += strlen(column_names[i]);
	}
	return at && end;
}

void lockstat_free(struct lockstat *ls)
{
	free(ls->classes);
	memset(ls, 0, sizeof(*ls));
}

int lockstat_parse(struct diag *d, const char *text, struct lockstat *ls)
{
	const char *line = text;
	size_t room = 0;

	memset(ls, 0, sizeof(*ls));
	if (strncmp(text, "lock_stat version ", 18) != 0 || !header_has_columns(text))
		return diag_failed(d, 0, "lock_stat: header: not the columns of version 0.4");
	ls->disabled = strstr(text, "lock debugging disabled") != NULL;

	while (*line) {
		const char *end = strchrnul(line, '\n');
		struct lockstat_class class;
		int err = line_read(line, (size_t)(end - line), &class);

		if (err < 0) {
			lockstat_free(ls);
			return diag_failed(d, 0, "lock_stat: figures: cannot read '%.*s'",
					   (int)(end - line), line);
		}
		if (err && ls->nclasses == room) {
			size_t more = room ? 2 * room : 64;
			void *grown = reallocarray(ls->classes, more, sizeof(*ls->classes));

			if (!grown) {
				lockstat_free(ls);
				return diag_failed(d, ENOMEM, "lock_stat: read");
			}
			ls->classes = grown;
			room = more;
		}
		if (err)
			ls->classes[ls->nclasses++] = class;
		line = *end ? end + 1 : end;
	}
	return 0;
}

size_t lockstat_sum(const struct lockstat *ls, const char *pattern, struct lockstat_class *sum)
{
	size_t matched = 0;
	size_t i;

	memset(sum, 0, sizeof(*sum));
	snprintf(sum->name, sizeof(sum->name), "%s", pattern);
	for (i = 0; i < ls->nclasses; i++) {
		const struct lockstat_class *c = &ls->classes[i];

		if (!strstr(c->name, pattern))
			continue;
		matched++;
		sum->bounces += c->bounces;
		sum->contentions += c->contentions;
		sum->acquisitions += c->acquisitions;
		sum->wait_total_ns += c->wait_total_ns;
		sum->hold_total_ns += c->hold_total_ns;
		if (c->wait_max_ns > sum->wait_max_ns)
			sum->wait_max_ns = c->wait_max_ns;
		if (c->hold_max_ns > sum->hold_max_ns)
			sum->hold_max_ns = c->hold_max_ns;
	}
	return matched;
}

static int u64_cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int class_cmp(const void *l, const void *r)
{
	const struct lockstat_class *a = l;
	const struct lockstat_class *b = r;
	int cmp = strcmp(a->name, b->name);

	if (!cmp)
		cmp = u64_cmp(b->contentions, a->contentions);
	if (!cmp)
		cmp = u64_cmp(b->acquisitions, a->acquisitions);
	if (!cmp)
		cmp = u64_cmp(b->wait_total_ns, a->wait_total_ns);
	if (!cmp)
		cmp = u64_cmp(b->hold_total_ns, a->hold_total_ns);
	return cmp;
}

void lockstat_sort(struct lockstat *ls)
{
	if (ls->nclasses)
		qsort(ls->classes, ls->nclasses, sizeof(*ls->classes), class_cmp);
}

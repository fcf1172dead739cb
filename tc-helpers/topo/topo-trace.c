// SPDX-License-Identifier: GPL-2.0-or-later
/* A trace file: "TIME VALUE..." lines, each a change of one option of one qdisc. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/units.h"
#include "topo/topo-parse.h"

#define VALUES_MAX 8
#define EVENTS_MAX 100000

struct line {
	char *words[VALUES_MAX + 2];
	int cols[VALUES_MAX + 2];
	int n;
};

static bool like_a_value(const char *word)
{
	return isdigit((unsigned char)*word) || strchr("+-.", *word);
}

static int line_split(struct diag *d, struct topo *topo, const char *text, size_t len,
		      struct line *line)
{
	size_t at = 0, start, n;

	memset(line, 0, sizeof(*line));
	while (topo_next_word(text, len, &at, &start, &n)) {
		if (line->n == VALUES_MAX + 1)
			return diag_usage(d, line->n - 1, "more than %d values in a line", VALUES_MAX);
		line->words[line->n] = topo_strndup(d, topo, text + start, n);
		if (!line->words[line->n])
			return -ENOMEM;
		line->cols[line->n++] = (int)start + 1;
		line->cols[line->n] = (int)(start + n) + 2;
	}
	return 0;
}

/* The words of @q with the values of @option replaced, or put at the end. */
static int words_with(struct diag *d, struct topo *topo, const struct topo_qdisc *q,
		      const char *option, const struct line *line, struct topo_qdisc *out)
{
	bool found = false;
	int i, k;

	*out = *q;
	out->nwords = 0;
	out->words = topo_alloc(d, topo, (size_t)(q->nwords + line->n + 2) * sizeof(*out->words));
	out->cols = topo_alloc(d, topo, (size_t)(q->nwords + line->n + 3) * sizeof(*out->cols));
	if (!out->words || !out->cols)
		return -ENOMEM;
	for (i = 0; i <= q->nwords; i++) {
		bool here = !found && (i == q->nwords ||
				       (i > q->kind && strcmp(q->words[i], option) == 0));

		if (!here && i < q->nwords) {
			out->words[out->nwords++] = q->words[i];
			continue;
		}
		if (!here)
			break;
		found = true;
		out->words[out->nwords++] = (char *)option;
		for (k = 1; k < line->n; k++) {
			out->cols[out->nwords] = line->cols[k];
			out->words[out->nwords++] = line->words[k];
		}
		while (i + 1 < q->nwords && like_a_value(q->words[i + 1]))
			i++;
	}
	/* What is not the line's own is blamed on its first value. */
	for (i = 0; i <= out->nwords; i++)
		if (!out->cols[i])
			out->cols[i] = line->cols[1];
	return 0;
}

static int line_event(struct diag *d, struct topo *topo, const struct topo_trace *trace,
		      const struct line *line, int64_t *last, struct topo_event *event)
{
	int err = time_parse(d, (char **)line->words, 0, &event->time_ns);

	if (err)
		return err;
	if (event->time_ns < *last)
		return diag_usage(d, 0, "\"%s\": earlier than the line before", line->words[0]);
	*last = event->time_ns;
	if (line->n < 2)
		return diag_usage(d, 1, "the value of %s after \"%s\" is missing", trace->option,
				  line->words[0]);
	return words_with(d, topo, &topo->qdiscs[trace->tc], trace->option, line, &event->tc);
}

static int read_line(struct diag *d, struct topo *topo, const struct topo_trace *trace,
		     const char *text, size_t len, int64_t *last, struct topo_event *event,
		     struct line *line)
{
	struct topo_event *slot;
	int err = line_split(d, topo, text, len, line);

	if (err || !line->n)
		return err;
	if (topo->nevents == EVENTS_MAX)
		return diag_usage(d, 0, "more than %d changes", EVENTS_MAX);
	err = line_event(d, topo, trace, line, last, event);
	if (err)
		return err;
	slot = topo_add(d, &topo->events, &topo->nevents, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = *event;
	return 0;
}

int topo_trace_read(struct diag *d, struct topo *topo, int number, const char *file,
		    const char *text, size_t len)
{
	const struct topo_trace *trace = &topo->traces[number];
	const char *at = text, *end = text + len;
	struct topo_event event = { .line = 1 };
	struct line line;
	int64_t last = 0;
	int before = topo->nevents;

	event.file = topo_strndup(d, topo, file, strlen(file));
	if (!event.file)
		return -ENOMEM;
	for (; at < end; event.line++) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((eol ? eol : end) - at);
		int err;

		if (memchr(at, '\0', n))
			return diag_usage(d, -1, "%s:%d: a zero byte: this is no text file", file, event.line);
		err = read_line(d, topo, trace, at, n, &last, &event, &line);
		if (err == -EINVAL)
			topo_locate_at(d, file, event.line, line.cols, line.n + 1);
		if (err)
			return err;
		at = eol ? eol + 1 : end;
	}
	if (topo->nevents == before)
		return diag_usage(d, -1, "%s: nothing in it: a trace needs at least one line \"TIME VALUE\"", file);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* "topo play": the schedule of a topology, by the clock. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "measure/clock.h"
#include "measure/stop.h"
#include "net/topo-event.h"
#include "pure/hist.h"
#include "pure/units.h"
#include "read-file.h"
#include "topo-play.h"
#include "topo/topo.h"

#define LATE_SHOWN 16	/* events that are named one by one */

/* Exact: up to six digits after the point. */
int play_speed_parse(struct diag *d, char **words, int i, void *field)
{
	const char *c = words[i];
	uint64_t ppm = 0;
	int places = -1;

	for (; (*c >= '0' && *c <= '9') || (*c == '.' && places < 0); c++) {
		if (*c == '.') {
			places = 0;
			continue;
		}
		if (places == 6 || ppm > 1000000)
			break;
		ppm = ppm * 10 + (uint64_t)(*c - '0');
		places += places >= 0;
	}
	for (places = places < 0 ? 0 : places; places < 6; places++)
		ppm *= 10;
	if (*c || !ppm || ppm > 1000000 * (uint64_t)PLAY_SPEED_ONE)
		return diag_usage(d, i, "\"%s\": a speed is a number from 0.000001 to 1000000 (2: twice as fast)",
				  words[i]);
	*(uint64_t *)field = ppm;
	return 0;
}

/* A relative path is from the folder that the topology is in. */
static char *beside(const char *path, const char *file)
{
	const char *slash = strrchr(path, '/');
	char *whole;

	if (*file == '/' || !slash)
		return strdup(file);
	return asprintf(&whole, "%.*s/%s", (int)(slash - path), path, file) < 0 ? NULL : whole;
}

static int load_trace(struct diag *d, struct topo *topo, const char *path, int i)
{
	char *file = beside(path, topo->traces[i].file), *text = NULL;
	size_t len;
	int err;

	if (!file)
		return diag_failed(d, ENOMEM, "%s", path);
	err = read_file(d, file, &text, &len);
	if (err && d->exit == EXIT_FAILED)
		topo_locate(d, topo, topo->traces[i].stmt, NULL, 0);
	if (!err)
		err = topo_trace_read(d, topo, i, file, text, len);
	free(text);
	free(file);
	return err;
}

int play_load(struct diag *d, struct topo *topo, const char *path)
{
	int i, err = 0;

	for (i = 0; !err && i < topo->ntraces; i++)
		err = load_trace(d, topo, path, i);
	if (err)
		return err;
	topo_events_sort(topo);
	return topo_events_check(d, topo);
}

void play_dry(struct ctx *ctx, const struct topo *topo)
{
	doc_open_object(ctx->doc, NULL);
	doc_open_array(ctx->doc, "events");
	for (int i = 0; i < topo->nevents; i++) {
		char *text = topo_event_text(topo, &topo->events[i]);

		doc_str(ctx->doc, "", "%s\n", text ? text : "");
		free(text);
	}
	doc_close_array(ctx->doc);
	doc_close_object(ctx->doc);
}

/**
 * struct playing - one play
 * @begin: time 0 of the schedule
 * @done: events that were done
 * @nlate: those later than asked for
 * @late: the first of them, index and by how much
 * @delay: by how much each event was late: done, by the clock, after its time
 */
struct playing {
	const struct play_cfg *cfg;
	const struct topo *topo;
	struct mono begin;
	int done;
	int nlate;
	struct {
		int event;
		int64_t ns;
	} late[LATE_SHOWN];
	struct hist *delay;
};

/* When the schedule's @ns is. */
static struct mono when(const struct playing *p, int64_t ns)
{
	__extension__ __int128 real = (__int128)ns * PLAY_SPEED_ONE / (int64_t)p->cfg->speed_ppm;

	return mono_add(p->begin, real > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)real);
}

static void note(struct playing *p, int event, int64_t ns)
{
	hist_add(p->delay, ns);
	p->done++;
	if (ns <= p->cfg->late_ns)
		return;
	if (p->nlate < LATE_SHOWN) {
		p->late[p->nlate].event = event;
		p->late[p->nlate].ns = ns;
	}
	p->nlate++;
}

/* True when a signal came. */
static int run(struct diag *d, struct topo_player *player, struct playing *p, struct stop *stop,
	       bool *stopped)
{
	const struct topo *topo = p->topo;
	int64_t end = p->cfg->duration_ns;
	int i, err = 0;

	clock_no_slack();
	*stopped = false;
	for (i = 0; i < topo->nevents; i++) {
		struct mono at;

		if (end && topo->events[i].time_ns > end)
			break;
		err = topo_player_prepare(player, d, i);
		if (err)
			return err;
		if (!i)
			p->begin = mono_now();
		at = when(p, topo->events[i].time_ns);
		*stopped = stop_wait_until(stop, at);
		if (*stopped)
			return 0;
		err = topo_player_do(player, d);
		if (err)
			return err;
		note(p, i, mono_sub(mono_now(), at));
	}
	if (!topo->nevents)
		p->begin = mono_now();
	if (end)
		*stopped = stop_wait_until(stop, when(p, end));
	return 0;
}

static void put_time(struct doc *doc, const char *key, const char *fmt, int64_t ns)
{
	char text[32];

	doc_i64(doc, key, NULL, ns);
	doc_str(doc, NULL, fmt, time_format(text, sizeof(text), ns));
}

static void put_late(struct doc *doc, const struct playing *p)
{
	doc_open_array(doc, "late_events");
	for (int i = 0; i < p->nlate && i < LATE_SHOWN; i++) {
		const struct topo_event *event = &p->topo->events[p->late[i].event];
		char *text = topo_event_text(p->topo, event);

		doc_open_object(doc, "");
		put_time(doc, "late_ns", "late by %s: ", p->late[i].ns);
		doc_str(doc, "event", "%s\n", text ? text : "");
		doc_i64(doc, "time_ns", NULL, event->time_ns);
		doc_close_object(doc);
		free(text);
	}
	doc_close_array(doc);
	if (p->nlate > LATE_SHOWN)
		doc_text(doc, "and %d more\n", p->nlate - LATE_SHOWN);
}

static void put_result(struct ctx *ctx, const struct playing *p)
{
	struct doc *doc = ctx->doc;
	int64_t ns;

	doc_open_object(doc, NULL);
	doc_str(doc, "schema", NULL, "qbed-play-1");
	doc_i64(doc, "events", NULL, p->topo->nevents);
	doc_i64(doc, "done", "%" PRId64, p->done);
	doc_text(doc, " of %d changes done", p->topo->nevents);
	doc_real(doc, "speed", NULL, (double)p->cfg->speed_ppm / PLAY_SPEED_ONE);
	put_time(doc, "elapsed_ns", " in %s", mono_sub(mono_now(), p->begin));
	if (p->done) {
		put_time(doc, "late_max_ns", ", the latest %s after its time", p->delay->max);
		if (hist_quantile(p->delay, HIST_P50, &ns))
			doc_i64(doc, "late_p50_ns", NULL, ns);
		if (hist_quantile(p->delay, HIST_P99, &ns))
			doc_i64(doc, "late_p99_ns", NULL, ns);
	}
	doc_i64(doc, "late", ", %" PRId64, p->nlate);
	put_time(doc, "late_limit_ns", " later than %s\n", p->cfg->late_ns);
	put_late(doc, p);
	doc_close_object(doc);
}

int play(struct ctx *ctx, const struct play_cfg *cfg, const struct topo *topo)
{
	struct playing p = { .cfg = cfg, .topo = topo };
	struct topo_player *player = NULL;
	struct stop stop;
	bool stopped = false;
	int err;

	if (!topo->nevents)
		return diag_usage(ctx->diag, -1, "%s: no line \"at\" or \"trace\": nothing to play", topo->file);
	err = topo_player_new(ctx->diag, topo, &player);
	if (err)
		return err;
	p.delay = hist_new();
	if (!p.delay) {
		topo_player_free(player);
		return diag_failed(ctx->diag, ENOMEM, "%s", topo->file);
	}
	stop_arm(&stop);
	p.begin = mono_now();
	err = run(ctx->diag, player, &p, &stop, &stopped);
	put_result(ctx, &p);
	ctx->print_anyway = true;
	if (!err && stopped)
		err = diag_failed(ctx->diag, 0, "play: stopped by signal %d, the rest was not done", stop.signal);
	stop_disarm(&stop);
	topo_player_free(player);
	hist_free(p.delay);
	return err;
}

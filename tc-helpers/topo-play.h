/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_PLAY_H
#define QBED_TOPO_PLAY_H

#include <stdint.h>

struct ctx;
struct diag;
struct topo;

/**
 * struct play_cfg - how a schedule is played
 * @duration_ns: when it ends, by the schedule's clock; 0: with the last event
 * @speed_ppm: how fast, in millionths: 2000000 is twice as fast
 * @late_ns: an event that was done later than this is told
 */
struct play_cfg {
	int64_t duration_ns;
	uint64_t speed_ppm;
	int64_t late_ns;
};

#define PLAY_SPEED_ONE 1000000

/* OPT_FN: "2", "0.5" -> speed_ppm. */
int play_speed_parse(struct diag *d, char **words, int i, void *field);

/* Reads the trace files (relative ones from the folder of @path), sorts and judges all events. */
int play_load(struct diag *d, struct topo *topo, const char *path);

/* Prints the events in their order. */
void play_dry(struct ctx *ctx, const struct topo *topo);
int play(struct ctx *ctx, const struct play_cfg *cfg, const struct topo *topo);

#endif

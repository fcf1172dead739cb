/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RATE_H
#define QBED_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct nlattr;

/* Rates in the messages of rtnetlink are bytes per second; what people write is bit/s. */

/**
 * struct size_cell - "SIZE[/CELL]", a bucket and the grain of its rate table
 * @size: bytes
 * @cell: bytes, a power of two; 0 when not given
 */
struct size_cell {
	uint32_t size;
	uint32_t cell;
};

/* For keywords of type KW_OTHER; the field is the last word of each name. */
int size_cell_parse(struct diag *d, char **words, int i, void *size_cell);
int cell_parse(struct diag *d, char **words, int i, void *u32);	/* bytes, a power of two */
int linklayer_parse(struct diag *d, char **words, int i, void *u32);	/* TC_LINKLAYER_* */
int minor_parse(struct diag *d, char **words, int i, void *u32); /* of a class, in hex: "10", "0x10" */
int classid_other_parse(struct diag *d, char **words, int i, void *u32);

/* "ethernet", "atm" */
const char *linklayer_name(unsigned int linklayer);

/*
 * Whole bytes per second of @bps, with a warning when that is less than was
 * asked for. -EINVAL when it is none, or more than @max.
 */
int rate_bytes(struct diag *d, const char *kind, const char *word, uint64_t bps, uint64_t max,
	       uint64_t *bytes);

/* The old 32-bit field: what does not fit has an attribute of its own beside it. */
uint32_t rate_narrow(uint64_t bytes);
/* The rate that both tell, @wide may be NULL. */
uint64_t rate_wide(struct nlattr *wide, uint32_t narrow);

/*
 * Ticks (PSCHED_TICK_NS) that @bytes take at @rate bytes/s, rounded up: what is
 * bought for them is never less than asked for. False when a message cannot hold them.
 */
bool psched_ticks(uint64_t rate, uint64_t bytes, uint32_t *ticks);
/* Bytes that pass at @rate bytes/s in @ticks. */
uint64_t psched_bytes(uint64_t rate, uint32_t ticks);

/* The least cell (as a shift) whose 256 cover packets of @mtu bytes. */
unsigned int rtab_cell_log(uint32_t mtu);
/* The shift of @cell bytes. */
unsigned int cell_log(uint32_t cell);

#endif

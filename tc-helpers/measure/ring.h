/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RING_H
#define QBED_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

/**
 * struct ring_spec - a TPACKET_V3 receive ring as asked for
 * @block_size: bytes, whole pages
 * @block_count: blocks
 * @frame_size: bytes, a multiple of 16; V3 packs packets, it only bounds their number
 * @tov_ms: retire timeout, 0 = the kernel derives it from the link's speed
 */
struct ring_spec {
	uint64_t block_size;
	uint64_t block_count;
	uint64_t frame_size;
	uint32_t tov_ms;
};

/**
 * struct ring - a mapped ring
 * @fd: packet socket, owned
 * @map: its blocks
 * @block_size: bytes, as the kernel took it
 * @block_count: blocks, as the kernel took it
 * @next: the block that the kernel hands over next
 */
struct ring {
	int fd;
	uint8_t *map;
	uint32_t block_size;
	uint32_t block_count;
	uint32_t next;
};

/**
 * struct ring_block - a block that user space owns
 * @base: its first byte
 * @bytes: its size
 * @packets: left to be taken by ring_packet()
 * @offset: of the next one
 * @timed_out: the retire timer handed it over, it was not full
 */
struct ring_block {
	const uint8_t *base;
	uint32_t bytes;
	uint32_t packets;
	uint32_t offset;
	bool timed_out;
};

/**
 * struct ring_packet - a packet inside a block
 * @data: its link-layer header
 * @len: bytes that are there
 * @outgoing: the copy of a packet that this host sent
 */
struct ring_packet {
	const uint8_t *data;
	uint32_t len;
	bool outgoing;
};

struct ring_totals {
	uint64_t packets;
	uint64_t drops;
	uint64_t freezes;
};

/*
 * What the kernel would refuse with a bare EINVAL, said in words; and that a
 * packet of @packet_bytes fits a block. No kernel call. 0 or -EINVAL.
 */
int ring_check(struct diag *d, const struct ring_spec *spec, uint64_t page_size,
	       uint64_t packet_bytes);

/*
 * Makes the ring on @fd, an AF_PACKET socket opened with protocol 0, and
 * binds it to @ifindex for packets of @protocol (host order) that come in. Takes @fd in
 * every case. Short of memory, it is tried again with half the blocks, and said in @d.
 */
int ring_open(struct ring *r, struct diag *d, int fd, int ifindex, uint16_t protocol,
	      const struct ring_spec *spec);
void ring_close(struct ring *r);

/* True when the kernel has handed the next block over. */
bool ring_take(const struct ring *r, struct ring_block *block);
/* Gives the block of the last ring_take() back. */
void ring_release(struct ring *r);

/* The next packet of @block: 1, 0 when there is none left, -EIO for a block that lies about itself. */
int ring_packet(struct ring_block *block, struct ring_packet *packet);

/* Adds what was counted since the last call (the kernel starts again from 0). 0 or -errno in @d. */
int ring_totals_add(const struct ring *r, struct diag *d, struct ring_totals *totals);

#endif

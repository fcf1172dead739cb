// SPDX-License-Identifier: GPL-2.0-or-later
/* A TPACKET_V3 receive ring: Documentation/networking/packet_mmap.rst. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/ring.h"
#include "pure/diag.h"

/* <linux/if_packet.h>: in Linux since 4.20 */
#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

/* net/packet/af_packet.c, V3_ALIGNMENT: packets of a block start on multiples of it */
#define PACKET_ALIGN	8
#define BLOCK_HEADER	TPACKET_ALIGN(sizeof(struct tpacket_block_desc))
/* tpacket_rcv(): headers, 16 bytes for the link layer's, the packet on a boundary of 16 */
#define PACKET_HEADER	(TPACKET_ALIGN(TPACKET3_HDRLEN) + 16)

int ring_check(struct diag *d, const struct ring_spec *spec, uint64_t page_size,
	       uint64_t packet_bytes)
{
	uint64_t frames;

	if (!spec->block_size || spec->block_size % page_size)
		return diag_usage(d, -1, "--block-size %" PRIu64 ": not a multiple of the page size, %" PRIu64,
				  spec->block_size, page_size);
	if (spec->block_size > INT32_MAX)
		return diag_usage(d, -1, "--block-size %" PRIu64 ": more than 2 GiB", spec->block_size);
	if (!spec->block_count)
		return diag_usage(d, -1, "--block-count 0: a ring has at least one block");
	if (spec->frame_size % TPACKET_ALIGNMENT)
		return diag_usage(d, -1, "--frame-size %" PRIu64 ": not a multiple of %d",
				  spec->frame_size, TPACKET_ALIGNMENT);
	if (spec->frame_size < TPACKET3_HDRLEN)
		return diag_usage(d, -1, "--frame-size %" PRIu64 ": less than the header of a packet, %zu",
				  spec->frame_size, (size_t)TPACKET3_HDRLEN);
	if (spec->frame_size > spec->block_size)
		return diag_usage(d, -1, "--frame-size %" PRIu64 ": more than a block, %" PRIu64,
				  spec->frame_size, spec->block_size);
	if (packet_bytes > spec->block_size - BLOCK_HEADER - PACKET_HEADER)
		return diag_usage(d, -1, "--size %" PRIu64 ": a packet and its headers do not fit a block of %" PRIu64,
				  packet_bytes, spec->block_size);
	frames = spec->block_size / spec->frame_size;
	if (spec->block_count > UINT32_MAX / frames ||
	    spec->block_count > UINT32_MAX / spec->block_size)
		return diag_usage(d, -1, "--block-count %" PRIu64 ": a ring of more than 4 GiB",
				  spec->block_count);
	return 0;
}

static int ring_bind(struct diag *d, int fd, int ifindex, uint16_t protocol)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = ifindex,
	};

	if (bind(fd, (struct sockaddr *)&ll, sizeof(ll)) < 0)
		return diag_failed(d, errno, "packet socket: bind to ifindex %d", ifindex);
	return 0;
}

/* One attempt; -ENOMEM is left to the caller. */
static int ring_try(struct ring *r, const struct ring_spec *spec, uint32_t count)
{
	struct tpacket_req3 req = {
		.tp_block_size = (unsigned int)spec->block_size,
		.tp_block_nr = count,
		.tp_frame_size = (unsigned int)spec->frame_size,
		.tp_frame_nr = (unsigned int)(spec->block_size / spec->frame_size * count),
		.tp_retire_blk_tov = spec->tov_ms,
	};
	size_t bytes = (size_t)spec->block_size * count;
	void *map;

	if (setsockopt(r->fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req)) < 0)
		return -errno;
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, 0);
	if (map == MAP_FAILED) {
		int err = -errno;

		memset(&req, 0, sizeof(req));
		setsockopt(r->fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req));
		return err;
	}
	r->map = map;
	r->block_size = (uint32_t)spec->block_size;
	r->block_count = count;
	return 0;
}

/* The kernel takes a ring's memory without asking the OOM killer's victims first: stay modest. */
static bool ring_affordable(const struct ring_spec *spec, uint32_t count)
{
	uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return spec->block_size * count <= pages / 2 * page;
}

static int ring_make(struct ring *r, struct diag *d, const struct ring_spec *spec)
{
	uint32_t count = (uint32_t)spec->block_count;
	int err;

	for (;;) {
		err = ring_affordable(spec, count) ? ring_try(r, spec, count) : -ENOMEM;
		if (err != -ENOMEM || count < 2)
			break;
		count /= 2;
	}
	if (err)
		return diag_failed(d, -err, "PACKET_RX_RING: %u blocks of %" PRIu64 " bytes", count,
				   spec->block_size);
	if (count != spec->block_count)
		diag_warn(d, "PACKET_RX_RING: no memory for %" PRIu64 " blocks of %" PRIu64 " bytes, the ring has %u",
			  spec->block_count, spec->block_size, count);
	return 0;
}

int ring_open(struct ring *r, struct diag *d, int fd, int ifindex, uint16_t protocol,
	      const struct ring_spec *spec)
{
	int version = TPACKET_V3;
	int one = 1;
	int err = 0;

	*r = (struct ring){ .fd = fd };
	if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) < 0)
		err = diag_failed(d, errno, "packet socket: TPACKET_V3");
	/* older kernels: outgoing copies come, and are told by their type */
	if (!err && setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) < 0 &&
	    errno != ENOPROTOOPT)
		err = diag_failed(d, errno, "packet socket: PACKET_IGNORE_OUTGOING");
	/* a timeout of 0 is derived from the device, so that must be known first; no packet yet */
	if (!err)
		err = ring_bind(d, fd, ifindex, 0);
	if (!err)
		err = ring_make(r, d, spec);
	if (!err)
		err = ring_bind(d, fd, ifindex, protocol);
	if (err)
		ring_close(r);
	return err;
}

void ring_close(struct ring *r)
{
	if (r->map)
		munmap(r->map, (size_t)r->block_size * r->block_count);
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct ring){ .fd = -1 };
}

static struct tpacket_block_desc *block_at(const struct ring *r, uint32_t i)
{
	return (struct tpacket_block_desc *)(r->map + (size_t)r->block_size * i);
}

bool ring_take(const struct ring *r, struct ring_block *block)
{
	struct tpacket_block_desc *desc = block_at(r, r->next);
	uint32_t status = __atomic_load_n(&desc->hdr.bh1.block_status, __ATOMIC_ACQUIRE);

	if (!(status & TP_STATUS_USER))
		return false;
	*block = (struct ring_block){
		.base = (const uint8_t *)desc,
		.bytes = r->block_size,
		.packets = desc->hdr.bh1.num_pkts,
		.offset = desc->hdr.bh1.offset_to_first_pkt,
		.timed_out = status & TP_STATUS_BLK_TMO,
	};
	return true;
}

void ring_release(struct ring *r)
{
	struct tpacket_block_desc *desc = block_at(r, r->next);

	__atomic_store_n(&desc->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	r->next = (r->next + 1) % r->block_count;
}

int ring_packet(struct ring_block *block, struct ring_packet *packet)
{
	const size_t headers = TPACKET_ALIGN(sizeof(struct tpacket3_hdr)) +
			       sizeof(struct sockaddr_ll);
	const struct tpacket3_hdr *hdr;
	const struct sockaddr_ll *ll;

	if (!block->packets)
		return 0;
	if (block->offset % PACKET_ALIGN || block->offset > block->bytes ||
	    block->bytes - block->offset < headers)
		return -EIO;
	hdr = (const struct tpacket3_hdr *)(block->base + block->offset);
	ll = (const struct sockaddr_ll *)((const uint8_t *)hdr +
					  TPACKET_ALIGN(sizeof(*hdr)));
	if ((uint64_t)block->offset + hdr->tp_mac + hdr->tp_snaplen > block->bytes)
		return -EIO;
	packet->data = (const uint8_t *)hdr + hdr->tp_mac;
	packet->len = hdr->tp_snaplen;
	packet->outgoing = ll->sll_pkttype == PACKET_OUTGOING;

	block->packets--;
	if (block->packets && !hdr->tp_next_offset)
		return -EIO;
	block->offset += hdr->tp_next_offset;
	return 1;
}

int ring_totals_add(const struct ring *r, struct diag *d, struct ring_totals *totals)
{
	struct tpacket_stats_v3 stats;
	socklen_t len = sizeof(stats);

	if (getsockopt(r->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len) < 0)
		return diag_failed(d, errno, "packet socket: PACKET_STATISTICS");
	totals->packets += stats.tp_packets;
	totals->drops += stats.tp_drops;
	totals->freezes += stats.tp_freeze_q_cnt;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ring-play FROM TO WORD...: a TPACKET_V3 ring on device TO and packets into it from device FROM, step by
 * step. What asks prints a line; a step that fails ends it with exit code 1.
 *
 * cpu N          go on on CPU N: its softirqs carry the packets that are sent from now on
 * ring TOV N     a ring of N blocks of 4 KiB, TOV ms, mapped
 * send N         N packets of 1000 bytes, three of which fill a block
 * sleep MS
 * wait MS        for a block, MS at most: "block PACKETS full", "block PACKETS timeout" or "none"
 * take           gives all blocks back: "taken N"
 * unmap          the ring stays, without a mapping
 * teardown       asks the kernel to take the ring down: "down" or "busy"
 * close          closes the socket of the ring
 * sh COMMAND     runs it
 * mark           expiries are counted from here
 * expiries       "expiries A B ...": how often the ring's timer fired since, by CPU
 * stats          "packets P drops D freezes F": of the ring, since it was asked for
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/clock.h"
#include "measure/fired.h"
#include "measure/retire.h"
#include "measure/ring.h"
#include "pure/diag.h"

#define PACKET_BYTES	1000
#define BLOCK_BYTES	4096
#define CPUS		8

struct play {
	struct diag d;
	struct fired fired;
	uint64_t mark[CPUS];
	struct ring ring;
	int tx;
	int from;
	int to;
};

static struct play play;

static int said(const char *what)
{
	fprintf(stderr, "ring-play: %s: %s\n", what, strerror(errno));
	return -1;
}

static int do_cpu(const char *const *arg)
{
	return affinity_pin_self(&play.d, (unsigned int)atoi(arg[0]));
}

static int do_ring(const char *const *arg)
{
	const struct ring_spec spec = {
		.block_size = BLOCK_BYTES,
		.block_count = (uint64_t)atoi(arg[1]),
		.frame_size = 2048,
		.tov_ms = (uint32_t)atoi(arg[0]),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return said("socket");
	return ring_open(&play.ring, &play.d, fd, play.to, RETIRE_PROTOCOL, &spec);
}

static int do_send(const char *const *arg)
{
	static const uint8_t frame[PACKET_BYTES] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, RETIRE_PROTOCOL >> 8, RETIRE_PROTOCOL & 0xff,
	};
	const struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(RETIRE_PROTOCOL),
		.sll_ifindex = play.from,
	};
	int left;

	for (left = atoi(arg[0]); left; left--) {
		if (sendto(play.tx, frame, sizeof(frame), 0, (const struct sockaddr *)&to,
			   sizeof(to)) != sizeof(frame))
			return said("send");
	}
	return 0;
}

static int do_sleep(const char *const *arg)
{
	mono_sleep_until(mono_add(mono_now(), atoi(arg[0]) * 1000000ll));
	return 0;
}

static int do_wait(const char *const *arg)
{
	const struct mono end = mono_add(mono_now(), atoi(arg[0]) * 1000000ll);
	struct ring_block block;

	while (!ring_take(&play.ring, &block)) {
		struct mono now = mono_now();

		if (mono_sub(end, now) <= 0) {
			puts("none");
			return 0;
		}
		mono_sleep_until(mono_add(now, 1000000));
	}
	printf("block %" PRIu32 " %s\n", block.packets, block.timed_out ? "timeout" : "full");
	return 0;
}

static int do_take(const char *const *arg)
{
	struct ring_block block;
	unsigned int taken = 0;

	(void)arg;
	while (ring_take(&play.ring, &block)) {
		ring_release(&play.ring);
		taken++;
	}
	printf("taken %u\n", taken);
	return 0;
}

static int do_unmap(const char *const *arg)
{
	(void)arg;
	if (munmap(play.ring.map, (size_t)play.ring.block_size * play.ring.block_count))
		return said("munmap");
	play.ring.map = NULL;
	return 0;
}

static int do_teardown(const char *const *arg)
{
	const struct tpacket_req3 none = { 0 };

	(void)arg;
	if (!setsockopt(play.ring.fd, SOL_PACKET, PACKET_RX_RING, &none, sizeof(none))) {
		puts("down");
		return 0;
	}
	if (errno != EBUSY)
		return said("PACKET_RX_RING");
	puts("busy");
	return 0;
}

static int do_close(const char *const *arg)
{
	(void)arg;
	ring_close(&play.ring);
	return 0;
}

static int do_sh(const char *const *arg)
{
	fflush(stdout);
	return system(arg[0]) ? -1 : 0;
}

static int do_mark(const char *const *arg)
{
	(void)arg;
	return fired_read(&play.fired, &play.d, play.mark, CPUS);
}

static int do_expiries(const char *const *arg)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t now[CPUS];
	long cpu;
	int err = fired_read(&play.fired, &play.d, now, CPUS);

	(void)arg;
	if (err)
		return err;
	printf("expiries");
	for (cpu = 0; cpu < cpus && cpu < CPUS; cpu++)
		printf(" %" PRIu64, now[cpu] - play.mark[cpu]);
	puts("");
	return 0;
}

static int do_stats(const char *const *arg)
{
	struct ring_totals totals = { 0 };
	int err = ring_totals_add(&play.ring, &play.d, &totals);

	(void)arg;
	if (!err)
		printf("packets %" PRIu64 " drops %" PRIu64 " freezes %" PRIu64 "\n", totals.packets,
		       totals.drops, totals.freezes);
	return err;
}

static const struct step {
	const char *name;
	int args;
	int (*run)(const char *const *arg);
} steps[] = {
	{ "cpu", 1, do_cpu },
	{ "ring", 2, do_ring },
	{ "send", 1, do_send },
	{ "sleep", 1, do_sleep },
	{ "wait", 1, do_wait },
	{ "take", 0, do_take },
	{ "unmap", 0, do_unmap },
	{ "teardown", 0, do_teardown },
	{ "close", 0, do_close },
	{ "sh", 1, do_sh },
	{ "mark", 0, do_mark },
	{ "expiries", 0, do_expiries },
	{ "stats", 0, do_stats },
};

/* Takes @words apart, step by step. */
static int steps_run(int n, const char *const *words)
{
	while (n) {
		const struct step *step = steps;
		const struct step *end = steps + sizeof(steps) / sizeof(steps[0]);

		while (step < end && strcmp(step->name, words[0]) != 0)
			step++;
		if (step == end || n - 1 < step->args) {
			fprintf(stderr, "ring-play: \"%s\": no step, or its words are missing\n", words[0]);
			return -1;
		}
		if (step->run(words + 1))
			return -1;
		n -= 1 + step->args;
		words += 1 + step->args;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int err = -1;

	if (argc < 4) {
		fprintf(stderr, "Usage: ring-play FROM TO WORD...\n");
		return 1;
	}
	diag_init(&play.d);
	play.ring.fd = -1;
	play.from = (int)if_nametoindex(argv[1]);
	play.to = (int)if_nametoindex(argv[2]);
	play.tx = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (!play.from || !play.to || play.tx < 0)
		said("devices");
	else if (!fired_open(&play.fired, &play.d, "prb_retire_rx_blk_timer_expired") &&
		 !fired_switch(&play.fired, &play.d, true))
		err = steps_run(argc - 3, (const char *const *)argv + 3);
	if (play.d.exit)
		fprintf(stderr, "ring-play: %s\n", play.d.text);
	ring_close(&play.ring);
	fired_close(&play.fired);
	diag_free(&play.d);
	return err ? 1 : 0;
}

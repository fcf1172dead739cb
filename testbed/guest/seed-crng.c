// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seed-crng: make the kernel's random numbers follow from a seed.
 *
 * netem draws its jitter and loss from the kernel's generator (until it got a "seed" of its own
 * in Linux 6.6). The lab's guests have no other source of entropy, so crediting this one and
 * reseeding at once fixes what is drawn afterwards.
 *
 * Static and free of the other code of qbed, because init runs it before anything else.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SEED_WORDS 8	/* 64 bytes: more than the generator's 256-bit key */

/* struct rand_pool_info of <linux/random.h>, with its flexible array given a size */
struct seed_message {
	int entropy_count;	/* bits */
	int buf_size;		/* bytes */
	uint32_t buf[SEED_WORDS * 2];
};

/*
 * The finalizer of SplitMix64 over a counter. Spreads small seeds over all bits; no secrecy is
 * needed or claimed.
 */
static uint64_t spread(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static int fail(const char *step)
{
	fprintf(stderr, "seed-crng: %s: %s\n", step, strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct seed_message message = { 0 };
	unsigned long long seed;
	char *end = NULL;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "Usage: seed-crng SEED\n");
		return 1;
	}
	errno = 0;
	seed = strtoull(argv[1], &end, 10);
	if (errno || end == argv[1] || *end || argv[1][0] == '-') {
		fprintf(stderr, "seed-crng: '%s': not a seed (0 to 2^64 - 1)\n", argv[1]);
		return 1;
	}
	for (int i = 0; i < SEED_WORDS; i++) {
		uint64_t word = spread(seed * SEED_WORDS + (uint64_t)i + 1);

		message.buf[2 * i] = (uint32_t)word;
		message.buf[2 * i + 1] = (uint32_t)(word >> 32);
	}
	message.buf_size = sizeof(message.buf);
	message.entropy_count = (int)sizeof(message.buf) * 8;

	fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fail("/dev/urandom");
	if (ioctl(fd, RNDADDENTROPY, &message))
		return fail("RNDADDENTROPY");
	if (ioctl(fd, RNDRESEEDCRNG))
		return fail("RNDRESEEDCRNG");
	close(fd);
	return 0;
}

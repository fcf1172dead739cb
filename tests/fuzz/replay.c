// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a fuzz target without a fuzzer: over its seeds and over a fixed number of changed copies
 * of each. TAP. With "--write DIR" it writes the seeds there instead, for libFuzzer to start from.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/phase.h"

#define COPIES 24	/* changed ones per seed */
#define MORE 64		/* bytes that a copy may grow */

static const char *write_dir;
static size_t nseeds, nruns;

/* In memory of exactly its size, so that a checker sees any byte read beyond it. */
static void run(const uint8_t *data, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	if (len)
		memcpy(copy, data, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
	nruns++;
}

/* One change: a bit, a byte, a cut, or a piece of it again. Returns the new length. */
static size_t change(uint8_t *data, size_t len, uint64_t *state)
{
	static const uint8_t bytes[] = { 0, 0xff, '0', '9', ' ', '\n', ':', '-', '.', '%', 0x7f, '{' };
	uint64_t r = splitmix64(state);
	size_t at = len ? (size_t)(r >> 8) % len : 0, n;

	if (!len)
		return 0;
	switch (r & 3) {
	case 0:
		data[at] ^= (uint8_t)(1u << (r >> 2 & 7));
		return len;
	case 1:
		data[at] = bytes[(r >> 2 & 63) % sizeof(bytes)];
		return len;
	case 2:
		return at;
	default:
		n = (r >> 40) % MORE;
		if (n > len - at)
			n = len - at;
		memmove(data + at + n, data + at, len - at);
		return len + n;
	}
}

static void write_seed(const void *data, size_t len)
{
	char name[4096];
	FILE *out;

	snprintf(name, sizeof(name), "%s/%06zu", write_dir, nseeds);
	out = fopen(name, "wbe");
	if (!out || fwrite(data, 1, len, out) != len || fclose(out)) {
		perror(name);
		exit(1);
	}
}

static void take(const void *data, size_t len)
{
	uint64_t state = nseeds++;

	if (write_dir) {
		write_seed(data, len);
		return;
	}
	run(data, len);
	for (int i = 0; i < COPIES; i++) {
		uint8_t *copy = malloc(len + 3 * MORE + 1);
		size_t n = len;

		if (!copy)
			abort();
		memcpy(copy, data, len);
		for (int k = i % 3; k >= 0; k--)
			n = change(copy, n, &state);
		run(copy, n);
		free(copy);
	}
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');

	if (argc == 3 && !strcmp(argv[1], "--write"))
		write_dir = argv[2];
	fuzz_seeds(take);
	if (write_dir)
		return 0;
	printf("1..1\n%s 1 - %s bears %zu inputs made of %zu seeds\n", nseeds ? "ok" : "not ok",
	       name ? name + 1 : argv[0], nruns, nseeds);
	return nseeds ? 0 : 1;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of distributions: what is taken has values, within bounds; what is not says why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "pure/dist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct dist dist;
	struct diag d;

	diag_init(&d);
	if (!dist_parse(&d, "table", (const char *)data, len, &dist)) {
		must(dist.n && dist.n <= DIST_MAX && dist.n <= len);
		dist_free(&dist);
	} else {
		must(d.exit == EXIT_USAGE && d.text[0] && !dist.value);
	}
	diag_free(&d);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	static const char *const tables[] = {
		"1 2 3\n", "# a comment\n-32768 32767\n", "", "#", "1 2x\n", "\n\n99999\n", "-", "+5 # 6",
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		seed(tables[i], strlen(tables[i]));
}

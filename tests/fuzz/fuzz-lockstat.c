// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of /proc/lock_stat. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "pure/lockstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = text_of(data, len);
	struct lockstat_class sum;
	struct lockstat ls;
	struct diag d;

	diag_init(&d);
	if (!lockstat_parse(&d, text, &ls)) {
		lockstat_sort(&ls);
		must(lockstat_sum(&ls, "", &sum) == ls.nclasses);
		must(lockstat_sum(&ls, LOCKSTAT_SCH, &sum) <= ls.nclasses);
		lockstat_free(&ls);
	} else {
		must(d.exit != EXIT_DONE && d.text[0]);
	}
	diag_free(&d);
	free(text);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	seed_files("tests/data/lock_stat", seed);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Bounds on figures. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "report/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = text_of(data, len);
	struct expect expect;
	struct diag d;

	diag_init(&d);
	if (!expect_parse(&d, 0, text, &expect)) {
		must(expect.experiment[0] && expect.arm[0] && expect.metric[0]);
		must(memchr(expect.bound.unit, 0, sizeof(expect.bound.unit)));
		expect_free(&expect);
	} else {
		must(d.exit != EXIT_DONE && d.text[0]);
	}
	diag_free(&d);
	free(text);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	static const char *const texts[] = {
		"retire.after.p99_ns <= 2.1ms", "6.1:mq-netem.migration-off.away_percent@every==0",
		"  x.v6.2-rc1.m[12] > -0.50 % ", "a.b.c < 9223372036854775807", "a.b.c != 0.0000000001us",
		"a.b.c[-1] >= 1e5", "a.b.c[99999999999999999999] == 1",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		seed(texts[i], strlen(texts[i]));
}

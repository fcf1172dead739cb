// SPDX-License-Identifier: GPL-2.0-or-later
/* Times, rates, sizes, numbers, shares: one word each. What is shown is read back as the same. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pure/diag.h"
#include "pure/units.h"

static void check_time(struct diag *d, char *word)
{
	int64_t ns, again = -1;
	char text[64], *shown = text;

	if (time_parse(d, &word, 0, &ns))
		return;
	must(ns >= 0);
	time_format(text, sizeof(text), ns);
	must(!time_parse(d, &shown, 0, &again) && again == ns);
}

static void check_rate(struct diag *d, char *word)
{
	uint64_t bps, again = 0;
	char text[64], *shown = text;

	if (rate_parse(d, &word, 0, &bps))
		return;
	rate_format(text, sizeof(text), bps);
	must(!rate_parse(d, &shown, 0, &again) && again == bps);
}

static void check_size(struct diag *d, char *word)
{
	uint64_t bytes, again = 0;
	char text[64], *shown = text;

	if (size_parse(d, &word, 0, &bytes))
		return;
	size_format(text, sizeof(text), bytes);
	must(!size_parse(d, &shown, 0, &again) && again == bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *word = text_of(data, len);
	struct diag d;
	uint64_t v;
	uint32_t p;

	diag_init(&d);
	check_time(&d, word);
	check_rate(&d, word);
	check_size(&d, word);
	if (!u64_parse(&d, &word, 0, 5, 70000, &v))
		must(v >= 5 && v <= 70000);
	if (!percent_parse(&d, &word, 0, &p, NULL) && strpbrk(word, "123456789"))
		must(p);
	diag_free(&d);
	free(word);
	return 0;
}

void fuzz_seeds(seed_fn *seed)
{
	static const char *const words[] = {
		"0.5us", "274.877906944s", "9223372036854775807ns", "1e3s", "100%", "0.00001%", "33.333%",
		"18446744073709551615", "18446744073709551615bit", "0xffff", "1.5gibps", "4gb", "8kbit",
		".5ms", "5.ms", "-1s", "inf", "nan", "+5", " 5", "00000000000000000000001s",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		seed(words[i], strlen(words[i]));
	seed_words("tests/data/tc-lines", seed);
}

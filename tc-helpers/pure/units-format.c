// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers with units, for people: exact, and with no more digits than that takes. */
#include <inttypes.h>
#include <stdio.h>

#include "pure/units.h"

/* @value / @factor with the decimals that it needs and no more */
static void format_exact(char *buf, size_t len, uint64_t value, uint64_t factor, const char *unit)
{
	uint64_t rest = value % factor;
	unsigned char places = 0;

	for (uint64_t f = factor; f > 1; f /= 10)
		places++;
	while (places && rest % 10 == 0) {
		rest /= 10;
		places--;
	}
	if (places)
		snprintf(buf, len, "%" PRIu64 ".%0*" PRIu64 "%s", value / factor, places, rest, unit);
	else
		snprintf(buf, len, "%" PRIu64 "%s", value / factor, unit);
}

char *time_format(char *buf, size_t len, int64_t ns)
{
	uint64_t abs = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	if (ns < 0 && len) {
		*buf = '-';
		buf++;
		len--;
	}
	if (abs >= 1000000000)
		format_exact(buf, len, abs, 1000000000, "s");
	else if (abs >= 1000000)
		format_exact(buf, len, abs, 1000000, "ms");
	else if (abs >= 1000)
		format_exact(buf, len, abs, 1000, "us");
	else
		format_exact(buf, len, abs, 1, abs ? "ns" : "s");
	return ns < 0 ? buf - 1 : buf;
}

char *rate_format(char *buf, size_t len, uint64_t bps)
{
	static const char *const names[] = { "bit", "Kbit", "Mbit", "Gbit", "Tbit" };
	size_t i = 0;

	while (bps && bps % 1000 == 0 && i + 1 < sizeof(names) / sizeof(names[0])) {
		bps /= 1000;
		i++;
	}
	snprintf(buf, len, "%" PRIu64 "%s", bps, names[i]);
	return buf;
}

char *size_format(char *buf, size_t len, uint64_t bytes)
{
	if (bytes && bytes % 1048576 == 0)
		snprintf(buf, len, "%" PRIu64 "Mb", bytes / 1048576);
	else if (bytes && bytes % 1024 == 0)
		snprintf(buf, len, "%" PRIu64 "Kb", bytes / 1024);
	else
		snprintf(buf, len, "%" PRIu64 "b", bytes);
	return buf;
}

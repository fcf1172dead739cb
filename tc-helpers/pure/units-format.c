// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers with units, for people: exact, and with no more digits than that takes. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "pure/units.h"

/* The one state of this layer: text is the whole program's, and it is called tc or it is not. */
static bool as_tc;

void units_as_tc(bool yes)
{
	as_tc = yes;
}

/* tc(8)'s three digits */
static char *time_format_tc(char *buf, size_t len, int64_t ns)
{
	if (ns >= 1000000000)
		snprintf(buf, len, "%.3gs", (double)ns / 1e9);
	else if (ns >= 1000000)
		snprintf(buf, len, "%.3gms", (double)ns / 1e6);
	else if (ns >= 1000)
		snprintf(buf, len, "%.3gus", (double)ns / 1e3);
	else
		snprintf(buf, len, "%" PRId64 "%s", ns, ns ? "ns" : "s");
	return buf;
}

/* Cut to a thousandth where that is a large number still. */
static char *rate_format_tc(char *buf, size_t len, uint64_t bps)
{
	static const char *const names[] = { "bit", "Kbit", "Mbit", "Gbit", "Tbit" };
	size_t i = 0;

	while (i + 1 < sizeof(names) / sizeof(names[0]) && bps >= 1000 &&
	       (bps % 1000 == 0 || bps >= 1000000)) {
		bps /= 1000;
		i++;
	}
	snprintf(buf, len, "%" PRIu64 "%s", bps, names[i]);
	return buf;
}

/* Whole Kb and Mb, also where that is nearly so. */
static char *size_format_tc(char *buf, size_t len, uint64_t bytes)
{
	double mb = rint((double)bytes / 1048576), kb = rint((double)bytes / 1024);

	if (bytes >= 1048576 && fabs(mb * 1048576 - (double)bytes) < 1024)
		snprintf(buf, len, "%gMb", mb);
	else if (bytes >= 1024 && fabs(kb * 1024 - (double)bytes) < 16)
		snprintf(buf, len, "%gKb", kb);
	else
		snprintf(buf, len, "%" PRIu64 "b", bytes);
	return buf;
}

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

	if (as_tc)
		return time_format_tc(buf, len, ns);
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

	if (as_tc)
		return rate_format_tc(buf, len, bps);
	while (bps && bps % 1000 == 0 && i + 1 < sizeof(names) / sizeof(names[0])) {
		bps /= 1000;
		i++;
	}
	snprintf(buf, len, "%" PRIu64 "%s", bps, names[i]);
	return buf;
}

char *us_format(char *buf, size_t len, int64_t ns)
{
	uint64_t mag = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	snprintf(buf, len, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", mag / 1000, mag % 1000);
	return buf;
}

char *size_format(char *buf, size_t len, uint64_t bytes)
{
	if (as_tc)
		return size_format_tc(buf, len, bytes);
	if (bytes && bytes % 1048576 == 0)
		snprintf(buf, len, "%" PRIu64 "Mb", bytes / 1048576);
	else if (bytes && bytes % 1024 == 0)
		snprintf(buf, len, "%" PRIu64 "Kb", bytes / 1024);
	else
		snprintf(buf, len, "%" PRIu64 "b", bytes);
	return buf;
}

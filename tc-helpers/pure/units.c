// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers with units, read exactly: a decimal is kept as an integer and a
 * power of ten, never as a double, so "0.5us" is 500 ns and what cannot be
 * held is an error instead of a rounding.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pure/diag.h"
#include "pure/units.h"

__extension__ typedef unsigned __int128 u128;

/* @digits / 10^@places, followed by @unit */
struct decimal {
	u128 digits;
	unsigned int places;
	const char *unit;
};

struct unit {
	const char *name;
	uint64_t factor;
};

/* More digits than any unit here can use; their number times 10^12 fits 128 bits. */
#define DIGITS_MAX 24

/* tc(8), "PARAMETERS", Times; case does not matter there either. */
static const struct unit time_units[] = {
	{ "s", 1000000000 }, { "sec", 1000000000 }, { "secs", 1000000000 },
	{ "ms", 1000000 }, { "msec", 1000000 }, { "msecs", 1000000 },
	{ "us", 1000 }, { "usec", 1000 }, { "usecs", 1000 },
	{ "ns", 1 }, { "nsec", 1 }, { "nsecs", 1 },
	{ NULL, 0 }
};

/* tc(8), Rates, in bit/s: "bit" is decimal and counts bits, "bps" counts bytes, "i" is binary. */
static const struct unit rate_units[] = {
	{ "bit", 1 },
	{ "kbit", 1000 }, { "mbit", 1000000 }, { "gbit", 1000000000 },
	{ "tbit", 1000000000000 },
	{ "kibit", 1024 }, { "mibit", 1048576 }, { "gibit", 1073741824 },
	{ "tibit", 1099511627776 },
	{ "bps", 8 },
	{ "kbps", 8000 }, { "mbps", 8000000 }, { "gbps", 8000000000 },
	{ "tbps", 8000000000000 },
	{ "kibps", 8192 }, { "mibps", 8388608 }, { "gibps", 8589934592 },
	{ "tibps", 8796093022208 },
	{ NULL, 0 }
};

/* tc(8), Sizes, in bytes: binary multiples throughout. */
static const struct unit size_units[] = {
	{ "b", 1 },
	{ "k", 1024 }, { "kb", 1024 }, { "kbit", 1024 / 8 },
	{ "m", 1048576 }, { "mb", 1048576 }, { "mbit", 1048576 / 8 },
	{ "g", 1073741824 }, { "gb", 1073741824 }, { "gbit", 1073741824 / 8 },
	{ NULL, 0 }
};

/* "12.50us" -> 125, 1, "us". Says why not, if not. */
static int decimal_read(struct diag *d, const char *what, char **words, int i,
			struct decimal *dec)
{
	const char *p = words[i];
	unsigned int seen = 0;
	unsigned int zeros = 0;
	bool point = false;

	memset(dec, 0, sizeof(*dec));
	if (*p == '-')
		return diag_usage(d, i, "\"%s\": a %s cannot be negative", words[i], what);
	if (*p == '+')
		p++;
	for (;; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*p))
			break;
		seen++;
		if (point && *p == '0') {
			zeros++;	/* counts only if another digit follows */
			continue;
		}
		for (unsigned int k = point ? zeros + 1 : 1; k; k--) {
			if (dec->digits >= (u128)1000000000000 * 1000000000000 ||
			    dec->places >= DIGITS_MAX)
				return diag_usage(d, i, "\"%s\": more than %d digits",
						  words[i], DIGITS_MAX);
			dec->digits *= 10;
			dec->places += point;
		}
		dec->digits += (unsigned int)(*p - '0');
		zeros = 0;
	}
	if (!seen)
		return diag_usage(d, i, "\"%s\": not a %s", words[i], what);
	dec->unit = p;
	return 0;
}

static const struct unit *unit_find(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcasecmp(units->name, name))
			return units;
	return NULL;
}

/* @dec * @factor if that is a whole number of at most @max */
static int decimal_scale(struct diag *d, char **words, int i, const struct decimal *dec,
			 uint64_t factor, uint64_t max, const char *grain, uint64_t *out)
{
	u128 v = dec->digits;
	unsigned int places = dec->places;

	/* Cancel common tens first so that the product cannot overflow needlessly. */
	while (places && factor % 10 == 0) {
		factor /= 10;
		places--;
	}
	if (v > ~(u128)0 / factor)
		return diag_usage(d, i, "\"%s\": too large", words[i]);
	v *= factor;
	for (; places; places--) {
		if (v % 10)
			return diag_usage(d, i, "\"%s\": finer than %s", words[i], grain);
		v /= 10;
	}
	if (v > max)
		return diag_usage(d, i, "\"%s\": too large", words[i]);
	*out = (uint64_t)v;
	return 0;
}

int time_parse(struct diag *d, char **words, int i, int64_t *ns)
{
	const struct unit *unit;
	struct decimal dec;
	uint64_t v;
	int err;

	err = decimal_read(d, "time", words, i, &dec);
	if (err)
		return err;
	if (!*dec.unit)
		return diag_usage(d, i,
				  "\"%s\": a time needs its unit, ns, us, ms or s (bare, it is 1 us in old tc and 1 ns in new)",
				  words[i]);
	unit = unit_find(time_units, dec.unit);
	if (!unit)
		return diag_usage(d, i, "\"%s\": no unit of time \"%s\": ns, us, ms or s",
				  words[i], dec.unit);
	err = decimal_scale(d, words, i, &dec, unit->factor, INT64_MAX, "1 ns", &v);
	if (err)
		return err;
	*ns = (int64_t)v;
	return 0;
}

int rate_parse(struct diag *d, char **words, int i, uint64_t *bps)
{
	const struct unit *unit = &rate_units[0];
	struct decimal dec;
	int err;

	err = decimal_read(d, "rate", words, i, &dec);
	if (err)
		return err;
	if (!strcmp(dec.unit, "%"))
		return diag_usage(d, i,
				  "\"%s\": a share of the link's speed is not known here: write the rate",
				  words[i]);
	if (*dec.unit)
		unit = unit_find(rate_units, dec.unit);
	if (!unit)
		return diag_usage(d, i,
				  "\"%s\": no unit of rate \"%s\": bit, kbit, mbit, gbit (bits) or bps, kbps, mbps, gbps (bytes)",
				  words[i], dec.unit);
	err = decimal_scale(d, words, i, &dec, unit->factor, UINT64_MAX, "1 bit/s", bps);
	if (err)
		return err;
	if (!*dec.unit && *bps < 8000)
		diag_warn(d, "rate \"%s\" has no unit and is %" PRIu64 " bit/s", words[i], *bps);
	return 0;
}

int size_parse(struct diag *d, char **words, int i, uint64_t *bytes)
{
	const struct unit *unit = &size_units[0];
	struct decimal dec;
	int err;

	err = decimal_read(d, "size", words, i, &dec);
	if (err)
		return err;
	if (*dec.unit)
		unit = unit_find(size_units, dec.unit);
	if (!unit)
		return diag_usage(d, i, "\"%s\": no unit of size \"%s\": b, kb, mb, gb (bytes) or kbit, mbit, gbit (bits)",
				  words[i], dec.unit);
	return decimal_scale(d, words, i, &dec, unit->factor, UINT64_MAX, "1 byte", bytes);
}

int u64_parse(struct diag *d, char **words, int i, uint64_t min, uint64_t max, uint64_t *v)
{
	const char *p = words[i];
	unsigned int base = 10;
	uint64_t sum = 0;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	} else if (p[0] == '0' && isdigit((unsigned char)p[1])) {
		/* tc would read octal, people read decimal */
		return diag_usage(d, i, "\"%s\": a number does not begin with 0", words[i]);
	}
	if (!*p)
		return diag_usage(d, i, "\"%s\": not a number", words[i]);
	for (; *p; p++) {
		unsigned int digit;

		if (isdigit((unsigned char)*p))
			digit = (unsigned int)(*p - '0');
		else if (base == 16 && isxdigit((unsigned char)*p))
			digit = (unsigned int)(tolower((unsigned char)*p) - 'a' + 10);
		else
			return diag_usage(d, i, "\"%s\": not a whole number of at least 0", words[i]);
		if (__builtin_mul_overflow(sum, base, &sum) ||
		    __builtin_add_overflow(sum, digit, &sum))
			return diag_usage(d, i, "\"%s\": too large", words[i]);
	}
	if (sum < min)
		return diag_usage(d, i, "\"%s\": less than %" PRIu64, words[i], min);
	if (sum > max)
		return diag_usage(d, i, "\"%s\": more than %" PRIu64, words[i], max);
	*v = sum;
	return 0;
}

int i64_parse(struct diag *d, char **words, int i, int64_t min, int64_t max, int64_t *v)
{
	const char *p = words[i];
	bool negative = *p == '-';
	int64_t sum = 0;

	if (*p == '-' || *p == '+')
		p++;
	if (!*p || (p[0] == '0' && p[1]))
		return diag_usage(d, i, "\"%s\": not a whole decimal number", words[i]);
	for (; *p; p++) {
		if (!isdigit((unsigned char)*p))
			return diag_usage(d, i, "\"%s\": not a whole number", words[i]);
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_sub_overflow(sum, *p - '0', &sum))	/* INT64_MIN has no positive */
			return diag_usage(d, i, "\"%s\": too large", words[i]);
	}
	if (!negative && __builtin_sub_overflow(0, sum, &sum))
		return diag_usage(d, i, "\"%s\": too large", words[i]);
	if (sum < min)
		return diag_usage(d, i, "\"%s\": less than %" PRId64, words[i], min);
	if (sum > max)
		return diag_usage(d, i, "\"%s\": more than %" PRId64, words[i], max);
	*v = sum;
	return 0;
}

/* A percentage of at most 100: what of it is one, and the 128-bit denominator. */
static int percent_read(struct diag *d, char **words, int i, struct decimal *dec, u128 *denom)
{
	int err = decimal_read(d, "percentage", words, i, dec);

	if (err)
		return err;
	if (*dec->unit && strcmp(dec->unit, "%"))
		return diag_usage(d, i, "\"%s\": not a percentage", words[i]);
	*denom = 100;
	for (unsigned int k = 0; k < dec->places; k++)
		*denom *= 10;
	if (dec->digits > *denom)
		return diag_usage(d, i, "\"%s\": more than 100%%", words[i]);
	return 0;
}

/* In doubles and to even, so that the kernel gets the very number that tc sends. */
int percent_parse(struct diag *d, char **words, int i, uint32_t *p, uint32_t *rest)
{
	struct decimal dec;
	double share;
	u128 denom;
	int err;

	err = percent_read(d, words, i, &dec, &denom);
	if (err)
		return err;
	share = strtod(words[i], NULL) / 100.;
	*p = (uint32_t)rint(share * UINT32_MAX);
	if (!*p && dec.digits)
		*p = 1;
	if (rest)
		*rest = (uint32_t)rint((1. - share) * UINT32_MAX);
	return 0;
}

int rate_share_parse(struct diag *d, char **words, int i, uint64_t link_bps, uint64_t *bps)
{
	struct decimal dec;
	u128 denom = 1;
	int err;

	err = percent_read(d, words, i, &dec, &denom);
	if (err)
		return err;
	if (dec.digits > ~(u128)0 / (link_bps ? link_bps : 1))
		return diag_usage(d, i, "\"%s\": too many digits", words[i]);
	*bps = (uint64_t)(dec.digits * link_bps / denom);
	return 0;
}

int tc_units_parse(struct diag *d, char **words, int i, enum tc_units *units)
{
	if (!strcmp(words[i], "6.1"))
		*units = TC_UNITS_6_1;
	else if (!strcmp(words[i], "6.9"))
		*units = TC_UNITS_6_9;
	else
		return diag_usage(d, i, "\"%s\": 6.1 (and what came before 6.9) or 6.9 (and later)",
				  words[i]);
	return 0;
}

bool number_is_bare(const char *word)
{
	word += *word == '+';
	return *word && word[strspn(word, "0123456789.")] == '\0';
}

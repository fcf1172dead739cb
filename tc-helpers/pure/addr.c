// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pure/addr.h"
#include "pure/diag.h"
#include "pure/units.h"

const char *before_slash(char **words, int i, char *buf, size_t len)
{
	const char *slash = strchr(words[i], '/');
	size_t n = slash ? (size_t)(slash - words[i]) : strlen(words[i]);

	snprintf(buf, len, "%.*s", (int)(n < len ? n : len - 1), words[i]);
	return slash;
}

/* tc's short form too: 10 is 10.0.0.0, 192.168 is 192.168.0.0. */
static int ipv4_parse(const char *text, uint8_t *bytes)
{
	memset(bytes, 0, 4);
	for (int n = 0; n < 4; n++) {
		unsigned long v;
		char *end;

		if (!isdigit((unsigned char)*text))
			return -1;
		v = strtoul(text, &end, 10);
		if (v > 255 || (end - text > 1 && *text == '0'))
			return -1;
		bytes[n] = (uint8_t)v;
		if (!*end)
			return 0;
		if (*end != '.')
			return -1;
		text = end + 1;
	}
	return -1;
}

int prefix_parse(struct diag *d, char **words, int i, int family, struct prefix *prefix)
{
	unsigned int most = family == AF_INET ? 32 : 128;
	char buf[INET6_ADDRSTRLEN + 8];
	const char *slash = before_slash(words, i, buf, sizeof(buf));
	char *part = buf;
	uint64_t bits = most;
	bool good;

	memset(prefix, 0, sizeof(*prefix));
	prefix->family = family;
	if (family == AF_INET)
		good = !ipv4_parse(buf, prefix->bytes);
	else
		good = inet_pton(AF_INET6, buf, prefix->bytes) == 1;
	if (!good)
		return diag_usage(d, i, "\"%s\": not an %s address, nor ADDRESS/BITS", words[i],
				  family == AF_INET ? "IPv4" : "IPv6");
	if (slash) {
		snprintf(buf, sizeof(buf), "%s", slash + 1);
		if (u64_parse(d, &part, 0, 0, most, &bits))
			return diag_context(d, i, "\"%s\"", words[i]);
	}
	prefix->bits = (unsigned int)bits;
	return 0;
}

void mask_of_bits(uint8_t *mask, unsigned int len, unsigned int bits)
{
	for (unsigned int n = 0; n < len; n++) {
		unsigned int ones = bits > n * 8 ? bits - n * 8 : 0;

		mask[n] = ones >= 8 ? 0xff : (uint8_t)(0xff00 >> ones);
	}
}

int bits_of_mask(const uint8_t *mask, unsigned int len)
{
	unsigned int bits = 0;

	while (bits < len * 8 && mask[bits / 8] & 0x80 >> bits % 8)
		bits++;
	for (unsigned int b = bits; b < len * 8; b++)
		if (mask[b / 8] & 0x80 >> b % 8)
			return -1;
	return (int)bits;
}

int mac_read(const char *text, uint8_t *mac)
{
	for (int n = 0; n < 6; n++) {
		char *end;
		unsigned long v;

		if (!isxdigit((unsigned char)*text))
			return -1;
		v = strtoul(text, &end, 16);
		if (end - text > 2 || *end != (n < 5 ? ':' : '\0'))
			return -1;
		mac[n] = (uint8_t)v;
		text = end + 1;
	}
	return 0;
}

int mac_parse(struct diag *d, char **words, int i, uint8_t *mac)
{
	if (mac_read(words[i], mac))
		return diag_usage(d, i, "\"%s\": not a MAC address", words[i]);
	return 0;
}

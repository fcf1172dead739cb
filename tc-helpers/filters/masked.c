// SPDX-License-Identifier: GPL-2.0-or-later
/* Values that a filter compares under a mask. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/masked.h"
#include "pure/addr.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"

int hex_parse(struct diag *d, char **words, int i, uint32_t max, uint32_t *v)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(words[i], &end, 16);
	if (!isxdigit((unsigned char)*words[i]) || *end || errno)
		return diag_usage(d, i, "\"%s\": not a hex number", words[i]);
	if (value > max)
		return diag_usage(d, i, "\"%s\": more than %#x (it is hex)", words[i], max);
	*v = (uint32_t)value;
	return 0;
}

int masked_u32_parse(struct diag *d, char **words, int i, uint32_t *value, uint32_t *mask)
{
	char buf[64];
	const char *slash = before_slash(words, i, buf, sizeof(buf));
	char *part = buf;
	uint64_t v = 0, m = UINT32_MAX;
	int err;

	err = u64_parse(d, &part, 0, 0, UINT32_MAX, &v);
	if (!err && slash) {
		snprintf(buf, sizeof(buf), "%s", slash + 1);
		err = u64_parse(d, &part, 0, 0, UINT32_MAX, &m);
	}
	if (err)
		return diag_context(d, i, "\"%s\"", words[i]);
	*value = (uint32_t)v;
	*mask = (uint32_t)m;
	return 0;
}

int mac_mask_parse(struct diag *d, char **words, int i, uint8_t *mac, uint8_t *mask)
{
	char buf[64];
	const char *slash = before_slash(words, i, buf, sizeof(buf));
	char *part = buf;
	uint64_t bits = 48;

	if (mac_read(buf, mac))
		return diag_usage(d, i, "\"%s\": not a MAC address, nor MAC/BITS or MAC/MASK", words[i]);
	if (slash && strchr(slash, ':')) {
		if (mac_read(slash + 1, mask))
			return diag_usage(d, i, "\"%s\": the mask is not written like a MAC address",
					  words[i]);
		return 0;
	}
	if (slash) {
		snprintf(buf, sizeof(buf), "%s", slash + 1);
		if (u64_parse(d, &part, 0, 0, 48, &bits))
			return diag_context(d, i, "\"%s\"", words[i]);
	}
	mask_of_bits(mask, 6, (unsigned int)bits);
	return 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void hex_show(struct doc *doc, const char *key, const char *fmt, uint32_t v)
{
	char text[12];

	snprintf(text, sizeof(text), "%x", v);
	doc_str(doc, key, fmt, text);
}
#pragma GCC diagnostic pop

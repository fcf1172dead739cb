// SPDX-License-Identifier: GPL-2.0-or-later
/* The bytes of an attribute in words, by the forms of struct attr_desc. */
#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pure/names.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/attr-value.h"

#define TICK_NS 64	/* PSCHED_SHIFT, include/net/pkt_sched.h */
#define LIST_SHOWN 16	/* of a longer list so many are shown, and how many there are */
#define HEX_SHOWN 64	/* the same for bytes */
#define MAX_ERRNO 4095	/* include/linux/err.h */

enum how {
	UNSIGNED, SIGNED, BIG_ENDIAN_, HEX, HEX_BE,
	TICKS, US, NS, SHARE, RATE, SIZE, HANDLE,
	STRING, MAC, IP, BYTES, FLAG, FILTER_INFO, ERRNO, U32_KEY,
};

/* @size: bytes, 0 for all that are left. */
struct form {
	const char *name;
	enum how how;
	size_t size;
};

static const struct form forms[] = {
	{ "u8", UNSIGNED, 1 }, { "u16", UNSIGNED, 2 }, { "u32", UNSIGNED, 4 }, { "u64", UNSIGNED, 8 },
	{ "s8", SIGNED, 1 }, { "s16", SIGNED, 2 }, { "s32", SIGNED, 4 }, { "s64", SIGNED, 8 },
	{ "be16", BIG_ENDIAN_, 2 }, { "be32", BIG_ENDIAN_, 4 },
	{ "x8", HEX, 1 }, { "x16", HEX, 2 }, { "x32", HEX, 4 }, { "x64", HEX, 8 },
	{ "xbe16", HEX_BE, 2 }, { "xbe32", HEX_BE, 4 },
	{ "ticks", TICKS, 4 },			/* of 64 ns */
	{ "us32", US, 4 }, { "ns32", NS, 4 }, { "ns64", NS, 8 },
	{ "share", SHARE, 4 },			/* of UINT32_MAX */
	{ "Bps32", RATE, 4 }, { "Bps64", RATE, 8 },	/* bytes per second */
	{ "bytes32", SIZE, 4 },
	{ "handle", HANDLE, 4 },
	{ "str", STRING, 0 }, { "mac", MAC, 6 }, { "ip", IP, 0 }, { "ip4", IP, 4 }, { "ip6", IP, 16 },
	{ "hex", BYTES, 0 }, { "flag", FLAG, 0 },
	{ "errno", ERRNO, 4 },
	{ "u32-key", U32_KEY, 16 },		/* struct tc_u32_key */
	{ "filter-info", FILTER_INFO, 4 },	/* TC_H_MAKE(prio << 16, protocol) */
};

static const struct form *form_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strlen(forms[i].name) == len && !memcmp(forms[i].name, name, len))
			return &forms[i];
	return NULL;
}

static uint64_t read_unsigned(const void *data, size_t len)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	switch (len) {
	case 1:
		return *(const uint8_t *)data;
	case 2:
		memcpy(&v16, data, len);
		return v16;
	case 4:
		memcpy(&v32, data, len);
		return v32;
	default:
		memcpy(&v64, data, sizeof(v64));
		return v64;
	}
}

static int64_t read_signed(const void *data, size_t len)
{
	uint64_t v = read_unsigned(data, len);

	switch (len) {
	case 1:
		return (int8_t)v;
	case 2:
		return (int16_t)v;
	case 4:
		return (int32_t)v;
	default:
		return (int64_t)v;
	}
}

static uint64_t read_be(const void *data, size_t len)
{
	uint64_t v = read_unsigned(data, len);

	return len == 2 ? be16toh((uint16_t)v) : be32toh((uint32_t)v);
}

void attr_hex_write(FILE *out, const void *data, size_t len)
{
	const unsigned char *at = data;

	fputs(" hex:", out);
	for (size_t i = 0; i < len && i < HEX_SHOWN; i++)
		fprintf(out, "%02x", at[i]);
	if (len > HEX_SHOWN)
		fprintf(out, "... (%zu bytes)", len);
}

static void write_string(FILE *out, const char *s, size_t len)
{
	fputs(" \"", out);
	for (size_t i = 0; i < len && s[i]; i++)
		fputc((unsigned char)s[i] < ' ' || s[i] == 0x7f ? '?' : s[i], out);
	fputc('"', out);
}

static void write_mac(FILE *out, const unsigned char *mac)
{
	fprintf(out, " %02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

static void write_ip(FILE *out, const void *data, size_t len)
{
	char text[INET6_ADDRSTRLEN];

	if (len == 4 || len == 16)
		fprintf(out, " %s", inet_ntop(len == 4 ? AF_INET : AF_INET6, data, text, sizeof(text)));
	else
		attr_hex_write(out, data, len);
}

/* A share of UINT32_MAX. */
static void write_share(FILE *out, uint64_t v)
{
	fprintf(out, " %.7g%%", (double)v * 100 / UINT32_MAX);
}

/* A time that says "none", or one that time_format() cannot tell, is a number. */
static void write_time(FILE *out, int64_t v, int64_t unit)
{
	char text[32];

	if (v < 0 || v > INT64_MAX / unit)
		fprintf(out, " %" PRId64, v);
	else
		fprintf(out, " %s", time_format(text, sizeof(text), v * unit));
}

static void write_rate(FILE *out, uint64_t bytes)
{
	char text[32];

	if (bytes > UINT64_MAX / 8)
		fprintf(out, " %" PRIu64 "Bps", bytes);
	else
		fprintf(out, " %s", rate_format(text, sizeof(text), bytes * 8));
}

/* "VALUE/MASK at OFFSET": the first two as they are in the packet. */
static void write_u32_key(FILE *out, const char *key)
{
	uint64_t offmask = read_unsigned(key + 12, 4);

	fprintf(out, " 0x%08" PRIx64 "/0x%08" PRIx64 " at %" PRId64, read_be(key + 4, 4),
		read_be(key, 4), read_signed(key + 8, 4));
	if (offmask)
		fprintf(out, " offmask %#" PRIx64, offmask);
}

static void write_one(FILE *out, const struct form *form, const void *data, size_t len)
{
	char text[32];

	switch (form->how) {
	case UNSIGNED:
		fprintf(out, " %" PRIu64, read_unsigned(data, len));
		break;
	case SIGNED:
		fprintf(out, " %" PRId64, read_signed(data, len));
		break;
	case BIG_ENDIAN_:
		fprintf(out, " %" PRIu64, read_be(data, len));
		break;
	case HEX:
		fprintf(out, " %#" PRIx64, read_unsigned(data, len));
		break;
	case HEX_BE:
		fprintf(out, " 0x%0*" PRIx64, (int)(2 * len), read_be(data, len));
		break;
	case TICKS:
		write_time(out, (int64_t)read_unsigned(data, len), TICK_NS);
		break;
	case US:
		write_time(out, (int64_t)read_unsigned(data, len), 1000);
		break;
	case NS:
		write_time(out, len == 8 ? read_signed(data, len) : (int64_t)read_unsigned(data, len), 1);
		break;
	case SHARE:
		write_share(out, read_unsigned(data, len));
		break;
	case RATE:
		write_rate(out, read_unsigned(data, len));
		break;
	case SIZE:
		fprintf(out, " %s", size_format(text, sizeof(text), read_unsigned(data, len)));
		break;
	case HANDLE:
		fprintf(out, " %s", handle_format(text, (uint32_t)read_unsigned(data, len)));
		break;
	case STRING:
		write_string(out, data, len);
		break;
	case MAC:
		write_mac(out, data);
		break;
	case IP:
		write_ip(out, data, len);
		break;
	case BYTES:
		attr_hex_write(out, data, len);
		break;
	case FLAG:
		if (len)
			attr_hex_write(out, data, len);
		break;
	case U32_KEY:
		write_u32_key(out, data);
		break;
	case ERRNO:
		if (read_signed(data, len) < 0 && read_signed(data, len) >= -MAX_ERRNO)
			fprintf(out, " %s", strerror(-(int)read_signed(data, len)));
		else
			fprintf(out, " %" PRId64, read_signed(data, len));
		break;
	case FILTER_INFO:
		fprintf(out, " prio %" PRIu64 " protocol 0x%04x", read_unsigned(data, len) >> 16,
			be16toh((uint16_t)read_unsigned(data, len)));
		break;
	}
}

/**
 * struct member - one word of a value
 * @name: "" for a value that is no struct
 * @count: how many follow each other; 0: as many as there are
 */
struct member {
	const char *name;
	size_t name_len;
	const struct form *form;
	size_t count;
	bool nested;
};

/* Reads the word at *@value and moves on; false at the end, and for what is not a form. */
static bool member_next(const char **value, struct member *m)
{
	const char *word = *value, *end, *equals, *star, *form;

	word += strspn(word, " ");
	if (!*word)
		return false;
	end = word + strcspn(word, " ");
	*value = end;
	*m = (struct member){ .name = word, .count = 1 };
	if (*word == '+') {
		m->nested = true;
		return true;
	}
	equals = memchr(word, '=', (size_t)(end - word));
	form = equals ? equals + 1 : word;
	m->name_len = equals ? (size_t)(equals - word) : 0;
	star = memchr(form, '*', (size_t)(end - form));
	if (star)
		m->count = strtoul(star + 1, NULL, 10);
	m->form = form_find(form, (size_t)((star ? star : end) - form));
	return m->form;
}

static size_t write_member(FILE *out, const struct member *m, const char *data, size_t len)
{
	size_t size = m->form->size ? m->form->size : len;
	size_t count = m->count ? m->count : size ? len / size : 0;

	if (size * count > len)
		return 0;
	if (m->name_len && *m->name == '.')
		return size * count;
	if (m->name_len)
		fprintf(out, " %.*s", (int)m->name_len, m->name);
	for (size_t i = 0; i < count && i < LIST_SHOWN; i++)
		write_one(out, m->form, data + i * size, size);
	if (count > LIST_SHOWN)
		fprintf(out, " ... (%zu)", count);
	return size * count;
}

size_t attr_value_write(FILE *out, const char *value, const void *data, size_t len, bool *nested)
{
	const char *at = data;
	struct member m;
	size_t left = len;

	*nested = false;
	while (member_next(&value, &m)) {
		size_t n;

		if (m.nested) {
			*nested = true;
			return len - left;
		}
		/* what an older kernel tells may be shorter than the struct */
		if (m.form->size * m.count > left)
			break;
		n = write_member(out, &m, at, left);
		at += n;
		left -= n;
	}
	if (left)
		attr_hex_write(out, at, left);
	return len;
}

size_t attr_value_fixed(const char *value)
{
	struct member m;
	size_t n = 0;

	while (member_next(&value, &m) && !m.nested)
		n += m.form->size * m.count;
	return n;
}

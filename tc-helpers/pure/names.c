// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "pure/diag.h"
#include "pure/names.h"

/* What no name may hold: it becomes part of a path, a line of text, a word of a command. */
static const char *name_fault(const char *name, size_t max, bool percent)
{
	if (!*name)
		return "is empty";
	if (strlen(name) > max)
		return "is too long";
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return "names a directory";
	if (*name == '-')
		return "begins with '-'";
	for (const char *p = name; *p; p++) {
		if (*p == '/')
			return "holds a '/'";
		if (isspace((unsigned char)*p))
			return "holds a space";
		if (iscntrl((unsigned char)*p))
			return "holds a control character";
		if (*p == ':' || (percent && *p == '%'))
			return "holds a ':' or '%'";
	}
	return NULL;
}

int netns_name_check(struct diag *d, int word, const char *name)
{
	const char *fault = name_fault(name, NETNS_NAME_MAX, false);

	if (!fault)
		return 0;
	return diag_usage(d, word, "network namespace \"%.80s\": the name %s", name, fault);
}

int dev_name_check(struct diag *d, int word, const char *name)
{
	/* '%' makes the kernel number the name, ':' it refuses (dev_valid_name()) */
	const char *fault = name_fault(name, IFNAMSIZ - 1, true);

	if (!fault)
		return 0;
	return diag_usage(d, word, "device \"%.80s\": the name %s", name, fault);
}

int link_end_parse(struct diag *d, char **words, int i, struct link_end *end)
{
	const char *colon = strchr(words[i], ':');
	const char *dev = colon ? colon + 1 : words[i];
	char netns[NETNS_NAME_MAX + 2];
	size_t n = colon ? (size_t)(colon - words[i]) : 0;
	int err;

	memset(end, 0, sizeof(*end));
	if (colon) {
		n = n < sizeof(netns) ? n : sizeof(netns) - 1;
		memcpy(netns, words[i], n);
		netns[n] = '\0';
		err = netns_name_check(d, i, netns);
		if (err)
			return err;
	}
	err = dev_name_check(d, i, dev);
	if (err)
		return err;
	memcpy(end->netns, words[i], n);
	memcpy(end->dev, dev, strlen(dev));
	return 0;
}

/* Up to four hex digits; -1 if there are none or too many. */
static long hex16(const char **p)
{
	const char *start = *p;
	long v = 0;

	for (; isxdigit((unsigned char)**p); (*p)++) {
		int c = tolower((unsigned char)**p);

		v = v * 16 + (isdigit(c) ? c - '0' : c - 'a' + 10);
		if (v > 0xffff)
			return -1;
	}
	return *p == start ? -1 : v;
}

int handle_parse(struct diag *d, char **words, int i, uint32_t *handle)
{
	const char *p = words[i];
	long major;

	if (!strchr(p, ':'))
		return diag_usage(d, i, "handle \"%s\": a handle is written with its colon, e.g. 10:",
				  words[i]);
	major = hex16(&p);
	if (major < 0 || strcmp(p, ":"))
		return diag_usage(d, i, "handle \"%s\": not 1: to ffff: (hex)", words[i]);
	if (!major)
		return diag_usage(d, i, "handle \"%s\": 0: stands for none", words[i]);
	*handle = (uint32_t)major << 16;
	return 0;
}

int classid_parse(struct diag *d, char **words, int i, uint32_t *classid)
{
	const char *p = words[i];
	long major = 0;
	long minor = 0;

	if (!strcmp(p, "root")) {
		*classid = TC_H_ROOT;
		return 0;
	}
	if (!strchr(p, ':'))
		return diag_usage(d, i, "\"%s\": a parent is written with its colon, e.g. 1:2 (hex)",
				  words[i]);
	if (*p != ':')
		major = hex16(&p);
	if (major < 0 || *p != ':')
		return diag_usage(d, i, "\"%s\": not MAJOR:MINOR, each up to ffff (hex)", words[i]);
	p++;
	if (*p)
		minor = hex16(&p);
	if (minor < 0 || *p)
		return diag_usage(d, i, "\"%s\": not MAJOR:MINOR, each up to ffff (hex)", words[i]);
	if (!major && !minor)
		return diag_usage(d, i, "\"%s\": names nothing", words[i]);
	*classid = (uint32_t)major << 16 | (uint32_t)minor;
	return 0;
}

/* As "%x" does, and returns the end: a topology has one per qdisc. */
static char *put_hex(char *at, unsigned int v)
{
	int shift = 28;

	while (shift && !(v >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[v >> shift & 0xf];
	*at = '\0';
	return at;
}

char *handle_format(char *buf, uint32_t handle)
{
	char *at = buf;

	if (handle == TC_H_ROOT)
		strcpy(buf, "root");
	else if (!handle)
		strcpy(buf, "none");
	if (handle == TC_H_ROOT || !handle)
		return buf;
	if (TC_H_MAJ(handle))
		at = put_hex(at, TC_H_MAJ(handle) >> 16);
	*at++ = ':';
	*at = '\0';
	if (TC_H_MIN(handle))
		put_hex(at, TC_H_MIN(handle));
	return buf;
}

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
static const char *name_fault(const char *name, size_t max, const char *more)
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
		if (strchr(more, *p))
			return "holds a ':' or '%'";
	}
	return NULL;
}

int netns_name_check(struct diag *d, int word, const char *name)
{
	const char *fault = name_fault(name, NETNS_NAME_MAX, ":");

	if (!fault)
		return 0;
	return diag_usage(d, word, "network namespace \"%.80s\": the name %s", name, fault);
}

int dev_name_check(struct diag *d, int word, const char *name)
{
	/* '%' makes the kernel number the name, ':' it refuses (dev_valid_name()) */
	const char *fault = name_fault(name, IFNAMSIZ - 1, ":%");

	if (!fault)
		return 0;
	return diag_usage(d, word, "device \"%.80s\": the name %s", name, fault);
}

int link_end_parse(struct diag *d, char **words, int i, struct link_end *end)
{
	const char *colon = strchr(words[i], ':');
	const char *dev = colon ? colon + 1 : words[i];
	char netns[NETNS_NAME_MAX + 2] = "";
	int err;

	memset(end, 0, sizeof(*end));
	if (colon) {
		snprintf(netns, sizeof(netns), "%.*s", (int)(colon - words[i]), words[i]);
		err = netns_name_check(d, i, netns);
		if (err)
			return err;
	}
	err = dev_name_check(d, i, dev);
	if (err)
		return err;
	memcpy(end->netns, netns, strlen(netns));
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

char *handle_format(char *buf, uint32_t handle)
{
	if (handle == TC_H_ROOT)
		strcpy(buf, "root");
	else if (!handle)
		strcpy(buf, "none");
	else if (!TC_H_MAJ(handle))
		sprintf(buf, ":%x", TC_H_MIN(handle));
	else if (!TC_H_MIN(handle))
		sprintf(buf, "%x:", TC_H_MAJ(handle) >> 16);
	else
		sprintf(buf, "%x:%x", TC_H_MAJ(handle) >> 16, TC_H_MIN(handle));
	return buf;
}

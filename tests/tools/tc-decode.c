// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tc-decode.h"
#include "tc-layout.h"
#include "tc-message.h"

#define PATH 160
#define KIND 32

/* Where a walk is: the place in the layouts, the name in the output. */
struct place {
	bool class;
	const char *kind;	/* "*" above the options */
	char at[PATH];
	char name[PATH];
	FILE *out;
};

static const struct layout *find(const char *at)
{
	for (const struct layout *l = layouts; l->at; l++)
		if (!strcmp(l->at, at))
			return l;
	return NULL;
}

static const struct layout *layout_of(const struct place *p)
{
	const struct layout *l = NULL;
	char at[PATH * 2];

	if (p->class) {
		snprintf(at, sizeof(at), "class/%s%s", p->kind, p->at);
		l = find(at);
	}
	snprintf(at, sizeof(at), "%s%s", p->kind, p->at);
	return l ? l : find(at);
}

static void print_key(const struct place *p, const char *field)
{
	fprintf(p->out, ", \"%s%s%s\": ", p->name, field ? "." : "", field ? field : "");
}

static void print_hex(const struct place *p, const unsigned char *data, size_t len)
{
	fputc('"', p->out);
	for (size_t i = 0; i < len; i++)
		fprintf(p->out, "%02x", data[i]);
	fputc('"', p->out);
}

/* Numbers are strings: JSON's hold 53 bits in jq. */
static void print_number(const struct place *p, const unsigned char *data, size_t len)
{
	uint8_t v8;
	uint16_t v16;
	uint32_t v32;
	uint64_t v = 0;

	switch (len) {
	case 0: fputs("\"\"", p->out); return;
	case 1: memcpy(&v8, data, len); v = v8; break;
	case 2: memcpy(&v16, data, len); v = v16; break;
	case 4: memcpy(&v32, data, len); v = v32; break;
	case 8: memcpy(&v, data, len); break;
	default: print_hex(p, data, len); return;
	}
	fprintf(p->out, "\"%llu\"", (unsigned long long)v);
}

static void print_string(const struct place *p, const char *s, size_t len)
{
	fputc('"', p->out);
	for (size_t i = 0; i < len && s[i]; i++)
		fputc(s[i] < ' ' || s[i] == '"' || s[i] == '\\' ? '?' : s[i], p->out);
	fputc('"', p->out);
}

/* "NAME:BYTES*COUNT" of @field; returns the bytes that it takes. */
static size_t print_field(const struct place *p, const char *field, const unsigned char *data,
			  size_t len)
{
	const char *colon = strchr(field, ':');
	const char *star = strchr(field, '*');
	size_t size = (size_t)atoi(colon + 1), count = star ? (size_t)atoi(star + 1) : 1;
	char name[40];

	if (size * count > len)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(colon - field), field);
	print_key(p, name);
	if (count == 1)
		print_number(p, data, size);
	else
		print_hex(p, data, size * count);
	return size * count;
}

static void walk(struct place *p, const unsigned char *data, size_t len);

/* A struct, then attributes if the layout ends with "+". What is left over is shown as it is. */
static void print_fields(struct place *p, const struct layout *l, const unsigned char *data,
			 size_t len)
{
	const unsigned char *start = data;
	char fields[512];

	snprintf(fields, sizeof(fields), "%s", l->fields);
	for (char *rest = NULL, *field = strtok_r(fields, " ", &rest); field;
	     field = strtok_r(NULL, " ", &rest)) {
		size_t n;

		if (*field == '+') {
			n = NLA_ALIGN((size_t)(data - start)) - (size_t)(data - start);
			if (n < len)
				walk(p, data + n, len - n);
			return;
		}
		n = print_field(p, field, data, len);
		if (!n)
			break;
		data += n;
		len -= n;
	}
	if (len) {
		print_key(p, "rest");
		print_hex(p, data, len);
	}
}

static void print_attr(struct place *p, const unsigned char *data, size_t len)
{
	const struct layout *l = layout_of(p);

	if (l && l->fields && !strcmp(l->fields, "s")) {
		print_key(p, NULL);
		print_string(p, (const char *)data, len);
	} else if (l && l->fields) {
		/* that it is there is worth a line, even if it is empty */
		print_key(p, NULL);
		fputs("\"there\"", p->out);
		print_fields(p, l, data, len);
	} else {
		print_key(p, NULL);
		print_number(p, data, len);
	}
}

/* Appends the name of attribute @type, with its number among those of the type. */
static void enter(struct place *p, unsigned int type, unsigned int nth)
{
	char number[32], name[48];
	const struct layout *l;

	snprintf(number, sizeof(number), "%s%u", *p->kind == '*' && !*p->at ? "" : ".", type);
	strncat(p->at, number, sizeof(p->at) - strlen(p->at) - 1);
	l = layout_of(p);
	if (l)
		snprintf(name, sizeof(name), "%s%s", *p->name ? "." : "", l->name);
	else
		snprintf(name, sizeof(name), "%s%u", *p->name ? "." : "", type);
	strncat(p->name, name, sizeof(p->name) - strlen(p->name) - 1);
	if (nth) {
		snprintf(number, sizeof(number), "#%u", nth);
		strncat(p->name, number, sizeof(p->name) - strlen(p->name) - 1);
	}
}

static void walk(struct place *p, const unsigned char *data, size_t len)
{
	size_t at = strlen(p->at), name = strlen(p->name);
	unsigned int seen[256] = { 0 };

	while (len >= NLA_HDRLEN) {
		struct nlattr nla;
		size_t step;

		memcpy(&nla, data, sizeof(nla));
		step = NLA_ALIGN(nla.nla_len);
		if (nla.nla_len < NLA_HDRLEN || nla.nla_len > len)
			break;
		if (nla.nla_type & NLA_F_NESTED)
			nla.nla_type &= (uint16_t)~NLA_F_NESTED;
		enter(p, nla.nla_type, seen[nla.nla_type & 255]++);
		print_attr(p, data + NLA_HDRLEN, nla.nla_len - (size_t)NLA_HDRLEN);
		p->at[at] = '\0';
		p->name[name] = '\0';
		if (step >= len)
			return;
		data += step;
		len -= step;
	}
	if (len) {
		print_key(p, "rest");
		print_hex(p, data, len);
	}
}

/* The attributes of a whole request: TCA_OPTIONS by the kind that TCA_KIND names. */
static void print_attrs(const struct nlmsghdr *nlh, FILE *out)
{
	const unsigned char *data = (const unsigned char *)nlh + NLMSG_LENGTH(sizeof(struct tcmsg));
	size_t len = nlh->nlmsg_len - NLMSG_LENGTH(sizeof(struct tcmsg));
	char kind[KIND] = "?";

	while (len >= NLA_HDRLEN) {
		struct place p = { .kind = "*", .out = out };
		struct nlattr nla;
		size_t step;

		memcpy(&nla, data, sizeof(nla));
		if (nla.nla_len < NLA_HDRLEN || nla.nla_len > len)
			break;
		p.class = nlh->nlmsg_type == RTM_NEWTCLASS || nlh->nlmsg_type == RTM_DELTCLASS;
		if (nla.nla_type == TCA_KIND)
			snprintf(kind, sizeof(kind), "%.*s", (int)(nla.nla_len - NLA_HDRLEN),
				 data + NLA_HDRLEN);
		if ((nla.nla_type & ~NLA_F_NESTED) == TCA_OPTIONS) {
			p.kind = kind;
			strcpy(p.name, "opt");
			print_attr(&p, data + NLA_HDRLEN, nla.nla_len - (size_t)NLA_HDRLEN);
		} else {
			walk(&p, data, nla.nla_len);
		}
		step = NLA_ALIGN(nla.nla_len);
		if (step >= len)
			return;
		len -= step;
		data += step;
	}
}

static const char *type_name(uint16_t type)
{
	static const char *const names[] = {
		[RTM_NEWQDISC - RTM_BASE] = "newqdisc", [RTM_DELQDISC - RTM_BASE] = "delqdisc",
		[RTM_NEWTCLASS - RTM_BASE] = "newclass", [RTM_DELTCLASS - RTM_BASE] = "delclass",
		[RTM_NEWTFILTER - RTM_BASE] = "newfilter", [RTM_DELTFILTER - RTM_BASE] = "delfilter",
		[RTM_NEWCHAIN - RTM_BASE] = "newchain", [RTM_DELCHAIN - RTM_BASE] = "delchain",
	};

	return names[type - RTM_BASE];
}

/* The answer behind @at that has the request's sequence number and port. */
static const struct nlmsgerr *answer_to(const struct nlmsghdr *req, const char *at, size_t len)
{
	while (len >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *nlh = (const void *)at;
		const struct nlmsgerr *err = (const void *)(at + NLMSG_HDRLEN);
		size_t step = NLMSG_ALIGN(nlh->nlmsg_len);

		if (message_is_answer(nlh) && err->msg.nlmsg_seq == req->nlmsg_seq &&
		    err->msg.nlmsg_type == req->nlmsg_type)
			return err;
		if (step < sizeof(*nlh) || step >= len)
			break;
		at += step;
		len -= step;
	}
	return NULL;
}

static void print_request(const struct nlmsghdr *nlh, const struct nlmsgerr *err, FILE *out)
{
	const struct tcmsg *tcm = NLMSG_DATA(nlh);
	char answer[24] = "null";

	if (err)
		snprintf(answer, sizeof(answer), "%d", -err->error);
	fprintf(out, "{\"dev\": %d, \"errno\": %s, \"attrs\": {\"type\": \"%s\", \"flags\": \"%#x\", \"handle\": \"%x:%x\", \"parent\": \"%x:%x\", \"info\": \"%u\", \"family\": \"%u\"",
		tcm->tcm_ifindex, answer, type_name(nlh->nlmsg_type),
		nlh->nlmsg_flags & ~(NLM_F_ACK | NLM_F_REQUEST),
		tcm->tcm_handle >> 16, tcm->tcm_handle & 0xffff, tcm->tcm_parent >> 16,
		tcm->tcm_parent & 0xffff, tcm->tcm_info, tcm->tcm_family);
	print_attrs(nlh, out);
	fputs("}}", out);
}

void decode(const void *buf, size_t len, FILE *out)
{
	const char *at = buf, *sep = "[";

	while (len >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *nlh = (const void *)at;
		size_t step = NLMSG_ALIGN(nlh->nlmsg_len);

		if (nlh->nlmsg_len < sizeof(*nlh) || nlh->nlmsg_len > len)
			break;
		if (message_is_request(nlh)) {
			fputs(sep, out);
			print_request(nlh, answer_to(nlh, at, len), out);
			sep = ",\n";
		}
		if (step >= len)
			break;
		at += step;
		len -= step;
	}
	fputs(*sep == '[' ? "[]\n" : "]\n", out);
}

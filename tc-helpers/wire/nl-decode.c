// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages of rtnetlink in words. They are the kernel's and our own, but a
 * reader that trusts no length serves for both.
 */
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/attr-value.h"
#include "wire/nl-decode.h"
#include "wire/rt-names.h"

#define DEPTH_MAX 10	/* TCA_OPTIONS, actions, one, its options, its own: no more are known */

/**
 * struct walk - through the attributes of a message
 * @out: where the words go; NULL to look for @offset only
 * @lookup: options of the kinds
 * @unknown: attributes without a name
 * @start: the message
 * @offset: byte that is looked for
 * @found: name of the innermost attribute that it is of
 */
struct walk {
	FILE *out;
	attr_lookup_fn *lookup;
	unsigned int unknown;
	const char *start;
	size_t offset;
	char found[64];
};

static const struct attr_desc *desc_find(const struct attr_desc *table, uint16_t type)
{
	for (; table && table->name; table++)
		if (table->type == type || table->type == ATTR_ANY)
			return table;
	return NULL;
}

/* The attribute at @at, its header copied: there need be no alignment. False at the end. */
static bool attr_next(const char *at, size_t left, struct nlattr *nla)
{
	if (left < NLA_HDRLEN)
		return false;
	memcpy(nla, at, sizeof(*nla));
	return nla->nla_len >= NLA_HDRLEN && nla->nla_len <= left;
}

static size_t attr_step(const struct nlattr *nla, size_t left)
{
	size_t step = NLA_ALIGN((size_t)nla->nla_len);

	return step < left ? step : left;
}

/* The value of the attribute that names the kind, "" for none. */
static void kind_find_in(const struct attr_desc *table, const char *at, size_t left, char *kind,
			 size_t room)
{
	struct nlattr nla;

	*kind = '\0';
	for (size_t step; attr_next(at, left, &nla); at += step, left -= step) {
		const struct attr_desc *desc = desc_find(table, nla.nla_type & NLA_TYPE_MASK);

		step = attr_step(&nla, left);
		if (desc && desc->kind)
			snprintf(kind, room, "%.*s", (int)(nla.nla_len - NLA_HDRLEN), at + NLA_HDRLEN);
	}
}

static void begin_line(const struct walk *w, int depth, const struct attr_desc *desc, uint16_t type)
{
	fprintf(w->out, "%*s", 4 * (depth + 1), "");
	if (!desc)
		fprintf(w->out, "attribute %u", type);
	else if (desc->type == ATTR_ANY)
		fprintf(w->out, "%s %u", desc->name, type);
	else
		fputs(desc->name, w->out);
}

static void walk_attrs(struct walk *w, const struct attr_desc *table, const char *at, size_t left,
		       int depth);

/* The bytes of an attribute, or of a message's header, with the attributes behind them. */
static void walk_value(struct walk *w, const struct attr_desc *desc, const char *data, size_t len,
		       int depth)
{
	size_t used = attr_value_fixed(desc->value);
	bool nested = strchr(desc->value, '+');

	if (w->out)
		used = attr_value_write(w->out, desc->value, data, len, &nested);
	if (w->out)
		fputc('\n', w->out);
	used = NLA_ALIGN(used);
	if (nested && used < len)
		walk_attrs(w, desc->sub, data + used, len - used, depth);
}

static void walk_attr(struct walk *w, const struct attr_desc *desc, const char *kind,
		      uint16_t type, const char *data, size_t len, int depth)
{
	static const struct attr_desc nameless = { .value = "hex" };
	const struct attr_desc *own = desc && desc->by ? w->lookup(desc->by, kind) : NULL;

	if (w->out)
		begin_line(w, depth, desc, type);
	if (!desc)
		w->unknown++;
	if (own)
		walk_value(w, own, data, len, depth + 1);
	else if (desc)
		walk_value(w, desc, data, len, depth + 1);
	else
		walk_value(w, &nameless, data, len, depth + 1);
}

static void found_here(struct walk *w, const struct attr_desc *desc, uint16_t type)
{
	if (!desc)
		snprintf(w->found, sizeof(w->found), "attribute %u", type);
	else if (desc->type == ATTR_ANY)
		snprintf(w->found, sizeof(w->found), "%s %u", desc->name, type);
	else
		snprintf(w->found, sizeof(w->found), "%s", desc->name);
}

static void walk_attrs(struct walk *w, const struct attr_desc *table, const char *at, size_t left,
		       int depth)
{
	struct nlattr nla;
	char kind[32];

	kind_find_in(table, at, left, kind, sizeof(kind));
	for (size_t step; depth < DEPTH_MAX && attr_next(at, left, &nla); at += step, left -= step) {
		uint16_t type = nla.nla_type & NLA_TYPE_MASK;
		const struct attr_desc *desc = desc_find(table, type);
		size_t begin = (size_t)(at - w->start);

		step = attr_step(&nla, left);
		if (!w->out && (w->offset < begin || w->offset >= begin + nla.nla_len))
			continue;
		if (!w->out)
			found_here(w, desc, type);
		walk_attr(w, desc, kind, type, at + NLA_HDRLEN, nla.nla_len - (size_t)NLA_HDRLEN, depth);
	}
	if (left && w->out) {
		fprintf(w->out, "%*srest", 4 * (depth + 1), "");
		attr_hex_write(w->out, at, left);
		fputc('\n', w->out);
	}
}

struct flag {
	uint16_t bit;
	const char *name;
};

static void write_flags(FILE *out, uint16_t type, uint16_t flags)
{
	static const struct flag all[] = {
		{ NLM_F_REQUEST, "REQUEST" }, { NLM_F_MULTI, "MULTI" }, { NLM_F_ACK, "ACK" },
		{ NLM_F_ECHO, "ECHO" }, { NLM_F_DUMP_INTR, "DUMP_INTR" },
		{ NLM_F_DUMP_FILTERED, "DUMP_FILTERED" }, { 0 }
	};
	/* those that the type gives a meaning: the low bits of RTM_... are new, del, get, set */
	static const struct flag own[4][5] = {
		{ { NLM_F_REPLACE, "REPLACE" }, { NLM_F_EXCL, "EXCL" }, { NLM_F_CREATE, "CREATE" },
		  { NLM_F_APPEND, "APPEND" } },
		{ { NLM_F_NONREC, "NONREC" } },
		{ { NLM_F_ROOT, "ROOT" }, { NLM_F_MATCH, "MATCH" }, { NLM_F_ATOMIC, "ATOMIC" } },
		{ { 0 } },
	};
	static const struct flag control[] = {
		{ NLM_F_CAPPED, "CAPPED" }, { NLM_F_ACK_TLVS, "ACK_TLVS" }, { 0 }
	};
	const struct flag *tables[] = { all, type < RTM_BASE ? control : own[(type - RTM_BASE) & 3] };
	const char *lead = "";

	fputs(" flags ", out);
	for (int t = 0; t < 2; t++)
		for (const struct flag *f = tables[t]; f->bit; f++)
			if (flags & f->bit) {
				fprintf(out, "%s%s", lead, f->name);
				lead = "|";
				flags &= (uint16_t)~f->bit;
			}
	if (flags || !*lead)
		fprintf(out, "%s%#x", lead, flags);
}

/* The header, and where its attributes are; false when it has not even a header of its own. */
static bool message_begin(const void *msg, size_t len, struct nlmsghdr *nlh,
			  const struct msg_desc **desc)
{
	if (len < NLMSG_HDRLEN)
		return false;
	memcpy(nlh, msg, sizeof(*nlh));
	*desc = msg_desc_find(nlh->nlmsg_type);
	return nlh->nlmsg_len >= NLMSG_HDRLEN && nlh->nlmsg_len <= len;
}

/* The kernel's answer: behind its header there may be the whole request, and then words. */
static void walk_answer(struct walk *w, const struct nlmsghdr *nlh, const struct msg_desc *msg,
			const char *data, size_t len)
{
	const struct attr_desc head = { .value = msg->header };
	size_t skip = attr_value_fixed(msg->header);
	struct nlmsgerr err;

	if (nlh->nlmsg_type == NLMSG_ERROR && !(nlh->nlmsg_flags & NLM_F_CAPPED) &&
	    len >= sizeof(err)) {
		memcpy(&err, data, sizeof(err));
		skip = sizeof(err.error) + (size_t)err.msg.nlmsg_len;
	}
	walk_value(w, &head, data, len < attr_value_fixed(head.value) ? len : attr_value_fixed(head.value), 0);
	skip = NLMSG_ALIGN(skip);
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS && skip < len)
		walk_attrs(w, msg->attrs, data + skip, len - skip, 0);
}

static void walk_message(struct walk *w, const struct nlmsghdr *nlh, const struct msg_desc *msg)
{
	const struct attr_desc body = { .value = msg->header, .sub = msg->attrs };
	const char *data = w->start + NLMSG_HDRLEN;
	size_t len = nlh->nlmsg_len - (size_t)NLMSG_HDRLEN;

	if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE)
		walk_answer(w, nlh, msg, data, len);
	else
		walk_value(w, &body, data, len, 0);
}

char *nl_decode(const char *lead, const void *msg, size_t len, attr_lookup_fn *lookup,
		unsigned int *unknown)
{
	struct walk w = { .lookup = lookup, .start = msg };
	const struct msg_desc *desc;
	struct nlmsghdr nlh;
	char *text = NULL;
	size_t size;

	w.out = open_memstream(&text, &size);
	if (!w.out)
		return NULL;
	fputs(lead, w.out);
	if (!message_begin(msg, len, &nlh, &desc)) {
		fputs("no message", w.out);
		attr_hex_write(w.out, msg, len);
		fputc('\n', w.out);
	} else {
		if (desc)
			fputs(desc->name, w.out);
		else
			fprintf(w.out, "message %u", nlh.nlmsg_type);
		write_flags(w.out, nlh.nlmsg_type, nlh.nlmsg_flags);
		fprintf(w.out, " seq %" PRIu32, nlh.nlmsg_seq);
		if (desc) {
			walk_message(&w, &nlh, desc);
		} else {
			attr_hex_write(w.out, w.start + NLMSG_HDRLEN, nlh.nlmsg_len - (size_t)NLMSG_HDRLEN);
			fputc('\n', w.out);
		}
	}
	if (fclose(w.out)) {
		free(text);
		return NULL;
	}
	if (unknown)
		*unknown = w.unknown;
	return text;
}

bool nl_attr_at(const void *msg, size_t len, uint32_t offset, attr_lookup_fn *lookup, char *name,
		size_t room)
{
	struct walk w = { .lookup = lookup, .start = msg, .offset = offset };
	const struct msg_desc *desc;
	struct nlmsghdr nlh;

	if (!message_begin(msg, len, &nlh, &desc) || !desc)
		return false;
	walk_message(&w, &nlh, desc);
	if (w.found[0])
		snprintf(name, room, "%s", w.found);
	return w.found[0];
}

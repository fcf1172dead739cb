/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ATTR_DESC_H
#define QBED_ATTR_DESC_H

#include <stddef.h>
#include <stdint.h>

/* Matches every number: the elements of a list, whose numbers count them. Last in its table. */
#define ATTR_ANY UINT16_MAX

/* Whose kind says what an attribute's bytes are: the one that is named beside it. */
enum attr_by {
	ATTR_BY_NONE,
	ATTR_BY_QDISC,
	ATTR_BY_CLASS,
	ATTR_BY_FILTER,
	ATTR_BY_ACTION,
	ATTR_BY_LINK,
};

/**
 * struct attr_desc - what an attribute is called and what its bytes are
 * @type: its number
 * @name: the kernel's name of it; a table ends with a NULL one
 * @value: the bytes. A form ("u32", "ns64"; wire/attr-value.c has the list), or the members of a
 *	struct in order, each NAME=FORM, NAME=FORM*COUNT or NAME=FORM* (as many as there
 *	are); one whose name begins with "." is padding. With "+" at the end
 *	attributes of @sub follow.
 * @sub: names of the attributes within, NULL for none
 * @by: @value and @sub are those of the kind
 * @kind: the value is the name of the kind
 */
struct attr_desc {
	uint16_t type;
	const char *name;
	const char *value;
	const struct attr_desc *sub;
	enum attr_by by;
	_Bool kind;
};

#define ATTR(_type, _value) { .type = (_type), .name = #_type, .value = (_value) }
#define ATTR_NEST(_type, _sub) \
	{ .type = (_type), .name = #_type, .value = "+", .sub = (_sub) }
#define ATTR_KIND(_type) { .type = (_type), .name = #_type, .value = "str", .kind = 1 }
#define ATTR_KINDS_OWN(_type, _by) { .type = (_type), .name = #_type, .value = "hex", .by = (_by) }
#define ATTR_END { .name = NULL }

/* What a kind has as its options: the bytes and, after "+", attributes. */
#define ATTR_OPTIONS(_value, _sub) &(const struct attr_desc) { .value = (_value), .sub = (_sub) }

/* A struct of the rate tables, used by several kinds; NAME stands before each member. */
#define ATTR_RATESPEC(name) name ".cell_log=u8 " name ".linklayer=u8 " name ".overhead=u16 " \
	name ".cell_align=s16 " name ".mpu=u16 " name ".rate=Bps32"

/* Finds the options of a kind; NULL when nothing is known of it. */
typedef const struct attr_desc *attr_lookup_fn(enum attr_by by, const char *kind);

#endif

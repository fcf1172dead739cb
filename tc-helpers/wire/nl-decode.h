/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NL_DECODE_H
#define QBED_NL_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr-desc.h"

/*
 * A message of rtnetlink in words, for people: a line for its header, then one
 * for each attribute, those within further to the right. @lead begins the first
 * line. What has no name is shown as hex; *@unknown, unless NULL, counts such
 * attributes. The caller frees it; NULL when there is no memory.
 */
char *nl_decode(const char *lead, const void *msg, size_t len, attr_lookup_fn *lookup,
		unsigned int *unknown);

/*
 * The name of the attribute at @offset of the message, as an ext-ack has it:
 * the innermost one that the byte is of. False when there is none.
 */
bool nl_attr_at(const void *msg, size_t len, uint32_t offset, attr_lookup_fn *lookup, char *name,
		size_t room);

#endif

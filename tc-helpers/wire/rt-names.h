/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RT_NAMES_H
#define QBED_RT_NAMES_H

#include "wire/attr-desc.h"

/**
 * struct msg_desc - a type of message
 * @type: RTM_... or NLMSG_...
 * @name: the kernel's name of it; the table ends with a NULL one
 * @header: the members of the struct that its attributes stand behind
 * @attrs: names of those
 */
struct msg_desc {
	uint16_t type;
	const char *name;
	const char *header;
	const struct attr_desc *attrs;
};

/* NULL for a type that is not known. */
const struct msg_desc *msg_desc_find(uint16_t type);

/* What a link's kind has as its IFLA_INFO_DATA. */
const struct attr_desc *link_options(const char *kind);

#endif

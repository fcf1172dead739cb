/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ATTR_H
#define QBED_ATTR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <netlink/attr.h>

/* Copies attribute @type into @out; false, and @out as it was, if it is not there or too short. */
static inline bool attr_read(struct nlattr *const *tb, int type, void *out, int len)
{
	if (!tb[type] || nla_len(tb[type]) < len)
		return false;
	memcpy(out, nla_data(tb[type]), (size_t)len);
	return true;
}

static inline bool attr_u32(struct nlattr *const *tb, int type, uint32_t *v)
{
	return attr_read(tb, type, v, sizeof(*v));
}

#endif

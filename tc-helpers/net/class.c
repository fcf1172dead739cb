// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "net/class.h"
#include "net/rtnl.h"
#include "pure/diag.h"

int class_do(struct rtnl *rtnl, struct diag *d, enum tc_op op, const struct tc_spec *spec)
{
	const struct link_end *end = &spec->end;
	int ifindex = rtnl_ifindex(rtnl, d, end->dev);
	char at[12] = "";
	struct nl_msg *msg;

	if (ifindex < 0)
		return ifindex;
	if (tc_spec_msg(spec, op, ifindex, &msg))
		return diag_failed(d, ENOMEM, "%s: class", end->dev);
	return rtnl_talk(rtnl, d, msg, "%s%s%s: class%s%s %s: %s", end->netns,
			 end->netns[0] ? ":" : "", end->dev, spec->kind ? " " : "",
			 spec->kind ? spec->kind->name : "",
			 handle_format(at, spec->handle ? spec->handle : spec->parent),
			 tc_op_name(op));
}

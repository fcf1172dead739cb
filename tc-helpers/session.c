// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands done one after the other, over sockets that stay open. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "filter-show.h"
#include "net/class-known.h"
#include "net/class.h"
#include "net/filter.h"
#include "net/ip.h"
#include "net/nets.h"
#include "net/qdisc.h"
#include "pure/diag.h"
#include "tc-show.h"

#define KNOWN 64U

/**
 * struct session - see command.h
 * @nets: sockets
 * @dev: devices that qdiscs were put on: reading one costs more than a qdisc does
 * @ndevs: how many
 * @next: where the next one goes
 * @classes: of the device that a class was last done to
 */
struct session {
	struct nets *nets;
	struct qdisc_dev dev[KNOWN];
	unsigned int ndevs;
	unsigned int next;
	struct class_known classes;
};

struct session *session_new(struct diag *d)
{
	struct session *s = calloc(1, sizeof(*s));

	if (!s) {
		diag_failed(d, ENOMEM, "rtnetlink");
		return NULL;
	}
	s->nets = nets_new(d);
	if (s->nets)
		return s;
	free(s);
	return NULL;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	nets_close(s->nets);
	class_known_forget(&s->classes);
	free(s);
}

struct nets *session_nets(struct session *s)
{
	return s->nets;
}

static void forget_devs(struct session *s)
{
	s->ndevs = 0;
	s->next = 0;
}

static int know_dev(struct diag *d, struct session *s, struct rtnl *rtnl,
		    const struct link_end *end, struct qdisc_dev **dev)
{
	int err;

	for (unsigned int i = 0; i < s->ndevs; i++)
		if (!strcmp(s->dev[i].end.dev, end->dev) && !strcmp(s->dev[i].end.netns, end->netns)) {
			*dev = &s->dev[i];
			return 0;
		}
	*dev = &s->dev[s->next];
	err = qdisc_dev_read(rtnl, d, end, *dev);
	if (err) {
		forget_devs(s);
		return err;
	}
	s->next = (s->next + 1) % KNOWN;
	if (s->ndevs < KNOWN)
		s->ndevs++;
	return 0;
}

static int run_tc(struct diag *d, struct session *s, struct command *cmd, struct doc *doc)
{
	struct tc_spec *spec = &cmd->tc;
	struct qdisc_dev *dev;
	struct rtnl *rtnl;
	int err;

	err = nets_rtnl(d, s->nets, spec->end.netns, &rtnl);
	if (err)
		return err;
	if (cmd->op == OP_SHOW)
		return tc_show(d, rtnl, spec, &cmd->cfg, doc);
	if (spec->object == OBJECT_CLASS)
		return class_do(rtnl, d, cmd->op, spec, &s->classes);
	/* a new qdisc changes nothing for the others, and is found when it is asked for */
	if (cmd->op != OP_ADD)
		class_known_forget(&s->classes);
	err = know_dev(d, s, rtnl, &spec->end, &dev);
	if (!err)
		err = qdisc_do(rtnl, d, cmd->op, spec, dev);
	return err ? err : class_warn_default(rtnl, d, cmd->op, spec);
}

static int run_filter(struct diag *d, struct session *s, struct command *cmd, struct doc *doc,
		      struct made_filter *made)
{
	struct rtnl *rtnl;
	int err;

	err = nets_rtnl(d, s->nets, cmd->filter.end.netns, &rtnl);
	if (err)
		return err;
	if (cmd->op == OP_SHOW)
		return filter_show(d, rtnl, &cmd->filter, cmd->cfg.statistics, doc);
	return filter_do(rtnl, d, cmd->op, &cmd->filter, made ? &made->prio : NULL,
			 made ? &made->handle : NULL);
}

int command_run(struct diag *d, struct session *s, struct command *cmd, struct doc *doc,
		struct made_filter *made)
{
	int err = 0;

	switch (cmd->kind) {
	case COMMAND_TC:
		err = run_tc(d, s, cmd, doc);
		break;
	case COMMAND_FILTER:
		err = run_filter(d, s, cmd, doc, made);
		break;
	case COMMAND_IP:
		err = ip_do(d, s->nets, &cmd->ip);
		break;
	}
	/* What a line does to a link, or an error tells of one, may be what is known of it. */
	if (err || cmd->kind == COMMAND_IP) {
		forget_devs(s);
		class_known_forget(&s->classes);
	}
	return err;
}

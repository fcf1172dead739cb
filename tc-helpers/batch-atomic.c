// SPDX-License-Identifier: GPL-2.0-or-later
/* "batch --atomic": what the lines make, and how it is taken back. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch-atomic.h"
#include "net/dev.h"
#include "net/nets.h"
#include "pure/diag.h"

enum thing { THING_NETNS, THING_DEV, THING_QDISC, THING_CLASS };

/**
 * struct made - something that the batch has made
 * @thing: what
 * @end: where; of a device that was moved, or was given another name, as it is now
 * @parent: of a qdisc
 * @handle: of a qdisc or a class
 * @step: index of the step that made it, -1 for none (in the check)
 */
struct made {
	enum thing thing;
	struct link_end end;
	uint32_t parent;
	uint32_t handle;
	int step;
};

/**
 * struct step - a line that was done and has to be undone
 * @line: that
 * @filter: what the kernel chose
 * @gone: a later line has undone it
 */
struct step {
	struct batch_line *line;
	struct made_filter filter;
	bool gone;
};

struct atomic {
	struct made *made;
	size_t nmade;
	struct step *step;
	size_t nsteps;
};

struct atomic *atomic_new(struct diag *d)
{
	struct atomic *a = calloc(1, sizeof(*a));

	if (!a)
		diag_failed(d, ENOMEM, "batch");
	return a;
}

void atomic_free(struct atomic *a)
{
	if (!a)
		return;
	free(a->made);
	free(a->step);
	free(a);
}

void atomic_begin(struct atomic *a)
{
	a->nmade = 0;
}

static int put_made(struct atomic *a, struct diag *d, struct made made)
{
	struct made *grown = realloc(a->made, (a->nmade + 1) * sizeof(*grown));

	if (!grown)
		return diag_failed(d, ENOMEM, "batch");
	a->made = grown;
	made.step = (int)a->nsteps - 1;
	a->made[a->nmade++] = made;
	return 0;
}

static struct made *find_netns(struct atomic *a, const char *netns)
{
	for (size_t i = 0; i < a->nmade; i++)
		if (a->made[i].thing == THING_NETNS && !strcmp(a->made[i].end.netns, netns))
			return &a->made[i];
	return NULL;
}

static struct made *find_dev(struct atomic *a, const struct link_end *end)
{
	for (size_t i = 0; i < a->nmade; i++)
		if (a->made[i].thing == THING_DEV && !strcmp(a->made[i].end.netns, end->netns) &&
		    !strcmp(a->made[i].end.dev, end->dev))
			return &a->made[i];
	return NULL;
}

static const struct link_end *end_of(const struct command *cmd)
{
	switch (cmd->kind) {
	case COMMAND_TC:
		return &cmd->tc.end;
	case COMMAND_FILTER:
		return &cmd->filter.end;
	case COMMAND_IP:
		break;
	}
	return &cmd->ip.dev.end;
}

/* On a device or in a namespace of the batch's own: it goes with that. */
static bool is_inside(struct atomic *a, const struct command *cmd)
{
	const struct link_end *end = end_of(cmd);

	return find_netns(a, end->netns) || find_dev(a, end);
}

static bool is_own_object(const struct atomic *a, const struct tc_spec *spec)
{
	for (size_t i = 0; i < a->nmade; i++) {
		const struct made *m = &a->made[i];

		if (m->thing != (spec->object == OBJECT_CLASS ? THING_CLASS : THING_QDISC) ||
		    strcmp(m->end.dev, spec->end.dev) || strcmp(m->end.netns, spec->end.netns))
			continue;
		if (m->thing == THING_CLASS ? m->handle == spec->handle :
		    spec->parent ? m->parent == spec->parent : m->handle == spec->handle)
			return true;
	}
	return false;
}

/* Another line's qdisc may have another handle: then "replace" puts a new one in its place. */
static int check_tc(struct atomic *a, struct diag *d, const struct command *cmd)
{
	const struct tc_spec *spec = &cmd->tc;
	const char *object = tc_object_name(spec->object);

	if (cmd->op == OP_SHOW || is_inside(a, cmd))
		return 0;
	if (cmd->op == OP_ADD || (cmd->op != OP_DEL && is_own_object(a, spec)))
		return 0;
	return diag_usage(d, -1, "%s %s: cannot be undone: with --atomic what is not of the batch's own can only be added to",
			  object, tc_op_name(cmd->op));
}

static int check_filter(struct atomic *a, struct diag *d, const struct command *cmd)
{
	if (cmd->op == OP_SHOW || cmd->op == OP_ADD || is_inside(a, cmd))
		return 0;
	return diag_usage(d, -1, "filter %s: cannot be undone: with --atomic what is not of the batch's own can only be added to",
			  tc_op_name(cmd->op));
}

/* "link set D up" and nothing else */
static bool is_only_up(const struct ip_spec *spec)
{
	return spec->object == IP_LINK && spec->op == IP_SET && spec->dev.up == 1 &&
	       !spec->dev.mtu && !spec->dev.has_txqlen && !spec->dev.has_mac && !spec->moves &&
	       !spec->name[0];
}

static int check_ip(struct atomic *a, struct diag *d, const struct command *cmd)
{
	const struct ip_spec *spec = &cmd->ip;

	if (spec->op == IP_ADD || is_only_up(spec) || is_inside(a, cmd))
		return 0;
	return diag_usage(d, -1, "%s %s: cannot be undone: with --atomic what is not of the batch's own can only be added to, and set up",
			  ip_object_name(spec->object), ip_op_name(spec->op));
}

static int track_link(struct atomic *a, struct diag *d, const struct ip_spec *spec)
{
	struct made *m;
	int err;

	if (spec->op == IP_ADD) {
		err = put_made(a, d, (struct made){ .thing = THING_DEV, .end = spec->dev.end });
		if (!err && spec->peer.end.dev[0])
			err = put_made(a, d, (struct made){ .thing = THING_DEV, .end = spec->peer.end });
		return err;
	}
	m = find_dev(a, &spec->dev.end);
	if (!m)
		return 0;
	if (spec->op == IP_DEL) {
		if (m->step >= 0)
			a->step[m->step].gone = true;
		m->end = (struct link_end){ 0 };
	}
	if (spec->moves)
		strcpy(m->end.netns, spec->to);
	if (spec->name[0])
		strcpy(m->end.dev, spec->name);
	return 0;
}

static int track_netns(struct atomic *a, struct diag *d, const struct ip_spec *spec)
{
	struct made *m;

	if (spec->op == IP_ADD)
		return put_made(a, d, (struct made){ .thing = THING_NETNS, .end = spec->dev.end });
	m = find_netns(a, spec->dev.end.netns);
	if (m && m->step >= 0)
		a->step[m->step].gone = true;
	if (m)
		m->end = (struct link_end){ 0 };
	return 0;
}

/* What is there after the line. */
static int track(struct atomic *a, struct diag *d, const struct command *cmd)
{
	const struct tc_spec *spec = &cmd->tc;

	if (cmd->kind == COMMAND_IP && cmd->ip.object == IP_LINK)
		return track_link(a, d, &cmd->ip);
	if (cmd->kind == COMMAND_IP && cmd->ip.object == IP_NETNS)
		return track_netns(a, d, &cmd->ip);
	if (cmd->kind != COMMAND_TC || cmd->op != OP_ADD)
		return 0;
	return put_made(a, d, (struct made){
		.thing = spec->object == OBJECT_CLASS ? THING_CLASS : THING_QDISC,
		.end = spec->end, .parent = spec->parent, .handle = spec->handle });
}

int atomic_check(struct atomic *a, struct diag *d, const struct batch_line *line)
{
	const struct command *cmd = &line->cmd;
	int err = cmd->kind == COMMAND_TC ? check_tc(a, d, cmd) :
		  cmd->kind == COMMAND_FILTER ? check_filter(a, d, cmd) : check_ip(a, d, cmd);

	return err ? err : track(a, d, cmd);
}

static int put_step(struct atomic *a, struct diag *d, struct batch_line *line)
{
	struct step *grown = realloc(a->step, (a->nsteps + 1) * sizeof(*grown));

	if (!grown)
		return diag_failed(d, ENOMEM, "batch");
	a->step = grown;
	a->step[a->nsteps++] = (struct step){ .line = line };
	return 0;
}

/* Has the line to be undone by itself? Links always: a veth's other end may be elsewhere. */
static bool needs_undo(struct atomic *a, const struct command *cmd)
{
	if (cmd->kind == COMMAND_IP)
		return cmd->ip.op == IP_ADD ? cmd->ip.object != IP_ADDR || !is_inside(a, cmd) :
					      cmd->ip.op == IP_SET && !is_inside(a, cmd);
	return cmd->op == OP_ADD && !is_inside(a, cmd);
}

/* 1 if the device is up already, so that nothing is to be undone. */
static int is_up(struct diag *d, struct session *s, const struct link_end *end)
{
	struct rtnl *rtnl;
	struct dev dev;
	int err;

	err = nets_rtnl(d, session_nets(s), end->netns, &rtnl);
	if (!err)
		err = dev_read(rtnl, d, end->dev, &dev);
	return err ? err : dev.up;
}

int atomic_run(struct atomic *a, struct diag *d, struct session *s, struct batch_line *line,
	       struct doc *doc)
{
	struct command *cmd = &line->cmd;
	bool undo = needs_undo(a, cmd);
	struct made_filter filter = { 0 };
	int err = 0;

	if (undo && cmd->kind == COMMAND_IP && cmd->ip.op == IP_SET) {
		err = is_up(d, s, end_of(cmd));
		undo = !err;
		err = err < 0 ? err : 0;
	}
	/* first, so that nothing is done that there is no memory to undo */
	if (!err && undo)
		err = put_step(a, d, line);
	if (err)
		return err;
	err = command_run(d, s, cmd, doc, cmd->kind == COMMAND_FILTER ? &filter : NULL);
	if (err && undo)
		a->nsteps--;
	else if (undo)
		a->step[a->nsteps - 1].filter = filter;
	return err ? err : track(a, d, cmd);
}

bool atomic_is_empty(const struct atomic *a)
{
	return !a->nsteps;
}

/* The opposite of the line. */
static void turn_round(struct atomic *a, size_t i, struct command *cmd)
{
	cmd->op = OP_DEL;
	switch (cmd->kind) {
	case COMMAND_TC:
		cmd->tc.kind = NULL;
		cmd->tc.cfg = NULL;	/* the line still has it */
		if (cmd->tc.object == OBJECT_QDISC)
			cmd->tc.handle = 0;
		cmd->tc.est.given = false;
		break;
	case COMMAND_FILTER:
		cmd->filter.prio = a->step[i].filter.prio;
		cmd->filter.handle = a->step[i].filter.handle;
		cmd->filter.has_options = false;
		cmd->filter.actions.n = 0;
		break;
	case COMMAND_IP:
		if (cmd->ip.op == IP_SET) {
			cmd->ip.dev.up = 0;
			break;
		}
		cmd->ip.op = IP_DEL;
		for (size_t m = 0; cmd->ip.object == IP_LINK && m < a->nmade; m++)
			if (a->made[m].step == (int)i && a->made[m].thing == THING_DEV &&
			    a->made[m].end.dev[0]) {
				cmd->ip.dev.end = a->made[m].end;
				break;
			}
		break;
	}
}

unsigned int atomic_undo(struct atomic *a, struct diag *d, struct session *s, const char *file)
{
	unsigned int left = 0;

	for (size_t i = a->nsteps; i--;) {
		struct step *step = &a->step[i];
		struct command cmd = step->line->cmd;	/* what it points to stays the line's */
		struct diag quiet;

		if (step->gone)
			continue;
		diag_init(&quiet);
		turn_round(a, i, &cmd);
		if (command_run(&quiet, s, &cmd, NULL, NULL)) {
			diag_warn(d, "%s:%d: not undone: %s", file, step->line->line, quiet.text);
			left++;
		}
		diag_free(&quiet);
	}
	a->nsteps = 0;
	return left;
}

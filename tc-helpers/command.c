// SPDX-License-Identifier: GPL-2.0-or-later
/* One line of tc's or ip's: its words, read. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "net/tc-env.h"
#include "pure/diag.h"
#include "pure/names.h"

static int verb_parse(struct diag *d, const char *object, char **words, int n, enum tc_op *op)
{
	if (!n) {
		*op = OP_SHOW;	/* as in tc */
		return 0;
	}
	for (*op = OP_ADD; *op <= OP_SHOW; ++*op)
		if (!strcmp(words[0], tc_op_name(*op)))
			return 0;
	if (!strcmp(words[0], "delete") || !strcmp(words[0], "list") || !strcmp(words[0], "ls")) {
		*op = words[0][0] == 'd' ? OP_DEL : OP_SHOW;
		return 0;
	}
	return diag_usage(d, 0, "%s: unknown word \"%s\": add, change, replace, del or show",
			  object, words[0]);
}

void command_verbs(void (*emit)(const char *word))
{
	for (enum tc_op op = OP_ADD; op <= OP_SHOW; op++)
		emit(tc_op_name(op));
}

/* Where the device is: in the name (NS:DEV), in -n, not in both differently. */
static int netns_choose(struct diag *d, const char *object, const char *option, struct link_end *end)
{
	int err;

	if (!option)
		return 0;
	err = netns_name_check(d, -1, option);
	if (err)
		return err;
	if (end->netns[0] && strcmp(end->netns, option))
		return diag_usage(d, -1, "%s: the device is in \"%s\" by its name and in \"%s\" by -n",
				  object, end->netns, option);
	strcpy(end->netns, option);
	return 0;
}

int command_tc(struct diag *d, enum tc_object object, char **words, int n, struct command *cmd)
{
	struct tc_env env = tc_env_machine(cmd->cfg.units, cmd->cfg.netns);
	const char *name = tc_object_name(object);
	struct tc_spec *spec = &cmd->tc;
	int skip = n > 0;
	int err;

	cmd->kind = COMMAND_TC;
	memset(spec, 0, sizeof(*spec));
	err = verb_parse(d, name, words, n, &cmd->op);
	if (err)
		return err;
	err = tc_spec_parse(d, &env, object, cmd->op, words + skip, n - skip, spec);
	if (err) {
		diag_context(d, skip, "%s %s", name, tc_op_name(cmd->op));
		return err;
	}
	if (!spec->end.dev[0] && (cmd->op != OP_SHOW || object == OBJECT_CLASS))
		return diag_usage(d, -1, "%s %s: \"dev D\" is needed", name, tc_op_name(cmd->op));
	return netns_choose(d, name, cmd->cfg.netns, &spec->end);
}

int command_filter(struct diag *d, char **words, int n, struct command *cmd)
{
	struct filter_spec *spec = &cmd->filter;
	int skip = n > 0;
	int err;

	cmd->kind = COMMAND_FILTER;
	memset(spec, 0, sizeof(*spec));
	err = verb_parse(d, "filter", words, n, &cmd->op);
	if (err)
		return err;
	err = filter_spec_parse(d, cmd->op, words + skip, n - skip, spec);
	if (err) {
		diag_context(d, skip, "filter %s", tc_op_name(cmd->op));
		return err;
	}
	if (!spec->end.dev[0])
		return diag_usage(d, -1, "filter %s: \"dev D\" is needed", tc_op_name(cmd->op));
	return netns_choose(d, "filter", cmd->cfg.netns, &spec->end);
}

static int command_ip(struct diag *d, enum ip_object object, char **words, int n,
		      struct command *cmd)
{
	const char *netns = cmd->cfg.netns;
	int err;

	cmd->kind = COMMAND_IP;
	if (netns && *netns) {
		err = netns_name_check(d, -1, netns);
		if (err)
			return err;
	}
	err = ip_spec_parse(d, object, netns ? netns : "", words, n, &cmd->ip);
	return err ? diag_context(d, 0, "%s", ip_object_name(object)) : 0;
}

/* "-n NS", "-s", "-d": those that tc, ip and qbed have before the object. */
static int line_options(struct diag *d, char **words, int n, struct tc_object_cfg *cfg)
{
	int i;

	for (i = 0; i < n && words[i][0] == '-'; i++) {
		if (!strcmp(words[i], "-s") || !strcmp(words[i], "-statistics")) {
			cfg->statistics = true;
		} else if (!strcmp(words[i], "-d") || !strcmp(words[i], "-details")) {
			cfg->details = true;
		} else if (!strcmp(words[i], "-n") || !strcmp(words[i], "-netns") ||
			   !strcmp(words[i], "--netns")) {
			if (i + 1 >= n)
				return diag_usage(d, i, "\"%s\" needs a value: NS", words[i]);
			cfg->netns = words[++i];
		} else {
			return diag_usage(d, i, "unknown option \"%s\"", words[i]);
		}
	}
	return i;
}

int command_line(struct diag *d, const struct tc_object_cfg *cfg, char **words, int n,
		 struct command *cmd)
{
	enum ip_object ip;
	int at = 0, i, err;

	memset(cmd, 0, sizeof(*cmd));
	cmd->cfg = *cfg;
	/* of a script, as it stands */
	if (n && (!strcmp(words[0], "tc") || !strcmp(words[0], "ip") || !strcmp(words[0], "qbed")))
		at = 1;
	i = line_options(d, words + at, n - at, &cmd->cfg);
	if (i < 0 && at)
		return diag_context(d, at, "%s", words[0]);
	if (i < 0)
		return i;
	at += i;
	if (at >= n)
		return diag_usage(d, -1, "qdisc, class, filter, link, addr or netns is needed");
	if (!strcmp(words[at], "qdisc") || !strcmp(words[at], "qd"))
		err = command_tc(d, OBJECT_QDISC, words + at + 1, n - at - 1, cmd);
	else if (!strcmp(words[at], "class") || !strcmp(words[at], "cl"))
		err = command_tc(d, OBJECT_CLASS, words + at + 1, n - at - 1, cmd);
	else if (!strcmp(words[at], "filter"))
		err = command_filter(d, words + at + 1, n - at - 1, cmd);
	else if (ip_object_find(words[at], &ip))
		err = command_ip(d, ip, words + at + 1, n - at - 1, cmd);
	else
		return diag_usage(d, at, "unknown word \"%s\": qdisc, class, filter, link, addr or netns",
				  words[at]);
	if (err && d->word >= 0)
		d->word += at + 1;
	return err;
}

void command_free(struct command *cmd)
{
	if (cmd->kind == COMMAND_TC)
		tc_spec_free(&cmd->tc);
	else if (cmd->kind == COMMAND_FILTER)
		filter_spec_free(&cmd->filter);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_COMMAND_H
#define QBED_COMMAND_H

#include "filters/filter-spec.h"
#include "ip/ip-spec.h"
#include "kinds/spec.h"
#include "tc-object.h"

struct diag;
struct doc;
struct nets;
struct session;

enum command_kind {
	COMMAND_TC,
	COMMAND_FILTER,
	COMMAND_IP,
};

/**
 * struct command - one line of tc's or ip's, read
 * @kind: which of the specs it is
 * @op: what is done; not of %COMMAND_IP
 * @cfg: options of the line: those of filters, links ... are among them
 * @tc: a qdisc or a class
 * @filter: a filter
 * @ip: a link, an address or a namespace
 */
struct command {
	enum command_kind kind;
	enum tc_op op;
	struct tc_object_cfg cfg;
	union {
		struct tc_spec tc;
		struct filter_spec filter;
		struct ip_spec ip;
	};
};

/*
 * Each reads the words after the object's name, the verb first, by the options
 * in @cmd->cfg. @cmd is to be given to command_free() whatever is returned.
 */
int command_tc(struct diag *d, enum tc_object object, char **words, int n, struct command *cmd);
int command_filter(struct diag *d, char **words, int n, struct command *cmd);

/* A whole line: "[tc|ip|qbed] [-n NS] [-s] [-d] OBJECT ..."; @cfg is what holds without options of its own. */
int command_line(struct diag *d, const struct tc_object_cfg *cfg, char **words, int n,
		 struct command *cmd);
void command_free(struct command *cmd);

/**
 * struct made_filter - what the kernel chose for a new filter
 * @prio: its preference, 0 when it did not tell
 * @handle: its handle
 */
struct made_filter {
	uint32_t prio;
	uint32_t handle;
};

/* What commands that follow each other share: sockets, and what is known of devices. */
struct session *session_new(struct diag *d);
void session_free(struct session *s);
struct nets *session_nets(struct session *s);

/*
 * Does it; what is shown goes into @doc. @made, unless NULL, gets what the
 * kernel chose for a filter that is added. 0, or -errno with @d.
 */
int command_run(struct diag *d, struct session *s, struct command *cmd, struct doc *doc,
		struct made_filter *made);

/* The words of a verb, for bash completion. */
void command_verbs(void (*emit)(const char *word));

#endif

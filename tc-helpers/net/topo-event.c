// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of "topo play", done to the kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/msg.h>

#include "kinds/spec.h"
#include "net/journal.h"
#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "net/tc-dump.h"
#include "net/tc-env.h"
#include "net/topo-event.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "topo/topo.h"

/* A qdisc that stands. */
struct standing {
	uint32_t parent;
	uint32_t handle;
	char kind[32];
};

/**
 * struct player_dev - what is known of a device
 * @ifindex: 0 when it was not looked at yet
 * @qdiscs: those on it, when it was
 * @n: how many
 */
struct player_dev {
	int ifindex;
	struct standing *qdiscs;
	size_t n;
};

/**
 * struct topo_player - see topo-event.h
 * @topo: the topology
 * @nets: sockets in its namespaces
 * @devs: by topo_dev_number()
 * @msg: what is prepared
 * @event: the event it is of
 */
struct topo_player {
	const struct topo *topo;
	struct nets *nets;
	struct player_dev *devs;
	struct nl_msg *msg;
	const struct topo_event *event;
};

static int spec_of(struct diag *d, const struct topo *topo, const struct topo_event *event,
		   struct tc_spec *spec)
{
	const struct topo_qdisc *q = &event->tc;
	struct tc_env env = tc_env_machine(topo->units, NULL);
	int err;

	env.speed = NULL;	/* as when it was made */
	err = tc_spec_parse(d, &env, q->is_class ? OBJECT_CLASS : OBJECT_QDISC, OP_CHANGE, q->words,
			    q->nwords, spec);

	if (err)
		topo_locate_at(d, event->file ? event->file : topo->file, event->line, q->cols,
			       q->nwords + 1);
	else
		spec->end = topo_dev(topo, q->dev)->end;
	return err;
}

int topo_events_check(struct diag *d, const struct topo *topo)
{
	struct tc_spec spec;
	int i, err = 0;

	for (i = 0; !err && i < topo->nevents; i++) {
		err = spec_of(d, topo, &topo->events[i], &spec);
		tc_spec_free(&spec);
	}
	return err;
}

/* Up, of these lines, and each namespace the one that was made. */
static int stands(struct diag *d, const struct topo *topo)
{
	struct journal *j;
	uint64_t cookie;
	int i, err = topo_find(d, topo, &j);

	if (err)
		return err;
	if (!j || !j->up)
		err = diag_failed(d, 0, "%s: it is not up: \"qbed topo up\" first", topo->file);
	else if (!journal_is_of(j, topo))
		err = diag_failed(d, 0, "%s: what is up was made from other lines (of %s)", topo->file, j->file);
	for (i = 0; !err && i < j->nnetns; i++) {
		err = netns_cookie(d, j->netns[i].name, &cookie);
		if (!err && cookie != j->netns[i].cookie)
			err = diag_failed(d, 0, "%s: netns %s is not the one that qbed made", topo->file,
					  j->netns[i].name);
	}
	journal_free(j);
	return err;
}

int topo_player_new(struct diag *d, const struct topo *topo, struct topo_player **out)
{
	struct topo_player *p;
	int err = stands(d, topo);

	*out = NULL;
	if (err)
		return err;
	p = calloc(1, sizeof(*p));
	if (!p)
		return diag_failed(d, ENOMEM, "%s", topo->file);
	p->topo = topo;
	p->nets = nets_new(d);
	p->devs = calloc((size_t)topo_ndevs(topo) + 1, sizeof(*p->devs));
	if (!p->nets || !p->devs) {
		topo_player_free(p);
		return diag_failed(d, ENOMEM, "%s", topo->file);
	}
	*out = p;
	return 0;
}

void topo_player_free(struct topo_player *p)
{
	if (!p)
		return;
	nlmsg_free(p->msg);
	nets_close(p->nets);
	for (int i = 0; p->devs && i < topo_ndevs(p->topo); i++)
		free(p->devs[i].qdiscs);
	free(p->devs);
	free(p);
}

static int each_qdisc(const struct tc_info *info, void *arg)
{
	struct player_dev *dev = arg;
	struct standing *grown = realloc(dev->qdiscs, (dev->n + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	dev->qdiscs = grown;
	grown += dev->n++;
	grown->parent = info->parent;
	grown->handle = info->handle;
	snprintf(grown->kind, sizeof(grown->kind), "%s", info->kind);
	return 0;
}

static void restart(void *arg)
{
	((struct player_dev *)arg)->n = 0;
}

static int look_at(struct topo_player *p, struct diag *d, struct topo_ref ref, struct player_dev **out)
{
	const struct link_end *end = &topo_dev(p->topo, ref)->end;
	struct player_dev *dev = &p->devs[topo_dev_number(p->topo, ref)];
	struct rtnl *rtnl;
	int ifindex, err;

	*out = dev;
	if (dev->ifindex)
		return 0;
	err = nets_rtnl(d, p->nets, end->netns, &rtnl);
	if (err)
		return err;
	ifindex = rtnl_ifindex(rtnl, d, end->dev);
	if (ifindex < 0)
		return ifindex;
	err = tc_each(rtnl, d, OBJECT_QDISC, ifindex, each_qdisc, restart, dev);
	if (!err)
		dev->ifindex = ifindex;
	return err;
}

/*
 * A change that names no handle makes a new qdisc where one of another kind
 * has taken the place (tc_modify_qdisc()): the handle keeps it to the one that
 * was made.
 */
static int find_handle(struct topo_player *p, struct diag *d, const struct player_dev *dev,
		       struct tc_spec *spec)
{
	const struct topo_event *event = p->event;
	const char *is = "not there";
	char buf[16];

	for (size_t i = 0; i < dev->n; i++) {
		if (dev->qdiscs[i].parent != spec->parent)
			continue;
		is = dev->qdiscs[i].kind;
		if (strcmp(is, spec->kind->name) != 0 || !dev->qdiscs[i].handle)
			break;
		spec->handle = dev->qdiscs[i].handle;
		return 0;
	}
	return diag_failed(d, 0, "%s:%d: the qdisc at %s of %s is %s, no longer the %s of the topology",
			   event->file ? event->file : p->topo->file, event->line,
			   handle_format(buf, spec->parent), spec->end.dev, is, spec->kind->name);
}

int topo_player_prepare(struct topo_player *p, struct diag *d, int i)
{
	struct player_dev *dev;
	struct tc_spec spec;
	struct diag quiet;
	int err;

	p->event = &p->topo->events[i];
	err = look_at(p, d, p->event->tc.dev, &dev);
	if (err)
		return err;
	diag_init(&quiet);	/* its warnings were given by topo_events_check() */
	err = spec_of(&quiet, p->topo, p->event, &spec);
	diag_free(&quiet);
	if (!err && spec.object == OBJECT_QDISC)
		err = find_handle(p, d, dev, &spec);
	if (!err)
		err = tc_spec_msg(&spec, OP_CHANGE, dev->ifindex, &p->msg);
	tc_spec_free(&spec);
	return err && d->exit == EXIT_DONE ? diag_failed(d, -err, "%s", p->topo->file) : err;
}

int topo_player_do(struct topo_player *p, struct diag *d)
{
	const struct topo_event *event = p->event;
	struct nl_msg *msg = p->msg;
	struct rtnl *rtnl;
	char *text = NULL;
	int err = nets_rtnl(d, p->nets, topo_dev(p->topo, event->tc.dev)->end.netns, &rtnl);

	if (err)
		return err;
	p->msg = NULL;
	err = rtnl_talk(rtnl, d, msg, "%s:%d", event->file ? event->file : p->topo->file, event->line);
	if (err) {
		text = topo_event_text(p->topo, event);
		diag_append(d, "%s", text ? text : "");
	}
	free(text);
	return err;
}

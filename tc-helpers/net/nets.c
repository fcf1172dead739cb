// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl-queue.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "pure/names.h"

#define BUCKETS 1024U
#define FILES_OF_OTHERS 64U	/* standard streams, journal, what is open for a moment */
#define SOCKETS_MAX 4096U
#define PEERS_MAX 16U		/* namespaces that requests in line name by an fd */

/**
 * struct net - one namespace
 * @next: in its bucket
 * @rtnl: NULL while closed
 * @sysfs: -1 while closed
 * @used: when it was used last, by struct nets' clock
 * @listed: it is in struct nets' @open
 * @at: where there
 */
struct net {
	struct net *next;
	struct rtnl *rtnl;
	int sysfs;
	unsigned long used;
	bool listed;
	unsigned int at;
	char name[];
};

/**
 * struct nets - see nets.h
 * @buckets: by the hash of the name
 * @last: what was asked for last
 * @open: those with something open
 * @nopen: how many
 * @most: limit of @nopen
 * @clock: grows with every use
 * @queue: what is in line
 * @buf: answers, for all sockets
 * @peers: fds of namespaces, closed when the line has been sent
 * @npeers: how many
 */
struct nets {
	struct net *buckets[BUCKETS];
	struct net *last;
	struct net **open;
	unsigned int nopen;
	unsigned int most;
	unsigned long clock;
	struct rtnl_queue *queue;
	struct rtnl_buf buf;
	int peers[PEERS_MAX];
	unsigned int npeers;
};

/* A namespace has two files at most: half of what is allowed. */
static unsigned int open_max(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == RLIM_INFINITY ||
	    files.rlim_cur > 2 * SOCKETS_MAX)
		return SOCKETS_MAX;
	return files.rlim_cur < 2 * FILES_OF_OTHERS ? FILES_OF_OTHERS / 8 :
						      (unsigned int)(files.rlim_cur - FILES_OF_OTHERS) / 2;
}

struct nets *nets_new(struct diag *d)
{
	struct nets *nets = calloc(1, sizeof(*nets));

	if (nets) {
		nets->most = open_max();
		nets->open = calloc(nets->most, sizeof(struct net *));
		nets->queue = rtnl_queue_new(d);
	}
	if (nets && nets->open && nets->queue)
		return nets;
	nets_close(nets);
	diag_failed(d, ENOMEM, "rtnetlink");
	return NULL;
}

static void net_close(struct net *net)
{
	rtnl_close(net->rtnl);
	net->rtnl = NULL;
	if (net->sysfs >= 0)
		close(net->sysfs);
	net->sysfs = -1;
}

static void close_peers(struct nets *nets)
{
	while (nets->npeers)
		close(nets->peers[--nets->npeers]);
}

void nets_close(struct nets *nets)
{
	if (!nets)
		return;
	rtnl_queue_free(nets->queue);
	close_peers(nets);
	for (unsigned int i = 0; i < BUCKETS; i++) {
		struct net *net, *next;

		for (net = nets->buckets[i]; net; net = next) {
			next = net->next;
			net_close(net);
			free(net);
		}
	}
	free(nets->buf.data);
	free(nets->open);
	free(nets);
}

/* 32-bit FNV-1a */
static unsigned int bucket(const char *name)
{
	uint32_t h = 0x811c9dc5;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 0x01000193;
	return (h ^ h >> 16) % BUCKETS;
}

static struct net *find(struct diag *d, struct nets *nets, const char *name)
{
	struct net *net = nets->last, **head;

	if (!net || strcmp(net->name, name) != 0) {
		head = &nets->buckets[bucket(name)];
		for (net = *head; net && strcmp(net->name, name) != 0; net = net->next)
			;
		if (!net) {
			net = calloc(1, sizeof(*net) + strlen(name) + 1);
			if (!net) {
				diag_failed(d, ENOMEM, "rtnetlink");
				return NULL;
			}
			strcpy(net->name, name);
			net->sysfs = -1;
			net->next = *head;
			*head = net;
		}
		nets->last = net;
	}
	net->used = ++nets->clock;
	return net;
}

static void forget(struct nets *nets, struct net *net)
{
	net_close(net);
	net->listed = false;
	nets->open[net->at] = nets->open[--nets->nopen];
	nets->open[net->at]->at = net->at;
}

/* Before something of @net is opened: the one that was not used for longest makes room. */
static int make_room(struct diag *d, struct nets *nets, struct net *net)
{
	struct net *oldest;
	unsigned int i;
	int err;

	if (net->listed)
		return 0;
	if (nets->nopen == nets->most) {
		/* It may be the one whose requests are in line; the fds that they name stay. */
		err = rtnl_queue_flush(nets->queue, d);
		if (err)
			return err;
		for (oldest = nets->open[0], i = 1; i < nets->nopen; i++)
			if (nets->open[i]->used < oldest->used)
				oldest = nets->open[i];
		forget(nets, oldest);
	}
	net->listed = true;
	net->at = nets->nopen;
	nets->open[nets->nopen++] = net;
	return 0;
}

static int open_rtnl(struct diag *d, struct nets *nets, struct net *net)
{
	int err;

	if (net->rtnl)
		return 0;
	err = make_room(d, nets, net);
	if (!err)
		err = rtnl_open(d, net->name, &net->rtnl);
	if (!err)
		rtnl_share_buf(net->rtnl, &nets->buf);
	return err;
}

int nets_give(struct diag *d, struct nets *nets, const char *name, struct rtnl *rtnl)
{
	struct net *net = find(d, nets, name);
	int err = net ? 0 : -ENOMEM;

	if (!err && net->rtnl)
		err = diag_failed(d, EEXIST, "netns %s", name);
	if (!err)
		err = make_room(d, nets, net);
	if (err) {
		rtnl_close(rtnl);
		return err;
	}
	net->rtnl = rtnl;
	rtnl_share_buf(rtnl, &nets->buf);
	return 0;
}

int nets_queue(struct diag *d, struct nets *nets, const char *netns,
	       const struct nlmsghdr *nlh, const struct rtnl_req *req)
{
	struct net *net = find(d, nets, netns);
	int err = net ? open_rtnl(d, nets, net) : -ENOMEM;

	return err ? err : rtnl_queue_add(nets->queue, d, net->rtnl, nlh, req);
}

int nets_flush(struct diag *d, struct nets *nets)
{
	int err = rtnl_queue_flush(nets->queue, d);

	close_peers(nets);
	return err;
}

int nets_rtnl(struct diag *d, struct nets *nets, const char *name, struct rtnl **rtnl)
{
	struct net *net = find(d, nets, name);
	int err = net ? nets_flush(d, nets) : -ENOMEM;

	if (!err)
		err = open_rtnl(d, nets, net);
	if (!err)
		*rtnl = net->rtnl;
	return err;
}

int nets_sysfs(struct diag *d, struct nets *nets, const char *name)
{
	struct net *net = find(d, nets, name);
	int err = net ? nets_flush(d, nets) : -ENOMEM;

	if (!err && net->sysfs < 0) {
		err = make_room(d, nets, net);
		if (!err)
			net->sysfs = netns_sysfs(d, name);
		if (!err && net->sysfs < 0)
			err = net->sysfs;
	}
	return err ? err : net->sysfs;
}

int nets_forget(struct diag *d, struct nets *nets, const char *name)
{
	struct net *net = find(d, nets, name);
	int err = net ? nets_flush(d, nets) : -ENOMEM;

	if (net && net->listed)
		forget(nets, net);
	return err;
}

int nets_fd(struct diag *d, struct nets *nets, const char *name)
{
	int err = nets->npeers == PEERS_MAX ? nets_flush(d, nets) : 0;
	int fd = err ? err : netns_open(d, name);

	if (fd >= 0)
		nets->peers[nets->npeers++] = fd;
	return fd;
}

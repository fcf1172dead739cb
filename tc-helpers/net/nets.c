// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/nets.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "pure/names.h"

struct net {
	char name[NETNS_NAME_MAX + 1];
	struct rtnl *rtnl;
	int sysfs;
};

struct nets {
	struct net *net;
	int n;
};

struct nets *nets_new(struct diag *d)
{
	struct nets *nets = calloc(1, sizeof(*nets));

	if (!nets)
		diag_failed(d, ENOMEM, "rtnetlink");
	return nets;
}

void nets_close(struct nets *nets)
{
	if (!nets)
		return;
	for (int i = 0; i < nets->n; i++) {
		rtnl_close(nets->net[i].rtnl);
		if (nets->net[i].sysfs >= 0)
			close(nets->net[i].sysfs);
	}
	free(nets->net);
	free(nets);
}

static struct net *find(struct diag *d, struct nets *nets, const char *name)
{
	struct net *net;

	for (int i = 0; i < nets->n; i++)
		if (strcmp(nets->net[i].name, name) == 0)
			return &nets->net[i];
	net = realloc(nets->net, (size_t)(nets->n + 1) * sizeof(*net));
	if (!net) {
		diag_failed(d, ENOMEM, "rtnetlink");
		return NULL;
	}
	nets->net = net;
	net += nets->n++;
	snprintf(net->name, sizeof(net->name), "%s", name);
	net->rtnl = NULL;
	net->sysfs = -1;
	return net;
}

int nets_rtnl(struct diag *d, struct nets *nets, const char *name, struct rtnl **rtnl)
{
	struct net *net = find(d, nets, name);

	if (!net)
		return -ENOMEM;
	if (!net->rtnl) {
		int err = rtnl_open(d, name, &net->rtnl);

		if (err)
			return err;
	}
	*rtnl = net->rtnl;
	return 0;
}

int nets_sysfs(struct diag *d, struct nets *nets, const char *name)
{
	struct net *net = find(d, nets, name);

	if (!net)
		return -ENOMEM;
	if (net->sysfs < 0)
		net->sysfs = netns_sysfs(d, name);
	return net->sysfs;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/journal.h"
#include "net/netns.h"
#include "net/topo-gone.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "pure/progress.h"

#define LOCK_WAIT_MS 60000

static int remove_name(struct diag *d, const struct journal_netns *netns, enum topo_whose whose)
{
	char path[sizeof("/run/netns/") + NETNS_NAME_MAX];

	switch (whose) {
	case TOPO_OURS:
		return netns_delete(d, netns->name);
	case TOPO_OUR_FILE:
		snprintf(path, sizeof(path), "/run/netns/%s", netns->name);
		return unlink(path) ? diag_failed(d, errno, "%s: remove", path) : 0;
	case TOPO_OTHERS:
		if (netns->cookie)
			diag_warn(d, "netns %s: the one there now is not the one that qbed made: left alone",
				  netns->name);
		break;
	case TOPO_NOBODYS:
		break;
	}
	return 0;
}

int topo_down_one(struct diag *d, struct journal *j, struct progress *progress)
{
	enum topo_whose *whose = calloc((size_t)j->nnetns + 1, sizeof(*whose));
	int i, err;

	if (!whose)
		return diag_failed(d, ENOMEM, "%s", j->path);
	err = topo_devs_gone(d, j, whose, progress);
	for (i = 0; !err && i < j->nnetns; i++) {
		progress_tell(progress, "namespaces removed", i, j->nnetns);
		err = remove_name(d, &j->netns[i], whose[i]);
	}
	free(whose);
	return err ? err : journal_remove(d, j);
}

int topo_down(struct diag *d, const struct topo *topo, struct progress *progress, int *n)
{
	struct journal **list = NULL;
	int lock, i, err;

	*n = 0;
	lock = journal_lock(d, LOCK_WAIT_MS);
	if (lock < 0)
		return lock;
	err = journal_read_all(d, &list);
	for (i = 0; !err && list[i]; i++) {
		if (!journal_is_empty(list[i]) && topo && !journal_shares(list[i], topo))
			continue;
		err = topo_down_one(d, list[i], progress);
		*n += !err && !journal_is_empty(list[i]);
	}
	if (!err || list)
		journal_free_all(list);
	close(lock);
	return err;
}

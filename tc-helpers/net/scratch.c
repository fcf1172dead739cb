// SPDX-License-Identifier: GPL-2.0-or-later
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "net/rtnl.h"
#include "net/scratch.h"
#include "pure/diag.h"

struct scratch {
	void (*run)(struct rtnl *rtnl, int lo, void *arg);
	void *arg;
	bool ran;
};

static void *thread_run(void *arg)
{
	struct scratch *s = arg;
	struct rtnl *rtnl = NULL;
	struct diag quiet;
	int lo;

	if (unshare(CLONE_NEWNET))
		return NULL;
	diag_init(&quiet);
	if (!rtnl_open(&quiet, "", &rtnl)) {
		lo = rtnl_ifindex(rtnl, &quiet, "lo");
		if (lo > 0) {
			s->run(rtnl, lo, s->arg);
			s->ran = true;
		}
		rtnl_close(rtnl);
	}
	diag_free(&quiet);
	return NULL;
}

bool scratch_net(void (*run)(struct rtnl *rtnl, int lo, void *arg), void *arg)
{
	struct scratch s = { .run = run, .arg = arg };
	pthread_t thread;

	/* A thread of its own: this one stays where it is. */
	if (pthread_create(&thread, NULL, thread_run, &s))
		return false;
	pthread_join(thread, NULL);
	return s.ran;
}

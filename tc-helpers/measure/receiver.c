// SPDX-License-Identifier: GPL-2.0-or-later
/* Receivers of probes, one pinned thread each. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/receiver.h"
#include "pure/diag.h"
#include "pure/hist.h"

#define NSEC_PER_SEC	INT64_C(1000000000)

struct listener {
	pthread_t thread;
	struct receiver *receiver;
	int end_fd;		/* eventfd: wakes the thread to look at @ending */
	atomic_bool ending;	/* @until and the flows' @expected are set */
	struct mono until;
};

struct receivers {
	unsigned int n;
	struct listener listener[];
};

/* Takes what the socket has; the stamp is per datagram. */
static void flow_drain(struct recv_flow *f)
{
	uint8_t buf[PROBE_BYTES];

	for (;;) {
		ssize_t got = recv(f->fd, buf, sizeof(buf), MSG_DONTWAIT);
		struct mono now = mono_now();
		struct probe probe;
		int64_t delay;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return;
		if (!probe_get(buf, (size_t)got, &probe) || probe.run != f->run ||
		    probe.flow != f->flow) {
			f->foreign++;
			continue;
		}
		if (!track_see(&f->track, probe.seq))
			continue;
		delay = mono_sub(now, (struct mono){ probe.sent_ns });
		f->early += delay < f->earliest_ns;
		hist_add(f->beyond, delay - f->configured_ns);
	}
}

static bool all_came(const struct receiver *r)
{
	for (unsigned int i = 0; i < r->nflows; i++)
		if (r->flow[i].track.received < r->flow[i].expected)
			return false;
	return true;
}

static void *listener_main(void *arg)
{
	struct listener *l = arg;
	struct receiver *r = l->receiver;
	struct pollfd fds[RECV_FLOWS + 1];
	nfds_t n = r->nflows;
	bool ending = false;

	for (unsigned int i = 0; i < r->nflows; i++)
		fds[i] = (struct pollfd){ .fd = r->flow[i].fd, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = l->end_fd, .events = POLLIN };
	clock_no_slack();

	for (;;) {
		struct timespec ts, *limit = NULL;

		if (ending) {
			int64_t left = mono_sub(l->until, mono_now());

			if (left <= 0 || all_came(r))
				return NULL;
			ts.tv_sec = left / NSEC_PER_SEC;
			ts.tv_nsec = left % NSEC_PER_SEC;
			limit = &ts;
		}
		if (ppoll(fds, n, limit, NULL) < 0 && errno != EINTR)
			return NULL;
		for (unsigned int i = 0; i < r->nflows; i++)
			if (fds[i].revents)
				flow_drain(&r->flow[i]);
		if (!ending && atomic_load(&l->ending)) {
			ending = true;
			n = r->nflows;	/* the eventfd stays readable */
		}
	}
}

int receivers_start(struct diag *d, struct receiver *r, unsigned int n, struct receivers **rs)
{
	struct receivers *all = calloc(1, sizeof(*all) + n * sizeof(all->listener[0]));
	int err;

	*rs = NULL;
	if (!all)
		return diag_failed(d, ENOMEM, "receivers");
	for (unsigned int i = 0; i < n; i++) {
		struct listener *l = &all->listener[i];

		l->receiver = &r[i];
		l->end_fd = eventfd(0, EFD_CLOEXEC);
		if (l->end_fd < 0) {
			err = diag_failed(d, errno, "receivers: eventfd");
			goto undo;
		}
		err = affinity_thread(d, &l->thread, r[i].cpu, listener_main, l);
		if (err) {
			close(l->end_fd);
			goto undo;
		}
		all->n++;
	}
	*rs = all;
	return 0;
undo:
	receivers_finish(all, mono_now());
	return err;
}

void receivers_finish(struct receivers *rs, struct mono until)
{
	static const uint64_t one = 1;

	if (!rs)
		return;
	for (unsigned int i = 0; i < rs->n; i++) {
		rs->listener[i].until = until;
		atomic_store(&rs->listener[i].ending, true);
		/* 8 bytes into an eventfd at 0 cannot fail */
		if (write(rs->listener[i].end_fd, &one, sizeof(one)) < 0)
			continue;
	}
	for (unsigned int i = 0; i < rs->n; i++) {
		pthread_join(rs->listener[i].thread, NULL);
		close(rs->listener[i].end_fd);
	}
	free(rs);
}

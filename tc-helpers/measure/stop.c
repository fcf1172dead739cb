// SPDX-License-Identifier: GPL-2.0-or-later
/* SIGINT, SIGTERM and SIGHUP, waited for instead of handled. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "measure/stop.h"

static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
		return;
	sigaddset(set, sig);
}

void stop_arm(struct stop *s)
{
	memset(s, 0, sizeof(*s));
	atomic_init(&s->flag, false);
	sigemptyset(&s->set);
	add_unless_ignored(&s->set, SIGINT);
	add_unless_ignored(&s->set, SIGTERM);
	add_unless_ignored(&s->set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &s->set, &s->old);
}

void stop_disarm(struct stop *s)
{
	static const struct timespec now;

	/* a second ^C while the run was ending is no reason to lose its result */
	while (sigtimedwait(&s->set, NULL, &now) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &s->old, NULL);
}

bool stop_wait_until(struct stop *s, struct mono until)
{
	for (;;) {
		int64_t left = mono_sub(until, mono_now());
		struct timespec ts = {
			.tv_sec = left / 1000000000,
			.tv_nsec = left % 1000000000,
		};
		int sig;

		if (left <= 0)
			return atomic_load(&s->flag);
		sig = sigtimedwait(&s->set, NULL, &ts);
		if (sig > 0) {
			s->signal = sig;
			atomic_store(&s->flag, true);
			return true;
		}
		if (errno != EAGAIN && errno != EINTR)
			return false;
	}
}

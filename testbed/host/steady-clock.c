// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * steady-clock.so, preloaded into QEMU: closes a race of its instruction-counted clock.
 *
 * With -icount sleep=off, QEMU's main loop moves the virtual clock on to the next timer when it
 * finds all virtual CPUs idle (icount_start_warp_timer() at the end of main_loop_wait()). A CPU
 * counts as idle from the moment at which its HLT is executed, but the instructions that it ran
 * before are added to the clock a little later, when its thread has come back and holds the big
 * lock. Each such move wakes the main loop once more, and on a busy host this second round can
 * fall into that gap: the clock then jumps from a time that lies a few instructions back, and
 * comes out that much too late. It happens to guests that idle often, and it is the one way in
 * which the host's load was seen to reach a result.
 *
 * So the main loop gets no round unless the thread of the virtual CPUs waits: all CPUs are idle or
 * stopped then, and what they ran is accounted. Whatever would have woken the main loop wakes it
 * at the next such moment. QEMU tells that thread by its name (-name debug-threads=on). A poll under
 * the big lock is none of the main loop's rounds (the end of a machine has some) and is left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *mask);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool cpus_exist;
static bool cpus_wait;

/* The thread of all virtual CPUs: "ALL CPUs/TCG", or "CPU 0/TCG". */
static bool is_cpu_thread(void)
{
	static _Thread_local int known;
	char name[16] = "";

	if (!known) {
		prctl(PR_GET_NAME, name);
		known = strstr(name, "/TCG") ? 1 : -1;
	}
	return known > 0;
}

/*
 * Whether this thread holds the big lock. QEMU exports the question for its modules, by this name
 * since 8.2 and by the other before; a QEMU that has neither is not held back, only slowed down.
 */
static bool big_lock_held(bool *known)
{
	static _Atomic(bool (*)(void)) held;

	if (!held)
		held = (bool (*)(void))dlsym(RTLD_DEFAULT, "bql_locked");
	if (!held)
		held = (bool (*)(void))dlsym(RTLD_DEFAULT, "qemu_mutex_iothread_locked");
	*known = held;
	return held && held();
}

static int wait_really(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	static _Atomic(int (*)(pthread_cond_t *, pthread_mutex_t *)) real;

	if (!real)
		real = (int (*)(pthread_cond_t *, pthread_mutex_t *))
			dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
	return real(cond, mutex);
}

static void cpus_set(bool waiting)
{
	pthread_mutex_lock(&lock);
	cpus_exist = true;
	cpus_wait = waiting;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	int ret;

	if (!is_cpu_thread())
		return wait_really(cond, mutex);
	/* The caller holds the big lock, so the main loop is not in a round. */
	cpus_set(true);
	ret = wait_really(cond, mutex);
	cpus_set(false);
	return ret;
}

int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *mask)
{
	static _Atomic(int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)) real;
	struct timespec until;
	bool known;
	int ret;

	if (!real)
		real = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))
			dlsym(RTLD_NEXT, "ppoll");
	ret = real(fds, nfds, timeout, mask);
	if (getpid() != syscall(SYS_gettid) || big_lock_held(&known))
		return ret;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&lock);
	while (cpus_exist && !cpus_wait) {
		if (known)
			wait_really(&changed, &lock);
		else if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT)
			break;
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

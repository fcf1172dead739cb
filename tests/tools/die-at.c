// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into "qbed topo": SIGKILL before a call that changes something outside the process.
 *
 * QBED_DIE_AT=N     before the Nth, counted from 1 over all threads
 * QBED_DIE_COUNT=F  never, and at the end their number goes into the file F
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long die_at;

#define REAL(name) ((typeof(&(name)))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("QBED_DIE_AT");

	die_at = at ? atol(at) : 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("QBED_DIE_COUNT");
	FILE *f = path ? fopen(path, "we") : NULL;

	if (!f)
		return;
	fprintf(f, "%ld\n", atomic_load(&calls));
	fclose(f);
}

static void count(void)
{
	if (atomic_fetch_add(&calls, 1) + 1 == die_at)
		kill(getpid(), SIGKILL);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT) {
		mode = va_arg(ap, mode_t);
		count();
	}
	va_end(ap);
	return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int fd, const void *data, size_t len)
{
	count();
	return REAL(write)(fd, data, len);
}

ssize_t writev(int fd, const struct iovec *iov, int n)
{
	count();
	return REAL(writev)(fd, iov, n);
}

/* Questions change nothing, and how many there are depends on how long the kernel takes. */
static int asks_only(const void *data, size_t len)
{
	const struct nlmsghdr *nlh = data;

	return len >= sizeof(*nlh) && nlh->nlmsg_type >= RTM_BASE &&
	       (nlh->nlmsg_type - RTM_BASE) % 4 == RTM_GETLINK - RTM_BASE;
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	if (!asks_only(data, len))
		count();
	return REAL(send)(fd, data, len, flags);
}

int unshare(int flags)
{
	count();
	return REAL(unshare)(flags);
}

int mount(const char *source, const char *target, const char *type, unsigned long flags,
	  const void *data)
{
	count();
	return REAL(mount)(source, target, type, flags, data);
}

int umount2(const char *target, int flags)
{
	count();
	return REAL(umount2)(target, flags);
}

int mkdir(const char *path, mode_t mode)
{
	count();
	return REAL(mkdir)(path, mode);
}

int unlink(const char *path)
{
	count();
	return REAL(unlink)(path);
}

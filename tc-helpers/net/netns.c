// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>

#include "net/netns.h"
#include "pure/diag.h"
#include "pure/names.h"

#define NETNS_DIR "/run/netns"
#define NETNS_PATH_MAX (sizeof(NETNS_DIR "/") + NETNS_NAME_MAX)

/* Not /proc/self: that is the main thread's. */
#define NETNS_OWN "/proc/thread-self/ns/net"

static void netns_path(char *path, const char *name)
{
	snprintf(path, NETNS_PATH_MAX, NETNS_DIR "/%s", name);
}

static bool is_netns(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == NSFS_MAGIC &&
	       ioctl(fd, NS_GET_NSTYPE) == CLONE_NEWNET;
}

/* What needs a privilege fails like this when it is missing. */
static int netns_failed(struct diag *d, int errnum, const char *name, const char *step)
{
	if (errnum != EPERM && errnum != EACCES)
		return diag_failed(d, errnum, "netns %s: %s", name, step);
	diag_cannot(d, "netns %s: %s: %s: needs CAP_SYS_ADMIN: be root, or try unshare -Urnm with a tmpfs on /run",
		    name, step, strerror(errnum));
	return -errnum;
}

int netns_open(struct diag *d, const char *name)
{
	char path[NETNS_PATH_MAX];
	int fd;

	if (!*name)
		strcpy(path, NETNS_OWN);
	else
		netns_path(path, name);
	/* not to wait for the other end of what is a FIFO */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && !*name)
		return netns_failed(d, errno, "(own)", "open " NETNS_OWN);
	if (fd < 0 && errno == ENOENT)
		return diag_failed(d, ENOENT, "netns %s: no such network namespace", name);
	if (fd < 0)
		return netns_failed(d, errno, name, "open");
	if (!is_netns(fd)) {
		close(fd);
		return diag_failed(d, EINVAL, "netns %s: %s is a plain file, not a network namespace (a leftover? remove it)",
				   *name ? name : "(own)", path);
	}
	return fd;
}

/*
 * The folder must be a shared mount of its own, or a namespace that is
 * deleted here stays alive in other mount namespaces. The same as ip-netns(8)
 * does, so that both can be used on one machine.
 */
int netns_dir(struct diag *d, const char *name)
{
	if (mkdir(NETNS_DIR, 0755) && errno != EEXIST)
		return netns_failed(d, errno, name, "mkdir " NETNS_DIR);
	if (!mount("", NETNS_DIR, "none", MS_SHARED | MS_REC, NULL))
		return 0;
	if (errno != EINVAL)
		return netns_failed(d, errno, name, "mount --make-shared " NETNS_DIR);
	if (mount(NETNS_DIR, NETNS_DIR, "none", MS_BIND | MS_REC, NULL))
		return netns_failed(d, errno, name, "mount --bind " NETNS_DIR);
	if (mount("", NETNS_DIR, "none", MS_SHARED | MS_REC, NULL))
		return netns_failed(d, errno, name, "mount --make-shared " NETNS_DIR);
	return 0;
}

int netns_cookie(struct diag *d, const char *name, uint64_t *cookie)
{
	socklen_t len = sizeof(*cookie);
	int fd = netns_socket(d, name, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	int err = 0;

	if (fd < 0)
		return fd;
	if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &len))
		err = diag_failed(d, errno, "netns %s: SO_NETNS_COOKIE", *name ? name : "(own)");
	close(fd);
	return err;
}

int netns_make(struct diag *d, const char *name,
	       int (*made)(struct diag *d, const char *name, void *arg), void *arg)
{
	char path[NETNS_PATH_MAX];
	int fd, err;

	netns_path(path, name);
	fd = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
	if (fd < 0 && errno == EEXIST) {
		fd = netns_open(d, name);
		if (fd < 0)
			return fd == -EINVAL ? -EEXIST : fd;
		close(fd);
		return diag_failed(d, EEXIST, "netns %s: create", name);
	}
	if (fd < 0)
		return netns_failed(d, errno, name, "create");
	close(fd);
	err = unshare(CLONE_NEWNET) ? netns_failed(d, errno, name, "unshare") : made(d, name, arg);
	if (!err && mount(NETNS_OWN, path, "none", MS_BIND, NULL))
		err = netns_failed(d, errno, name, "mount --bind");
	if (err)
		unlink(path);
	return err;
}

int netns_delete(struct diag *d, const char *name)
{
	char path[NETNS_PATH_MAX];

	netns_path(path, name);
	if (umount2(path, MNT_DETACH)) {
		int err = errno, fd = netns_open(d, name);	/* says what else is there */

		if (fd < 0)
			return fd;
		close(fd);
		return netns_failed(d, err, name, "unmount");
	}
	if (unlink(path))
		return netns_failed(d, errno, name, "remove");
	return 0;
}

int netns_enter(struct diag *d, const char *name)
{
	int back, fd;

	back = netns_open(d, "");
	if (back < 0 || !*name)
		return back;
	fd = netns_open(d, name);
	if (fd < 0) {
		close(back);
		return fd;
	}
	if (setns(fd, CLONE_NEWNET)) {
		int err = netns_failed(d, errno, name, "enter");

		close(fd);
		close(back);
		return err;
	}
	close(fd);
	return back;
}

int netns_leave(struct diag *d, int back)
{
	int err = 0;

	if (setns(back, CLONE_NEWNET)) {
		/* For an ordinary user this is refused even where nothing would change. */
		struct stat own, target;

		err = errno;
		if (!stat(NETNS_OWN, &own) && !fstat(back, &target) &&
		    own.st_ino == target.st_ino && own.st_dev == target.st_dev)
			err = 0;
	}
	close(back);
	if (err)
		return diag_failed(d, err, "netns: return to the caller's");
	return 0;
}

int netns_socket(struct diag *d, const char *name, int domain, int type, int protocol)
{
	int back = -1;
	int err = 0;
	int fd;

	if (*name) {
		back = netns_enter(d, name);
		if (back < 0)
			return back;
	}
	fd = socket(domain, type | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		err = netns_failed(d, errno, *name ? name : "(own)", "socket");
	if (back >= 0 && netns_leave(d, back)) {
		if (fd >= 0)
			close(fd);
		return -EIO;
	}
	return err ? err : fd;
}

/* A detached mount of sysfs shows the namespace of the thread that made it. */
static int sysfs_net_here(void)
{
	int fs, mnt, net = -1;

	fs = fsopen("sysfs", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	if (fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) {
		net = -errno;
		close(fs);
		return net;
	}
	mnt = fsmount(fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	if (mnt < 0)
		net = -errno;
	close(fs);
	if (mnt < 0)
		return net;
	net = openat(mnt, "class/net", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (net < 0)
		net = -errno;
	close(mnt);
	return net;
}

int netns_sysfs(struct diag *d, const char *name)
{
	int back = netns_enter(d, name);
	int net;

	if (back < 0)
		return back;
	net = sysfs_net_here();
	if (netns_leave(d, back)) {
		if (net >= 0)
			close(net);
		return -EIO;
	}
	if (net < 0)
		return netns_failed(d, -net, *name ? name : "(own)", "mount sysfs");
	return net;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into "qbed topo up": writes down, to the file named by
 * QBED_BENCH_RECORD, the calls that make the topology. See record.h.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "record.h"

#define FDS 65536

static char kind[FDS];		/* enum record_call that made the fd */
static bool waited;		/* for the kernel: replay does that by itself */
static FILE *out;

#define REAL(name) ((typeof(&(name)))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("QBED_BENCH_RECORD");

	if (path)
		out = fopen(path, "we");
}

__attribute__((destructor)) static void end(void)
{
	if (out)
		fclose(out);
}

static void put(uint32_t call, int fd, const void *data, size_t len, uint32_t aux)
{
	const struct record r = { call, fd, (uint32_t)len, aux };

	if (!out)
		return;
	fwrite(&r, sizeof(r), 1, out);
	fwrite(data, 1, len, out);
	fwrite("\0\0\0", 1, -len & 3, out);
}

static void made(int fd, uint32_t call)
{
	if (fd >= 0 && fd < FDS)
		kind[fd] = (char)call;
}

static bool starts(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;
	int fd;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	fd = REAL(open)(path, flags, mode);
	if (fd < 0)
		return fd;
	made(fd, 0);
	if (starts(path, "/run/netns/") && flags & O_CREAT) {
		put(RECORD_CREATE, fd, path, strlen(path) + 1, 0);
	} else if (starts(path, "/run/netns/") || starts(path, "/proc/thread-self/ns/") ||
		   (starts(path, "/proc/sys/net/") && flags & O_WRONLY)) {
		made(fd, RECORD_OPEN);
		put(RECORD_OPEN, fd, path, strlen(path) + 1, (uint32_t)flags);
	}
	return fd;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int fd)
{
	if (fd >= 0 && fd < FDS && kind[fd]) {
		put(RECORD_CLOSE, fd, NULL, 0, 0);
		kind[fd] = 0;
	}
	return REAL(close)(fd);
}

int unshare(int flags)
{
	put(RECORD_UNSHARE, -1, NULL, 0, 0);
	return REAL(unshare)(flags);
}

int setns(int fd, int type)
{
	put(RECORD_SETNS, fd, NULL, 0, 0);
	return REAL(setns)(fd, type);
}

int mount(const char *source, const char *target, const char *type, unsigned long flags,
	  const void *data)
{
	char all[1024];
	int n;

	if (starts(source, "/proc/")) {
		put(RECORD_NAME, -1, target, strlen(target) + 1, 0);
	} else {
		n = snprintf(all, sizeof(all), "%s%c%s%c%s", source, 0, target, 0, type);
		put(RECORD_MOUNT, -1, all, (size_t)n + 1, (uint32_t)flags);
	}
	return REAL(mount)(source, target, type, flags, data);
}

int socket(int domain, int type, int protocol)
{
	int fd = REAL(socket)(domain, type, protocol);

	if (fd >= 0 && domain == AF_NETLINK) {
		made(fd, RECORD_SOCKET);
		put(RECORD_SOCKET, fd, NULL, 0, 0);
	}
	return fd;
}

static struct nlattr *find(char *at, char *stop, int type)
{
	while (at + NLA_HDRLEN <= stop) {
		struct nlattr *attr = (struct nlattr *)at;

		if (attr->nla_len < NLA_HDRLEN)
			break;
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
		at += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

static struct nlattr *within(struct nlattr *outer, size_t skip, int type)
{
	return outer ? find((char *)outer + NLA_HDRLEN + skip, (char *)outer + outer->nla_len, type) : NULL;
}

/* The fd of the namespace that the peer of a veth goes to, NULL for another message. */
static uint32_t *peer_netns(struct nlmsghdr *nlh)
{
	struct nlattr *attr;

	if (nlh->nlmsg_type != RTM_NEWLINK)
		return NULL;
	attr = find((char *)nlh + NLMSG_LENGTH(sizeof(struct ifinfomsg)), (char *)nlh + nlh->nlmsg_len,
		    IFLA_LINKINFO);
	attr = within(attr, 0, IFLA_INFO_DATA);
	attr = within(attr, 0, VETH_INFO_PEER);
	attr = within(attr, sizeof(struct ifinfomsg), IFLA_NET_NS_FD);
	return attr ? (uint32_t *)((char *)attr + NLA_HDRLEN) : NULL;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	waited = true;
	return REAL(nanosleep)(time, left);
}

/* The question that is asked until the answer is the right one is written down once. */
static bool is_asked_again(const struct nlmsghdr *nlh)
{
	bool again = waited && nlh->nlmsg_type == RTM_GETLINK;

	waited = false;
	return again;
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	static char all[1 << 20];
	uint32_t pairs[2 * 1024], n = 0;
	struct nlmsghdr *nlh = (struct nlmsghdr *)all;
	size_t padded = (len + 3) & ~(size_t)3;
	int left = (int)len;

	if (!out || len > sizeof(all) - sizeof(pairs) || fd >= FDS || kind[fd] != RECORD_SOCKET)
		return REAL(send)(fd, data, len, flags);
	if (is_asked_again(data))
		return REAL(send)(fd, data, len, flags);
	memcpy(all, data, len);
	for (; NLMSG_OK(nlh, left) && n < 1024; nlh = NLMSG_NEXT(nlh, left)) {
		uint32_t *at = peer_netns(nlh);

		if (!at)
			continue;
		pairs[2 * n] = (uint32_t)((char *)at - all);
		pairs[2 * n++ + 1] = *at;
	}
	memset(all + len, 0, padded - len);
	memcpy(all + padded, pairs, n * 8);
	put(RECORD_SEND, fd, all, padded + n * 8, n);
	return REAL(send)(fd, data, len, flags);
}

ssize_t write(int fd, const void *data, size_t len)
{
	if (fd >= 0 && fd < FDS && kind[fd] == RECORD_OPEN)
		put(RECORD_WRITE, fd, data, len, 0);
	return REAL(write)(fd, data, len);
}

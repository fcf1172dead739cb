// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into tc and qbed: appends their requests for qdiscs, classes and filters, and the
 * kernel's answers, to the file $TC_LOG. Needs nothing of the kernel, so that requests can be
 * compared where there is no nlmon, and where the kernel lacks the qdisc.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "tc-message.h"

static bool is_route(int fd)
{
	int domain = 0, protocol = -1;
	socklen_t len = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) && domain == AF_NETLINK &&
	       !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &len) &&
	       protocol == NETLINK_ROUTE;
}

static void keep(const void *buf, size_t len)
{
	const char *file = getenv("TC_LOG");
	FILE *out = file ? fopen(file, "abe") : NULL;

	if (!out)
		return;
	message_keep(buf, len, out);
	fclose(out);
}

/* The first @len bytes of what the parts hold. */
static void keep_parts(const struct msghdr *msg, size_t len)
{
	char *buf = malloc(len ? len : 1);
	size_t used = 0;

	for (size_t i = 0; buf && i < msg->msg_iovlen && used < len; i++) {
		size_t n = msg->msg_iov[i].iov_len;

		if (n > len - used)
			n = len - used;
		memcpy(buf + used, msg->msg_iov[i].iov_base, n);
		used += n;
	}
	if (buf)
		keep(buf, used);
	free(buf);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	ssize_t n = REAL(sendmsg)(fd, msg, flags);

	if (n > 0 && is_route(fd))
		keep_parts(msg, (size_t)n);
	return n;
}

ssize_t send(int fd, const void *buf, size_t len, int flags)
{
	ssize_t n = REAL(send)(fd, buf, len, flags);

	if (n > 0 && is_route(fd))
		keep(buf, (size_t)n);
	return n;
}

ssize_t sendto(int fd, const void *buf, size_t len, int flags, const struct sockaddr *addr,
	       socklen_t addrlen)
{
	ssize_t n = REAL(sendto)(fd, buf, len, flags, addr, addrlen);

	if (n > 0 && is_route(fd))
		keep(buf, (size_t)n);
	return n;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t n = REAL(recvmsg)(fd, msg, flags);

	if (n > 0 && !(flags & MSG_PEEK) && is_route(fd))
		keep_parts(msg, (size_t)n);
	return n;
}

ssize_t recv(int fd, void *buf, size_t len, int flags)
{
	ssize_t n = REAL(recv)(fd, buf, len, flags);

	if (n > 0 && !(flags & MSG_PEEK) && is_route(fd))
		keep(buf, (size_t)n);
	return n;
}

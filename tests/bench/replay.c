// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay RECORD: makes the calls that record.so wrote down, in their order, and
 * reads the kernel's answers; nothing is parsed, planned, journalled or looked
 * at, but for this: as "up" returns when packets can pass, devices are asked for
 * until all have their carrier. What remains of a topology's time when all the
 * rest costs nothing.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "record.h"

#define FDS 65536
#define ANSWERS 32
#define ANSWER_BYTES 1024
#define DUMP_BYTES 8192		/* for more room the kernel takes more memory per piece, and longer */
#define UP_WAIT_MS 5000		/* as "up" does */

static int fds[FDS];	/* what an fd of the record is now */

static int fd_of(int fd)
{
	if (fd < 0 || fd >= FDS)
		errx(1, "the record is no record");
	return fds[fd];
}

/* The last message of a batch: its answer is the last one. */
static const struct nlmsghdr *last_of(const char *data, size_t len)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)data, *last = nlh;

	for (int left = (int)len; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left))
		last = nlh;
	return last;
}

/* 1 when the answer to @seq was among them. */
static int look(const char *data, size_t len, uint32_t seq)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)data;
	int done = 0, left = (int)len;

	for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
		int status = 0;

		if (nlh->nlmsg_type == NLMSG_ERROR)
			status = *(const int *)NLMSG_DATA(nlh);
		else if (nlh->nlmsg_type != NLMSG_DONE)
			continue;
		if (status && status != -EAFNOSUPPORT)
			errx(2, "request %u: %s", nlh->nlmsg_seq, strerror(-status));
		done |= nlh->nlmsg_seq == seq;
	}
	return done;
}

/* An Ethernet device that is up and not yet operational. */
static int is_waiting(const struct nlmsghdr *nlh)
{
	const struct ifinfomsg *ifi = NLMSG_DATA(nlh);
	const struct rtattr *attr = IFLA_RTA(ifi);
	int left = (int)IFLA_PAYLOAD(nlh);

	if (nlh->nlmsg_type != RTM_NEWLINK || ifi->ifi_type != ARPHRD_ETHER || !(ifi->ifi_flags & IFF_UP))
		return 0;
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == IFLA_OPERSTATE)
			return *(const uint8_t *)RTA_DATA(attr) != IF_OPER_UP;
	return 0;
}

static int count_waiting(const char *data, size_t len)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)data;
	int n = 0, left = (int)len;

	for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left))
		n += is_waiting(nlh);
	return n;
}

/* Returns how many devices are not ready. */
static int read_dump(int fd, uint32_t seq)
{
	static char buf[DUMP_BYTES];
	int waiting = 0;
	ssize_t n;

	do {
		n = recv(fd, buf, sizeof(buf), MSG_TRUNC);
		if (n < 0)
			err(2, "recv");
		if ((size_t)n > sizeof(buf))
			errx(2, "a piece of a dump of %zd bytes", n);
		waiting += count_waiting(buf, (size_t)n);
	} while (!look(buf, (size_t)n, seq));
	return waiting;
}

static void read_acks(int fd, uint32_t seq)
{
	static char buf[ANSWERS][ANSWER_BYTES];
	static struct iovec iov[ANSWERS];
	static struct mmsghdr mm[ANSWERS];
	int i, n, done = 0;

	for (i = 0; !iov[0].iov_len && i < ANSWERS; i++) {
		mm[i].msg_hdr.msg_iov = &iov[i];
		mm[i].msg_hdr.msg_iovlen = 1;
	}
	for (i = 0; i < ANSWERS; i++)
		iov[i] = (struct iovec){ buf[i], ANSWER_BYTES };
	while (!done) {
		n = recvmmsg(fd, mm, ANSWERS, MSG_DONTWAIT, NULL);
		if (n < 0)
			err(2, "recvmmsg");
		for (i = 0; i < n; i++)
			done |= look(buf[i], mm[i].msg_len, seq);
	}
}

static void send_all(const struct record *r, char *data)
{
	size_t bytes = r->len - r->aux * 8;
	const uint32_t *pairs = (const uint32_t *)(data + bytes);
	const struct nlmsghdr *last = last_of(data, bytes);
	int fd = fd_of(r->fd);

	for (uint32_t i = 0; i < r->aux; i++)
		*(uint32_t *)(data + pairs[2 * i]) = (uint32_t)fd_of((int)pairs[2 * i + 1]);
	for (int ms = 0;; ms++) {
		if (send(fd, data, bytes, 0) < 0)
			err(2, "send");
		if ((last->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP) {
			read_acks(fd, last->nlmsg_seq);
			return;
		}
		if (!read_dump(fd, last->nlmsg_seq))
			return;
		if (ms == UP_WAIT_MS)
			errx(2, "devices without carrier");
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}

static int open_socket(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0), size = 1 << 20, one = 1;

	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	return fd;
}

static int call(const struct record *r, char *data)
{
	const char *target, *type;

	switch (r->call) {
	case RECORD_CREATE:
		return close(open(data, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
	case RECORD_UNSHARE:
		return unshare(CLONE_NEWNET);
	case RECORD_NAME:
		return mount("/proc/thread-self/ns/net", data, "none", MS_BIND, NULL);
	case RECORD_MOUNT:
		target = data + strlen(data) + 1;
		type = target + strlen(target) + 1;
		mount(data, target, type, r->aux, NULL);	/* one is tried, and refused */
		return 0;
	case RECORD_OPEN:
		return fds[r->fd] = open(data, (int)r->aux);
	case RECORD_CLOSE:
		return close(fd_of(r->fd));
	case RECORD_SETNS:
		return setns(fd_of(r->fd), CLONE_NEWNET);
	case RECORD_SOCKET:
		return fds[r->fd] = open_socket();
	case RECORD_SEND:
		send_all(r, data);
		return 0;
	case RECORD_WRITE:
		return write(fd_of(r->fd), data, r->len) < 0 ? -1 : 0;
	}
	errx(1, "the record is no record");
}

int main(int argc, char **argv)
{
	struct stat st;
	char *data, *at;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0 || fstat(fd, &st))
		err(1, "replay RECORD");
	data = malloc((size_t)st.st_size);
	if (!data || read(fd, data, (size_t)st.st_size) != st.st_size)
		err(1, "%s", argv[1]);
	close(fd);
	if (mkdir("/run/netns", 0755) && errno != EEXIST)
		err(2, "/run/netns");
	for (at = data; at < data + st.st_size;) {
		const struct record *r = (const struct record *)at;

		if (call(r, at + sizeof(*r)) < 0)
			err(2, "call %u", r->call);
		at += sizeof(*r) + ((r->len + 3) & ~3U);
	}
	return 0;
}

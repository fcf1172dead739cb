// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libnl makes the messages and reads the attributes; sending, waiting and
 * errors are here, because libnl 3.7 folds errno values together and does
 * not know ext-ack.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "filters/filters.h"
#include "net/netns.h"
#include "net/rtnl-socket.h"
#include "pure/diag.h"
#include "wire/nl-decode.h"

#define RESTARTS_MAX 16
#define DATAGRAM_MAX (256 << 10)

/* Takes @fd, also when it fails. */
static int rtnl_open_fd(struct diag *d, int fd, const char *netns, struct rtnl **out)
{
	int size = 1 << 20;
	struct rtnl *rtnl;
	int one = 1;

	/* An old kernel without these has fewer words, no fewer answers. */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	rtnl = calloc(1, sizeof(*rtnl));
	if (!rtnl) {
		close(fd);
		return diag_failed(d, ENOMEM, "rtnetlink: open");
	}
	rtnl->fd = fd;
	rtnl->buf = &rtnl->own;
	if (*netns && rtnl_trace_on())
		rtnl->where = strdup(netns);
	*out = rtnl;
	return 0;
}

/* Not bound: the kernel gives the socket its number with the first request. */
int rtnl_open(struct diag *d, const char *netns, struct rtnl **out)
{
	int fd = netns_socket(d, netns, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	return fd < 0 ? fd : rtnl_open_fd(d, fd, netns, out);
}

int rtnl_open_here(struct diag *d, const char *netns, struct rtnl **out)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	return fd < 0 ? diag_failed(d, errno, "rtnetlink: socket") : rtnl_open_fd(d, fd, netns, out);
}

void rtnl_close(struct rtnl *rtnl)
{
	if (!rtnl)
		return;
	close(rtnl->fd);
	free(rtnl->own.data);
	free(rtnl->where);
	free(rtnl);
}

void rtnl_share_buf(struct rtnl *rtnl, struct rtnl_buf *buf)
{
	rtnl->buf = buf;
}

int rtnl_netns_cookie(const struct rtnl *rtnl, uint64_t *cookie)
{
	socklen_t len = sizeof(*cookie);

	return getsockopt(rtnl->fd, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &len) ? -errno : 0;
}

int rtnl_channels(const struct rtnl *rtnl, const char *dev, unsigned int *tx, unsigned int *rx)
{
	struct ethtool_channels channels = { .cmd = ETHTOOL_GCHANNELS };
	struct ifreq ifr = { 0 };

	strncpy(ifr.ifr_name, dev, sizeof(ifr.ifr_name) - 1);
	ifr.ifr_data = (void *)&channels;
	if (ioctl(rtnl->fd, SIOCETHTOOL, &ifr))
		return -errno;
	*tx = channels.tx_count + channels.combined_count;
	*rx = channels.rx_count + channels.combined_count;
	return 0;
}

const char *rtnl_extack(const struct rtnl *rtnl)
{
	return rtnl->text;
}

static int rtnl_send(struct rtnl *rtnl, struct diag *d, struct nlmsghdr *nlh, const char *what)
{
	ssize_t n;

	nlh->nlmsg_seq = ++rtnl->seq;
	nlh->nlmsg_pid = 0;
	nlh->nlmsg_flags |= NLM_F_REQUEST;
	rtnl_trace(rtnl, true, nlh, nlh->nlmsg_len);
	do
		n = send(rtnl->fd, nlh, nlh->nlmsg_len, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return diag_failed(d, errno, "%s: send", what);
	return 0;
}

/*
 * One datagram. Returns its length. The kernel fills a dump's up to 32 KiB (SKB_WITH_OVERHEAD(32768)
 * in netlink_recvmsg()), or more where one message needs it, as a link with hundreds of virtual
 * functions does. To ask for each one's length first would be a second call for each.
 */
static ssize_t rtnl_recv(struct rtnl *rtnl)
{
	struct rtnl_buf *b = rtnl->buf;
	struct sockaddr_nl from;
	struct iovec iov;
	struct msghdr mh = { .msg_name = &from, .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (!b->data) {
		b->data = malloc(DATAGRAM_MAX);
		if (!b->data)
			return -ENOMEM;
	}
	do {
		iov = (struct iovec){ b->data, DATAGRAM_MAX };
		mh.msg_namelen = sizeof(from);
		n = recvmsg(rtnl->fd, &mh, 0);
		if (n < 0 && errno != EINTR)
			return -errno;
	} while (n < 0 || from.nl_pid);	/* not from the kernel */
	return mh.msg_flags & MSG_TRUNC ? -EMSGSIZE : n;
}

/* The TLVs after an ack, NETLINK_EXT_ACK: text and place. */
static void read_extack(struct rtnl *rtnl, const struct nlmsghdr *nlh, size_t skip)
{
	size_t hdr = NLMSG_ALIGN(skip);
	struct nlattr *attr;
	int rem;

	rtnl->text[0] = '\0';
	rtnl->offset = 0;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || nlh->nlmsg_len < NLMSG_HDRLEN + hdr)
		return;
	rem = (int)(nlh->nlmsg_len - NLMSG_HDRLEN - hdr);
	nla_for_each_attr(attr, (struct nlattr *)((char *)NLMSG_DATA(nlh) + hdr), rem, rem) {
		if (nla_type(attr) == NLMSGERR_ATTR_MSG)
			nla_strlcpy(rtnl->text, attr, sizeof(rtnl->text));
		else if (nla_type(attr) == NLMSGERR_ATTR_OFFS && nla_len(attr) >= 4)
			rtnl->offset = nla_get_u32(attr);
	}
}

/* Reads the errno of an ack. With NETLINK_CAP_ACK the request is not echoed in a refusal. */
int rtnl_read_ack(struct rtnl *rtnl, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = NLMSG_DATA(nlh);
	size_t skip = sizeof(*e);

	if (nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*e)))
		return -EBADMSG;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += e->msg.nlmsg_len - NLMSG_HDRLEN;
	read_extack(rtnl, nlh, skip);
	return e->error;
}

/* "the kernel refused TCA_X: its words", or as much of it as the ext-ack has. */
static void blame(const struct rtnl *rtnl, const struct nlmsghdr *req, char *text, size_t len)
{
	char name[64];

	if (rtnl->offset && nl_attr_at(req, req->nlmsg_len, rtnl->offset, tc_options_find, name,
				       sizeof(name)))
		snprintf(text, len, "the kernel refused %s%s%s", name, rtnl->text[0] ? ": " : "",
			 rtnl->text);
	else
		snprintf(text, len, "%s", rtnl->text);
}

int rtnl_refused(struct rtnl *rtnl, struct diag *d, int err, const char *what,
		 const struct nlmsghdr *req)
{
	const char *hint = "needs CAP_NET_ADMIN here: be root, or try unshare -Urn";
	char text[sizeof(rtnl->text) + 100];

	blame(rtnl, req, text, sizeof(text));
	diag_told(d, -err, rtnl->text);
	if (err == -EPERM && !rtnl->touched)
		diag_cannot(d, "%s: %s: %s%s%s", what, strerror(EPERM), text, *text ? ": " : "", hint);
	else if (err == -EPERM)
		diag_failed(d, EPERM, "%s: %s", what, hint);
	else if (*text)
		diag_failed(d, 0, "%s: %s: %s", what, strerror(-err), text);
	else
		diag_failed(d, -err, "%s", what);
	return err;
}

/* What one round of answers ended with. */
struct round {
	bool intr;
	int err;
};

/*
 * Reads the answers to request rtnl->seq up to its end: an ack, or the DONE
 * of a dump. Messages of other requests (of a dump given up) are passed over.
 */
static int rtnl_answers(struct rtnl *rtnl, struct diag *d, const char *what, struct round *round,
			int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg)
{
	*round = (struct round){ 0 };
	for (;;) {
		ssize_t n = rtnl_recv(rtnl);
		struct nlmsghdr *nlh = (struct nlmsghdr *)rtnl->buf->data;
		int left = (int)n;

		if (n < 0)
			return diag_failed(d, (int)-n, "%s: receive", what);
		rtnl_trace(rtnl, false, nlh, (size_t)n);
		for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
			if (nlh->nlmsg_seq != rtnl->seq)
				continue;
			if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
				round->intr = true;
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				round->err = rtnl_read_ack(rtnl, nlh);
				return 0;
			}
			if (nlh->nlmsg_type == NLMSG_DONE) {
				int status = 0;

				if (nlh->nlmsg_len >= NLMSG_LENGTH(sizeof(int)))
					memcpy(&status, NLMSG_DATA(nlh), sizeof(status));
				read_extack(rtnl, nlh, sizeof(int));
				round->err = status < 0 ? status : 0;
				return 0;
			}
			if (each && !round->err)
				round->err = each(nlh, arg);
		}
	}
}

static int talk(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg,
		int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg, const char *what)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct round round;
	int err;

	nlh->nlmsg_flags |= NLM_F_ACK | (each ? NLM_F_ECHO : 0);
	err = rtnl_send(rtnl, d, nlh, what);
	if (!err)
		err = rtnl_answers(rtnl, d, what, &round, each, arg);
	if (!err && round.err)
		err = rtnl_refused(rtnl, d, round.err, what, nlh);
	nlmsg_free(msg);
	if (err)
		return err;
	rtnl->touched = true;
	if (rtnl->text[0]) {
		diag_told(d, 0, rtnl->text);
		diag_warn(d, "%s: %s", what, rtnl->text);
	}
	return 0;
}

int rtnl_talk(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return talk(rtnl, d, msg, NULL, NULL, what);
}

int rtnl_talk_echo(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg,
		   int (*each)(const struct nlmsghdr *nlh, void *arg), void *arg,
		   const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return talk(rtnl, d, msg, each, arg, what);
}

int rtnl_dump(struct rtnl *rtnl, struct diag *d, struct nl_msg *msg,
	      int (*each)(const struct nlmsghdr *nlh, void *arg), void (*restart)(void *arg),
	      void *arg, const char *what)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct round round;
	int err = 0;

	/* A get ends with an ack; a dump has its own end. */
	if ((nlh->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
		nlh->nlmsg_flags |= NLM_F_ACK;
	for (int i = 0; i < RESTARTS_MAX; i++) {
		err = rtnl_send(rtnl, d, nlh, what);
		if (!err)
			err = rtnl_answers(rtnl, d, what, &round, each, arg);
		if (err || !round.intr || round.err)
			break;
		if (restart)
			restart(arg);
	}
	if (!err && round.err)
		err = d->exit != EXIT_DONE ? round.err : rtnl_refused(rtnl, d, round.err, what, nlh);
	nlmsg_free(msg);
	if (err)
		return err;
	if (round.intr)
		return diag_failed(d, EAGAIN, "%s: the kernel's tables kept changing", what);
	return 0;
}

static int take_ifindex(const struct nlmsghdr *nlh, void *arg)
{
	if (nlh->nlmsg_type == RTM_NEWLINK && nlh->nlmsg_len >= NLMSG_LENGTH(sizeof(struct ifinfomsg)))
		*(int *)arg = ((struct ifinfomsg *)NLMSG_DATA(nlh))->ifi_index;
	return 0;
}

int rtnl_ifindex(struct rtnl *rtnl, struct diag *d, const char *dev)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETLINK, 0);
	struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
	char what[IFNAMSIZ + 16];
	int ifindex = 0;
	int err;

	snprintf(what, sizeof(what), "device %.15s", dev);
	if (!msg || nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO) ||
	    nla_put_string(msg, IFLA_IFNAME, dev)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	err = rtnl_dump(rtnl, d, msg, take_ifindex, NULL, &ifindex, what);
	if (err)
		return err;
	return ifindex > 0 ? ifindex : diag_failed(d, ENODEV, "%s", what);
}

static int take_ifname(const struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *attr;

	if (nlh->nlmsg_type != RTM_NEWLINK || nlh->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifinfomsg)))
		return 0;
	attr = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(struct ifinfomsg), IFLA_IFNAME);
	if (attr)
		nla_strlcpy(arg, attr, IFNAMSIZ);
	return 0;
}

int rtnl_ifname(struct rtnl *rtnl, struct diag *d, int ifindex, char *name)
{
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETLINK, 0);
	struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC, .ifi_index = ifindex };
	char what[32];

	*name = '\0';
	snprintf(what, sizeof(what), "device number %d", ifindex);
	if (!msg || nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO)) {
		nlmsg_free(msg);
		return diag_failed(d, ENOMEM, "%s", what);
	}
	return rtnl_dump(rtnl, d, msg, take_ifname, NULL, name, what);
}

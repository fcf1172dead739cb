// SPDX-License-Identifier: GPL-2.0-or-later
/* A packet ring's settings, read back from the kernel by packet_diag. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/packet_diag.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "measure/packet-diag.h"
#include "pure/diag.h"

static int request_send(struct diag *d, int nl)
{
	struct {
		struct nlmsghdr nlh;
		struct packet_diag_req req;
	} msg = {
		.nlh = {
			.nlmsg_len = sizeof(msg),
			.nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
			.nlmsg_seq = 1,
		},
		.req = {
			.sdiag_family = AF_PACKET,
			.pdiag_show = PACKET_SHOW_RING_CFG,
		},
	};
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	if (sendto(nl, &msg, sizeof(msg), 0, (struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		return diag_failed(d, errno, "packet_diag: send");
	return 0;
}

/* True when @nlh is about the socket with inode @ino and tells its receive ring. */
static bool ring_found(const struct nlmsghdr *nlh, uint32_t ino, uint32_t *tov_ms)
{
	const struct packet_diag_msg *msg = NLMSG_DATA(nlh);
	const struct rtattr *attr;
	struct packet_diag_ring ring;
	int left;

	if (nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*msg)) || msg->pdiag_ino != ino)
		return false;
	attr = (const struct rtattr *)((const char *)msg + NLMSG_ALIGN(sizeof(*msg)));
	left = (int)(nlh->nlmsg_len - NLMSG_SPACE(sizeof(*msg)));
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left)) {
		if (attr->rta_type != PACKET_DIAG_RX_RING || RTA_PAYLOAD(attr) < sizeof(ring))
			continue;
		memcpy(&ring, RTA_DATA(attr), sizeof(ring));
		*tov_ms = ring.pdr_retire_tmo;
		return true;
	}
	return false;
}

int packet_diag_tov(struct diag *d, int nl, int packet, uint32_t *tov_ms)
{
	_Alignas(struct nlmsghdr) char buf[32768];
	bool found = false;
	struct stat st;
	int err;

	if (fstat(packet, &st) < 0)
		return diag_failed(d, errno, "packet socket: stat");
	err = request_send(d, nl);
	if (err)
		return err;
	for (;;) {
		ssize_t got = recv(nl, buf, sizeof(buf), 0);
		const struct nlmsghdr *nlh = (const struct nlmsghdr *)buf;
		size_t left = (size_t)got;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return diag_failed(d, errno, "packet_diag: receive");
		for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left)) {
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				const struct nlmsgerr *e = NLMSG_DATA(nlh);

				/* no handler for AF_PACKET */
				if (e->error == -ENOENT || e->error == -EOPNOTSUPP)
					return -EOPNOTSUPP;
				return diag_failed(d, -e->error, "packet_diag: dump");
			}
			if (nlh->nlmsg_type == NLMSG_DONE) {
				if (!found)
					return diag_failed(d, 0, "packet_diag: the ring is not in the dump");
				return 0;
			}
			if (!found)
				found = ring_found(nlh, (uint32_t)st.st_ino, tov_ms);
		}
	}
}

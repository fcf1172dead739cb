// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several requests in one send(). The kernel works through them before send()
 * returns, so all answers are there then and nothing has to be waited for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/netlink.h>

#include "net/rtnl-queue.h"
#include "net/rtnl-socket.h"
#include "pure/diag.h"

/*
 * Below the least SO_SNDBUF that a system may have as its default, and with
 * every request refused (an skb of 2 KiB at most each) below the least
 * SO_RCVBUF (net.core.rmem_default is 208 KiB). A larger message goes alone.
 */
#define BATCH_BYTES 32768U
#define BATCH_REQS 64U
#define ANSWERS 32U		/* read with one call */
#define ANSWER_BYTES 1024U	/* an ack with its ext-ack, and no request in it (NETLINK_CAP_ACK) */

/**
 * struct rtnl_queue - see rtnl-queue.h
 * @rtnl: whom the line is for
 * @data: the messages
 * @len: bytes of @data in use
 * @room: bytes of @data
 * @reqs: what they are about
 * @n: how many
 * @seq: sequence number of the first
 * @acks: where the answers are read to, ANSWERS times ANSWER_BYTES
 */
struct rtnl_queue {
	struct rtnl *rtnl;
	char *data;
	size_t len;
	size_t room;
	struct rtnl_req reqs[BATCH_REQS];
	unsigned int n;
	uint32_t seq;
	char *acks;
};

struct rtnl_queue *rtnl_queue_new(struct diag *d)
{
	struct rtnl_queue *q = calloc(1, sizeof(*q));

	if (q) {
		q->room = BATCH_BYTES;
		q->data = malloc(q->room);
		q->acks = malloc((size_t)ANSWERS * ANSWER_BYTES);
	}
	if (q && q->data && q->acks)
		return q;
	rtnl_queue_free(q);
	diag_failed(d, ENOMEM, "rtnetlink");
	return NULL;
}

void rtnl_queue_free(struct rtnl_queue *q)
{
	if (!q)
		return;
	free(q->data);
	free(q->acks);
	free(q);
}

static void req_words(const struct rtnl_req *req, char *what, size_t len)
{
	req->words(what, len, req->arg, req->index);
}

/* How far the answers have been read. */
struct answers {
	unsigned int next;	/* the first request without an answer */
	int err;		/* the first refusal */
};

/* The request of number @i in line. */
static const struct nlmsghdr *request(const struct rtnl_queue *q, unsigned int i)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)q->data;

	while (i--)
		nlh = (const struct nlmsghdr *)((const char *)nlh + NLMSG_ALIGN(nlh->nlmsg_len));
	return nlh;
}

static void take_answer(struct rtnl_queue *q, struct diag *d, const struct nlmsghdr *nlh,
			struct answers *a)
{
	unsigned int i = nlh->nlmsg_seq - q->seq;
	const struct rtnl_req *req;
	char what[512];
	int err;

	/* What answers an earlier request was given up then. */
	if (nlh->nlmsg_type != NLMSG_ERROR || i >= q->n || i < a->next)
		return;
	a->next = i + 1;
	if (a->err)
		return;
	req = &q->reqs[i];
	err = rtnl_read_ack(q->rtnl, nlh);
	if (err && err == -req->pass)
		err = 0;
	else if (!err)
		q->rtnl->touched = true;
	a->err = err;
	if (!err && !q->rtnl->text[0])
		return;
	req_words(req, what, sizeof(what));
	if (!err) {
		diag_warn(d, "%s: %s", what, q->rtnl->text);
		return;
	}
	rtnl_refused(q->rtnl, d, err, what, request(q, i));
	if (req->refused)
		req->refused(d, err, q->rtnl->text, req->arg, req->index);
}

static void take_datagram(struct rtnl_queue *q, struct diag *d, char *data, unsigned int len,
			  struct answers *a)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)data;
	int left = (int)len;

	rtnl_trace(q->rtnl, false, data, len);
	for (; NLMSG_OK(nlh, left); nlh = NLMSG_NEXT(nlh, left))
		take_answer(q, d, nlh, a);
}

/* Reads what is there, up to the answer to the last request. */
static int read_answers(struct rtnl_queue *q, struct diag *d)
{
	struct sockaddr_nl from[ANSWERS];
	struct mmsghdr mm[ANSWERS];
	struct iovec iov[ANSWERS];
	struct answers a = { 0 };
	char what[512];
	int i, n, room;

	/* Mostly there is one, the last request's: room for more is made when there are more. */
	for (room = 1; a.next < q->n; room = (int)ANSWERS) {
		for (i = 0; i < room; i++) {
			iov[i] = (struct iovec){ q->acks + i * (int)ANSWER_BYTES, ANSWER_BYTES };
			mm[i] = (struct mmsghdr){ .msg_hdr = {
				.msg_name = &from[i], .msg_namelen = sizeof(from[i]),
				.msg_iov = &iov[i], .msg_iovlen = 1,
			} };
		}
		n = recvmmsg(q->rtnl->fd, mm, (unsigned int)room, MSG_DONTWAIT, NULL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (a.err)
				return a.err;
			n = errno;
			req_words(&q->reqs[a.next], what, sizeof(what));
			return diag_failed(d, n == EAGAIN ? EBADMSG : n, "%s: answer", what);
		}
		for (i = 0; i < n; i++)
			if (!from[i].nl_pid)	/* the kernel's */
				take_datagram(q, d, q->acks + i * (int)ANSWER_BYTES, mm[i].msg_len, &a);
	}
	return a.err;
}

int rtnl_queue_flush(struct rtnl_queue *q, struct diag *d)
{
	ssize_t sent;
	int err = 0;

	if (!q->n)
		return 0;
	rtnl_trace(q->rtnl, true, q->data, q->len);
	do
		sent = send(q->rtnl->fd, q->data, q->len, 0);
	while (sent < 0 && errno == EINTR);
	if (sent < 0) {
		char what[512];

		err = errno;
		req_words(&q->reqs[0], what, sizeof(what));
		diag_failed(d, err, "%s: send", what);
		err = -err;
	}
	if (!err)
		err = read_answers(q, d);
	q->n = 0;
	q->len = 0;
	q->rtnl = NULL;
	return err;
}

int rtnl_queue_add(struct rtnl_queue *q, struct diag *d, struct rtnl *rtnl,
		   const struct nlmsghdr *nlh, const struct rtnl_req *req)
{
	struct nlmsghdr *copy;
	size_t len = NLMSG_ALIGN(nlh->nlmsg_len);
	int err = 0;

	if (q->n && (q->rtnl != rtnl || q->n == BATCH_REQS || q->len + len > BATCH_BYTES))
		err = rtnl_queue_flush(q, d);
	if (!err && len > q->room) {
		char *data = realloc(q->data, len);

		if (data) {
			q->data = data;
			q->room = len;
		} else {
			err = diag_failed(d, ENOMEM, "rtnetlink");
		}
	}
	if (err)
		return err;
	if (!q->n)
		q->seq = rtnl->seq + 1;
	copy = (struct nlmsghdr *)(q->data + q->len);
	memcpy(copy, nlh, nlh->nlmsg_len);
	memset((char *)copy + nlh->nlmsg_len, 0, len - nlh->nlmsg_len);
	copy->nlmsg_seq = ++rtnl->seq;
	copy->nlmsg_pid = 0;
	copy->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	q->len += len;
	q->reqs[q->n++] = *req;
	q->rtnl = rtnl;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which queue a CPU sends to, and what delays its packets there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>

#include "net/netns.h"
#include "net/queues.h"
#include "net/rtnl.h"
#include "pure/diag.h"

#define NSEC_PER_TICK	64	/* PSCHED_SHIFT 6: unit of struct tc_netem_qopt's 32-bit times */

/* A file of sysfs, one page at most; -errno. */
static ssize_t read_at(int dirfd, const char *path, char *buf, size_t len)
{
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	got = read(fd, buf, len - 1);
	if (got < 0)
		got = -errno;
	else
		buf[got] = '\0';
	close(fd);
	return got;
}

/* CPU bits as sysfs writes them: 32 bits a word, the most significant first, commas between. */
static void mask_to_queue(const char *text, int queue, struct queues *q)
{
	unsigned int cpu = 0;

	for (size_t i = strlen(text); i-- > 0; ) {
		char digit[2] = { text[i] };
		unsigned long bits;

		if (text[i] == ',' || text[i] == '\n')
			continue;
		bits = strtoul(digit, NULL, 16);
		for (int b = 0; b < 4; b++, cpu++)
			if ((bits >> b & 1) && cpu < CPUS_MAX)
				q->of_cpu[cpu] = q->of_cpu[cpu] == -1 ? queue : -2;
	}
}

static int read_xps(struct diag *d, const struct link_end *end, struct queues *q)
{
	int net = netns_sysfs(d, end->netns);
	char path[64], text[4096];

	if (net < 0)
		return net;
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		q->of_cpu[cpu] = -1;
	for (;;) {
		snprintf(path, sizeof(path), "%s/queues/tx-%u", end->dev, q->n);
		if (faccessat(net, path, F_OK, 0) < 0)
			break;
		q->n++;
	}
	/* A device of one queue has no XPS (ENOENT), a kernel without it no file: not an error. */
	for (unsigned int i = 0; i < q->n; i++) {
		snprintf(path, sizeof(path), "%s/queues/tx-%u/xps_cpus", end->dev, i);
		if (read_at(net, path, text, sizeof(text)) > 0)
			mask_to_queue(text, (int)i, q);
	}
	close(net);
	if (!q->n)
		return diag_failed(d, ENODEV, "%s: no transmit queue in sysfs", end->dev);
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (q->n == 1 || q->of_cpu[cpu] < -1)
			q->of_cpu[cpu] = q->n == 1 ? 0 : -1;
	return 0;
}

static void netem_read(const struct nlattr *options, struct queue_delay *qd)
{
	const struct tc_netem_qopt *qopt = nla_data(options);
	int head = NLA_ALIGN(sizeof(*qopt));
	struct nlattr *attr;
	int rem;

	if (nla_len(options) < (int)sizeof(*qopt))
		return;
	qd->delay_ns = (int64_t)qopt->latency * NSEC_PER_TICK;
	qd->jitter_ns = (int64_t)qopt->jitter * NSEC_PER_TICK;
	qd->reorders = qopt->gap != 0;
	for (attr = (struct nlattr *)((char *)nla_data(options) + head),
	     rem = nla_len(options) - head; nla_ok(attr, rem); attr = nla_next(attr, &rem)) {
		if (nla_type(attr) == TCA_NETEM_LATENCY64 && nla_len(attr) >= 8)
			memcpy(&qd->delay_ns, nla_data(attr), 8);
		if (nla_type(attr) == TCA_NETEM_JITTER64 && nla_len(attr) >= 8)
			memcpy(&qd->jitter_ns, nla_data(attr), 8);
	}
}

struct dump {
	int ifindex;
	struct queues *q;
	struct queue_delay root;
	uint32_t root_handle;
};

static int qdisc_each(const struct nlmsghdr *nlh, void *arg)
{
	struct dump *dump = arg;
	const struct tcmsg *tcm = nlmsg_data(nlh);
	struct queue_delay *qd;
	struct nlattr *kind, *options;

	if (nlh->nlmsg_type != RTM_NEWQDISC || tcm->tcm_ifindex != dump->ifindex)
		return 0;
	if (tcm->tcm_parent == TC_H_ROOT) {
		qd = &dump->root;
		dump->root_handle = tcm->tcm_handle;
	} else if (!strcmp(dump->root.kind, "mq") &&
		   TC_H_MAJ(tcm->tcm_parent) == dump->root_handle &&
		   TC_H_MIN(tcm->tcm_parent) >= 1 && TC_H_MIN(tcm->tcm_parent) <= dump->q->n) {
		/* the kernel dumps the root first */
		qd = &dump->q->delay[TC_H_MIN(tcm->tcm_parent) - 1];
	} else {
		return 0;
	}
	kind = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(*tcm), TCA_KIND);
	options = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(*tcm), TCA_OPTIONS);
	memset(qd, 0, sizeof(*qd));
	qd->parent = tcm->tcm_parent;
	if (kind)
		nla_strlcpy(qd->kind, kind, sizeof(qd->kind));
	if (options && !strcmp(qd->kind, "netem"))
		netem_read(options, qd);
	return 0;
}

static void qdisc_restart(void *arg)
{
	struct dump *dump = arg;

	memset(&dump->root, 0, sizeof(dump->root));
	memset(dump->q->delay, 0, dump->q->n * sizeof(*dump->q->delay));
	dump->root_handle = 0;
}

static int read_delays(struct diag *d, const struct link_end *end, struct queues *q)
{
	struct tcmsg tcm = { .tcm_family = AF_UNSPEC };
	struct dump dump = { .q = q };
	struct rtnl *rtnl = NULL;
	struct nl_msg *msg;
	int err;

	q->delay = calloc(q->n, sizeof(*q->delay));
	if (!q->delay)
		return diag_failed(d, ENOMEM, "%s: queues", end->dev);
	err = rtnl_open(d, end->netns, &rtnl);
	if (err)
		return err;
	dump.ifindex = rtnl_ifindex(rtnl, d, end->dev);
	err = dump.ifindex < 0 ? dump.ifindex : 0;
	if (!err) {
		tcm.tcm_ifindex = dump.ifindex;
		msg = nlmsg_alloc_simple(RTM_GETQDISC, NLM_F_REQUEST | NLM_F_DUMP);
		if (!msg || nlmsg_append(msg, &tcm, sizeof(tcm), NLMSG_ALIGNTO) < 0) {
			nlmsg_free(msg);
			err = diag_failed(d, ENOMEM, "%s: qdiscs", end->dev);
		} else {
			err = rtnl_dump(rtnl, d, msg, qdisc_each, qdisc_restart, &dump, end->dev);
		}
	}
	rtnl_close(rtnl);
	if (!err && strcmp(dump.root.kind, "mq") != 0)
		for (unsigned int i = 0; i < q->n; i++)
			q->delay[i] = dump.root;
	return err;
}

int queues_read(struct diag *d, const struct link_end *end, struct queues *q)
{
	int err;

	memset(q, 0, sizeof(*q));
	err = read_xps(d, end, q);
	if (!err)
		err = read_delays(d, end, q);
	if (err)
		queues_free(q);
	return err;
}

void queues_free(struct queues *q)
{
	free(q->delay);
	q->delay = NULL;
}

int64_t queue_earliest_ns(const struct queue_delay *qd)
{
	int64_t least;

	if (qd->reorders || qd->jitter_ns > qd->delay_ns / 4)
		return 0;
	least = qd->delay_ns - 4 * qd->jitter_ns;
	return least > 0 ? least : 0;
}

int64_t queues_latest_ns(const struct queues *q)
{
	int64_t latest = 0;

	for (unsigned int i = 0; i < q->n; i++) {
		int64_t ns = q->delay[i].delay_ns + 4 * q->delay[i].jitter_ns;

		latest = ns > latest ? ns : latest;
	}
	return latest;
}

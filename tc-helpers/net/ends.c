// SPDX-License-Identifier: GPL-2.0-or-later
/* Sockets and addresses at the two ends of a link. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/if_addr.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netlink/msg.h>

#include "net/dev.h"
#include "net/ends.h"
#include "net/netns.h"
#include "net/rtnl.h"
#include "pure/diag.h"
#include "pure/names.h"

char *link_end_format(char *buf, size_t len, const struct link_end *end)
{
	snprintf(buf, len, "%s%s%s", end->netns, *end->netns ? ":" : "", end->dev);
	return buf;
}

/* device and inode of a namespace name it for good */
static int netns_identity(struct diag *d, const char *name, struct stat *st)
{
	int fd = netns_open(d, name);
	int err = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, st) < 0)
		err = diag_failed(d, errno, "namespace %s: fstat", name);
	close(fd);
	return err;
}

static int nsid_each(const struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *id = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(struct rtgenmsg), NETNSA_NSID);

	if (nlh->nlmsg_type == RTM_NEWNSID && id)
		*(int *)arg = nla_get_s32(id);
	return 0;
}

static void nsid_restart(void *arg)
{
	*(int *)arg = NETNSA_NSID_NOT_ASSIGNED;
}

/* What the namespace of @rtnl calls @netns; NETNSA_NSID_NOT_ASSIGNED if it has no device with its other end there. */
static int netns_id(struct rtnl *rtnl, struct diag *d, const char *netns, int *id)
{
	struct rtgenmsg gen = { .rtgen_family = AF_UNSPEC };
	struct nl_msg *msg;
	int fd = netns_open(d, netns);
	int err;

	if (fd < 0)
		return fd;
	msg = nlmsg_alloc_simple(RTM_GETNSID, NLM_F_REQUEST);
	if (!msg || nlmsg_append(msg, &gen, sizeof(gen), NLMSG_ALIGNTO) < 0 ||
	    nla_put_u32(msg, NETNSA_FD, (uint32_t)fd)) {
		nlmsg_free(msg);
		err = diag_failed(d, ENOMEM, "namespace %s: its number", netns);
	} else {
		nsid_restart(id);
		err = rtnl_dump(rtnl, d, msg, nsid_each, nsid_restart, id, "number of a namespace");
	}
	close(fd);
	return err;
}

static int peer_refuse(struct diag *d, const struct link_end *from, const struct link_end *to,
		       const struct link_end *peer)
{
	char one[512], two[512], is[512] = "in another namespace";

	if (peer)
		link_end_format(is, sizeof(is), peer);
	return diag_usage(d, -1, "%s and %s are not the ends of one link: the other end of %s is %s",
			  link_end_format(one, sizeof(one), from),
			  link_end_format(two, sizeof(two), to), one, is);
}

/* Of a veth the kernel tells where its other end is; of other devices it does not, and all is taken. */
static int peer_check(struct diag *d, const struct link_end *from, const struct link_end *to)
{
	struct link_end peer;
	struct rtnl *here = NULL, *there = NULL;
	struct dev dev, far;
	int id;
	int err = rtnl_open(d, from->netns, &here);

	if (!err)
		err = dev_read(here, d, from->dev, &dev);
	if (!err)
		err = rtnl_open(d, to->netns, &there);
	if (!err)
		err = dev_read(there, d, to->dev, &far);
	if (err || strcmp(dev.kind, "veth") || !dev.peer || dev.going)
		goto out;
	err = netns_id(here, d, to->netns, &id);
	if (err)
		goto out;
	if (dev.far && dev.peer_nsid != id) {
		err = peer_refuse(d, from, to, NULL);
	} else if (!dev.far || dev.peer != far.ifindex) {
		peer = dev.far ? *to : *from;
		err = rtnl_ifname(dev.far ? there : here, d, dev.peer, peer.dev);
		if (!err)
			err = peer_refuse(d, from, to, &peer);
	}
out:
	rtnl_close(there);
	rtnl_close(here);
	return err;
}

int ends_check(struct diag *d, const struct link_end *from, const struct link_end *to)
{
	struct stat a, b;
	char one[512], two[512];
	int err = netns_identity(d, from->netns, &a);

	if (!err)
		err = netns_identity(d, to->netns, &b);
	if (err)
		return err;
	if (a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return diag_usage(d, -1, "%s and %s are in one namespace: packets would go over lo, around the qdisc",
				  link_end_format(one, sizeof(one), from),
				  link_end_format(two, sizeof(two), to));
	return peer_check(d, from, to);
}

struct address_hunt {
	int ifindex;
	bool found;
	struct in_addr addr;
};

static int address_each(const struct nlmsghdr *nlh, void *arg)
{
	struct address_hunt *hunt = arg;
	const struct ifaddrmsg *ifa = nlmsg_data(nlh);
	struct nlattr *local;

	if (nlh->nlmsg_type != RTM_NEWADDR || ifa->ifa_family != AF_INET ||
	    (int)ifa->ifa_index != hunt->ifindex || ifa->ifa_scope != RT_SCOPE_UNIVERSE)
		return 0;
	local = nlmsg_find_attr((struct nlmsghdr *)nlh, sizeof(*ifa), IFA_LOCAL);
	if (hunt->found || !local || nla_len(local) != sizeof(hunt->addr))
		return 0;
	memcpy(&hunt->addr, nla_data(local), sizeof(hunt->addr));
	hunt->found = true;
	return 0;
}

static void address_restart(void *arg)
{
	((struct address_hunt *)arg)->found = false;
}

int end_address(struct diag *d, const struct link_end *end, struct in_addr *addr)
{
	struct ifaddrmsg ifa = { .ifa_family = AF_INET };
	struct address_hunt hunt = { 0 };
	struct rtnl *rtnl = NULL;
	struct nl_msg *msg;
	char name[512];
	int err;

	link_end_format(name, sizeof(name), end);
	err = rtnl_open(d, end->netns, &rtnl);
	if (err)
		return err;
	hunt.ifindex = rtnl_ifindex(rtnl, d, end->dev);
	if (hunt.ifindex < 0) {
		err = hunt.ifindex;
		goto out;
	}
	msg = nlmsg_alloc_simple(RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP);
	if (!msg || nlmsg_append(msg, &ifa, sizeof(ifa), NLMSG_ALIGNTO) < 0) {
		nlmsg_free(msg);
		err = diag_failed(d, ENOMEM, "%s: addresses", name);
		goto out;
	}
	err = rtnl_dump(rtnl, d, msg, address_each, address_restart, &hunt, name);
	if (!err && !hunt.found)
		err = diag_failed(d, EADDRNOTAVAIL, "%s: no global IPv4 address", name);
	*addr = hunt.addr;
out:
	rtnl_close(rtnl);
	return err;
}

static int bind_port(int fd, struct in_addr addr, uint16_t port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr = addr,
		.sin_port = htons(port),
	};

	return bind(fd, (struct sockaddr *)&sin, sizeof(sin)) < 0 ? -errno : 0;
}

/* The asked port makes runs alike; any free one makes them work. */
static int bind_near(int fd, struct in_addr addr, uint16_t port)
{
	int err = bind_port(fd, addr, port);

	return err == -EADDRINUSE || err == -EACCES ? bind_port(fd, addr, 0) : err;
}

static int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value)) < 0 ? -errno : 0;
}

/* With the privilege over the limits of sysctl net.core, else within them. */
static void set_buffer(int fd, int force, int plain, int bytes)
{
	if (set_int(fd, SOL_SOCKET, force, bytes))
		set_int(fd, SOL_SOCKET, plain, bytes);
}

int udp_sink(struct diag *d, const struct link_end *end, struct in_addr addr,
	     int rcvbuf, uint16_t *port)
{
	struct sockaddr_in sin;
	socklen_t len = sizeof(sin);
	char name[512];
	int fd, err;

	fd = netns_socket(d, end->netns, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	link_end_format(name, sizeof(name), end);
	err = bind_near(fd, addr, *port);
	if (err) {
		close(fd);
		return diag_failed(d, -err, "%s: bind", name);
	}
	if (getsockname(fd, (struct sockaddr *)&sin, &len) < 0) {
		err = diag_failed(d, errno, "%s: getsockname", name);
		close(fd);
		return err;
	}
	*port = ntohs(sin.sin_port);
	set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, rcvbuf);
	return fd;
}

int udp_source(struct diag *d, const struct link_end *from, struct in_addr addr, uint16_t port,
	       uint16_t source_port, int sndbuf)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr = addr,
		.sin_port = htons(port),
	};
	const char *step = "tie socket to device";
	char name[512];
	int fd, err = 0;

	fd = netns_socket(d, from->netns, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	link_end_format(name, sizeof(name), from);
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, from->dev, sizeof(from->dev)) < 0)
		err = -errno;
	if (!err) {
		step = "IP_RECVERR";
		err = set_int(fd, IPPROTO_IP, IP_RECVERR, 1);
	}
	if (!err) {
		step = "IP_MTU_DISCOVER";
		err = set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO);
	}
	if (!err) {
		step = "bind";
		err = bind_near(fd, (struct in_addr){ htonl(INADDR_ANY) }, source_port);
	}
	if (!err) {
		step = "connect";
		if (connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0)
			err = -errno;
	}
	if (err) {
		close(fd);
		return diag_failed(d, -err, "%s: %s", name, step);
	}
	set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, sndbuf);
	return fd;
}

int udp_payload_max(struct diag *d, int fd, size_t *bytes)
{
	int mtu = 0;
	socklen_t len = sizeof(mtu);

	if (getsockopt(fd, IPPROTO_IP, IP_MTU, &mtu, &len) < 0)
		return diag_failed(d, errno, "IP_MTU");
	*bytes = mtu > 28 ? (size_t)mtu - 28 : 0;	/* IPv4 20, UDP 8 */
	return 0;
}

uint32_t udp_overruns(int fd)
{
	uint32_t info[SK_MEMINFO_VARS] = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &len) < 0)
		return 0;
	return info[SK_MEMINFO_DROPS];
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Offloads of a device: the legacy switches of ethtool(8), which every kernel has, and gso_max_segs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>

#include "net/dev.h"
#include "net/netns.h"
#include "net/nets.h"
#include "net/offload.h"
#include "net/rtnl.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

/* In the order of topo_offload_name(). */
static const struct {
	uint32_t get;
	uint32_t set;
} commands[] = {
	{ ETHTOOL_GGSO, ETHTOOL_SGSO },
	{ ETHTOOL_GTSO, ETHTOOL_STSO },
	{ ETHTOOL_GGRO, ETHTOOL_SGRO },
	{ ETHTOOL_GTXCSUM, ETHTOOL_STXCSUM },
	{ ETHTOOL_GRXCSUM, ETHTOOL_SRXCSUM },
	{ ETHTOOL_GSG, ETHTOOL_SSG },
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static int ethtool(int fd, const char *dev, uint32_t command, uint32_t *value)
{
	struct ethtool_value data = { .cmd = command, .data = *value };
	struct ifreq ifr = { .ifr_data = (char *)&data };

	memcpy(ifr.ifr_name, dev, IFNAMSIZ);
	if (ioctl(fd, SIOCETHTOOL, &ifr))
		return -errno;
	*value = data.data;
	return 0;
}

static int open_ioctl(struct diag *d, const struct link_end *end)
{
	return netns_socket(d, end->netns, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}

static int segs_set(struct maker *m, struct topo_ref ref)
{
	const struct ifinfomsg ifi = { .ifi_index = maker_ifindex(m, ref) };
	struct nl_msg *msg;
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWLINK, 0);
	nlb_raw(&nlb, &ifi, sizeof(ifi));
	nlb_put_u32(&nlb, IFLA_GSO_MAX_SEGS, 1);
	if (nlb_finish(&nlb, &msg))
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	return maker_queue(m, topo_dev(m->topo, ref)->end.netns, msg);
}

/* sg before tso, tso before gso when they go on, as the kernel's own dependencies want it. */
static int flags_set(struct diag *d, int fd, const struct link_end *end, const struct topo_link *link,
		     const char *what)
{
	for (size_t k = 0; k < 2 * NCOMMANDS; k++) {
		bool on = k < NCOMMANDS;	/* what goes on first, from the last to the first; then what goes off */
		size_t i = on ? NCOMMANDS - 1 - k : k - NCOMMANDS;
		uint32_t value = on;
		int err;

		if (!(link->offload_set & 1U << i) || !(link->offload_on & 1U << i) == on)
			continue;
		err = ethtool(fd, end->dev, commands[i].set, &value);
		if (err)
			return diag_failed(d, -err, "%s: %s %s", what,
					   topo_offload_name((unsigned int)i), on ? "on" : "off");
	}
	return 0;
}

static int verify(struct maker *m, const struct link_end *end, const struct topo_link *link,
		  const char *what)
{
	struct offloads have;
	unsigned int wrong;
	int err = offload_read(m->d, m->nets, end, &have);

	if (err)
		return err;
	wrong = (have.on ^ link->offload_on) & link->offload_set;
	for (unsigned int i = 0; i < NCOMMANDS; i++)
		if (wrong & 1U << i)
			return diag_failed(m->d, 0, "%s: read back: %s is %s (it hangs on another offload)", what,
					   topo_offload_name(i), have.on & 1U << i ? "on" : "off");
	return 0;
}

/*
 * With gso off gso_max_segs becomes 1: TCP makes packets of up to 64 KiB
 * whatever the device's flags say, and this it heeds.
 */
int offload_set(struct maker *m, struct topo_ref ref)
{
	const struct topo_link *link = &m->topo->links[ref.link];
	const struct link_end *end = &link->dev[ref.end].end;
	char *what = topo_step_what(m->topo, maker_step(m));
	int fd, err = what ? 0 : diag_failed(m->d, ENOMEM, "%s", m->topo->file);

	if (!err && (link->offload_set & ~link->offload_on & TOPO_OFFLOAD_GSO))
		err = segs_set(m, ref);
	if (!err)
		err = nets_flush(m->d, m->nets);	/* the device is there */
	fd = err ? -1 : open_ioctl(m->d, end);
	if (fd >= 0) {
		err = flags_set(m->d, fd, end, link, what);
		close(fd);
		if (!err)
			err = verify(m, end, link, what);
	} else if (!err) {
		err = fd;
	}
	free(what);
	return err;
}

int offload_read(struct diag *d, struct nets *nets, const struct link_end *end,
		 struct offloads *offloads)
{
	struct rtnl *rtnl;
	struct dev dev;
	int fd, err;

	memset(offloads, 0, sizeof(*offloads));
	err = nets_rtnl(d, nets, end->netns, &rtnl);
	if (!err)
		err = dev_read(rtnl, d, end->dev, &dev);
	if (err)
		return err;
	offloads->gso_max_segs = dev.gso_max_segs;
	fd = open_ioctl(d, end);
	if (fd < 0)
		return fd;
	for (size_t i = 0; !err && i < NCOMMANDS; i++) {
		uint32_t value = 0;

		err = ethtool(fd, end->dev, commands[i].get, &value);
		if (err)
			diag_failed(d, -err, "%s: %s: read", end->dev, topo_offload_name((unsigned int)i));
		offloads->on |= value ? 1U << i : 0;
	}
	close(fd);
	return err;
}

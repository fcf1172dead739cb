// SPDX-License-Identifier: GPL-2.0-or-later
/* What qbed retire knows of the two ends: devices, CPUs, the timeout that the kernel took. */
#include <errno.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/packet-diag.h"
#include "net/ends.h"
#include "net/netns.h"
#include "pure/diag.h"
#include "pure/names.h"
#include "retire-doc.h"
#include "retire-ends.h"

static int device_ask(struct diag *d, int fd, const struct link_end *end, unsigned long what,
		      struct ifreq *ifr)
{
	char name[NETNS_NAME_MAX + IFNAMSIZ + 2];

	memset(ifr, 0, sizeof(*ifr));
	memcpy(ifr->ifr_name, end->dev, sizeof(ifr->ifr_name) - 1);
	if (ioctl(fd, what, ifr) < 0)
		return diag_failed(d, errno, "%s: device",
				   link_end_format(name, sizeof(name), end));
	return 0;
}

int device_read(struct diag *d, int fd, const struct link_end *end, struct device *dev)
{
	char name[NETNS_NAME_MAX + IFNAMSIZ + 2];
	struct ifreq ifr;
	int err;

	link_end_format(name, sizeof(name), end);
	err = device_ask(d, fd, end, SIOCGIFINDEX, &ifr);
	if (err)
		return err;
	dev->ifindex = ifr.ifr_ifindex;
	err = device_ask(d, fd, end, SIOCGIFMTU, &ifr);
	if (err)
		return err;
	dev->mtu = ifr.ifr_mtu;
	err = device_ask(d, fd, end, SIOCGIFFLAGS, &ifr);
	if (err)
		return err;
	if (!(ifr.ifr_flags & IFF_UP))
		return diag_failed(d, ENETDOWN, "%s: link", name);
	err = device_ask(d, fd, end, SIOCGIFHWADDR, &ifr);
	if (err)
		return err;
	if (ifr.ifr_hwaddr.sa_family != ARPHRD_ETHER && ifr.ifr_hwaddr.sa_family != ARPHRD_LOOPBACK)
		return diag_failed(d, EAFNOSUPPORT, "%s: not an Ethernet device", name);
	memcpy(dev->address, ifr.ifr_hwaddr.sa_data, ETH_ALEN);
	return 0;
}

int retire_cpus_choose(struct diag *d, struct retire_cfg *cfg)
{
	struct cpus allowed;
	struct cpus want = { 0 };
	int err = affinity_allowed(d, &allowed);
	int cpu;

	if (err)
		return err;
	if (cfg->sender_cpu == CPU_ANY)
		cfg->sender_cpu = (uint64_t)cpus_next(&allowed, -1);
	for (cpu = cpus_next(&allowed, -1); cfg->poller_cpu == CPU_ANY; ) {
		int next = cpus_next(&allowed, cpu);

		if (next < 0)
			cfg->poller_cpu = (uint64_t)cpu;
		cpu = next;
	}
	cpus_add(&want, (unsigned int)cfg->sender_cpu);
	err = affinity_check(d, &want, "--sender-cpu");
	if (err)
		return err;
	want = (struct cpus){ 0 };
	cpus_add(&want, (unsigned int)cfg->poller_cpu);
	return affinity_check(d, &want, "--poller-cpu");
}

int retire_tov_verify(struct diag *d, const struct retire_cfg *cfg, const struct ring *ring,
		      uint32_t *ms)
{
	int nl = netns_socket(d, cfg->to.netns, AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
	uint32_t tov_ms;
	int err;

	if (nl < 0)
		return nl;
	err = packet_diag_tov(d, nl, ring->fd, &tov_ms);
	close(nl);
	if (err == -EOPNOTSUPP && d->exit == EXIT_DONE) {
		diag_warn(d, "--tov: cannot verify what the kernel made of it: it was built without CONFIG_PACKET_DIAG");
		return 1;
	}
	if (err)
		return err;
	if (cfg->ring.tov_ms && tov_ms != cfg->ring.tov_ms)
		return diag_failed(d, ERANGE, "--tov %" PRIu32 "ms: the kernel changed it to %" PRIu32 "ms",
				   cfg->ring.tov_ms, tov_ms);
	*ms = tov_ms;
	return 0;
}

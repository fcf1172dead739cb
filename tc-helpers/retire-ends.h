/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RETIRE_ENDS_H
#define QBED_RETIRE_ENDS_H

#include <linux/if_ether.h>
#include <stdint.h>

struct diag;
struct link_end;
struct retire_cfg;
struct ring;

/* No CPU asked for. */
#define CPU_ANY UINT64_MAX

/**
 * struct device - a device as a packet socket of its namespace sees it
 */
struct device {
	int ifindex;
	int mtu;
	uint8_t address[ETH_ALEN];
};

/* @fd: any socket of the end's namespace. The device must be up, and an Ethernet one (or lo). */
int device_read(struct diag *d, int fd, const struct link_end *end, struct device *dev);

/* The CPUs asked for, or the first allowed one for the sender and the last one for the poller. */
int retire_cpus_choose(struct diag *d, struct retire_cfg *cfg);

/*
 * Reads a ring's timeout back: an error if it is not what was asked for. @ms is left alone and 1
 * returned when the kernel cannot say, which is warned of.
 */
int retire_tov_verify(struct diag *d, const struct retire_cfg *cfg, const struct ring *ring,
		      uint32_t *ms);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PACKET_DIAG_H
#define QBED_PACKET_DIAG_H

#include <stdint.h>

struct diag;

/**
 * packet_diag_tov() - the retire timeout that a ring really runs with
 * @d: gets the error
 * @nl: a NETLINK_SOCK_DIAG socket of the ring's namespace
 * @packet: the ring's socket
 * @tov_ms: result, ms
 *
 * Return: 0, -EOPNOTSUPP with nothing in @d when the kernel has no
 * CONFIG_PACKET_DIAG, or -errno in @d.
 */
int packet_diag_tov(struct diag *d, int nl, int packet, uint32_t *tov_ms);

#endif

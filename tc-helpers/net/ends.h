/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ENDS_H
#define QBED_ENDS_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct link_end;

/*
 * Sockets and addresses at the two ends of a link that traffic is sent over.
 */

char *link_end_format(char *buf, size_t len, const struct link_end *end);

/*
 * Refuses two ends of one namespace (exit 1): the kernel would deliver over lo,
 * around the qdisc. Refuses @to if the kernel tells that @from's other end is another device.
 */
int ends_check(struct diag *d, const struct link_end *from, const struct link_end *to);

/* First global IPv4 address of @end's device; -EADDRNOTAVAIL with a message. */
int end_address(struct diag *d, const struct link_end *end, struct in_addr *addr);

/*
 * UDP socket bound to @addr in @end's namespace, with a receive buffer of
 * @rcvbuf bytes as far as the kernel allows (0: the least it has).
 * The port is @port, or a free one when that is taken; @port tells which.
 */
int udp_sink(struct diag *d, const struct link_end *end, struct in_addr addr,
	     int rcvbuf, uint16_t *port);

/*
 * UDP socket in @from's namespace, tied to @from's device and connected to
 * @addr:@port. Its source port is @source_port when that is free. Drops of
 * the qdisc come back as ENOBUFS (IP_RECVERR), the send buffer holds @sndbuf bytes
 * as far as the kernel allows, packets are never fragmented.
 */
int udp_source(struct diag *d, const struct link_end *from, struct in_addr addr, uint16_t port,
	       uint16_t source_port, int sndbuf);

/* The greatest UDP payload that fits the path of the connected socket @fd. */
int udp_payload_max(struct diag *d, int fd, size_t *bytes);

/* Datagrams that the socket had no room for, 0 when the kernel does not tell. */
uint32_t udp_overruns(int fd);

#define ETH_IP_UDP_BYTES	42	/* Ethernet 14, IPv4 20, UDP 8: what tc counts besides the payload */

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_IP_H
#define QBED_IP_H

#include "ip/ip-spec.h"

struct diag;
struct nets;

/*
 * Does what @spec says. 0, or -errno with @d; a kind of device that the kernel
 * lacks is exit 4. Sockets in a namespace that is deleted are closed first.
 */
int ip_do(struct diag *d, struct nets *nets, const struct ip_spec *spec);

#endif

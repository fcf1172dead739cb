/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_SYSCTL_H
#define QBED_SYSCTL_H

#include <stddef.h>

struct diag;

/* Keys of a network namespace, with slashes ("net/ipv4/ip_forward"), as that namespace has them. */
int sysctl_write(struct diag *d, const char *netns, const char *key, const char *value,
		 const char *what);
/* One line, blanks folded into single spaces. */
int sysctl_read(struct diag *d, const char *netns, const char *key, char *buf, size_t len);

#endif

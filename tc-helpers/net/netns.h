/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NETNS_H
#define QBED_NETNS_H

#include <stdint.h>

struct diag;

/* Namespaces by name under /run/netns, the place ip(8) uses. Names are checked by netns_name_check() first. */
int netns_open(struct diag *d, const char *name);	/* fd (O_CLOEXEC) of the namespace; "" = the caller's */
/* Makes the folder of the names ready, as ip-netns(8) has it; once before netns_make(), for @name the first. */
int netns_dir(struct diag *d, const char *name);
/*
 * A new namespace; refuses a name that is there (-EEXIST). The calling thread is in the new one
 * afterwards, or wherever an error left it: netns_leave() takes it back. @made is called
 * when the namespace is there and has no name yet; an error of @made's leaves nothing behind. For
 * records that must be older than the name.
 */
int netns_make(struct diag *d, const char *name,
	       int (*made)(struct diag *d, const char *name, void *arg), void *arg);
/* A number that the kernel gives to no other namespace until it is booted again (SO_NETNS_COOKIE). */
int netns_cookie(struct diag *d, const char *name, uint64_t *cookie);
int netns_delete(struct diag *d, const char *name);	/* unmounts, unlinks; a plain file there is named, not removed */

/* Moves the calling *thread* into @name and back: for opening sockets. Returns an fd to go back with, or -errno. */
int netns_enter(struct diag *d, const char *name);
int netns_leave(struct diag *d, int back);

/* socket(2) opened inside @name; the fd keeps its namespace. */
int netns_socket(struct diag *d, const char *name, int domain, int type, int protocol);

/* open(2) of /sys/class/net/... as @name sees it (a private mount of sysfs); returns a dirfd of .../net */
int netns_sysfs(struct diag *d, const char *name);

#endif

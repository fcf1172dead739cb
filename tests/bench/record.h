/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_BENCH_RECORD_H
#define QBED_BENCH_RECORD_H

#include <stdint.h>

/* What record.so writes and replay reads: calls that change the kernel's state, in their order. */
enum record_call {
	RECORD_CREATE = 1,	/* open() that makes a file; data: the path */
	RECORD_UNSHARE,		/* CLONE_NEWNET */
	RECORD_NAME,		/* mount() of the thread's own namespace; data: the path */
	RECORD_MOUNT,		/* another mount(); data: source, target, type, each with its NUL; aux: flags */
	RECORD_OPEN,		/* open() of something to be entered or written; data: the path; aux: flags */
	RECORD_CLOSE,
	RECORD_SETNS,
	RECORD_SOCKET,		/* AF_NETLINK, NETLINK_ROUTE */
	RECORD_SEND,		/* data: the bytes, then aux pairs of uint32_t: offset of a namespace's fd, the fd */
	RECORD_WRITE,		/* of sysctl */
};

struct record {
	uint32_t call;
	int32_t fd;
	uint32_t len;		/* of data, which is padded to 4 */
	uint32_t aux;
};

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tc-capture nlmon DEV FILE COMMAND [WORD...]
 *	runs COMMAND and keeps what the tap DEV saw: requests to the kernel for qdiscs, classes and
 *	filters, and the kernel's answers to them. Exit code: COMMAND's; 120 when the capture failed.
 * tc-capture decode FILE
 *	prints a capture (of this, or of tc-log.so) as JSON, one object per request: what was
 *	sent, attribute by attribute, and the errno of the answer (null when there is none).
 *
 * A capture is netlink messages, one behind the other.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tc-decode.h"
#include "tc-message.h"

#define EXIT_CAPTURE 120
#define ROOM (64 << 20)	/* bytes that may wait in the socket */

static void die(const char *what)
{
	fprintf(stderr, "tc-capture: %s: %s\n", what, strerror(errno));
	exit(EXIT_CAPTURE);
}

/* Passes requests (flags have NLM_F_REQUEST) and answers (NLMSG_ERROR), not the dumps. */
static void set_filter(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_flags)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NLM_F_REQUEST, 2, 0),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_type)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NLMSG_ERROR, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)))
		die("filter");
}

static int open_tap(const char *dev)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int room = ROOM;

	if (fd < 0)
		die("packet socket");
	set_filter(fd);
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		die("receive buffer");
	at.sll_ifindex = (int)if_nametoindex(dev);
	if (!at.sll_ifindex || bind(fd, (struct sockaddr *)&at, sizeof(at)))
		die(dev);
	return fd;
}

static void drain(int fd, FILE *out)
{
	static char buf[1 << 20];
	ssize_t n;

	while ((n = recv(fd, buf, sizeof(buf), MSG_TRUNC)) >= 0) {
		if ((size_t)n > sizeof(buf)) {
			errno = EMSGSIZE;
			die("message");
		}
		message_keep(buf, (size_t)n, out);
	}
	if (errno != EAGAIN)
		die("receive");
}

static void check_none_lost(int fd)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);

	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
		die("statistics");
	if (!stats.tp_drops)
		return;
	fprintf(stderr, "tc-capture: %u messages lost\n", stats.tp_drops);
	exit(EXIT_CAPTURE);
}

/* What COMMAND sends is in the socket when it has ended: taps are called by the sender. */
static int capture(const char *dev, const char *file, char **command)
{
	int fd = open_tap(dev), status, ended;
	FILE *out = fopen(file, "wbe");
	pid_t pid;

	if (!out)
		die(file);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(*command, command);
		die(*command);
	}
	ended = (int)syscall(SYS_pidfd_open, pid, 0);
	if (ended < 0)
		die("pidfd");
	for (;;) {
		struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
					{ .fd = ended, .events = POLLIN } };

		if (poll(fds, 2, -1) < 0)
			die("poll");
		drain(fd, out);
		if (fds[1].revents)
			break;
	}
	drain(fd, out);
	check_none_lost(fd);
	if (fclose(out))
		die(file);
	if (waitpid(pid, &status, 0) < 0)
		die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *slurp(const char *file, size_t *len)
{
	FILE *in = fopen(file, "rbe");
	char *buf = NULL;
	size_t room = 0;

	*len = 0;
	if (!in)
		die(file);
	do {
		room = room ? room * 2 : 1 << 16;
		buf = realloc(buf, room);
		if (!buf)
			die(file);
		*len += fread(buf + *len, 1, room - *len, in);
	} while (*len == room);
	fclose(in);
	return buf;
}

int main(int argc, char **argv)
{
	if (argc >= 5 && !strcmp(argv[1], "nlmon"))
		return capture(argv[2], argv[3], argv + 4);
	if (argc == 3 && !strcmp(argv[1], "decode")) {
		size_t len;
		char *buf = slurp(argv[2], &len);

		decode(buf, len, stdout);
		free(buf);
		return fflush(stdout) || ferror(stdout) ? EXIT_CAPTURE : 0;
	}
	fprintf(stderr, "Usage: tc-capture nlmon DEV FILE COMMAND [WORD...] | decode FILE\n");
	return EXIT_CAPTURE;
}

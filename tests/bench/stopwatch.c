// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stopwatch [-b SCRIPT] [-g NETNS PREFIX N] -- COMMAND...
 *
 * Runs COMMAND in a network and a mount namespace of its own, with an empty /run, and
 * prints the wall clock's and the CPU's microseconds that it took. Before it,
 * and not measured, "sh SCRIPT". With -g the wall clock runs on until the devices
 * PREFIX1 .. PREFIXn of NETNS are gone; NETNS itself stays, as somebody looks at it.
 *
 * Returns when the kernel has cleared away all the namespaces that were
 * left, so that one run does not pay for the one before.
 */
#include <err.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CANARY "qbed-canary"
#define GONE_WAIT_S 60

struct watch {
	const char *before;
	const char *netns;
	const char *prefix;
	int n;
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void nap(void)
{
	const struct timespec t = { .tv_nsec = 200000 };

	nanosleep(&t, NULL);
}

static void run(char *const argv[])
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		execvp(argv[0], argv);
		err(2, "%s", argv[0]);
	}
	if (waitpid(pid, &status, 0) < 0)
		err(2, "waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(2, "%s: status %#x", argv[0], status);
}

/* A socket there keeps the namespace. */
static int socket_in(const char *netns)
{
	char path[256];
	int back = open("/proc/self/ns/net", O_RDONLY), there, fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	there = open(path, O_RDONLY);
	if (back < 0 || there < 0 || setns(there, CLONE_NEWNET))
		err(2, "%s", path);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || setns(back, CLONE_NEWNET))
		err(2, "%s: socket", path);
	close(there);
	close(back);
	return fd;
}

static void wait_gone(int fd, const char *prefix, int n)
{
	double end = now_us() + GONE_WAIT_S * 1e6;
	struct ifreq ifr;

	for (int i = 1; i <= n; i++) {
		memset(&ifr, 0, sizeof(ifr));
		snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s%d", prefix, i);
		while (!ioctl(fd, SIOCGIFINDEX, &ifr)) {
			if (now_us() > end)
				errx(2, "%s is still there after %d s", ifr.ifr_name, GONE_WAIT_S);
			nap();
		}
	}
}

static double cpu_us(const struct rusage *r)
{
	return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1e6 +
	       (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec);
}

static void measure(const struct watch *w, char *const argv[])
{
	struct rusage before, after;
	double start, end;
	int fd = -1;

	if (unshare(CLONE_NEWNET | CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", "/run", "tmpfs", 0, NULL))
		err(4, "namespaces of our own (be root, or try unshare -Urnm)");
	if (w->before)
		run((char *[]){ "sh", "-e", (char *)w->before, NULL });
	if (w->netns)
		fd = socket_in(w->netns);
	getrusage(RUSAGE_CHILDREN, &before);
	start = now_us();
	run(argv);
	if (w->netns)
		wait_gone(fd, w->prefix, w->n);
	end = now_us();
	getrusage(RUSAGE_CHILDREN, &after);
	printf("%.0f %.0f\n", end - start, cpu_us(&after) - cpu_us(&before));
}

/*
 * The kernel clears namespaces away in the order in which they were left: when
 * this one has gone, so have those before.
 */
static void wait_cleared(void)
{
	char command[256];
	int ready[2], status;
	char c;
	pid_t pid;

	if (unshare(CLONE_NEWNET) || pipe(ready))
		err(2, "unshare");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		if (unshare(CLONE_NEWNET))
			err(2, "unshare");
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(2);
	}
	if (read(ready[0], &c, 1) != 1)
		err(2, "read");
	snprintf(command, sizeof(command), "ip link add " CANARY " type veth peer name peer netns %d", pid);
	if (system(command))
		errx(2, "%s", command);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	for (double end = now_us() + GONE_WAIT_S * 1e6; if_nametoindex(CANARY); nap())
		if (now_us() > end)
			errx(2, "the kernel does not clear namespaces away");
}

int main(int argc, char **argv)
{
	struct watch w = { 0 };
	int opt, status;
	pid_t pid;

	while ((opt = getopt(argc, argv, "+b:g:")) != -1) {
		if (opt == 'b') {
			w.before = optarg;
		} else if (opt == 'g' && optind + 1 < argc) {
			w.netns = optarg;
			w.prefix = argv[optind++];
			w.n = atoi(argv[optind++]);
		} else {
			return 1;
		}
	}
	if (optind == argc)
		errx(1, "no command");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		measure(&w, argv + optind);
		fflush(stdout);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0)
		err(2, "waitpid");
	wait_cleared();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

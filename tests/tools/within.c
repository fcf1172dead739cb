// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * within FILES MIB COMMAND...: runs COMMAND with no more than FILES open files. Exit code: COMMAND's;
 * 125 when it took more than MIB of memory at its peak (resident; what it started counts one by one).
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOO_MUCH 125

int main(int argc, char **argv)
{
	struct rlimit files;
	struct rusage usage;
	long kib;
	int status;
	pid_t pid;

	if (argc < 4)
		errx(TOO_MUCH, "within FILES MIB COMMAND...");
	files.rlim_cur = files.rlim_max = strtoul(argv[1], NULL, 10);
	kib = strtol(argv[2], NULL, 10) * 1024;
	if (!files.rlim_cur || kib <= 0 || setrlimit(RLIMIT_NOFILE, &files))
		err(TOO_MUCH, "%s files", argv[1]);
	pid = fork();
	if (pid < 0)
		err(TOO_MUCH, "fork");
	if (!pid) {
		execvp(argv[3], argv + 3);
		err(TOO_MUCH, "%s", argv[3]);
	}
	if (waitpid(pid, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &usage))
		err(TOO_MUCH, "%s", argv[3]);
	if (usage.ru_maxrss > kib)
		errx(TOO_MUCH, "%s: %ld KiB at its peak, %ld are allowed", argv[3], usage.ru_maxrss, kib);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

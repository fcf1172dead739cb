// SPDX-License-Identifier: GPL-2.0-or-later
/* A wrapped command: started, waited for, its exit code handed on. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/wrap.h"
#include "pure/diag.h"

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

void wrap_arm(struct wrap *w)
{
	size_t i;

	memset(w, 0, sizeof(*w));
	sigemptyset(&w->set);
	for (i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++) {
		struct sigaction now;

		if (sigaction(ending_signals[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
			continue;
		sigaddset(&w->set, ending_signals[i]);
	}
	/* an ignored SIGCHLD, inherited, would reap the command before its code is read */
	signal(SIGCHLD, SIG_DFL);
	sigaddset(&w->set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &w->set, &w->old);
}

void wrap_disarm(struct wrap *w)
{
	pthread_sigmask(SIG_SETMASK, &w->old, NULL);
}

/* In the child: never returns; the errno of a failed exec goes through @report. */
static void command_exec(const struct wrap *w, char **argv, pid_t parent, int report)
{
	int err;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(128 + SIGTERM);
	sigprocmask(SIG_SETMASK, &w->old, NULL);
	execvp(argv[0], argv);
	err = errno;
	if (write(report, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

static int command_wait(struct wrap *w, pid_t child)
{
	int status;

	for (;;) {
		siginfo_t info;
		int sig;

		if (waitpid(child, &status, WNOHANG) == child)
			break;
		sig = sigwaitinfo(&w->set, &info);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		w->signal = sig;
		/* positive codes are the kernel's own: the terminal, which signals the whole group */
		if (info.si_code <= 0)
			kill(child, sig);
	}
	if (w->signal)
		return 128 + w->signal;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int wrap_run(struct wrap *w, struct diag *d, char **argv)
{
	pid_t parent = getpid();
	int report[2];
	int exec_err = 0;
	ssize_t got;
	pid_t child;
	int code;

	if (pipe2(report, O_CLOEXEC) < 0)
		return diag_failed(d, errno, "%s: pipe", argv[0]);
	child = fork();
	if (child < 0) {
		int err = errno;

		close(report[0]);
		close(report[1]);
		return diag_failed(d, err, "%s: fork", argv[0]);
	}
	if (child == 0)
		command_exec(w, argv, parent, report[1]);

	close(report[1]);
	do {
		got = read(report[0], &exec_err, sizeof(exec_err));
	} while (got < 0 && errno == EINTR);
	close(report[0]);
	code = command_wait(w, child);
	if (got == sizeof(exec_err))
		return diag_failed(d, exec_err, "%s: exec", argv[0]);
	return code;
}

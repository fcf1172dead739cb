// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tc-feed BATCH COMMAND [WORD...]: gives the lines of BATCH to COMMAND ("tc -force -batch -"), one case
 * at a time. A case ends with the line "qdisc next", which is unknown to tc and makes it say so on
 * stderr. tc ends at a word that it cannot read, -force or not: it is started again for the next
 * case. COMMAND's stderr is passed on. Exit code: 0, or 1 when COMMAND could not be run.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_OF_CASE "qdisc next\n"
#define ANSWER "\"next\" is unknown"

struct child {
	pid_t pid;
	int in;
	FILE *err;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void start(struct child *c, char **command)
{
	int in[2], err[2];

	if (pipe(in) || pipe(err))
		die("pipe");
	c->pid = fork();
	if (c->pid < 0)
		die("fork");
	if (!c->pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(err[1], STDERR_FILENO);
		close(in[0]);
		close(in[1]);
		close(err[0]);
		close(err[1]);
		execvp(*command, command);
		perror(*command);
		_exit(127);
	}
	close(in[0]);
	close(err[1]);
	c->in = in[1];
	c->err = fdopen(err[0], "r");
	if (!c->err)
		die("fdopen");
}

static void end(struct child *c)
{
	int status;

	close(c->in);
	fclose(c->err);
	if (waitpid(c->pid, &status, 0) < 0)
		die("wait");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		exit(1);
	c->pid = 0;
}

/* False when it has ended instead of answering. */
static bool answered(struct child *c)
{
	char line[1024];

	while (fgets(line, sizeof(line), c->err)) {
		fputs(line, stderr);
		if (strstr(line, ANSWER))
			return true;
	}
	return false;
}

static void feed(struct child *c, char **command, const char *text, size_t len)
{
	if (!c->pid)
		start(c, command);
	/* one that has ended already is seen by its stderr */
	while (len) {
		ssize_t n = write(c->in, text, len);

		if (n < 0 && errno == EPIPE)
			break;
		if (n < 0)
			die("write");
		text += n;
		len -= (size_t)n;
	}
	if (!answered(c))
		end(c);
}

int main(int argc, char **argv)
{
	struct child child = { 0 };
	char *text = NULL, *line = NULL;
	size_t len = 0, room = 0;
	FILE *in, *all;

	if (argc < 3) {
		fprintf(stderr, "Usage: tc-feed BATCH COMMAND [WORD...]\n");
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	in = fopen(argv[1], "re");
	if (!in)
		die(argv[1]);
	all = open_memstream(&text, &len);
	while (getline(&line, &room, in) > 0) {
		fputs(line, all);
		if (strcmp(line, END_OF_CASE))
			continue;
		fclose(all);
		feed(&child, argv + 2, text, len);
		free(text);
		all = open_memstream(&text, &len);
	}
	fclose(all);
	free(text);
	free(line);
	fclose(in);
	if (child.pid)
		end(&child);
	return 0;
}

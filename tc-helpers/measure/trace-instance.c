// SPDX-License-Identifier: GPL-2.0-or-later
/* A tracefs instance of our own: made, set, counted, removed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "measure/trace-instance.h"
#include "pure/diag.h"

#define INSTANCE_FORMAT "qbed-timers-%d"

int trace_instance_check(struct diag *d)
{
	const char *dir = NULL;
	char line[64];
	bool built = false;
	FILE *f;

	tracefs_set_loglevel(TEP_LOG_NONE);
	if (tracefs_tracing_dir_is_mounted(false, &dir) > 0 && dir) {
		if (access(dir, R_OK | W_OK | X_OK) == 0)
			return 0;
		/* what is not there is mounted below another mount */
		if (errno != ENOENT)
			return diag_cannot(d, "tracefs: %s: %s: tracing is for root", dir,
					   strerror(errno));
	}
	f = fopen("/proc/filesystems", "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strstr(line, "\ttracefs\n"))
			built = true;
	}
	if (f)
		fclose(f);
	if (!built)
		return diag_cannot(d, "tracefs: this kernel was built without CONFIG_FTRACE and a tracer (CONFIG_ENABLE_DEFAULT_TRACERS is enough)");
	return diag_cannot(d, "tracefs: not mounted (the kernel has CONFIG_FTRACE): mount -t tracefs tracefs /sys/kernel/tracing");
}

/* A qbed that was killed could not remove its instance. One in use refuses to go (EBUSY). */
static void instances_heal(void)
{
	char *dir = tracefs_get_tracing_file("instances");
	DIR *instances = dir ? opendir(dir) : NULL;
	struct dirent *entry;

	while (instances && (entry = readdir(instances))) {
		char again[64];
		int pid;

		if (sscanf(entry->d_name, INSTANCE_FORMAT, &pid) != 1 || pid <= 0)
			continue;
		snprintf(again, sizeof(again), INSTANCE_FORMAT, pid);
		if (strcmp(again, entry->d_name) != 0)
			continue;
		if (kill(pid, 0) < 0 && errno == ESRCH)
			unlinkat(dirfd(instances), entry->d_name, AT_REMOVEDIR);
	}
	if (instances)
		closedir(instances);
	tracefs_put_tracing_file(dir);
}

int trace_instance_write(struct trace_instance *in, struct diag *d, const char *file,
			 const char *value)
{
	int fd = tracefs_instance_file_open(in->instance, file, O_WRONLY | O_CLOEXEC);
	ssize_t put = -1;
	int err = errno;

	if (fd >= 0) {
		put = write(fd, value, strlen(value));
		err = errno;
		close(fd);
	}
	if (put < 0)
		return diag_failed(d, err, "tracefs: %s: write %s", file, value);
	return 0;
}

int trace_instance_make(struct trace_instance *in, struct diag *d)
{
	char name[64];

	instances_heal();
	snprintf(name, sizeof(name), INSTANCE_FORMAT, (int)getpid());
	in->instance = tracefs_instance_create(name);
	if (!in->instance)
		return diag_failed(d, errno, "tracefs: instances/%s: mkdir", name);
	in->on = tracefs_instance_file_open(in->instance, "tracing_on", O_RDWR | O_CLOEXEC);
	if (in->on < 0)
		return diag_failed(d, errno, "tracefs: tracing_on: open");
	return trace_instance_switch(in, d, false);
}

int trace_instance_buffer(struct trace_instance *in, struct diag *d, uint64_t bytes)
{
	char kb[32];
	int err = trace_instance_write(in, d, "options/overwrite", "0");

	snprintf(kb, sizeof(kb), "%" PRIu64, (bytes + 1023) / 1024);
	return err ? err : trace_instance_write(in, d, "buffer_size_kb", kb);
}

int trace_instance_event(struct trace_instance *in, struct diag *d, const char *system,
			 const char *event, const char *filter)
{
	char file[128];
	int err = 0;

	if (filter) {
		snprintf(file, sizeof(file), "events/%s/%s/filter", system, event);
		err = trace_instance_write(in, d, file, filter);
	}
	snprintf(file, sizeof(file), "events/%s/%s/enable", system, event);
	return err ? err : trace_instance_write(in, d, file, "1");
}

int trace_instance_switch(struct trace_instance *in, struct diag *d, bool on)
{
	if (pwrite(in->on, on ? "1" : "0", 1, 0) != 1)
		return diag_failed(d, errno, "tracefs: tracing_on: write %d", on);
	return 0;
}

void trace_instance_remove(struct trace_instance *in)
{
	if (in->on >= 0)
		close(in->on);
	if (in->instance) {
		tracefs_instance_destroy(in->instance);
		tracefs_instance_free(in->instance);
	}
	*in = TRACE_INSTANCE_NONE;
}

/* "overrun: 12" and its like in per_cpu/cpuN/stats */
static uint64_t stats_value(const char *stats, const char *key)
{
	const char *at = stats;
	size_t len = strlen(key);

	while (at && strncmp(at, key, len) != 0) {
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	return at ? strtoull(at + len, NULL, 10) : 0;
}

int trace_instance_count(struct trace_instance *in, struct diag *d, long cpu, uint64_t *entries,
			 uint64_t *lost)
{
	char file[64];
	char *stats;

	snprintf(file, sizeof(file), "per_cpu/cpu%ld/stats", cpu);
	if (!tracefs_file_exists(in->instance, file))
		return 0;
	stats = tracefs_instance_file_read(in->instance, file, NULL);
	if (!stats)
		return diag_failed(d, errno, "tracefs: %s: read", file);
	*entries += stats_value(stats, "entries: ");
	*lost += stats_value(stats, "overrun: ") + stats_value(stats, "commit overrun: ") +
		 stats_value(stats, "dropped events: ");
	free(stats);
	return 0;
}

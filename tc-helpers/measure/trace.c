// SPDX-License-Identifier: GPL-2.0-or-later
/* Timer and qdisc events from an instance of tracefs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tracefs.h>

#include "measure/kfunction.h"
#include "measure/trace.h"
#include "pure/diag.h"
#include "pure/expiry.h"

#define INSTANCE_FORMAT "qbed-timers-%d"

/* The fields that are read of each event; their places come from the kernel's format files. */
enum { F_OBJECT, F_VALUE, F_IFINDEX, F_PARENT, F_HANDLE, FIELDS };

static const struct event_spec {
	const char *system;
	const char *name;
	const char *fields[FIELDS];
} event_specs[] = {
	[EXPIRY_ENQUEUE] = { "qdisc", "qdisc_enqueue",
			     { "qdisc", NULL, "ifindex", "parent", "handle" } },
	/* softexpires: the time that was asked for; expires adds the slack of a range */
	[EXPIRY_START] = { "timer", "hrtimer_start", { "hrtimer", "softexpires" } },
	[EXPIRY_FIRE] = { "timer", "hrtimer_expire_entry", { "hrtimer", "now" } },
};

#define EVENTS (sizeof(event_specs) / sizeof(event_specs[0]))

struct trace {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	int on;			/* tracing_on, held open: a busy instance cannot be removed by others */
	struct tep_event *event[EVENTS];
	struct tep_format_field *field[EVENTS][FIELDS];
	/* filled by trace_read() */
	struct expiry_event *events;
	size_t n;
	size_t room;
	int err;
};

static int tracefs_check(struct diag *d)
{
	const char *dir = NULL;
	char line[64];
	bool built = false;
	FILE *f;

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

static int file_write(struct trace *t, struct diag *d, const char *file, const char *value)
{
	int fd = tracefs_instance_file_open(t->instance, file, O_WRONLY | O_CLOEXEC);
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

/*
 * An empty handle that knows this kernel's pages. tracefs_local_events() would add all events and
 * all of kallsyms, which costs more than a short measurement.
 */
static int handle_make(struct trace *t, struct diag *d)
{
	int size = 0;
	char *page = tracefs_instance_file_read(NULL, "events/header_page", &size);
	int err = 0;

	t->tep = tep_alloc();
	if (!page || !t->tep || tep_parse_header_page(t->tep, page, (unsigned long)size, sizeof(long)))
		err = diag_cannot(d, "tracefs: no trace events: this kernel was built without CONFIG_FTRACE and a tracer (CONFIG_ENABLE_DEFAULT_TRACERS is enough)");
	else
		tep_set_file_bigendian(t->tep, tep_is_local_bigendian(t->tep) ? TEP_BIG_ENDIAN :
										 TEP_LITTLE_ENDIAN);
	free(page);
	return err;
}

static struct tep_event *event_find(struct trace *t, const struct event_spec *spec)
{
	int size = 0;
	char *format = tracefs_event_file_read(NULL, spec->system, spec->name, "format", &size);

	if (!format)
		return NULL;
	tep_parse_event(t->tep, format, (unsigned long)size, spec->system);
	free(format);
	return tep_find_event_by_name(t->tep, spec->system, spec->name);
}

static int events_find(struct trace *t, struct diag *d)
{
	int err = handle_make(t, d);
	size_t i, k;

	if (err)
		return err;
	for (i = 0; i < EVENTS; i++) {
		const struct event_spec *spec = &event_specs[i];

		t->event[i] = event_find(t, spec);
		if (!t->event[i])
			return diag_cannot(d, "%s:%s: no such trace event in this kernel (%s)",
					   spec->system, spec->name,
					   i == EXPIRY_ENQUEUE ? "it came with Linux 5.15; CONFIG_NET_SCHED" :
								 "CONFIG_FTRACE");
		for (k = 0; k < FIELDS; k++) {
			if (!spec->fields[k])
				continue;
			t->field[i][k] = tep_find_field(t->event[i], spec->fields[k]);
			if (!t->field[i][k])
				return diag_cannot(d, "%s:%s: this kernel's event has no field %s",
						   spec->system, spec->name, spec->fields[k]);
		}
	}
	return 0;
}

static int instance_make(struct trace *t, struct diag *d)
{
	char name[64];

	snprintf(name, sizeof(name), INSTANCE_FORMAT, (int)getpid());
	t->instance = tracefs_instance_create(name);
	if (!t->instance)
		return diag_failed(d, errno, "tracefs: instances/%s: mkdir", name);
	t->on = tracefs_instance_file_open(t->instance, "tracing_on", O_RDWR | O_CLOEXEC);
	if (t->on < 0)
		return diag_failed(d, errno, "tracefs: tracing_on: open");
	return trace_stop(t, d);
}

static int instance_set(struct trace *t, struct diag *d, const struct trace_spec *spec,
			const char *filter)
{
	char kb[32];
	char file[128];
	size_t i;
	int err;

	snprintf(kb, sizeof(kb), "%" PRIu64, (spec->buffer_bytes + 1023) / 1024);
	err = file_write(t, d, "trace_clock", "mono");
	if (!err)
		err = file_write(t, d, "options/overwrite", "0");
	if (!err)
		err = file_write(t, d, "buffer_size_kb", kb);
	for (i = 0; !err && i < EVENTS; i++) {
		const struct event_spec *e = &event_specs[i];

		if (i != EXPIRY_ENQUEUE) {
			snprintf(file, sizeof(file), "events/%s/%s/filter", e->system, e->name);
			err = file_write(t, d, file, filter);
		}
		snprintf(file, sizeof(file), "events/%s/%s/enable", e->system, e->name);
		if (!err)
			err = file_write(t, d, file, "1");
	}
	return err;
}

int trace_open(struct diag *d, const struct trace_spec *spec, struct trace **trace)
{
	char filter[512];
	struct trace *t;
	int err;

	tracefs_set_loglevel(TEP_LOG_NONE);
	err = tracefs_check(d);
	if (!err)
		err = kfunction_filter(d, spec->function, filter, sizeof(filter));
	if (err)
		return err;
	instances_heal();

	t = calloc(1, sizeof(*t));
	if (!t)
		return diag_failed(d, ENOMEM, "tracefs");
	t->on = -1;
	err = events_find(t, d);
	if (!err)
		err = instance_make(t, d);
	if (!err)
		err = instance_set(t, d, spec, filter);
	if (err) {
		trace_close(t);
		return err;
	}
	*trace = t;
	return 0;
}

static int tracing_switch(struct trace *t, struct diag *d, const char *value)
{
	if (pwrite(t->on, value, 1, 0) != 1)
		return diag_failed(d, errno, "tracefs: tracing_on: write %s", value);
	return 0;
}

int trace_start(struct trace *t, struct diag *d)
{
	return tracing_switch(t, d, "1");
}

int trace_stop(struct trace *t, struct diag *d)
{
	return tracing_switch(t, d, "0");
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	if (t->on >= 0)
		close(t->on);
	if (t->instance) {
		tracefs_instance_destroy(t->instance);
		tracefs_instance_free(t->instance);
	}
	if (t->tep)
		tep_free(t->tep);
	free(t->events);
	free(t);
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

/* @entries: events there are to read, @lost: events that did not fit. */
static int stats_read(struct trace *t, struct diag *d, uint64_t *entries, uint64_t *lost)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	long cpu;

	*entries = 0;
	*lost = 0;
	for (cpu = 0; cpu < cpus; cpu++) {
		char file[64];
		char *stats;

		snprintf(file, sizeof(file), "per_cpu/cpu%ld/stats", cpu);
		if (!tracefs_file_exists(t->instance, file))
			continue;
		stats = tracefs_instance_file_read(t->instance, file, NULL);
		if (!stats)
			return diag_failed(d, errno, "tracefs: %s: read", file);
		*entries += stats_value(stats, "entries: ");
		*lost += stats_value(stats, "overrun: ") + stats_value(stats, "commit overrun: ") +
			 stats_value(stats, "dropped events: ");
		free(stats);
	}
	return 0;
}

static uint64_t number(const struct trace *t, size_t kind, int field, const struct tep_record *rec)
{
	unsigned long long value = 0;

	if (t->field[kind][field])
		tep_read_number_field(t->field[kind][field], rec->data, &value);
	return value;
}

static int record_take(struct tep_event *event, struct tep_record *rec, int cpu, void *arg)
{
	struct trace *t = arg;
	struct expiry_event *e;
	size_t kind = 0;

	while (kind < EVENTS && t->event[kind]->id != event->id)
		kind++;
	if (kind == EVENTS)
		return 0;
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 65536;
		void *grown = reallocarray(t->events, room, sizeof(*t->events));

		if (!grown) {
			t->err = ENOMEM;
			return 1;
		}
		t->events = grown;
		t->room = room;
	}
	e = &t->events[t->n++];
	*e = (struct expiry_event){
		.ns = (int64_t)rec->ts,
		.cpu = (uint32_t)cpu,
		.kind = (uint32_t)kind,
		.object = number(t, kind, F_OBJECT, rec),
		.value = (int64_t)number(t, kind, F_VALUE, rec),
		.ifindex = (uint32_t)number(t, kind, F_IFINDEX, rec),
		.parent = (uint32_t)number(t, kind, F_PARENT, rec),
		.handle = (uint32_t)number(t, kind, F_HANDLE, rec),
	};
	return 0;
}

int trace_read(struct trace *t, struct diag *d, struct expiry_event **events, size_t *n)
{
	uint64_t entries;
	uint64_t lost;
	int err = stats_read(t, d, &entries, &lost);

	if (err)
		return err;
	if (lost)
		return diag_failed(d, 0, "timers: %" PRIu64 " events lost of %" PRIu64 ": no complete sample; a larger --buffer is needed",
				   lost, lost + entries);
	if (tracefs_iterate_raw_events(t->tep, t->instance, NULL, 0, record_take, t) < 0)
		return diag_failed(d, errno, "tracefs: trace_pipe_raw: read");
	if (t->err)
		return diag_failed(d, t->err, "timers: %zu events", t->n);
	if (t->n != entries)
		return diag_failed(d, 0, "timers: %zu events read of %" PRIu64, t->n, entries);
	*events = t->events;
	*n = t->n;
	t->events = NULL;
	t->n = 0;
	t->room = 0;
	return 0;
}

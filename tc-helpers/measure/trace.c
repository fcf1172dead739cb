// SPDX-License-Identifier: GPL-2.0-or-later
/* Timer and qdisc events from an instance of tracefs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tracefs.h>

#include "measure/kfunction.h"
#include "measure/trace-instance.h"
#include "measure/trace.h"
#include "pure/diag.h"
#include "pure/expiry.h"

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
	struct trace_instance in;
	struct tep_handle *tep;
	struct tep_event *event[EVENTS];
	struct tep_format_field *field[EVENTS][FIELDS];
	/* filled by trace_read() */
	struct expiry_event *events;
	size_t n;
	size_t room;
	int err;
};

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

static int instance_set(struct trace *t, struct diag *d, const struct trace_spec *spec,
			const char *filter)
{
	int err = trace_instance_buffer(&t->in, d, spec->buffer_bytes);
	size_t i;

	if (!err)
		err = trace_instance_write(&t->in, d, "trace_clock", "mono");
	for (i = 0; !err && i < EVENTS; i++) {
		const struct event_spec *e = &event_specs[i];

		err = trace_instance_event(&t->in, d, e->system, e->name,
					   i == EXPIRY_ENQUEUE ? NULL : filter);
	}
	return err;
}

int trace_open(struct diag *d, const struct trace_spec *spec, struct trace **trace)
{
	char filter[512];
	struct trace *t;
	int err;

	err = trace_instance_check(d);
	if (!err)
		err = kfunction_filter(d, spec->function, filter, sizeof(filter));
	if (err)
		return err;

	t = calloc(1, sizeof(*t));
	if (!t)
		return diag_failed(d, ENOMEM, "tracefs");
	t->in = TRACE_INSTANCE_NONE;
	err = events_find(t, d);
	if (!err)
		err = trace_instance_make(&t->in, d);
	if (!err)
		err = instance_set(t, d, spec, filter);
	if (err) {
		trace_close(t);
		return err;
	}
	*trace = t;
	return 0;
}

int trace_start(struct trace *t, struct diag *d)
{
	return trace_instance_switch(&t->in, d, true);
}

int trace_stop(struct trace *t, struct diag *d)
{
	return trace_instance_switch(&t->in, d, false);
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	trace_instance_remove(&t->in);
	if (t->tep)
		tep_free(t->tep);
	free(t->events);
	free(t);
}

/* @entries: events there are to read, @lost: events that did not fit. */
static int stats_read(struct trace *t, struct diag *d, uint64_t *entries, uint64_t *lost)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	long cpu;

	*entries = 0;
	*lost = 0;
	for (cpu = 0; cpu < cpus; cpu++) {
		int err = trace_instance_count(&t->in, d, cpu, entries, lost);

		if (err)
			return err;
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
	if (tracefs_iterate_raw_events(t->tep, t->in.instance, NULL, 0, record_take, t) < 0)
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the commands that send have in common. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "net/ends.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/phase.h"
#include "pure/probe.h"
#include "pure/units.h"
#include "traffic.h"

#define RATE_MAX	UINT64_C(1000000000)

_Static_assert(ETH_IP_UDP_BYTES + PROBE_BYTES == 82, "least --size");
_Static_assert(TRAFFIC_PORT + CPUS_MAX <= TRAFFIC_FLOOR_PORT, "ports overlap");

int rate_pps_parse(struct diag *d, char **words, int i, void *field)
{
	uint64_t *rate = field;

	if (!strcmp(words[i], "max")) {
		*rate = 0;
		return 0;
	}
	return u64_parse(d, words, i, 1, RATE_MAX, rate);
}

static void without(struct cpus *set, const struct cpus *minus)
{
	for (size_t i = 0; i < CPUS_MAX / 64; i++)
		set->bits[i] &= ~minus->bits[i];
}

int traffic_check(struct diag *d, struct traffic *t)
{
	int err;

	if (!t->has_from)
		return diag_usage(d, -1, "--from NS:DEV is needed: the end that sends");
	if (!t->has_to)
		return diag_usage(d, -1, "--to NS:DEV is needed: the other end of the link");
	if (!t->has_rate)
		return diag_usage(d, -1, "--rate is needed: packets per second of each sender");
	if (t->rate_pps && !send_planned(t->rate_pps, t->duration_ns))
		return diag_usage(d, -1, "--rate %" PRIu64 ": not one packet in the --duration",
				  t->rate_pps);
	/* the first burst starts anywhere in a period: the run would last that long */
	if (t->rate_pps && t->burst > 1 &&
	    send_period_ns(t->rate_pps, (uint32_t)t->burst) > (uint64_t)t->duration_ns)
		return diag_usage(d, -1, "--burst %" PRIu64 ": not one burst at --rate %" PRIu64 " in the --duration",
				  t->burst, t->rate_pps);
	if (!t->has_cpus) {
		err = affinity_allowed(d, &t->cpus);
		if (err)
			return err;
		without(&t->cpus, &t->hog);
	}
	if (!cpus_count(&t->cpus))
		return diag_usage(d, -1, "--cpus: no CPU is left to send from");
	for (int cpu = cpus_next(&t->hog, -1); cpu >= 0; cpu = cpus_next(&t->hog, cpu))
		if (cpus_has(&t->cpus, (unsigned int)cpu))
			diag_warn(d, "CPU %d is in --cpus and --hog: its sender will be late", cpu);
	err = affinity_check(d, &t->cpus, "--cpus");
	if (!err)
		err = affinity_check(d, &t->hog, "--hog");
	if (!err)
		err = ends_check(d, &t->from, &t->to);
	return err;
}

int traffic_plan(struct diag *d, const struct traffic *t, unsigned int npaths,
		 struct send_plan *plan)
{
	uint64_t period = t->rate_pps ? send_period_ns(t->rate_pps, (uint32_t)t->burst) : 0;
	uint64_t run = t->seed ^ (uint64_t)mono_now().ns;
	unsigned int i = 0;

	*plan = (struct send_plan){
		.n = cpus_count(&t->cpus),
		.rate_pps = t->rate_pps,
		.burst = (uint32_t)t->burst,
		.duration_ns = t->duration_ns,
		.payload = t->size - ETH_IP_UDP_BYTES,
		.run = splitmix64(&run),
		.lock_memory = true,
	};
	plan->sender = calloc(plan->n, sizeof(*plan->sender));
	if (!plan->sender)
		return diag_failed(d, ENOMEM, "senders");
	for (int cpu = cpus_next(&t->cpus, -1); cpu >= 0; cpu = cpus_next(&t->cpus, cpu), i++) {
		struct sender *s = &plan->sender[i];

		s->cpu = (unsigned int)cpu;
		s->npaths = npaths;
		s->phase_ns = (int64_t)phase_ns(t->seed, (uint32_t)cpu, period);
		for (unsigned int j = 0; j < npaths; j++) {
			s->path[j].fd = -1;
			s->path[j].flow = i * SEND_PATHS + j;
			if (t->rate_pps)
				s->path[j].planned = send_planned(t->rate_pps, t->duration_ns);
		}
	}
	return 0;
}

void traffic_plan_free(struct send_plan *plan)
{
	for (unsigned int i = 0; plan->sender && i < plan->n; i++)
		for (unsigned int j = 0; j < plan->sender[i].npaths; j++)
			if (plan->sender[i].path[j].fd >= 0)
				close(plan->sender[i].path[j].fd);
	free(plan->sender);
	plan->sender = NULL;
}

static int check_size(struct diag *d, const struct traffic *t, const struct send_plan *plan, int fd)
{
	size_t most;
	int err = udp_payload_max(d, fd, &most);

	if (!err && plan->payload > most)
		err = diag_usage(d, -1, "--size %" PRIu64 ": more than the device's MTU takes: %zu",
				 t->size, most + ETH_IP_UDP_BYTES);
	return err;
}

int traffic_connect(struct diag *d, const struct traffic *t, struct send_plan *plan,
		    unsigned int j, const struct link_end *from, const struct link_end *to,
		    int rcvbuf, int *sinks)
{
	unsigned int base = j ? TRAFFIC_FLOOR_PORT : TRAFFIC_PORT;
	struct in_addr addr;
	int err = end_address(d, to, &addr);

	for (unsigned int i = 0; !err && i < plan->n; i++) {
		struct send_path *path = &plan->sender[i].path[j];
		uint16_t port = (uint16_t)(base + i);

		sinks[i] = udp_sink(d, to, addr, rcvbuf, &port);
		if (sinks[i] < 0)
			return sinks[i];
		path->fd = udp_source(d, from, addr, port, (uint16_t)(base + i), TRAFFIC_SNDBUF);
		if (path->fd < 0)
			return path->fd;
		err = check_size(d, t, plan, path->fd);
	}
	return err;
}

int traffic_run(struct diag *d, const struct traffic *t, struct send_plan *plan,
		struct stop *stop)
{
	struct hogs *hogs;
	int err = hogs_start(d, &t->hog, &hogs);

	if (err)
		return err;
	err = senders_run(d, plan, stop);
	hogs_stop(hogs);
	return err;
}

static void doc_end(struct doc *doc, const char *key, const struct link_end *end)
{
	char name[NETNS_NAME_MAX + IFNAMSIZ + 2];

	doc_str(doc, key, NULL, link_end_format(name, sizeof(name), end));
}

void traffic_doc(struct doc *doc, const struct traffic *t, const struct send_plan *plan)
{
	char list[512];
	struct mono begin, end;

	doc_open_object(doc, "parameters");
	doc_end(doc, "from", &t->from);
	doc_end(doc, "to", &t->to);
	doc_str(doc, "cpus", NULL, cpus_format(list, sizeof(list), &t->cpus));
	doc_str(doc, "hog_cpus", NULL, cpus_format(list, sizeof(list), &t->hog));
	if (t->rate_pps)
		doc_u64(doc, "rate_pps", NULL, t->rate_pps);
	else
		doc_null(doc, "rate_pps");
	doc_bool(doc, "saturated", NULL, !t->rate_pps);
	doc_u64(doc, "burst", NULL, t->burst);
	doc_u64(doc, "size_bytes", NULL, t->size);
	doc_i64(doc, "duration_ns", NULL, t->duration_ns);
	doc_u64(doc, "seed", NULL, t->seed);
	doc_close_object(doc);
	doc_str(doc, "clock", NULL, "CLOCK_MONOTONIC");
	doc_bool(doc, "memory_locked", NULL, plan->memory_locked);
	doc_bool(doc, "complete", NULL, !plan->interrupted);
	if (senders_window(plan, &begin, &end)) {
		doc_open_array(doc, "window_ns");
		doc_i64(doc, "", NULL, begin.ns);
		doc_i64(doc, "", NULL, end.ns);
		doc_close_array(doc);
	} else {
		doc_null(doc, "window_ns");
	}
}

void traffic_sender_doc(struct doc *doc, const struct send_plan *plan, const struct sender *s,
			unsigned int j)
{
	const struct send_path *path = &s->path[j];
	uint64_t tried = path->sent + path->dropped + path->full + path->errors;

	if (plan->rate_pps) {
		doc_u64(doc, "planned", NULL, path->planned);
		doc_u64(doc, "unsent", NULL, path->planned - tried);
	}
	doc_u64(doc, "sent", NULL, path->sent);
	doc_u64(doc, "dropped", NULL, path->dropped);
	doc_u64(doc, "buffer_full", NULL, path->full);
	doc_u64(doc, "refused", NULL, path->refused);
	doc_u64(doc, "errors", NULL, path->errors);
}

int traffic_verdict(struct diag *d, const char *what, const struct send_plan *plan,
		    const struct stop *stop)
{
	for (unsigned int i = 0; i < plan->n; i++) {
		const struct sender *s = &plan->sender[i];

		for (unsigned int j = 0; j < s->npaths; j++)
			if (s->path[j].errors)
				return diag_failed(d, s->path[j].first_errno,
						   "%s: CPU %u: %" PRIu64 " packets could not be sent",
						   what, s->cpu, s->path[j].errors);
	}
	if (plan->interrupted)
		return diag_failed(d, 0, "%s: stopped by signal %d, the result is partial",
				   what, stop->signal);
	return 0;
}

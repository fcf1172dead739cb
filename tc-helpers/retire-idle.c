// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed retire --idle-rings: how often the timers of rings fire to which no packet comes. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <net/if.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd.h"
#include "measure/affinity.h"
#include "measure/cpu-idle.h"
#include "measure/fired.h"
#include "measure/retire.h"
#include "measure/stop.h"
#include "net/ends.h"
#include "net/netns.h"
#include "pure/names.h"
#include "pure/units.h"
#include "retire-doc.h"
#include "retire-ends.h"
#include "retire-idle.h"

/* net/packet/af_packet.c: the callback of a ring's timer, whatever kind of timer it is */
#define RETIRE_FUNCTION	"prb_retire_rx_blk_timer_expired"
/* Descriptors for everything but the rings. */
#define OTHER_FDS	64
/* A CPU with less idle time than this may not have fired as often as it was asked to: idle time comes
 * in ticks of 10 ms, and one of them is 1 % of a second.
 */
#define SATURATED_PERCENT	2

/**
 * struct idle - rings, and what their timers did
 * @rings: open ones
 * @nrings: how many of them there are
 * @ncpus: CPUs that the kernel may have
 * @before: times that the callback ran on each CPU, up to the window
 * @after: the same up to its end
 * @idle_before: idle time of each CPU, ns, -1 for one that is offline
 * @idle_after: the same at the end of the window
 * @window_ns: how long was counted
 * @packets: that came all the same
 */
struct idle {
	struct ring *rings;
	size_t nrings;
	size_t ncpus;
	uint64_t *before;
	uint64_t *after;
	int64_t *idle_before;
	int64_t *idle_after;
	int64_t window_ns;
	uint64_t packets;
};

/* Room for the rings' descriptors, and a word in time if their memory is not there. */
static int limits_check(struct diag *d, const struct retire_cfg *cfg)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t want = cfg->idle_rings + OTHER_FDS;
	struct rlimit limit;

	if (cfg->ring.block_size * cfg->ring.block_count > memory / 2 / cfg->idle_rings)
		return diag_failed(d, ENOMEM, "--idle-rings %" PRIu64 ": rings of %" PRIu64 " bytes take more than half of this machine's memory",
				   cfg->idle_rings, cfg->ring.block_size * cfg->ring.block_count);
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return diag_failed(d, errno, "RLIMIT_NOFILE");
	if (limit.rlim_cur >= want)
		return 0;
	limit.rlim_cur = want;
	if (limit.rlim_max < want)
		limit.rlim_max = want;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return diag_failed(d, errno, "--idle-rings %" PRIu64 ": RLIMIT_NOFILE (ulimit -n) of %" PRIu64,
				   cfg->idle_rings, want);
	return 0;
}

static int rings_open(struct idle *idle, struct diag *d, const struct retire_cfg *cfg)
{
	struct device dev = { 0 };

	while (idle->nrings < cfg->idle_rings) {
		int fd = netns_socket(d, cfg->to.netns, AF_PACKET, SOCK_RAW, 0);
		int err;

		if (fd < 0)
			return fd;
		if (!idle->nrings) {
			err = device_read(d, fd, &cfg->to, &dev);
			if (err) {
				close(fd);
				return err;
			}
		}
		err = ring_open(&idle->rings[idle->nrings], d, fd, dev.ifindex, RETIRE_PROTOCOL,
				&cfg->ring);
		if (err)
			return err;
		idle->nrings++;
	}
	return 0;
}

static int state_read(const struct idle *idle, struct diag *d, struct fired *fired,
		      uint64_t *counts, int64_t *idle_ns)
{
	int err = cpu_idle_read(d, idle_ns, idle->ncpus);

	return err ? err : fired_read(fired, d, counts, idle->ncpus);
}

static int window(struct idle *idle, struct diag *d, struct fired *fired, int64_t duration_ns,
		  struct stop *stop)
{
	struct mono begin, end;
	size_t i;
	int err = state_read(idle, d, fired, idle->before, idle->idle_before);

	if (!err)
		err = fired_switch(fired, d, true);
	begin = mono_now();
	if (!err)
		stop_wait_until(stop, mono_add(begin, duration_ns));
	end = mono_now();
	if (!err)
		err = fired_switch(fired, d, false);
	if (!err)
		err = state_read(idle, d, fired, idle->after, idle->idle_after);
	idle->window_ns = mono_sub(end, begin);
	for (i = 0; !err && i < idle->nrings; i++) {
		struct ring_totals totals = { 0 };

		err = ring_totals_add(&idle->rings[i], d, &totals);
		idle->packets += totals.packets + totals.drops;
	}
	return err;
}

static void parameters_doc(struct doc *doc, const struct retire_cfg *cfg)
{
	char name[NETNS_NAME_MAX + IFNAMSIZ + 2];
	char duration[32];

	time_format(duration, sizeof(duration), cfg->duration_ns);
	doc_open_object(doc, "parameters");
	doc_u64(doc, "idle_rings", "%" PRIu64 " rings", cfg->idle_rings);
	doc_str(doc, "to", " on %s", link_end_format(name, sizeof(name), &cfg->to));
	doc_i64(doc, "tov_ns", NULL, (int64_t)cfg->ring.tov_ms * 1000000);
	doc_u64(doc, "block_size_bytes", ", %" PRIu64, cfg->ring.block_size);
	doc_u64(doc, "block_count", " bytes x %" PRIu64 " blocks", cfg->ring.block_count);
	doc_u64(doc, "frame_size_bytes", NULL, cfg->ring.frame_size);
	doc_i64(doc, "duration_ns", NULL, cfg->duration_ns);
	doc_text(doc, ", no packets, for %s", duration);
	doc_u64(doc, "poller_cpu", ", made on CPU %" PRIu64 "\n", cfg->poller_cpu);
	doc_close_object(doc);
}

/* One CPU's row; true when it had no time left. */
static bool cpu_doc(struct doc *doc, const struct idle *idle, size_t cpu)
{
	const int64_t slept = idle->idle_after[cpu] - idle->idle_before[cpu];
	const uint64_t fired = idle->after[cpu] - idle->before[cpu];
	const double percent = fmin(100, round(10000.0 * (double)slept /
					       (double)idle->window_ns) / 100);
	const bool saturated = fired && percent < SATURATED_PERCENT;

	doc_open_object(doc, "");
	doc_u64(doc, "cpu", "%-9" PRIu64, cpu);
	doc_u64(doc, "expiries", " %12" PRIu64, fired);
	doc_real(doc, "idle_percent", NULL, percent);
	doc_text(doc, " %9.2f", percent);
	doc_bool(doc, "saturated", "  saturated", saturated);
	doc_text(doc, "\n");
	doc_close_object(doc);
	return saturated;
}

static void idle_doc(struct doc *doc, const struct retire_cfg *cfg, const struct idle *idle,
		     const uint32_t *tov_ms)
{
	const double seconds = (double)idle->window_ns / 1e9;
	uint64_t expiries = 0;
	bool saturated = false;
	size_t cpu;

	doc_str(doc, "schema", NULL, "qbed-retire-idle-1");
	parameters_doc(doc, cfg);
	retire_tov_doc(doc, cfg, tov_ms);
	doc_i64(doc, "window_ns", NULL, idle->window_ns);
	doc_text(doc, "%-9s %12s %9s\n", "cpu", "expiries", "idle %");
	doc_open_array(doc, "cpus");
	for (cpu = 0; cpu < idle->ncpus; cpu++) {
		if (idle->idle_before[cpu] < 0 || idle->idle_after[cpu] < 0)
			continue;
		saturated |= cpu_doc(doc, idle, cpu);
		expiries += idle->after[cpu] - idle->before[cpu];
	}
	doc_close_array(doc);
	doc_u64(doc, "expiries", "\n%" PRIu64 " expiries", expiries);
	doc_real(doc, "expiries_per_second", ", %.0f a second",
		 round((double)expiries / seconds * 10) / 10);
	doc_bool(doc, "saturated", " (a CPU was saturated: they would have been more)", saturated);
	doc_u64(doc, "packets", "; %" PRIu64 " packets came\n", idle->packets);
}

static int idle_alloc(struct idle *idle, struct diag *d, const struct retire_cfg *cfg)
{
	idle->ncpus = (size_t)sysconf(_SC_NPROCESSORS_CONF);
	idle->rings = calloc(cfg->idle_rings, sizeof(*idle->rings));
	idle->before = calloc(idle->ncpus, sizeof(*idle->before));
	idle->after = calloc(idle->ncpus, sizeof(*idle->after));
	idle->idle_before = calloc(idle->ncpus, sizeof(*idle->idle_before));
	idle->idle_after = calloc(idle->ncpus, sizeof(*idle->idle_after));
	if (!idle->rings || !idle->before || !idle->after || !idle->idle_before || !idle->idle_after)
		return diag_failed(d, ENOMEM, "retire");
	return 0;
}

static void idle_free(struct idle *idle)
{
	while (idle->nrings)
		ring_close(&idle->rings[--idle->nrings]);
	free(idle->rings);
	free(idle->before);
	free(idle->after);
	free(idle->idle_before);
	free(idle->idle_after);
}

static int answer(struct ctx *ctx, const struct retire_cfg *cfg, const struct idle *idle,
		  const struct stop *stop)
{
	uint32_t tov_ms;
	int verified = retire_tov_verify(ctx->diag, cfg, &idle->rings[0], &tov_ms);

	if (verified < 0)
		return verified;
	idle_doc(ctx->doc, cfg, idle, verified == 0 ? &tov_ms : NULL);
	ctx->print_anyway = true;
	if (stop->signal)
		return diag_failed(ctx->diag, EINTR, "retire: stopped by signal %d", stop->signal);
	if (idle->packets)
		diag_warn(ctx->diag, "retire: %" PRIu64 " packets came: the rings were not idle",
			  idle->packets);
	return 0;
}

int retire_idle(struct ctx *ctx, struct retire_cfg *cfg)
{
	struct idle idle = { 0 };
	struct fired fired;
	struct stop stop;
	int err = limits_check(ctx->diag, cfg);

	if (!err)
		err = retire_cpus_choose(ctx->diag, cfg);
	if (err)
		return err;
	stop_arm(&stop);
	err = fired_open(&fired, ctx->diag, RETIRE_FUNCTION);
	if (!err)
		err = idle_alloc(&idle, ctx->diag, cfg);
	if (!err)
		err = affinity_pin_self(ctx->diag, (unsigned int)cfg->poller_cpu);
	if (!err)
		err = rings_open(&idle, ctx->diag, cfg);
	if (!err)
		err = window(&idle, ctx->diag, &fired, cfg->duration_ns, &stop);
	if (!err)
		err = answer(ctx, cfg, &idle, &stop);
	idle_free(&idle);
	fired_close(&fired);
	stop_disarm(&stop);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* How long packets wait in a TPACKET_V3 block until user space has it. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/clock.h"
#include "measure/retire.h"
#include "pure/diag.h"
#include "pure/hist.h"
#include "pure/probe.h"

/* Between "go" and the first packet: both threads are asleep where they belong. */
#define LEAD_NS		20000000
#define GRACE_NS	1000000000

/**
 * struct run - what the two threads share
 * @start: time of the first packet
 * @frame: the bytes that are sent
 * @stop: the sender must end
 * @done: the sender has ended; @sent_all tells the poller, by a wakeup
 */
struct run {
	const struct retire_plan *plan;
	struct retire_result *res;
	struct mono start;
	uint8_t *frame;
	atomic_bool stop;
	atomic_bool done;
	int sent_all;
};

static int frame_make(struct run *run)
{
	const struct retire_plan *plan = run->plan;
	struct ethhdr *eth;

	run->frame = calloc(1, plan->bytes);
	if (!run->frame)
		return -ENOMEM;
	eth = (struct ethhdr *)run->frame;
	memcpy(eth->h_dest, plan->destination, ETH_ALEN);
	memcpy(eth->h_source, plan->source, ETH_ALEN);
	eth->h_proto = htons(RETIRE_PROTOCOL);
	return 0;
}

static void frame_send(struct run *run, const struct sockaddr_ll *to, uint64_t seq)
{
	const struct retire_plan *plan = run->plan;
	struct retire_result *res = run->res;
	struct probe probe = {
		.run = plan->run,
		.cpu = plan->sender_cpu,
		.seq = seq,
		.sent_ns = mono_now().ns,
	};
	int64_t late = probe.sent_ns - run->start.ns - (int64_t)seq * plan->interval_ns;

	if (late > plan->interval_ns)
		res->late++;
	if (late > res->late_max_ns)
		res->late_max_ns = late;
	probe_put(run->frame + ETH_HLEN, &probe);
	if (sendto(plan->tx, run->frame, plan->bytes, 0, (const struct sockaddr *)to,
		   sizeof(*to)) == (ssize_t)plan->bytes) {
		res->sent++;
		return;
	}
	if (!res->send_errors++)
		res->send_errno = errno;
}

static void *sender(void *arg)
{
	struct run *run = arg;
	const struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(RETIRE_PROTOCOL),
		.sll_ifindex = run->plan->tx_ifindex,
	};
	const uint64_t one = 1;
	uint64_t seq;

	clock_no_slack();
	for (seq = 0; seq < run->plan->packets; seq++) {
		mono_sleep_until(mono_add(run->start, (int64_t)seq * run->plan->interval_ns));
		if (atomic_load_explicit(&run->stop, memory_order_relaxed))
			break;
		frame_send(run, &to, seq);
	}
	atomic_store(&run->done, true);
	if (write(run->sent_all, &one, sizeof(one)) != sizeof(one))
		return arg;	/* cannot be: the counter is at 0 */
	return NULL;
}

/*
 * Of a block by timeout, from when its first packet was sent to now: longer than the block was open,
 * so what is called early was.
 */
static void block_age(struct run *run, int64_t age_ns)
{
	hist_add(run->res->block_age, age_ns);
	run->res->retired_early += age_ns < run->plan->tov_ns;
}

/* One block: @now is when user space saw it. */
static int block_take(struct run *run, struct ring_block *block, struct mono now,
		      struct track *track, struct mono *last)
{
	struct retire_result *res = run->res;
	struct ring_packet packet;
	bool first = true;
	int more;

	if (!block->packets) {
		res->empty_blocks++;
		return 0;
	}
	if (res->blocks)
		hist_add(res->block_gap, mono_sub(now, *last));
	*last = now;
	res->blocks++;
	res->retired_by_timeout += block->timed_out;

	while ((more = ring_packet(block, &packet)) > 0) {
		struct probe probe;

		if (packet.outgoing)
			continue;
		if (packet.len < ETH_HLEN ||
		    !probe_get(packet.data + ETH_HLEN, packet.len - ETH_HLEN, &probe) ||
		    probe.run != run->plan->run) {
			res->foreign++;
			first = false;
			continue;
		}
		if (first && block->timed_out)
			block_age(run, mono_sub(now, (struct mono){ probe.sent_ns }));
		first = false;
		if (track_see(track, probe.seq))
			hist_add(res->packet_delay,
				 mono_sub(now, (struct mono){ probe.sent_ns }));
	}
	return more;
}

/* Milliseconds for poll(), rounded up; -1 would be for ever. */
static int poll_ms(struct mono until)
{
	int64_t left = mono_sub(until, mono_now());

	if (left <= 0)
		return 0;
	return left > 3600000000000 ? 3600000 : (int)((left + 999999) / 1000000);
}

static int ring_error(struct diag *d, int fd)
{
	socklen_t len = sizeof(int);
	int err = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
		err = errno;
	return diag_failed(d, err ? err : EIO, "packet ring");
}

static int ring_poll(struct run *run, struct diag *d, struct stop *stop, struct track *track)
{
	const struct retire_plan *plan = run->plan;
	const int64_t span = (int64_t)plan->packets * plan->interval_ns;
	struct mono end = mono_add(run->start, span + 2 * plan->tov_ns + GRACE_NS);
	struct mono last = { 0 };
	int signals = signalfd(-1, &stop->set, SFD_CLOEXEC | SFD_NONBLOCK);
	struct pollfd fds[] = {
		{ .fd = plan->ring->fd, .events = POLLIN },
		{ .fd = run->sent_all, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int err = signals < 0 ? diag_failed(d, errno, "signalfd") : 0;

	while (!err) {
		struct signalfd_siginfo info;
		struct ring_block block;

		while (!err && ring_take(plan->ring, &block)) {
			err = block_take(run, &block, mono_now(), track, &last);
			if (err < 0)
				diag_failed(d, -err, "packet ring: a block that cannot be read");
			ring_release(plan->ring);
		}
		if (err || (atomic_load(&run->done) && track->received == run->res->sent))
			break;
		if (mono_sub(end, mono_now()) <= 0)
			break;
		if (poll(fds, 3, poll_ms(end)) < 0 && errno != EINTR)
			err = diag_failed(d, errno, "packet ring: poll");
		if (!err && fds[0].revents & (POLLERR | POLLNVAL))
			err = ring_error(d, plan->ring->fd);
		if (fds[1].revents & POLLIN)
			fds[1].fd = -1;		/* told once */
		if (fds[2].revents & POLLIN && read(signals, &info, sizeof(info)) == sizeof(info)) {
			stop->signal = (int)info.ssi_signo;
			atomic_store(&stop->flag, true);
			break;
		}
	}
	if (signals >= 0)
		close(signals);
	return err;
}

static int threads_run(struct run *run, struct diag *d, struct stop *stop, struct track *track)
{
	pthread_t thread;
	int err;

	run->start = mono_add(mono_now(), LEAD_NS + run->plan->phase_ns);
	err = affinity_thread(d, &thread, run->plan->sender_cpu, sender, run);
	if (err)
		return err;
	err = ring_poll(run, d, stop, track);
	atomic_store(&run->stop, true);
	pthread_join(thread, NULL);
	run->res->received = track->received;
	run->res->duplicates = track->duplicates;
	run->res->inversions = track->inversions;
	run->res->foreign += track->alien;
	if (!err)
		err = ring_totals_add(run->plan->ring, d, &run->res->totals);
	return err;
}

int retire_run(struct diag *d, const struct retire_plan *plan, struct stop *stop,
	       struct retire_result *res)
{
	struct run run = { .plan = plan, .res = res };
	struct track track = { 0 };
	int err;

	memset(res, 0, sizeof(*res));
	res->packet_delay = hist_new();
	res->block_gap = hist_new();
	res->block_age = hist_new();
	run.sent_all = eventfd(0, EFD_CLOEXEC);
	if (run.sent_all < 0)
		return diag_failed(d, errno, "eventfd");
	err = track_init(&track, plan->packets);
	if (!err)
		err = frame_make(&run);
	if (!err && (!res->packet_delay || !res->block_gap || !res->block_age))
		err = -ENOMEM;
	if (err) {
		diag_failed(d, -err, "retire");
	} else {
		affinity_lock_memory();
		err = threads_run(&run, d, stop, &track);
	}
	free(run.frame);
	track_free(&track);
	close(run.sent_all);
	return err;
}

void retire_result_free(struct retire_result *res)
{
	hist_free(res->packet_delay);
	hist_free(res->block_gap);
	hist_free(res->block_age);
	res->packet_delay = NULL;
	res->block_gap = NULL;
	res->block_age = NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* qbed retire: how late TPACKET_V3 hands blocks over. */
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd.h"
#include "measure/affinity.h"
#include "measure/retire.h"
#include "net/ends.h"
#include "net/netns.h"
#include "pure/names.h"
#include "pure/phase.h"
#include "pure/probe.h"
#include "pure/units.h"
#include "retire-doc.h"
#include "retire-ends.h"
#include "retire-idle.h"

extern const struct cmd cmd_retire;

/* A sender's first packet may be anywhere in two and a half ticks of HZ=250. */
#define PHASE_PERIOD_NS 10000000

/* Whole milliseconds: the ring's interface has no finer ones. 0 = derived by the kernel. */
static int tov_parse(struct diag *d, char **words, int i, void *field)
{
	uint32_t *tov_ms = field;
	int64_t ns;
	int err = time_parse(d, words, i, &ns);

	if (err)
		return err;
	if (ns % 1000000)
		return diag_usage(d, i, "\"%s\": the timeout of a ring is in whole milliseconds",
				  words[i]);
	if (ns / 1000000 > UINT32_MAX)
		return diag_usage(d, i, "\"%s\": more than 32 bits of milliseconds", words[i]);
	*tov_ms = (uint32_t)(ns / 1000000);
	return 0;
}

/* Sizes as everywhere, and the binary spelling "1MiB" of the same. */
static int ring_size_parse(struct diag *d, char **words, int i, void *field)
{
	size_t len = strlen(words[i]);
	char word[32];
	char *one = word;

	if (len < 4 || len >= sizeof(word) || strcmp(words[i] + len - 2, "iB") != 0)
		return size_parse(d, words, i, field);
	memcpy(word, words[i], len - 2);
	word[len - 2] = '\0';
	if (size_parse(d, &one, 0, field) < 0) {
		d->word = i;
		return -EINVAL;
	}
	return 0;
}

/* Many rings, so each is small unless the user says otherwise. */
#define IDLE_BLOCK_SIZE	4096

/* What has a meaning with packets only. */
static int idle_check(struct diag *d, struct retire_cfg *cfg)
{
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "--from", cfg->has_from },
		{ "--size", cfg->has_size },
		{ "--interval", cfg->has_interval },
		{ "--seed", cfg->has_seed },
		{ "--sender-cpu", cfg->has_sender },
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i].given)
			return diag_usage(d, -1, "%s: there are no packets with --idle-rings",
					  others[i].name);
	}
	if (!cfg->has_to)
		return diag_usage(d, -1, "retire: --to is needed: the device that the rings are for");
	if (!cfg->has_tov)
		return diag_usage(d, -1, "retire: --tov is needed: the timeout of a block");
	if (!cfg->has_block_size)
		cfg->ring.block_size = IDLE_BLOCK_SIZE;
	if (!cfg->has_block_count)
		cfg->ring.block_count = 1;
	return ring_check(d, &cfg->ring, (uint64_t)sysconf(_SC_PAGESIZE), 0);
}

static int cfg_check(struct diag *d, const struct retire_cfg *cfg)
{
	if (!cfg->has_from || !cfg->has_to)
		return diag_usage(d, -1, "retire: --from and --to are needed: the ends of a link");
	if (!cfg->has_tov)
		return diag_usage(d, -1, "retire: --tov is needed: the timeout of a block");
	if (cfg->interval_ns > cfg->duration_ns)
		return diag_usage(d, -1, "--interval: longer than --duration: there would be no packet");
	if (cfg->bytes < ETH_HLEN + PROBE_BYTES)
		return diag_usage(d, -1, "--size %" PRIu64 ": the least is %d, a header and a stamp",
				  cfg->bytes, ETH_HLEN + PROBE_BYTES);
	return ring_check(d, &cfg->ring, (uint64_t)sysconf(_SC_PAGESIZE), cfg->bytes);
}

static int verdict(struct diag *d, const struct retire_result *res, const struct stop *stop)
{
	if (stop->signal)
		return diag_failed(d, EINTR, "retire: stopped by signal %d after %" PRIu64 " packets",
				   stop->signal, res->sent);
	if (!res->sent)
		return diag_failed(d, res->send_errno, "retire: no packet could be sent");
	if (res->send_errors)
		diag_warn(d, "retire: %" PRIu64 " packets were not sent: %s", res->send_errors,
			  strerror(res->send_errno));
	if (!res->received)
		diag_warn(d, "retire: no packet came: are the two devices ends of one link?");
	return 0;
}

/* With sockets at both ends: rings, runs, answers. Takes @rx, not @tx. */
static int measure(struct ctx *ctx, const struct retire_cfg *cfg, int rx, int tx,
		   const struct device *to, const struct device *from, struct stop *stop)
{
	uint64_t state = cfg->seed;
	struct retire_plan plan = {
		.tx = tx,
		.tx_ifindex = from->ifindex,
		.bytes = cfg->bytes,
		.interval_ns = cfg->interval_ns,
		.packets = (uint64_t)(cfg->duration_ns / cfg->interval_ns),
		.phase_ns = (int64_t)phase_ns(cfg->seed, 0, PHASE_PERIOD_NS),
		.run = splitmix64(&state),
		.sender_cpu = (unsigned int)cfg->sender_cpu,
	};
	struct retire_result res = { 0 };
	struct ring ring;
	uint32_t tov_ms = cfg->ring.tov_ms;
	int verified;
	int err;

	memcpy(plan.source, from->address, ETH_ALEN);
	memcpy(plan.destination, to->address, ETH_ALEN);
	err = ring_open(&ring, ctx->diag, rx, to->ifindex, RETIRE_PROTOCOL, &cfg->ring);
	if (err)
		return err;
	verified = retire_tov_verify(ctx->diag, cfg, &ring, &tov_ms);
	if (verified >= 0) {
		plan.ring = &ring;
		plan.tov_ns = (int64_t)tov_ms * 1000000;
		err = retire_run(ctx->diag, &plan, stop, &res);
		if (!err) {
			retire_doc(ctx->doc, cfg, &ring, verified == 0 ? &tov_ms : NULL, &plan, &res);
			ctx->print_anyway = true;
			err = verdict(ctx->diag, &res, stop);
		}
		retire_result_free(&res);
	} else {
		err = verified;
	}
	ring_close(&ring);
	return err;
}

static int ends_open(struct diag *d, const struct retire_cfg *cfg, int *rx, int *tx,
		     struct device *to, struct device *from)
{
	int err;

	*rx = netns_socket(d, cfg->to.netns, AF_PACKET, SOCK_RAW, 0);
	if (*rx < 0)
		return *rx;
	*tx = netns_socket(d, cfg->from.netns, AF_PACKET, SOCK_RAW, 0);
	if (*tx < 0)
		return *tx;
	err = device_read(d, *rx, &cfg->to, to);
	if (!err)
		err = device_read(d, *tx, &cfg->from, from);
	if (err)
		return err;
	if (cfg->bytes > (uint64_t)from->mtu + ETH_HLEN)
		return diag_usage(d, -1, "--size %" PRIu64 ": more than %s can send, MTU %d and a header of %d",
				  cfg->bytes, cfg->from.dev, from->mtu, ETH_HLEN);
	return 0;
}

static int run(struct ctx *ctx, void *config, int argc, char **argv)
{
	struct retire_cfg *cfg = config;
	struct device to, from;
	struct stop stop;
	int rx = -1;
	int tx = -1;
	int err;

	if (argc)
		return diag_usage(ctx->diag, 0, "\"%s\": retire takes options only", argv[0]);
	if (cfg->has_idle) {
		err = idle_check(ctx->diag, cfg);
		return err ? err : retire_idle(ctx, cfg);
	}
	err = cfg_check(ctx->diag, cfg);
	if (!err)
		err = retire_cpus_choose(ctx->diag, cfg);
	if (err)
		return err;
	stop_arm(&stop);
	err = ends_open(ctx->diag, cfg, &rx, &tx, &to, &from);
	/* the ring's timer stays where the ring was made: the poller's CPU */
	if (!err)
		err = affinity_pin_self(ctx->diag, (unsigned int)cfg->poller_cpu);
	if (!err) {
		err = measure(ctx, cfg, rx, tx, &to, &from, &stop);
		rx = -1;
	}
	if (rx >= 0)
		close(rx);
	if (tx >= 0)
		close(tx);
	stop_disarm(&stop);
	return err;
}

#define FIELD(name) offsetof(struct retire_cfg, name)

static const struct opt opts[] = {
	{ "from", OPT_END, FIELD(from), "NS:DEV", "end that sends", .set = FIELD(has_from) + 1 },
	{ "to", OPT_END, FIELD(to), "NS:DEV", "end with the ring", .set = FIELD(has_to) + 1 },
	{ "tov", OPT_FN, FIELD(ring.tov_ms), "TIME",
	  "retire timeout, whole ms; 0ms: the kernel derives one", .parse = tov_parse,
	  .set = FIELD(has_tov) + 1 },
	{ "block-size", OPT_FN, FIELD(ring.block_size), "SIZE", "bytes of a block (1MiB; 4KiB of an idle ring)",
	  .parse = ring_size_parse, .set = FIELD(has_block_size) + 1 },
	{ "block-count", OPT_U64, FIELD(ring.block_count), "N", "blocks of the ring (4; 1 of an idle ring)",
	  .set = FIELD(has_block_count) + 1 },
	{ "frame-size", OPT_FN, FIELD(ring.frame_size), "SIZE", "bytes of a frame (2048)",
	  .parse = ring_size_parse },
	{ "size", OPT_SIZE, FIELD(bytes), "BYTES",
	  "bytes of a packet, Ethernet header included (902)", .max = 65549,
	  .set = FIELD(has_size) + 1 },
	{ "interval", OPT_TIME, FIELD(interval_ns), "TIME", "between two packets (147us)",
	  .max = 3600000000000, .set = FIELD(has_interval) + 1 },
	{ "duration", OPT_TIME, FIELD(duration_ns), "TIME", "how long to send, or to count (2s)",
	  .max = 86400000000000 },
	{ "seed", OPT_U64, FIELD(seed), "N", "seed of the first packet's phase (1)",
	  .set = FIELD(has_seed) + 1 },
	{ "sender-cpu", OPT_U64, FIELD(sender_cpu), "CPU", "CPU that sends (the first)",
	  .max = CPUS_MAX - 1, .set = FIELD(has_sender) + 1 },
	{ "poller-cpu", OPT_U64, FIELD(poller_cpu), "CPU",
	  "CPU that makes and polls the ring (the last)", .max = CPUS_MAX - 1 },
	{ "idle-rings", OPT_U64, FIELD(idle_rings), "N",
	  "no packets: N rings, and how often their timers fire", .min = 1, .max = 1000000,
	  .set = FIELD(has_idle) + 1 },
	{ 0 }
};

static const struct retire_cfg defaults = {
	.ring = { .block_size = 1 << 20, .block_count = 4, .frame_size = 2048 },
	.bytes = 902,
	.interval_ns = 147000,
	.duration_ns = 2000000000,
	.seed = 1,
	.sender_cpu = CPU_ANY,
	.poller_cpu = CPU_ANY,
};

const struct cmd cmd_retire = {
	.name = "retire",
	.summary = "How late TPACKET_V3 hands blocks and their packets to user space.",
	.usage = "--from NS:DEV --to NS:DEV --tov TIME [OPTIONS]\n--idle-rings N --to NS:DEV --tov TIME [OPTIONS]",
	.opts = opts,
	.defaults = &defaults,
	.cfg_size = sizeof(struct retire_cfg),
	.run = run,
};

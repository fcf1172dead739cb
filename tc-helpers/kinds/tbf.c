// SPDX-License-Identifier: GPL-2.0-or-later
/* tbf: a token bucket, or two of them with a peak rate. */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/nlb.h"

__extension__ typedef unsigned __int128 u128;

struct tbf_cfg {
	uint32_t given;
	uint32_t burst;		/* bytes */
	uint32_t limit;		/* bytes */
	uint32_t mtu;		/* bytes, bucket of the peak rate */
	uint64_t rate_bps;
	uint64_t peakrate_bps;
	int64_t latency_ns;
};

enum { TBF_RATE, TBF_BURST_, TBF_LIMIT, TBF_LATENCY, TBF_PEAKRATE, TBF_MTU };

#define F(name) offsetof(struct tbf_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))

static const struct keyword tbf_words[] = {
	{ "rate", TBF_RATE, 1, { { KW_RATE, F(rate_bps) } } },
	{ "burst", TBF_BURST_, 1, { { KW_SIZE, F(burst) } }, .min = 1 },
	{ "buffer", TBF_BURST_, 1, { { KW_SIZE, F(burst) } }, .min = 1 },
	{ "maxburst", TBF_BURST_, 1, { { KW_SIZE, F(burst) } }, .min = 1 },
	{ "limit", TBF_LIMIT, 1, { { KW_SIZE, F(limit) } }, .min = 1 },
	{ "latency", TBF_LATENCY, 1, { { KW_TIME, F(latency_ns) } } },
	{ "peakrate", TBF_PEAKRATE, 1, { { KW_RATE, F(peakrate_bps) } } },
	{ "mtu", TBF_MTU, 1, { { KW_SIZE, F(mtu) } }, .min = 1 },
	{ "minburst", TBF_MTU, 1, { { KW_SIZE, F(mtu) } }, .min = 1 },
	{ NULL }
};

/* The kernel counts whole bytes per second. */
static int check_rate(struct diag *d, const char *word, uint64_t bps)
{
	if (bps < 8)
		return diag_usage(d, -1, "%s of %" PRIu64 " bit/s: at least 8 bit/s", word, bps);
	if (bps % 8)
		diag_warn(d, "tbf: %s is cut to %" PRIu64 " bit/s: the kernel counts bytes", word,
			  bps - bps % 8);
	return 0;
}

/* What a bucket of @rate and @bucket bytes lets pass within @ns, as tc computes it. */
static u128 bytes_within(uint64_t rate_bps, int64_t ns, uint32_t bucket)
{
	return (u128)(rate_bps / 8) * (u128)ns / 1000000000 + bucket;
}

static int limit_from_latency(struct diag *d, struct tbf_cfg *c)
{
	u128 limit = bytes_within(c->rate_bps, c->latency_ns, c->burst);

	if (c->peakrate_bps) {
		u128 peak = bytes_within(c->peakrate_bps, c->latency_ns, c->mtu);

		if (peak < limit)
			limit = peak;
	}
	if (limit > UINT32_MAX)
		return diag_usage(d, -1, "latency: the queue would be larger than 4 GiB");
	c->limit = (uint32_t)limit;
	return 0;
}

static int tbf_parse(struct diag *d, char **words, int n, void *cfg)
{
	struct tbf_cfg *c = cfg;
	int err;

	err = keywords_parse(d, tbf_words, words, n, c, &c->given);
	if (err)
		return err;
	if (!GIVEN(c, TBF_RATE) || !GIVEN(c, TBF_BURST_))
		return diag_usage(d, -1, "\"rate\" and \"burst\" are needed");
	if (!GIVEN(c, TBF_LIMIT) == !GIVEN(c, TBF_LATENCY))
		return diag_usage(d, -1, "either \"limit\" or \"latency\" is needed");
	if (!GIVEN(c, TBF_PEAKRATE) != !GIVEN(c, TBF_MTU))
		return diag_usage(d, -1, "\"peakrate\" and \"mtu\" go together");
	err = check_rate(d, "rate", c->rate_bps);
	if (!err && GIVEN(c, TBF_PEAKRATE))
		err = check_rate(d, "peakrate", c->peakrate_bps);
	if (!err && GIVEN(c, TBF_PEAKRATE) && c->peakrate_bps <= c->rate_bps)
		err = diag_usage(d, -1, "\"peakrate\" must be above \"rate\"");
	if (!err && GIVEN(c, TBF_LATENCY))
		err = limit_from_latency(d, c);
	return err;
}

/* Ticks that @bytes take at @bps, rounded up; the kernel prefers the bytes of TCA_TBF_BURST. */
static uint32_t xmit_ticks(uint64_t bps, uint32_t bytes)
{
	u128 tick = (u128)(bps / 8) * PSCHED_TICK_NS;
	u128 t = ((u128)bytes * 1000000000 + tick - 1) / tick;

	return t > UINT32_MAX ? UINT32_MAX : (uint32_t)t;
}

/* @bucket is the attribute of the bucket's bytes, @wide the one of a rate beyond 32 bits. */
static void fill_rate(struct nlb *nlb, uint64_t bps, uint16_t wide, uint16_t bucket, uint32_t bytes)
{
	if (bps / 8 > UINT32_MAX)
		nlb_put_u64(nlb, wide, bps / 8);
	nlb_put_u32(nlb, bucket, bytes);
}

static uint32_t rate32(uint64_t bps)
{
	return bps / 8 > UINT32_MAX ? UINT32_MAX : (uint32_t)(bps / 8);
}

/*
 * The link layer is named, so the kernel has no use for the old rate tables
 * (tbf_change(), TC_LINKLAYER_UNAWARE) and none are sent.
 */
static void tbf_fill(struct nlb *nlb, const void *cfg)
{
	const struct tbf_cfg *c = cfg;
	struct tc_tbf_qopt opt = {
		.rate = { .linklayer = TC_LINKLAYER_ETHERNET, .rate = rate32(c->rate_bps) },
		.limit = c->limit,
		.buffer = xmit_ticks(c->rate_bps, c->burst),
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (c->peakrate_bps) {
		opt.peakrate.linklayer = TC_LINKLAYER_ETHERNET;
		opt.peakrate.rate = rate32(c->peakrate_bps);
		opt.mtu = xmit_ticks(c->peakrate_bps, c->mtu);
	}
	nlb_put(nlb, TCA_TBF_PARMS, &opt, sizeof(opt));
	fill_rate(nlb, c->rate_bps, TCA_TBF_RATE64, TCA_TBF_BURST, c->burst);
	if (c->peakrate_bps)
		fill_rate(nlb, c->peakrate_bps, TCA_TBF_PRATE64, TCA_TBF_PBURST, c->mtu);
	nlb_nest_end(nlb, nest);
}

static uint64_t rate_of(struct nlattr *wide, uint32_t narrow)
{
	uint64_t rate;

	if (!wide || nla_len(wide) < (int)sizeof(rate))
		return narrow;
	memcpy(&rate, nla_data(wide), sizeof(rate));
	return rate;
}

/* Bytes that pass in @ticks at @rate bytes/s */
static uint64_t bytes_of(uint64_t rate, uint32_t ticks)
{
	return (uint64_t)(((u128)rate * ticks * PSCHED_TICK_NS + 500000000) / 1000000000);
}

static void tbf_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_TBF_MAX + 1];
	uint64_t rate, peak, burst, mtu = 0;
	struct tc_tbf_qopt opt;
	char text[32];
	double lat;

	if (!opts || nla_parse_nested(tb, TCA_TBF_MAX, opts, NULL) < 0 || !tb[TCA_TBF_PARMS] ||
	    nla_len(tb[TCA_TBF_PARMS]) < (int)sizeof(opt))
		return;
	memcpy(&opt, nla_data(tb[TCA_TBF_PARMS]), sizeof(opt));
	rate = rate_of(tb[TCA_TBF_RATE64], opt.rate.rate);
	peak = rate_of(tb[TCA_TBF_PRATE64], opt.peakrate.rate);
	burst = bytes_of(rate, opt.buffer);
	doc_u64(doc, "rate", NULL, rate);
	doc_text(doc, " rate %s", rate_format(text, sizeof(text), rate * 8));
	doc_u64(doc, "burst", NULL, burst);
	doc_text(doc, " burst %s", size_format(text, sizeof(text), burst));
	if (peak) {
		mtu = bytes_of(peak, opt.mtu);
		doc_text(doc, " peakrate %s", rate_format(text, sizeof(text), peak * 8));
		doc_u64(doc, "minburst", NULL, mtu);
		doc_text(doc, " minburst %s", size_format(text, sizeof(text), mtu));
	}
	if (!rate)
		return;
	/* How long the queue can hold a packet, in us as tc's key has it. */
	lat = ((double)opt.limit - (double)burst) / (double)rate * 1e6;
	if (peak && ((double)opt.limit - (double)mtu) / (double)peak * 1e6 > lat)
		lat = ((double)opt.limit - (double)mtu) / (double)peak * 1e6;
	if (lat < 0) {
		doc_u64(doc, "limit", NULL, opt.limit);
		doc_text(doc, " limit %s", size_format(text, sizeof(text), opt.limit));
	} else {
		doc_i64(doc, "lat", NULL, (int64_t)(lat + 0.5));
		doc_text(doc, " lat %s", time_format(text, sizeof(text), (int64_t)(lat + 0.5) * 1000));
	}
}

static void tbf_advise(struct diag *d, const void *cfg, unsigned int frame)
{
	const struct tbf_cfg *c = cfg;

	if (c->burst < frame)
		diag_warn(d, "tbf: burst %u is below the device's largest frame, %u bytes: such a frame never passes",
			  c->burst, frame);
	if (c->peakrate_bps && c->mtu < frame)
		diag_warn(d, "tbf: mtu %u is below the device's largest frame, %u bytes: such a frame never passes",
			  c->mtu, frame);
}

const struct kind kind_tbf = {
	.name = "tbf",
	.config = "CONFIG_NET_SCH_TBF",
	.words = tbf_words,
	.cfg_size = sizeof(struct tbf_cfg),
	.parse = tbf_parse,
	.fill = tbf_fill,
	.show = tbf_show,
	.advise = tbf_advise,
};

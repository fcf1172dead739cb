// SPDX-License-Identifier: GPL-2.0-or-later
/* tbf: a token bucket, or two of them with a peak rate. */
#include <errno.h>
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <stddef.h>
#include <string.h>

#include "kinds/kinds.h"
#include "kinds/rate.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"
#include "wire/attr-desc.h"
#include "wire/nlb.h"

__extension__ typedef unsigned __int128 u128;

#define TBF_TABLE_MTU 2047	/* of tc's rate tables when no mtu is given */

/**
 * struct tbf_cfg - the words of a tbf
 * @burst: the bucket
 * @mtu: the bucket of the peak rate
 * @limit: bytes that may wait
 * @mpu: bytes that the smallest packet counts for
 * @overhead: bytes that each counts for besides its own
 */
struct tbf_cfg {
	uint32_t given;
	struct size_cell burst;
	struct size_cell mtu;
	uint32_t limit;
	uint32_t mpu;
	uint32_t overhead;
	uint32_t linklayer;
	uint64_t rate_bps, rate;	/* bit/s as asked, bytes/s as the kernel has it */
	uint64_t peakrate_bps, peakrate;
	int64_t latency_ns;
};

enum {
	TBF_RATE, TBF_BURST_, TBF_LIMIT, TBF_LATENCY, TBF_PEAKRATE, TBF_MTU, TBF_MPU, TBF_OVERHEAD,
	TBF_LINKLAYER,
};

#define F(name) offsetof(struct tbf_cfg, name)
#define GIVEN(c, word) ((c)->given & 1u << (word))
#define BURST 1, { { KW_OTHER, F(burst) } }, .parse = size_cell_parse
#define MTU 1, { { KW_OTHER, F(mtu) } }, .parse = size_cell_parse

static const struct keyword tbf_words[] = {
	{ "rate", TBF_RATE, 1, { { KW_RATE, F(rate_bps) } } },
	{ "burst", TBF_BURST_, BURST },
	{ "buffer", TBF_BURST_, BURST },
	{ "maxburst", TBF_BURST_, BURST },
	{ "limit", TBF_LIMIT, 1, { { KW_SIZE, F(limit) } }, .min = 1 },
	{ "latency", TBF_LATENCY, 1, { { KW_TIME, F(latency_ns) } } },
	{ "peakrate", TBF_PEAKRATE, 1, { { KW_RATE, F(peakrate_bps) } } },
	{ "mtu", TBF_MTU, MTU },
	{ "minburst", TBF_MTU, MTU },
	{ "mpu", TBF_MPU, 1, { { KW_SIZE, F(mpu) } }, .max = UINT16_MAX },
	{ "overhead", TBF_OVERHEAD, 1, { { KW_U32, F(overhead) } }, .max = UINT16_MAX },
	{ "linklayer", TBF_LINKLAYER, 1, { { KW_OTHER, F(linklayer) } }, .parse = linklayer_parse },
	{ NULL }
};

/* What a bucket of @rate and @bucket bytes lets pass within @ns, as tc computes it. */
static u128 bytes_within(uint64_t rate, int64_t ns, uint64_t bucket)
{
	return (u128)rate * (u128)ns / 1000000000 + bucket;
}

static int limit_from_latency(struct diag *d, struct tbf_cfg *c)
{
	u128 limit = bytes_within(c->rate, c->latency_ns, c->burst.size);

	if (c->peakrate_bps) {
		u128 peak = bytes_within(c->peakrate, c->latency_ns, c->mtu.size);

		if (peak < limit)
			limit = peak;
	}
	if (limit > UINT32_MAX)
		return diag_usage(d, -1, "latency: the queue would be larger than 4 GiB");
	c->limit = (uint32_t)limit;
	return 0;
}

static int check_peak(struct diag *d, struct tbf_cfg *c)
{
	if (!GIVEN(c, TBF_PEAKRATE)) {
		if (GIVEN(c, TBF_MTU))
			diag_warn(d, "tbf: mtu does nothing without peakrate: it is the bucket of the peaks");
		return 0;
	}
	if (!GIVEN(c, TBF_MTU))
		return diag_usage(d, -1, "\"peakrate\" needs \"mtu\"");
	if (rate_bytes(d, "tbf", "peakrate", c->peakrate_bps, UINT64_MAX, &c->peakrate))
		return -EINVAL;
	if (c->peakrate <= c->rate)
		return diag_usage(d, -1, "\"peakrate\" must be above \"rate\"");
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
	err = rate_bytes(d, "tbf", "rate", c->rate_bps, UINT64_MAX, &c->rate);
	if (!err)
		err = check_peak(d, c);
	if (!err && GIVEN(c, TBF_LATENCY))
		err = limit_from_latency(d, c);
	return err;
}

/* How packets count below is the same for both rates; the grain of their tables is not. */
static struct tc_ratespec spec_of(const struct tbf_cfg *c, uint64_t rate, const struct size_cell *sc)
{
	return (struct tc_ratespec) {
		.cell_log = (uint8_t)(sc->cell ? cell_log(sc->cell) :
				      rtab_cell_log(c->mtu.size ? c->mtu.size : TBF_TABLE_MTU)),
		.linklayer = (uint8_t)(c->linklayer ? c->linklayer : TC_LINKLAYER_ETHERNET),
		.overhead = (uint16_t)c->overhead,
		.cell_align = -1,
		.mpu = (uint16_t)c->mpu,
		.rate = rate_narrow(rate),
	};
}

/* The kernel prefers the bytes of TCA_TBF_BURST; what ticks cannot hold is as much as they can. */
static uint32_t ticks_of(uint64_t rate, uint32_t bytes)
{
	uint32_t ticks;

	return psched_ticks(rate, bytes, &ticks) ? ticks : UINT32_MAX;
}

/* @bucket is the attribute of the bucket's bytes, @wide the one of a rate beyond 32 bits. */
static void fill_rate(struct nlb *nlb, uint64_t rate, uint16_t wide, uint16_t bucket, uint32_t bytes)
{
	if (rate > UINT32_MAX)
		nlb_put_u64(nlb, wide, rate);
	nlb_put_u32(nlb, bucket, bytes);
}

/*
 * The link layer is named, so the kernel has no use for the old rate tables
 * (tbf_change(), TC_LINKLAYER_UNAWARE) and none are sent; the fields that
 * would describe them are tc's.
 */
static void tbf_fill(struct nlb *nlb, const void *cfg)
{
	const struct tbf_cfg *c = cfg;
	struct tc_tbf_qopt opt = {
		.rate = spec_of(c, c->rate, &c->burst),
		.limit = c->limit,
		.buffer = ticks_of(c->rate, c->burst.size),
	};
	size_t nest = nlb_nest(nlb, TCA_OPTIONS);

	if (c->peakrate) {
		opt.peakrate = spec_of(c, c->peakrate, &c->mtu);
		opt.mtu = ticks_of(c->peakrate, c->mtu.size);
	}
	nlb_put(nlb, TCA_TBF_PARMS, &opt, sizeof(opt));
	fill_rate(nlb, c->rate, TCA_TBF_RATE64, TCA_TBF_BURST, c->burst.size);
	if (c->peakrate)
		fill_rate(nlb, c->peakrate, TCA_TBF_PRATE64, TCA_TBF_PBURST, c->mtu.size);
	nlb_nest_end(nlb, nest);
}

/* How long the queue can hold a packet, in us as tc's key has it. */
static double latency_us(uint32_t limit, uint64_t rate, uint32_t ticks)
{
	return 1e6 * ((double)limit / (double)rate) - (double)ticks * PSCHED_TICK_NS / 1000;
}

static void show_link(struct doc *doc, const struct tc_ratespec *rate)
{
	uint8_t linklayer = rate->linklayer & TC_LINKLAYER_MASK;

	if (rate->overhead)
		doc_u64(doc, "overhead", " overhead %" PRIu64, rate->overhead);
	if (linklayer > TC_LINKLAYER_ETHERNET)
		doc_str(doc, "linklayer", " linklayer %s", linklayer_name(linklayer));
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
	rate = rate_wide(tb[TCA_TBF_RATE64], opt.rate.rate);
	peak = rate_wide(tb[TCA_TBF_PRATE64], opt.peakrate.rate);
	burst = psched_bytes(rate, opt.buffer);
	doc_u64(doc, "rate", NULL, rate);
	doc_text(doc, " rate %s", rate_format(text, sizeof(text), rate * 8));
	doc_u64(doc, "burst", NULL, burst);
	doc_text(doc, " burst %s", size_format(text, sizeof(text), burst));
	if (peak) {
		mtu = psched_bytes(peak, opt.mtu);
		doc_text(doc, " peakrate %s", rate_format(text, sizeof(text), peak * 8));
		doc_u64(doc, "minburst", NULL, mtu);
		doc_text(doc, " minburst %s", size_format(text, sizeof(text), mtu));
	}
	if (!rate)
		return;
	lat = latency_us(opt.limit, rate, opt.buffer);
	if (peak && latency_us(opt.limit, peak, opt.mtu) > lat)
		lat = latency_us(opt.limit, peak, opt.mtu);
	if (lat < 0) {
		doc_u64(doc, "limit", NULL, opt.limit);
		doc_text(doc, " limit %s", size_format(text, sizeof(text), opt.limit));
	} else {
		doc_u64(doc, "lat", NULL, (uint64_t)lat);
		doc_text(doc, " lat %s", time_format(text, sizeof(text), (int64_t)lat * 1000));
	}
	show_link(doc, &opt.rate);
}

static void warn_of_bucket(struct diag *d, const char *word, uint32_t bytes, unsigned int frame)
{
	if (bytes < frame)
		diag_warn(d, "tbf: %s %u is below the device's largest frame, %u bytes: such a frame never passes",
			  word, bytes, frame);
}

static void tbf_advise(struct diag *d, const void *cfg, unsigned int frame)
{
	const struct tbf_cfg *c = cfg;

	warn_of_bucket(d, "burst", c->burst.size, frame);
	if (c->peakrate_bps)
		warn_of_bucket(d, "mtu", c->mtu.size, frame);
	if (c->limit < frame)
		diag_warn(d, "tbf: limit %u is below the device's largest frame, %u bytes: such a frame never passes",
			  c->limit, frame);
}

static const struct attr_desc tbf_attrs[] = {
	ATTR(TCA_TBF_PARMS, ATTR_RATESPEC("rate") " " ATTR_RATESPEC("peakrate")
	     " limit=bytes32 buffer=ticks mtu=ticks"),
	ATTR(TCA_TBF_RTAB, "ticks*"),
	ATTR(TCA_TBF_PTAB, "ticks*"),
	ATTR(TCA_TBF_RATE64, "Bps64"),
	ATTR(TCA_TBF_PRATE64, "Bps64"),
	ATTR(TCA_TBF_BURST, "bytes32"),
	ATTR(TCA_TBF_PBURST, "bytes32"),
	ATTR(TCA_TBF_PAD, "hex"),
	ATTR_END
};

const struct kind kind_tbf = {
	.name = "tbf",
	.config = "CONFIG_NET_SCH_TBF",
	.words = tbf_words,
	.cfg_size = sizeof(struct tbf_cfg),
	.parse = tbf_parse,
	.fill = tbf_fill,
	.options = ATTR_OPTIONS("+", tbf_attrs),
	.show = tbf_show,
	.advise = tbf_advise,
};

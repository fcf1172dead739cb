// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/pkt_sched.h>
#include <stddef.h>
#include <stdio.h>

#include "kinds/cake.h"
#include "kinds/show.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"
#include "wire/attr.h"

static uint32_t get(struct nlattr **tb, int type)
{
	uint32_t v = 0;

	attr_u32(tb, type, &v);
	return v;
}

static void show_mode(struct doc *doc, struct nlattr **tb, int type, const char *key,
		      const char *const *names, uint32_t n)
{
	uint32_t v;

	if (!attr_u32(tb, type, &v))
		return;
	doc_str(doc, key, NULL, v < n ? names[v] : "unknown");
	if (v < n)
		doc_text(doc, " %s", names[v]);
	else
		doc_text(doc, " (?%s?)", key);
}

static void show_rate_and_modes(struct doc *doc, struct nlattr **tb)
{
	static const char *const diffserv[] = {
		[CAKE_DIFFSERV_DIFFSERV3] = "diffserv3", [CAKE_DIFFSERV_DIFFSERV4] = "diffserv4",
		[CAKE_DIFFSERV_DIFFSERV8] = "diffserv8", [CAKE_DIFFSERV_BESTEFFORT] = "besteffort",
		[CAKE_DIFFSERV_PRECEDENCE] = "precedence",
	};
	static const char *const flow[] = {
		[CAKE_FLOW_NONE] = "flowblind", [CAKE_FLOW_SRC_IP] = "srchost",
		[CAKE_FLOW_DST_IP] = "dsthost", [CAKE_FLOW_HOSTS] = "hosts",
		[CAKE_FLOW_FLOWS] = "flows", [CAKE_FLOW_DUAL_SRC] = "dual-srchost",
		[CAKE_FLOW_DUAL_DST] = "dual-dsthost", [CAKE_FLOW_TRIPLE] = "triple-isolate",
	};
	uint32_t autorate = get(tb, TCA_CAKE_AUTORATE);
	uint64_t rate;

	if (attr_read(tb, TCA_CAKE_BASE_RATE64, &rate, sizeof(rate))) {
		if (rate)
			show_rate(doc, "bandwidth", rate);
		else
			doc_str(doc, "bandwidth", " bandwidth %s", "unlimited");
	}
	if (autorate)
		doc_str(doc, "autorate", " %s", autorate == 1 ? "autorate-ingress" : "unknown");
	show_mode(doc, tb, TCA_CAKE_DIFFSERV_MODE, "diffserv", diffserv, CAKE_DIFFSERV_MAX);
	show_mode(doc, tb, TCA_CAKE_FLOW_MODE, "flowmode", flow, CAKE_FLOW_MAX);
}

static void show_flag(struct doc *doc, const char *key, bool set, const char *yes, const char *no)
{
	doc_bool(doc, key, NULL, set);
	if (set ? yes : no)
		doc_text(doc, " %s", set ? yes : no);
}

static void show_ack(struct doc *doc, uint32_t mode)
{
	doc_str(doc, "ack-filter", NULL, mode == CAKE_ACK_AGGRESSIVE ? "aggressive" :
					 mode == CAKE_ACK_FILTER ? "enabled" : "disabled");
	doc_text(doc, mode == CAKE_ACK_AGGRESSIVE ? " ack-filter-aggressive" :
		      mode == CAKE_ACK_FILTER ? " ack-filter" : " no-ack-filter");
}

static void show_framing(struct doc *doc, struct nlattr **tb)
{
	uint32_t atm = get(tb, TCA_CAKE_ATM), mpu = get(tb, TCA_CAKE_MPU);
	int32_t overhead = 0;

	show_flag(doc, "raw", tb[TCA_CAKE_RAW], "raw", NULL);
	if (atm == CAKE_ATM_ATM || atm == CAKE_ATM_PTM)
		doc_str(doc, "atm", " %s", atm == CAKE_ATM_ATM ? "atm" : "ptm");
	else if (!tb[TCA_CAKE_RAW])
		doc_str(doc, "atm", " %s", "noatm");
	attr_read(tb, TCA_CAKE_OVERHEAD, &overhead, sizeof(overhead));
	doc_i64(doc, "overhead", NULL, overhead);
	doc_text(doc, " overhead %d", overhead);
	show_count_if(doc, "mpu", mpu);
}

static void show_fwmark(struct doc *doc, uint32_t fwmark)
{
	char text[16];

	snprintf(text, sizeof(text), "%#x", fwmark);
	doc_str(doc, "fwmark", NULL, text);
	if (fwmark)
		doc_text(doc, " fwmark %s", text);
}

static const struct attr_desc cake_attrs[] = {
	ATTR(TCA_CAKE_PAD, "hex"),
	ATTR(TCA_CAKE_BASE_RATE64, "Bps64"),
	ATTR(TCA_CAKE_DIFFSERV_MODE, "u32"),
	ATTR(TCA_CAKE_ATM, "u32"),
	ATTR(TCA_CAKE_FLOW_MODE, "u32"),
	ATTR(TCA_CAKE_OVERHEAD, "s32"),
	ATTR(TCA_CAKE_RTT, "us32"),
	ATTR(TCA_CAKE_TARGET, "us32"),
	ATTR(TCA_CAKE_AUTORATE, "u32"),
	ATTR(TCA_CAKE_MEMORY, "bytes32"),
	ATTR(TCA_CAKE_NAT, "u32"),
	ATTR(TCA_CAKE_RAW, "u32"),
	ATTR(TCA_CAKE_WASH, "u32"),
	ATTR(TCA_CAKE_MPU, "u32"),
	ATTR(TCA_CAKE_INGRESS, "u32"),
	ATTR(TCA_CAKE_ACK_FILTER, "u32"),
	ATTR(TCA_CAKE_SPLIT_GSO, "u32"),
	ATTR(TCA_CAKE_FWMARK, "x32"),
	ATTR_END
};

const struct attr_desc cake_options = { .value = "+", .sub = cake_attrs };

void cake_show(struct doc *doc, struct nlattr *opts)
{
	struct nlattr *tb[TCA_CAKE_MAX + 1];
	uint32_t rtt, memory;

	if (!opts || nla_parse_nested(tb, TCA_CAKE_MAX, opts, NULL) < 0)
		return;
	show_rate_and_modes(doc, tb);
	show_flag(doc, "nat", get(tb, TCA_CAKE_NAT), "nat", "nonat");
	show_flag(doc, "wash", get(tb, TCA_CAKE_WASH), "wash", "nowash");
	show_flag(doc, "ingress", get(tb, TCA_CAKE_INGRESS), "ingress", NULL);
	show_ack(doc, get(tb, TCA_CAKE_ACK_FILTER));
	show_flag(doc, "split_gso", get(tb, TCA_CAKE_SPLIT_GSO), "split-gso", "no-split-gso");
	rtt = get(tb, TCA_CAKE_RTT);
	if (rtt)
		show_us(doc, "rtt", rtt);
	else
		doc_u64(doc, "rtt", NULL, 0);
	show_framing(doc, tb);
	memory = get(tb, TCA_CAKE_MEMORY);
	if (memory)
		show_size(doc, "memlimit", memory);
	show_fwmark(doc, get(tb, TCA_CAKE_FWMARK));
}

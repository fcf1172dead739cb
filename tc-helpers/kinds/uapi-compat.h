/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_UAPI_COMPAT_H
#define QBED_UAPI_COMPAT_H

/*
 * What the kernel's <linux/pkt_sched.h> has got since 6.1, the headers that
 * this must be built with at least. The numbers are the kernel's; where the
 * header has them as enumerators, the macros say the same.
 */
#include <linux/pkt_sched.h>
#include <stdint.h>

/* 6.4: frame preemption of traffic classes */
#define TC_FP_EXPRESS 1
#define TC_FP_PREEMPTIBLE 2
#define TCA_MQPRIO_TC_ENTRY 5
#define TCA_MQPRIO_TC_ENTRY_INDEX 1
#define TCA_MQPRIO_TC_ENTRY_FP 2
#define TCA_TAPRIO_TC_ENTRY_FP 3

/* 6.5: counters of a taprio that the device does */
#define TCA_TAPRIO_OFFLOAD_STATS_WINDOW_DROPS 2
#define TCA_TAPRIO_OFFLOAD_STATS_TX_OVERRUNS 3

/* 6.7: bands of fq */
#define TCA_FQ_PRIOMAP 16
#define TCA_FQ_WEIGHTS 17
#define FQ_BANDS 3
#define FQ_MIN_WEIGHT 16384

/* 6.13 */
#define TCA_FQ_OFFLOAD_HORIZON 18

/* 7.0: queues of a cake_mq that have packets */
#define TCA_CAKE_STATS_ACTIVE_QUEUES 17

/* struct tc_fq_qd_stats; what is behind @horizon_caps is there since 6.7 */
struct fq_stats {
	uint64_t gc_flows;
	uint64_t highprio_packets;
	uint64_t tcp_retrans;
	uint64_t throttled;
	uint64_t flows_plimit;
	uint64_t pkts_too_long;
	uint64_t allocation_errors;
	int64_t time_next_delayed_flow;
	uint32_t flows;
	uint32_t inactive_flows;
	uint32_t throttled_flows;
	uint32_t unthrottle_latency_ns;
	uint64_t ce_mark;
	uint64_t horizon_drops;
	uint64_t horizon_caps;
	uint64_t fastpath_packets;
	uint64_t band_drops[FQ_BANDS];
	uint32_t band_pkt_count[FQ_BANDS];
	uint32_t pad;
};

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages of rtnetlink, and the attributes that are not a kind's own. */
#include <linux/gen_stats.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <string.h>

#include "wire/rt-names.h"

#define IFINFO ".family=u8 .pad=u8 type=u16 ifindex=s32 flags=x32 change=x32"
#define TCMSG ".family=u8 .pad=u8 .pad=u16 ifindex=s32 handle=handle parent=handle "

static const struct attr_desc stab_attrs[] = {
	ATTR(TCA_STAB_BASE, "cell_log=u8 size_log=u8 cell_align=s16 overhead=s32 linklayer=u32 mpu=u32 mtu=u32 tsize=u32"),
	ATTR(TCA_STAB_DATA, "size=u16*"),
	ATTR_END
};

static const struct attr_desc stats_attrs[] = {
	ATTR(TCA_STATS_BASIC, "bytes=u64 packets=u32 .pad=u32"),
	ATTR(TCA_STATS_BASIC_HW, "bytes=u64 packets=u32 .pad=u32"),
	ATTR(TCA_STATS_RATE_EST, "rate=Bps32 pps=u32"),
	ATTR(TCA_STATS_RATE_EST64, "rate=Bps64 pps=u64"),
	ATTR(TCA_STATS_QUEUE, "qlen=u32 backlog=u32 drops=u32 requeues=u32 overlimits=u32"),
	ATTR(TCA_STATS_PKT64, "u64"),
	ATTR(TCA_STATS_APP, "hex"),
	ATTR(TCA_STATS_PAD, "hex"),
	ATTR_END
};

#define STATS "bytes=u64 packets=u32 drops=u32 overlimits=u32 rate=Bps32 pps=u32 qlen=u32 backlog=u32"

/* @by: whose kind TCA_OPTIONS goes by */
#define TCA_ATTRS(by) { \
	ATTR_KIND(TCA_KIND), \
	ATTR_KINDS_OWN(TCA_OPTIONS, by), \
	ATTR(TCA_STATS, STATS " .pad=u32"), \
	ATTR(TCA_XSTATS, "hex"), \
	ATTR(TCA_RATE, "interval=s8 ewma_log=u8"), \
	ATTR(TCA_FCNT, "hex"), \
	ATTR_NEST(TCA_STATS2, stats_attrs), \
	ATTR_NEST(TCA_STAB, stab_attrs), \
	ATTR(TCA_PAD, "hex"), \
	ATTR(TCA_DUMP_INVISIBLE, "flag"), \
	ATTR(TCA_CHAIN, "u32"), \
	ATTR(TCA_HW_OFFLOAD, "u8"), \
	ATTR(TCA_INGRESS_BLOCK, "u32"), \
	ATTR(TCA_EGRESS_BLOCK, "u32"), \
	ATTR(TCA_DUMP_FLAGS, "hex"), \
	ATTR_END \
}

static const struct attr_desc qdisc_attrs[] = TCA_ATTRS(ATTR_BY_QDISC);
static const struct attr_desc class_attrs[] = TCA_ATTRS(ATTR_BY_CLASS);
static const struct attr_desc filter_attrs[] = TCA_ATTRS(ATTR_BY_FILTER);

static const struct attr_desc linkinfo_attrs[] = {
	ATTR_KIND(IFLA_INFO_KIND),
	ATTR_KINDS_OWN(IFLA_INFO_DATA, ATTR_BY_LINK),
	ATTR(IFLA_INFO_XSTATS, "hex"),
	ATTR(IFLA_INFO_SLAVE_KIND, "str"),
	ATTR(IFLA_INFO_SLAVE_DATA, "hex"),
	ATTR_END
};

static const struct attr_desc inet6_attrs[] = {
	ATTR(IFLA_INET6_FLAGS, "x32"),
	ATTR(IFLA_INET6_CONF, "s32*"),
	ATTR(IFLA_INET6_STATS, "u64*"),
	ATTR(IFLA_INET6_CACHEINFO, "max_reasm_len=u32 tstamp=u32 reachable_time=u32 retrans_time=u32"),
	ATTR(IFLA_INET6_ICMP6STATS, "u64*"),
	ATTR(IFLA_INET6_TOKEN, "ip6"),
	ATTR(IFLA_INET6_ADDR_GEN_MODE, "u8"),
	ATTR(IFLA_INET6_RA_MTU, "u32"),
	ATTR_END
};

static const struct attr_desc inet_attrs[] = {
	ATTR(IFLA_INET_CONF, "u32*"),
	ATTR_END
};

static const struct attr_desc af_spec_attrs[] = {
	{ .type = 2, .name = "AF_INET", .value = "+", .sub = inet_attrs },
	{ .type = 10, .name = "AF_INET6", .value = "+", .sub = inet6_attrs },
	ATTR_END
};

static const struct attr_desc link_attrs[] = {
	ATTR(IFLA_ADDRESS, "mac"), ATTR(IFLA_BROADCAST, "mac"), ATTR(IFLA_PERM_ADDRESS, "mac"),
	ATTR(IFLA_IFNAME, "str"), ATTR(IFLA_ALT_IFNAME, "str"), ATTR(IFLA_IFALIAS, "str"),
	ATTR(IFLA_QDISC, "str"), ATTR(IFLA_PARENT_DEV_NAME, "str"),
	ATTR(IFLA_PARENT_DEV_BUS_NAME, "str"), ATTR(IFLA_PHYS_PORT_NAME, "str"),
	ATTR(IFLA_MTU, "u32"), ATTR(IFLA_MIN_MTU, "u32"), ATTR(IFLA_MAX_MTU, "u32"),
	ATTR(IFLA_LINK, "u32"), ATTR(IFLA_MASTER, "u32"), ATTR(IFLA_NEW_IFINDEX, "s32"),
	ATTR(IFLA_LINK_NETNSID, "s32"), ATTR(IFLA_NEW_NETNSID, "s32"),
	ATTR(IFLA_TARGET_NETNSID, "s32"),
	ATTR(IFLA_NET_NS_PID, "u32"), ATTR(IFLA_NET_NS_FD, "u32"),
	ATTR(IFLA_TXQLEN, "u32"), ATTR(IFLA_WEIGHT, "u32"), ATTR(IFLA_COST, "u32"),
	ATTR(IFLA_PRIORITY, "u32"), ATTR(IFLA_GROUP, "u32"), ATTR(IFLA_PROMISCUITY, "u32"),
	ATTR(IFLA_NUM_TX_QUEUES, "u32"), ATTR(IFLA_NUM_RX_QUEUES, "u32"),
	ATTR(IFLA_GSO_MAX_SEGS, "u32"), ATTR(IFLA_GSO_MAX_SIZE, "bytes32"),
	ATTR(IFLA_GRO_MAX_SIZE, "bytes32"), ATTR(IFLA_TSO_MAX_SIZE, "bytes32"),
	ATTR(IFLA_TSO_MAX_SEGS, "u32"), ATTR(IFLA_EXT_MASK, "x32"), ATTR(IFLA_EVENT, "u32"),
	ATTR(IFLA_OPERSTATE, "u8"), ATTR(IFLA_LINKMODE, "u8"), ATTR(IFLA_CARRIER, "u8"),
	ATTR(IFLA_PROTO_DOWN, "u8"), ATTR(IFLA_CARRIER_CHANGES, "u32"),
	ATTR(IFLA_CARRIER_UP_COUNT, "u32"), ATTR(IFLA_CARRIER_DOWN_COUNT, "u32"),
	ATTR(IFLA_STATS, "u32*"), ATTR(IFLA_STATS64, "u64*"), ATTR(IFLA_XDP, "hex"),
	ATTR(IFLA_MAP, "mem_start=x64 mem_end=x64 base_addr=x64 irq=u16 dma=u8 port=u8 .pad=u32"),
	ATTR(IFLA_PROP_LIST, "hex"), ATTR(IFLA_PHYS_PORT_ID, "hex"),
	ATTR(IFLA_PHYS_SWITCH_ID, "hex"), ATTR(IFLA_PAD, "hex"), ATTR(IFLA_NUM_VF, "u32"),
	/* since 6.1 */
	{ 61, "IFLA_ALLMULTI", "u32" }, { 62, "IFLA_DEVLINK_PORT", "hex" },
	{ 63, "IFLA_GSO_IPV4_MAX_SIZE", "bytes32" }, { 64, "IFLA_GRO_IPV4_MAX_SIZE", "bytes32" },
	{ 65, "IFLA_DPLL_PIN", "hex" }, { 66, "IFLA_MAX_PACING_OFFLOAD_HORIZON", "u32" },
	{ 67, "IFLA_NETNS_IMMUTABLE", "u8" }, { 68, "IFLA_HEADROOM", "u16" },
	{ 69, "IFLA_TAILROOM", "u16" },
	ATTR_NEST(IFLA_LINKINFO, linkinfo_attrs),
	ATTR_NEST(IFLA_AF_SPEC, af_spec_attrs),
	ATTR_END
};

static const struct attr_desc veth_attrs[] = {
	{ .type = VETH_INFO_PEER, .name = "VETH_INFO_PEER", .value = IFINFO " +", .sub = link_attrs },
	ATTR_END
};

static const struct attr_desc addr_attrs[] = {
	ATTR(IFA_ADDRESS, "ip"), ATTR(IFA_LOCAL, "ip"), ATTR(IFA_BROADCAST, "ip"),
	ATTR(IFA_ANYCAST, "ip"), ATTR(IFA_MULTICAST, "ip"), ATTR(IFA_LABEL, "str"),
	ATTR(IFA_FLAGS, "x32"), ATTR(IFA_RT_PRIORITY, "u32"), ATTR(IFA_TARGET_NETNSID, "s32"), ATTR(IFA_PROTO, "u8"),
	ATTR(IFA_CACHEINFO, "preferred=u32 valid=u32 cstamp=u32 tstamp=u32"),
	ATTR_END
};

static const struct attr_desc route_attrs[] = {
	ATTR(RTA_DST, "ip"), ATTR(RTA_SRC, "ip"), ATTR(RTA_GATEWAY, "ip"), ATTR(RTA_PREFSRC, "ip"),
	ATTR(RTA_IIF, "u32"), ATTR(RTA_OIF, "u32"), ATTR(RTA_PRIORITY, "u32"), ATTR(RTA_TABLE, "u32"),
	ATTR(RTA_METRICS, "hex"), ATTR(RTA_MULTIPATH, "hex"), ATTR(RTA_FLOW, "u32"),
	ATTR(RTA_CACHEINFO, "hex"), ATTR(RTA_MARK, "x32"), ATTR(RTA_PREF, "u8"),
	ATTR(RTA_VIA, "family=u16 addr=hex"), ATTR(RTA_EXPIRES, "u32"), ATTR(RTA_NH_ID, "u32"),
	ATTR_END
};

static const struct attr_desc neigh_attrs[] = {
	ATTR(NDA_DST, "ip"), ATTR(NDA_LLADDR, "mac"), ATTR(NDA_PROBES, "u32"), ATTR(NDA_IFINDEX, "u32"),
	ATTR(NDA_CACHEINFO, "confirmed=u32 used=u32 updated=u32 refcnt=u32"),
	ATTR(NDA_PROTOCOL, "u8"), ATTR(NDA_FLAGS_EXT, "x32"),
	ATTR_END
};

static const struct attr_desc ack_attrs[] = {
	ATTR(NLMSGERR_ATTR_MSG, "str"), ATTR(NLMSGERR_ATTR_OFFS, "u32"),
	ATTR(NLMSGERR_ATTR_COOKIE, "hex"), ATTR(NLMSGERR_ATTR_POLICY, "hex"),
	{ .type = 5, .name = "NLMSGERR_ATTR_MISS_TYPE", .value = "u32" },	/* since 6.1 */
	{ .type = 6, .name = "NLMSGERR_ATTR_MISS_NEST", .value = "u32" },
	ATTR_END
};

#define MSG(_type, _header, _attrs) { (_type), #_type, (_header), (_attrs) }
#define MSGS(_what, _header, _attrs) \
	MSG(RTM_NEW##_what, _header, _attrs), MSG(RTM_DEL##_what, _header, _attrs), \
	MSG(RTM_GET##_what, _header, _attrs)

static const struct msg_desc messages[] = {
	MSGS(QDISC, TCMSG "info=x32 +", qdisc_attrs),
	MSGS(TCLASS, TCMSG "info=x32 +", class_attrs),
	MSGS(TFILTER, TCMSG "info=filter-info +", filter_attrs),
	MSGS(LINK, IFINFO " +", link_attrs),
	MSG(RTM_SETLINK, IFINFO " +", link_attrs),
	MSGS(ADDR, "family=u8 prefixlen=u8 flags=x8 scope=u8 ifindex=u32 +", addr_attrs),
	MSGS(ROUTE, "family=u8 dst_len=u8 src_len=u8 tos=u8 table=u8 protocol=u8 scope=u8 type=u8 flags=x32 +",
	     route_attrs),
	MSGS(NEIGH, "family=u8 .pad=u8 .pad=u16 ifindex=s32 state=x16 flags=x8 type=u8 +", neigh_attrs),
	MSG(NLMSG_ERROR, "error=errno .len=u32 .type=u16 .flags=u16 .seq=u32 .pid=u32", ack_attrs),
	MSG(NLMSG_DONE, "status=errno", ack_attrs),
	MSG(NLMSG_NOOP, "+", NULL),
	MSG(NLMSG_OVERRUN, "+", NULL),
	{ .name = NULL }
};

const struct msg_desc *msg_desc_find(uint16_t type)
{
	for (const struct msg_desc *m = messages; m->name; m++)
		if (m->type == type)
			return m;
	return NULL;
}

const struct attr_desc *link_options(const char *kind)
{
	static const struct attr_desc veth = { .value = "+", .sub = veth_attrs };

	return strcmp(kind, "veth") ? NULL : &veth;
}

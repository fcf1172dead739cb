// SPDX-License-Identifier: GPL-2.0-or-later
/* An ifb for what arrives at a device, and the filter that sends it there. */
#include <errno.h>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/tc_act/tc_mirred.h>
#include <net/if.h>

#include "net/nets.h"
#include "net/rtnl.h"
#include "net/topo-make.h"
#include "pure/diag.h"
#include "topo/topo.h"
#include "wire/nlb.h"

#define ADDR_GEN_MODE_NONE 1	/* IN6_ADDR_GEN_MODE_NONE */
#define TXQLEN 1000		/* an ifb has 32 by itself, which is what fifos below it would hold */
#define INGRESS_HANDLE TC_H_MAKE(TC_H_INGRESS, 0)

static int queue(struct maker *m, struct nlb *nlb, int ingress, const struct rtnl_req *req)
{
	struct nl_msg *msg;

	if (nlb_finish(nlb, &msg))
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	return maker_queue_as(m, m->topo->ingress[ingress].ifb.end.netns, msg, req);
}

/* The ifb's number. */
static int ifb_index(const struct maker *m, int ingress)
{
	return maker_ifindex(m, (struct topo_ref){ .link = -1 - ingress });
}

static void lacks(struct diag *d, int err, int sign, const char *config)
{
	if (err != sign)
		return;
	if (d->exit == EXIT_FAILED)
		d->exit = EXIT_CANNOT;
	diag_append(d, "this kernel lacks %s", config);
}

static void hint_ifb(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	lacks(d, err, -EOPNOTSUPP, "CONFIG_IFB");
}

static void hint_ingress(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	lacks(d, err, -ENOENT, "CONFIG_NET_SCH_INGRESS");
}

/* A missing classifier is ENOENT, and so is a missing action. */
static void hint_filter(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	lacks(d, err, -ENOENT, "CONFIG_NET_CLS_MATCHALL (or CONFIG_NET_CLS_U32) or CONFIG_NET_ACT_MIRRED");
}

/* As for the ends of links: no packet that nobody sent. */
static int no_auto_address(struct maker *m, int ingress)
{
	const struct rtnl_req req = { .pass = EAFNOSUPPORT };
	const struct ifinfomsg ifi = { .ifi_index = ifb_index(m, ingress) };
	size_t spec, inet6;
	struct nlb nlb;

	if (!m->ipv6)
		return 0;
	nlb_init(&nlb, RTM_NEWLINK, 0);
	nlb_raw(&nlb, &ifi, sizeof(ifi));
	spec = nlb_nest(&nlb, IFLA_AF_SPEC);
	inet6 = nlb_nest(&nlb, AF_INET6);
	nlb_put(&nlb, IFLA_INET6_ADDR_GEN_MODE, &(uint8_t){ ADDR_GEN_MODE_NONE }, 1);
	nlb_nest_end(&nlb, inet6);
	nlb_nest_end(&nlb, spec);
	return queue(m, &nlb, ingress, &req);
}

int ifb_create(struct maker *m, int ingress)
{
	const struct rtnl_req req = { .refused = hint_ifb };
	const struct topo_dev *ifb = &m->topo->ingress[ingress].ifb;
	const struct ifinfomsg ifi = { .ifi_index = ifb_index(m, ingress) };
	struct nlb nlb;
	size_t info;
	int err;

	nlb_init(&nlb, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(&nlb, &ifi, sizeof(ifi));
	nlb_put_str(&nlb, IFLA_IFNAME, ifb->end.dev);
	nlb_put(&nlb, IFLA_ADDRESS, ifb->mac, sizeof(ifb->mac));
	nlb_put_u32(&nlb, IFLA_NUM_TX_QUEUES, ifb->tx);
	nlb_put_u32(&nlb, IFLA_TXQLEN, TXQLEN);
	nlb_put_u32(&nlb, IFLA_GROUP, TOPO_GROUP);
	info = nlb_nest(&nlb, IFLA_LINKINFO);
	nlb_put_str(&nlb, IFLA_INFO_KIND, "ifb");
	nlb_nest_end(&nlb, info);
	err = queue(m, &nlb, ingress, &req);
	return err ? err : no_auto_address(m, ingress);
}

static int ifb_up(struct maker *m, int ingress)
{
	const struct rtnl_req plain = { 0 };
	const struct ifinfomsg ifi = {
		.ifi_index = ifb_index(m, ingress), .ifi_flags = IFF_UP, .ifi_change = IFF_UP,
	};
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWLINK, 0);
	nlb_raw(&nlb, &ifi, sizeof(ifi));
	return queue(m, &nlb, ingress, &plain);
}

/* Filters of what leaves need it; the ingress is in it. */
static bool is_clsact(const struct maker *m, int ingress)
{
	return topo_dev(m->topo, m->topo->ingress[ingress].of)->clsact;
}

static int add_qdisc(struct maker *m, int ingress)
{
	const struct rtnl_req req = { .refused = hint_ingress };
	const struct tcmsg tcm = {
		.tcm_ifindex = maker_ifindex(m, m->topo->ingress[ingress].of),
		.tcm_handle = INGRESS_HANDLE,
		.tcm_parent = TC_H_INGRESS,
	};
	struct nlb nlb;

	nlb_init(&nlb, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	nlb_put_str(&nlb, TCA_KIND, is_clsact(m, ingress) ? "clsact" : "ingress");
	return queue(m, &nlb, ingress, &req);
}

/* The action "mirred egress redirect dev @to" under the attribute @type. */
static void put_redirect(struct nlb *nlb, uint16_t type, int to)
{
	const struct tc_mirred parms = {
		.action = TC_ACT_STOLEN, .eaction = TCA_EGRESS_REDIR, .ifindex = (uint32_t)to,
	};
	size_t acts = nlb_nest(nlb, type), act = nlb_nest(nlb, 1), opts;

	nlb_put_str(nlb, TCA_ACT_KIND, "mirred");
	opts = nlb_nest(nlb, TCA_ACT_OPTIONS);
	nlb_put(nlb, TCA_MIRRED_PARMS, &parms, sizeof(parms));
	nlb_nest_end(nlb, opts);
	nlb_nest_end(nlb, act);
	nlb_nest_end(nlb, acts);
}

/* Of a clsact and of an ingress alike. */
static void filter_init(struct nlb *nlb, int ifindex, const char *kind)
{
	const struct tcmsg tcm = {
		.tcm_ifindex = ifindex,
		.tcm_parent = TOPO_INGRESS,
		.tcm_info = TC_H_MAKE(1 << 16, htons(ETH_P_ALL)),
	};

	nlb_init(nlb, RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(nlb, &tcm, sizeof(tcm));
	nlb_put_str(nlb, TCA_KIND, kind);
}

static void fill_matchall(struct nlb *nlb, int ifindex, int to)
{
	size_t opts;

	filter_init(nlb, ifindex, "matchall");
	opts = nlb_nest(nlb, TCA_OPTIONS);
	put_redirect(nlb, TCA_MATCHALL_ACT, to);
	nlb_nest_end(nlb, opts);
}

/* One key with an empty mask. */
static void fill_u32(struct nlb *nlb, int ifindex, int to)
{
	struct {
		struct tc_u32_sel sel;
		struct tc_u32_key key;
	} sel = { .sel = { .flags = TC_U32_TERMINAL, .nkeys = 1 } };
	size_t opts;

	filter_init(nlb, ifindex, "u32");
	opts = nlb_nest(nlb, TCA_OPTIONS);
	nlb_put(nlb, TCA_U32_SEL, &sel, sizeof(sel));
	put_redirect(nlb, TCA_U32_ACT, to);
	nlb_nest_end(nlb, opts);
}

/* Has the kernel matchall? The first filter of a topology tells. */
static int try_matchall(struct maker *m, int ingress, int from, int to)
{
	struct rtnl *rtnl;
	struct diag quiet;
	struct nl_msg *msg;
	struct nlb nlb;
	int err = nets_rtnl(m->d, m->nets, m->topo->ingress[ingress].ifb.end.netns, &rtnl);

	if (err)
		return err;
	fill_matchall(&nlb, from, to);
	if (nlb_finish(&nlb, &msg))
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	diag_init(&quiet);
	err = rtnl_talk(rtnl, &quiet, msg, "filter matchall");
	diag_free(&quiet);
	m->filter = err ? FILTER_U32 : FILTER_MATCHALL;
	return 0;
}

static int add_filter(struct maker *m, int ingress)
{
	const struct rtnl_req req = { .refused = hint_filter };
	int from = maker_ifindex(m, m->topo->ingress[ingress].of), to = ifb_index(m, ingress);
	struct nlb nlb;
	int err;

	if (m->filter == FILTER_UNKNOWN) {
		err = try_matchall(m, ingress, from, to);
		if (err || m->filter == FILTER_MATCHALL)
			return err;
	}
	if (m->filter == FILTER_MATCHALL)
		fill_matchall(&nlb, from, to);
	else
		fill_u32(&nlb, from, to);
	return queue(m, &nlb, ingress, &req);
}

int ingress_redirect(struct maker *m, int ingress)
{
	int err = ifb_up(m, ingress);

	if (!err)
		err = add_qdisc(m, ingress);
	return err ? err : add_filter(m, ingress);
}

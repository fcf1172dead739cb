// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of a topology: judged, put on their devices, and those that stand. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>

#include "filters/filter-spec.h"
#include "kinds/kinds.h"
#include "net/filter.h"
#include "net/nets.h"
#include "net/rtnl.h"
#include "net/snap.h"
#include "net/topo-live.h"
#include "net/topo-make.h"
#include "net/topo-tc.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "topo/topo.h"
#include "wire/nlb.h"

#define PLACE 2	/* of the statement's words: the keyword and the device stand before */

/* Its words, read; errors at FILE:LINE:COLUMN. @spec is to be freed whatever is returned. */
static int spec_of(struct diag *d, const struct topo *topo, const struct topo_filter *f,
		   struct filter_spec *spec)
{
	const struct topo_stmt *s = &topo->stmts[f->stmt];
	int err = filter_spec_parse(d, OP_ADD, s->words + PLACE, s->nwords - PLACE, spec);

	if (!err && spec->end.dev[0])
		err = diag_usage(d, -1, "\"dev\": the device is \"%s\" already", s->words[1]);
	if (err)
		topo_locate(d, topo, f->stmt, s->cols + PLACE, s->nwords - PLACE + 1);
	else
		spec->end = topo_dev(topo, f->dev)->end;
	return err;
}

/* The device that an action names: one of the topology, where the filter is. */
static bool find_target(const struct topo *topo, const struct topo_filter *f, const char *dev,
			struct topo_ref *ref)
{
	struct link_end end = topo_dev(topo, f->dev)->end;

	snprintf(end.dev, sizeof(end.dev), "%.15s", dev);
	return topo_find_dev(topo, &end, ref);
}

static int targets_check(struct diag *d, const struct topo *topo, const struct topo_filter *f,
			 const struct filter_spec *spec)
{
	const struct topo_stmt *s = &topo->stmts[f->stmt];
	struct topo_ref ref;

	for (int i = 0; i < spec->actions.n; i++) {
		const char *dev = spec->actions.act[i].dev;
		int word = s->nwords - 1;

		if (!*dev || find_target(topo, f, dev, &ref))
			continue;
		while (word > PLACE && strcmp(s->words[word], dev) != 0)
			word--;
		diag_usage(d, word - PLACE, "\"%s\": no line makes that device where the filter is", dev);
		topo_locate(d, topo, f->stmt, s->cols + PLACE, s->nwords - PLACE + 1);
		return -EINVAL;
	}
	return 0;
}

static const struct topo_qdisc *declared(const struct topo *topo, const struct topo_filter *f,
					 bool is_class, uint32_t handle)
{
	const struct topo_qdisc *q;

	for (int i = topo_dev(topo, f->dev)->last; i >= 0; i = q->before) {
		q = &topo->qdiscs[i];
		if (q->is_class == is_class && q->handle == handle)
			return q;
	}
	return NULL;
}

/* The kernel takes a class that is not there, and goes on as if the filter had not matched. */
static void advise_class(struct diag *d, const struct topo *topo, const struct topo_filter *f,
			 const struct filter_spec *spec)
{
	uint32_t major = TC_H_MAJ(spec->classid) ? TC_H_MAJ(spec->classid) : TC_H_MAJ(f->parent);
	uint32_t classid = TC_H_MAKE(major, TC_H_MIN(spec->classid));
	const struct topo_qdisc *q;
	const struct kind *kind;
	char name[12];

	if (!(spec->given & 1u << FILTER_CLASSID) || f->clsact)
		return;
	q = declared(topo, f, false, major);
	kind = q ? kind_find(q->words[q->kind]) : NULL;
	if (q && (!kind || !kind->class || !kind->class->parse || declared(topo, f, true, classid)))
		return;
	diag_warn(d, "%s:%d: filter %s: no line \"class\" makes the class %s", topo->file,
		  topo->stmts[f->stmt].line, spec->kind->name, handle_format(name, classid));
}

int topo_filters_check(struct diag *d, const struct topo *topo)
{
	struct filter_spec spec;
	int i, err = 0;

	for (i = 0; !err && i < topo->nfilters; i++) {
		err = spec_of(d, topo, &topo->filters[i], &spec);
		if (!err)
			err = targets_check(d, topo, &topo->filters[i], &spec);
		if (!err)
			advise_class(d, topo, &topo->filters[i], &spec);
		filter_spec_free(&spec);
	}
	return err;
}

static void refused(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	const struct maker *m = arg;
	struct filter_spec spec;
	struct diag quiet;

	diag_init(&quiet);
	if (!spec_of(&quiet, m->topo, &m->topo->filters[m->steps[index].index], &spec))
		filter_blame(d, err, extack, &spec);
	filter_spec_free(&spec);
	diag_free(&quiet);
}

static void refused_clsact(struct diag *d, int err, const char *extack, const void *arg, int index)
{
	(void)extack;
	(void)arg;
	(void)index;
	if (err != -ENOENT)
		return;
	d->exit = EXIT_CANNOT;
	diag_append(d, "this kernel lacks %s", kind_clsact.config);
}

/* Where an ifb takes what arrives, ingress.c has made it. */
static int add_clsact(struct maker *m, const struct topo_filter *f)
{
	const struct rtnl_req req = { .refused = refused_clsact };
	const struct tcmsg tcm = {
		.tcm_ifindex = maker_ifindex(m, f->dev),
		.tcm_handle = TC_H_MAKE(TC_H_CLSACT, 0),
		.tcm_parent = TC_H_CLSACT,
	};
	struct nl_msg *msg;
	struct nlb nlb;

	if (!f->makes_clsact || topo_ingress_of(m->topo, f->dev) >= 0)
		return 0;
	nlb_init(&nlb, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL);
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	nlb_put_str(&nlb, TCA_KIND, kind_clsact.name);
	if (nlb_finish(&nlb, &msg))
		return diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	return maker_queue_as(m, topo_dev(m->topo, f->dev)->end.netns, msg, &req);
}

int topo_filter_add(struct maker *m, const struct topo_filter *f)
{
	const struct rtnl_req req = { .refused = refused };
	struct filter_spec spec;
	struct nl_msg *msg;
	struct topo_ref to;
	int err = add_clsact(m, f);

	if (err)
		return err;
	err = spec_of(m->d, m->topo, f, &spec);
	for (int i = 0; !err && i < spec.actions.n; i++)
		if (find_target(m->topo, f, spec.actions.act[i].dev, &to))
			spec.actions.act[i].ifindex = maker_ifindex(m, to);
	if (!err && filter_spec_msg(&spec, OP_ADD, maker_ifindex(m, f->dev), &msg))
		err = diag_failed(m->d, ENOMEM, "%s", m->topo->file);
	filter_spec_free(&spec);
	return err ? err : maker_queue_as(m, topo_dev(m->topo, f->dev)->end.netns, msg, &req);
}

/**
 * struct view - the filters at one parent, as they are told
 * @err: of a name that could not be found out
 * @to: name of a device
 */
struct view {
	struct diag *d;
	struct snap *snap;
	struct doc *doc;
	const char *name;
	int netns;
	uint32_t parent;
	int err;
	char to[IFNAMSIZ + 8];
};

static const char *ifname(void *arg, int ifindex)
{
	struct view *v = arg;

	if (snap_ifname(v->snap, v->d, v->netns, ifindex, v->to))
		v->err = -EIO;
	if (!v->to[0])
		snprintf(v->to, sizeof(v->to), "if%d", ifindex);
	return v->to;
}

static void put_place(struct view *v, uint32_t parent)
{
	char at[12];

	if (parent == TOPO_INGRESS || parent == TOPO_EGRESS)
		doc_str(v->doc, "parent", " %s", parent == TOPO_INGRESS ? "ingress" : "egress");
	else
		doc_str(v->doc, "parent", " parent %s", handle_format(at, parent));
}

/* Before its filters a classifier shows itself, without a handle; u32 its table too, without keys. */
static bool is_filter(const struct filter_info *info)
{
	return info->handle && (strcmp(info->kind, "u32") != 0 || info->handle & 0xfff);
}

static int each(const struct nlmsghdr *nlh, void *arg)
{
	struct view *v = arg;
	struct filter_view view = { .ifname = ifname, .arg = v };
	const struct classifier *kind;
	struct filter_info info;
	char protocol[16];
	size_t from;

	if (!filter_info_parse(nlh, &info) || !is_filter(&info))
		return 0;
	kind = classifier_find(info.kind);
	view.handle = info.handle;
	from = doc_text_len(v->doc);
	doc_open_object(v->doc, "");
	doc_text(v->doc, "filter %s", v->name);
	put_place(v, v->parent);
	doc_str(v->doc, "protocol", " protocol %s", protocol_format(protocol, info.protocol));
	doc_u64(v->doc, "pref", " pref %" PRIu64, info.prio);
	doc_str(v->doc, "kind", " %s", info.kind);
	doc_u64(v->doc, "chain", info.chain ? " chain %" PRIu64 : NULL, info.chain);
	doc_open_object(v->doc, "options");
	if (kind && info.opts)
		kind->show(v->doc, info.opts, &view);
	doc_close_object(v->doc);
	doc_text_one_line(v->doc, from);
	doc_text(v->doc, "\n");
	doc_close_object(v->doc);
	return v->err;
}

int topo_live_filters(struct diag *d, struct snap *snap, const struct topo *topo, struct topo_ref ref,
		      const char *name, struct doc *doc)
{
	const struct topo_dev *dev = topo_dev(topo, ref);
	struct view v = { .d = d, .snap = snap, .doc = doc, .name = name, .netns = dev->netns };
	int err = 0;

	if (dev->last_filter < 0)
		return 0;
	doc_open_array(doc, "filters");
	for (int i = dev->last_filter; !err && i >= 0; i = topo->filters[i].before) {
		if (!topo->filters[i].first)
			continue;
		v.parent = topo->filters[i].parent;
		err = snap_each(snap, d, dev->netns, SNAP_FILTERS, i, topo_dev_number(topo, ref), each, &v);
	}
	doc_close_array(doc);
	return err;
}

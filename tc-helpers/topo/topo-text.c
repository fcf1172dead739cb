// SPDX-License-Identifier: GPL-2.0-or-later
/* Steps and events of a topology in words. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

#include "pure/diag.h"
#include "pure/units.h"
#include "topo/topo-parse.h"

struct text {
	char *s;
	size_t len;
	bool failed;
};

static void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void text_add(struct text *t, const char *fmt, ...)
{
	char *more, *grown;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&more, fmt, ap);
	va_end(ap);
	if (n < 0) {
		t->failed = true;
		return;
	}
	grown = realloc(t->s, t->len + (size_t)n + 1);
	if (grown) {
		memcpy(grown + t->len, more, (size_t)n + 1);
		t->s = grown;
		t->len += (size_t)n;
	} else {
		t->failed = true;
	}
	free(more);
}

static char *text_take(struct text *t)
{
	if (!t->failed)
		return t->s;
	free(t->s);
	return NULL;
}

static void queues_text(struct text *t, const char *word, unsigned int a, unsigned int b)
{
	text_add(t, " %s %u", word, a);
	if (a != b)
		text_add(t, " %u", b);
}

static void mac_text(struct text *t, const uint8_t *m)
{
	text_add(t, " %02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5]);
}

static void link_text(struct text *t, const struct topo_link *link)
{
	const struct topo_dev *dev = link->dev;
	char a[TOPO_END_LEN], b[TOPO_END_LEN];

	text_add(t, "link %s %s", topo_end_format(a, &dev[0].end), topo_end_format(b, &dev[1].end));
	if (dev[0].tx == dev[0].rx && dev[1].tx == dev[1].rx) {
		queues_text(t, "queues", dev[0].tx, dev[1].tx);
	} else {
		queues_text(t, "txqueues", dev[0].tx, dev[1].tx);
		queues_text(t, "rxqueues", dev[0].rx, dev[1].rx);
	}
	if (link->mtu)
		text_add(t, " mtu %u", link->mtu);
	text_add(t, " mac");
	mac_text(t, dev[0].mac);
	mac_text(t, dev[1].mac);
}

static void offload_text(struct text *t, const struct topo_link *link, int end)
{
	char a[TOPO_END_LEN];
	const char *name;

	text_add(t, "offload %s", topo_end_format(a, &link->dev[end].end));
	for (unsigned int i = 0; (name = topo_offload_name(i)); i++)
		if (link->offload_set & 1U << i)
			text_add(t, " %s %s", name, link->offload_on & 1U << i ? "on" : "off");
}

static void ifb_text(struct text *t, const struct topo_dev *ifb)
{
	char a[TOPO_END_LEN];

	text_add(t, "ifb %s queues %u mac", topo_end_format(a, &ifb->end), ifb->tx);
	mac_text(t, ifb->mac);
}

static void steer_text(struct text *t, const struct topo *topo, const struct topo_steer *steer)
{
	char a[TOPO_END_LEN], cpus[512];

	text_add(t, "%s %s ", steer->rps ? "rps" : "xps",
		 topo_end_format(a, &topo_dev(topo, steer->dev)->end));
	if (steer->each)
		text_add(t, "cpu-per-queue");
	else
		text_add(t, "cpus %s", cpus_format(cpus, sizeof(cpus), &steer->cpus));
}

static void route_text(struct text *t, const struct topo *topo, const struct topo_route *route)
{
	char addr[INET6_ADDRSTRLEN];

	inet_ntop(route->family, route->dst, addr, sizeof(addr));
	text_add(t, "route %s %s/%u", topo->netns[route->netns].name, addr, route->plen);
	if (route->via_family)
		text_add(t, " via %s", inet_ntop(route->via_family, route->via, addr, sizeof(addr)));
	if (route->has_dev)
		text_add(t, " dev %s", topo_dev(topo, route->dev)->end.dev);
	if (route->has_src)
		text_add(t, " src %s", inet_ntop(route->family, route->src, addr, sizeof(addr)));
	if (route->metric)
		text_add(t, " metric %u", route->metric);
	if (route->onlink)
		text_add(t, " onlink");
}

static void qdisc_text(struct text *t, const struct topo *topo, const struct topo_qdisc *q)
{
	char end[TOPO_END_LEN];
	int i;

	text_add(t, " %s", topo_end_format(end, &topo_dev(topo, q->dev)->end));
	for (i = 0; i < q->nwords; i++)
		text_add(t, " %s", q->words[i]);
}

static void filter_text(struct text *t, const struct topo *topo, const struct topo_filter *f)
{
	const struct topo_stmt *s = &topo->stmts[f->stmt];
	char end[TOPO_END_LEN];

	text_add(t, "filter %s", topo_end_format(end, &topo_dev(topo, f->dev)->end));
	for (int i = 2; i < s->nwords; i++)
		text_add(t, " %s", s->words[i]);
}

static void addr_text(struct text *t, const struct topo *topo, const struct topo_addr *addr, bool neigh)
{
	const struct topo_dev *dev = topo_dev(topo, addr->dev);
	char end[TOPO_END_LEN], text[INET6_ADDRSTRLEN];
	struct topo_ref other = { addr->dev.link, !addr->dev.end };

	inet_ntop(addr->family, addr->bytes, text, sizeof(text));
	if (!neigh) {
		text_add(t, "addr %s %s/%u", topo_end_format(end, &dev->end), text, addr->plen);
		return;
	}
	text_add(t, "neigh %s %s lladdr", topo_end_format(end, &topo_dev(topo, other)->end), text);
	mac_text(t, dev->mac);
	text_add(t, " permanent");
}

static void step_text(struct text *t, const struct topo *topo, const struct topo_step *step)
{
	char a[TOPO_END_LEN];
	int i = step->index;

	switch (step->kind) {
	case TOPO_STEP_NETNS:
		text_add(t, "netns %s", topo->netns[i].name);
		break;
	case TOPO_STEP_SYSCTL:
		text_add(t, "sysctl %s %s %s", topo->netns[topo->sysctls[i].netns].name,
			topo->sysctls[i].key, topo->sysctls[i].value);
		break;
	case TOPO_STEP_LINK:
		link_text(t, &topo->links[i]);
		break;
	case TOPO_STEP_QDISC:
		text_add(t, topo->qdiscs[i].is_class ? "class" : "qdisc");
		qdisc_text(t, topo, &topo->qdiscs[i]);
		break;
	case TOPO_STEP_FILTER:
		filter_text(t, topo, &topo->filters[i]);
		break;
	case TOPO_STEP_OFFLOAD:
		offload_text(t, &topo->links[i / 2], i % 2);
		break;
	case TOPO_STEP_IFB:
		ifb_text(t, &topo->ingress[i].ifb);
		break;
	case TOPO_STEP_REDIRECT:
		text_add(t, "ingress %s to %s",
			 topo_end_format(a, &topo_dev(topo, topo->ingress[i].of)->end),
			 topo->ingress[i].ifb.end.dev);
		break;
	case TOPO_STEP_STEER:
		steer_text(t, topo, &topo->steers[i]);
		break;
	case TOPO_STEP_ROUTE:
		route_text(t, topo, &topo->routes[i]);
		break;
	case TOPO_STEP_UP:
		text_add(t, "up %s", topo_end_format(a, &topo->links[i / 2].dev[i % 2].end));
		break;
	case TOPO_STEP_ADDR:
	case TOPO_STEP_NEIGH:
		addr_text(t, topo, &topo->addrs[i], step->kind == TOPO_STEP_NEIGH);
		break;
	}
}

char *topo_step_text(const struct topo *topo, const struct topo_step *step)
{
	struct text t = { NULL, 0, false };

	step_text(&t, topo, step);
	return text_take(&t);
}

char *topo_event_text(const struct topo *topo, const struct topo_event *event)
{
	struct text t = { NULL, 0, false };
	char buf[TOPO_END_LEN];

	text_add(&t, "at %s ", time_format(buf, sizeof(buf), event->time_ns));
	text_add(&t, event->tc.is_class ? "class change" : "qdisc change");
	qdisc_text(&t, topo, &event->tc);
	return text_take(&t);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From statements to the ordered steps of "topo up". */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

static int add(struct diag *d, struct topo_step **steps, int *n, enum topo_step_kind kind, int index)
{
	struct topo_step *step = topo_add(d, steps, n, sizeof(*step));

	if (!step)
		return -ENOMEM;
	step->kind = kind;
	step->index = index;
	return 0;
}

/* Namespaces, links and sysctls keep the order of the file: a sysctl may be for the links after it. */
static int add_in_file_order(struct diag *d, const struct topo *topo, struct topo_step **steps,
			     int *n)
{
	int stmt, netns = 0, link = 0, sysctl = 0, err = 0;

	for (stmt = 0; !err && stmt < topo->nstmts; stmt++) {
		if (netns < topo->nnetns && topo->netns[netns].stmt == stmt)
			err = add(d, steps, n, TOPO_STEP_NETNS, netns++);
		else if (link < topo->nlinks && topo->links[link].stmt == stmt)
			err = add(d, steps, n, TOPO_STEP_LINK, link++);
		else if (sysctl < topo->nsysctls && topo->sysctls[sysctl].stmt == stmt)
			err = add(d, steps, n, TOPO_STEP_SYSCTL, sysctl++);
	}
	return err;
}

/*
 * Qdiscs come before "up": a device that is down is changed without waiting
 * for its senders, and no packet finds the tree half built. Neighbours come
 * last: the address families must be there.
 */
static int add_within(struct diag *d, const struct topo *topo, struct topo_step **steps, int *n)
{
	int i, err = 0;

	for (i = 0; !err && i < topo->nqdiscs; i++)
		err = add(d, steps, n, TOPO_STEP_QDISC, i);
	for (i = 0; !err && i < topo->nxps; i++)
		err = add(d, steps, n, TOPO_STEP_XPS, i);
	for (i = 0; !err && i < 2 * topo->nlinks; i++)
		if (!topo->links[i / 2].down)
			err = add(d, steps, n, TOPO_STEP_UP, i);
	for (i = 0; !err && i < topo->naddrs; i++)
		err = add(d, steps, n, TOPO_STEP_ADDR, i);
	for (i = 0; !err && i < topo->naddrs; i++)
		if (!topo->links[topo->addrs[i].dev.link].down)
			err = add(d, steps, n, TOPO_STEP_NEIGH, i);
	return err;
}

/* The namespace that one of those steps is done in, index into topo.netns, -1 for the caller's. */
static int netns_of(const struct topo *topo, const struct topo_step *step)
{
	const struct topo_addr *addr;

	switch (step->kind) {
	case TOPO_STEP_QDISC:
		return topo_dev(topo, topo->qdiscs[step->index].dev)->netns;
	case TOPO_STEP_XPS:
		return topo_dev(topo, topo->xps[step->index].dev)->netns;
	case TOPO_STEP_UP:
		return topo->links[step->index / 2].dev[step->index % 2].netns;
	case TOPO_STEP_ADDR:
		return topo_dev(topo, topo->addrs[step->index].dev)->netns;
	case TOPO_STEP_NEIGH:
		addr = &topo->addrs[step->index];
		return topo->links[addr->dev.link].dev[!addr->dev.end].netns;
	default:
		return -1;
	}
}

/* By namespace, and in the order that they have within each. */
static int sort_by_netns(struct diag *d, const struct topo *topo, struct topo_step *steps, int n)
{
	int *at = calloc((size_t)topo->nnetns + 2, sizeof(*at));
	struct topo_step *sorted = calloc((size_t)n + 1, sizeof(*sorted));
	int i;

	if (!at || !sorted) {
		free(at);
		free(sorted);
		return diag_failed(d, ENOMEM, "%s", topo->file);
	}
	for (i = 0; i < n; i++)
		at[netns_of(topo, &steps[i]) + 2]++;
	for (i = 1; i < topo->nnetns + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < n; i++)
		sorted[at[netns_of(topo, &steps[i]) + 1]++] = steps[i];
	memcpy(steps, sorted, (size_t)n * sizeof(*steps));
	free(at);
	free(sorted);
	return 0;
}

static int add_all(struct diag *d, const struct topo *topo, struct topo_step **steps, int *n)
{
	int first, err;

	err = add_in_file_order(d, topo, steps, n);
	first = *n;
	if (!err)
		err = add_within(d, topo, steps, n);
	return err ? err : sort_by_netns(d, topo, *steps + first, *n - first);
}

int topo_plan(struct diag *d, const struct topo *topo, struct topo_step **steps, int *nsteps)
{
	int err;

	*steps = NULL;
	*nsteps = 0;
	err = add_all(d, topo, steps, nsteps);
	if (err) {
		free(*steps);
		*steps = NULL;
	}
	return err;
}

int topo_step_stmt(const struct topo *topo, const struct topo_step *step)
{
	switch (step->kind) {
	case TOPO_STEP_NETNS:
		return topo->netns[step->index].stmt;
	case TOPO_STEP_SYSCTL:
		return topo->sysctls[step->index].stmt;
	case TOPO_STEP_LINK:
		return topo->links[step->index].stmt;
	case TOPO_STEP_UP:
		return topo->links[step->index / 2].stmt;
	case TOPO_STEP_QDISC:
		return topo->qdiscs[step->index].stmt;
	case TOPO_STEP_XPS:
		return topo->xps[step->index].stmt;
	case TOPO_STEP_ADDR:
	case TOPO_STEP_NEIGH:
		return topo->addrs[step->index].stmt;
	}
	return 0;
}

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

static void link_text(struct text *t, const struct topo_link *link)
{
	char a[TOPO_END_LEN], b[TOPO_END_LEN];
	const uint8_t *m = link->dev[0].mac, *o = link->dev[1].mac;

	text_add(t, "link %s %s queues %u", topo_end_format(a, &link->dev[0].end),
		topo_end_format(b, &link->dev[1].end), link->queues);
	if (link->mtu)
		text_add(t, " mtu %u", link->mtu);
	text_add(t, " mac %02x:%02x:%02x:%02x:%02x:%02x %02x:%02x:%02x:%02x:%02x:%02x",
		m[0], m[1], m[2], m[3], m[4], m[5], o[0], o[1], o[2], o[3], o[4], o[5]);
}

static void qdisc_text(struct text *t, const struct topo *topo, const struct topo_qdisc *q)
{
	char end[TOPO_END_LEN];
	int i;

	text_add(t, "qdisc %s", topo_end_format(end, &topo_dev(topo, q->dev)->end));
	for (i = 0; i < q->nwords; i++)
		text_add(t, " %s", q->words[i]);
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
	text_add(t, "neigh %s %s lladdr %02x:%02x:%02x:%02x:%02x:%02x permanent",
		topo_end_format(end, &topo_dev(topo, other)->end), text, dev->mac[0], dev->mac[1],
		dev->mac[2], dev->mac[3], dev->mac[4], dev->mac[5]);
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
		qdisc_text(t, topo, &topo->qdiscs[i]);
		break;
	case TOPO_STEP_XPS:
		text_add(t, "xps %s cpu-per-queue",
			topo_end_format(a, &topo_dev(topo, topo->xps[i].dev)->end));
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
	if (!t.failed)
		return t.s;
	free(t.s);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From statements to the ordered steps of "topo up". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* What keeps the order of the file: a sysctl may be for the links after it. */
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

static int add_each(struct diag *d, struct topo_step **steps, int *n, enum topo_step_kind kind,
		    int count)
{
	int i, err = 0;

	for (i = 0; !err && i < count; i++)
		err = add(d, steps, n, kind, i);
	return err;
}

/*
 * Qdiscs come before "up": a device that is down is changed without waiting
 * for its senders, and no packet finds the tree half built. Neighbours come
 * after addresses: the families must be there; routes last: they need both.
 */
static int add_within(struct diag *d, const struct topo *topo, struct topo_step **steps, int *n)
{
	int i, err = 0;

	for (i = 0; !err && i < 2 * topo->nlinks; i++)
		if (topo->links[i / 2].offload_set)
			err = add(d, steps, n, TOPO_STEP_OFFLOAD, i);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_IFB, topo->ningress);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_QDISC, topo->nqdiscs);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_STEER, topo->nsteers);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_REDIRECT, topo->ningress);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_FILTER, topo->nfilters);
	for (i = 0; !err && i < 2 * topo->nlinks; i++)
		if (!topo->links[i / 2].down)
			err = add(d, steps, n, TOPO_STEP_UP, i);
	if (!err)
		err = add_each(d, steps, n, TOPO_STEP_ADDR, topo->naddrs);
	for (i = 0; !err && i < topo->naddrs; i++)
		if (topo_is_up(topo, topo->addrs[i].dev))
			err = add(d, steps, n, TOPO_STEP_NEIGH, i);
	return err ? err : add_each(d, steps, n, TOPO_STEP_ROUTE, topo->nroutes);
}

/* The namespace that one of those steps is done in, index into topo.netns, -1 for the caller's. */
static int netns_of(const struct topo *topo, const struct topo_step *step)
{
	const struct topo_addr *addr;

	switch (step->kind) {
	case TOPO_STEP_QDISC:
		return topo_dev(topo, topo->qdiscs[step->index].dev)->netns;
	case TOPO_STEP_FILTER:
		return topo_dev(topo, topo->filters[step->index].dev)->netns;
	case TOPO_STEP_STEER:
		return topo_dev(topo, topo->steers[step->index].dev)->netns;
	case TOPO_STEP_IFB:
	case TOPO_STEP_REDIRECT:
		return topo->ingress[step->index].ifb.netns;
	case TOPO_STEP_ROUTE:
		return topo->routes[step->index].netns;
	case TOPO_STEP_OFFLOAD:
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
	/* lines alone that make nothing: there is no array */
	return err || first == *n ? err : sort_by_netns(d, topo, *steps + first, *n - first);
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
	case TOPO_STEP_OFFLOAD:
	case TOPO_STEP_UP:
		return topo->links[step->index / 2].stmt;
	case TOPO_STEP_QDISC:
		return topo->qdiscs[step->index].stmt;
	case TOPO_STEP_FILTER:
		return topo->filters[step->index].stmt;
	case TOPO_STEP_IFB:
	case TOPO_STEP_REDIRECT:
		return topo->ingress[step->index].stmt;
	case TOPO_STEP_STEER:
		return topo->steers[step->index].stmt;
	case TOPO_STEP_ROUTE:
		return topo->routes[step->index].stmt;
	case TOPO_STEP_ADDR:
	case TOPO_STEP_NEIGH:
		return topo->addrs[step->index].stmt;
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* "ingress NS:DEV [handle H:] [est A B] [KIND OPTIONS]": an ifb for what arrives at an end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

int topo_ingress_of(const struct topo *topo, struct topo_ref end)
{
	for (int i = 0; i < topo->ningress; i++)
		if (topo->ingress[i].of.link == end.link && topo->ingress[i].of.end == end.end)
			return i;
	return -1;
}

/* "ifb-eth1"; a longer name is told by its hash. */
static void ifb_name(const struct link_end *of, struct link_end *ifb)
{
	uint8_t mac[6];

	*ifb = *of;
	if (strlen(of->dev) + 4 < sizeof(ifb->dev)) {
		snprintf(ifb->dev, sizeof(ifb->dev), "ifb-%.11s", of->dev);
		return;
	}
	topo_mac_from_name(of, mac);
	snprintf(ifb->dev, sizeof(ifb->dev), "ifb-%02x%02x%02x%02x%02x", mac[1], mac[2], mac[3],
		 mac[4], mac[5]);
}

static int add_ifb(struct diag *d, struct topo *topo, int stmt, struct topo_ref of,
		   struct topo_ref *ref)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_ingress *ingress;
	struct topo_dev *ifb;
	struct link_end end;
	struct topo_ref other;

	ifb_name(&topo_dev(topo, of)->end, &end);
	if (topo_find_dev(topo, &end, &other))
		return diag_usage(d, 1, "\"%s\": its ifb would be %s, and that name is a link's", s->words[1],
				  end.dev);
	ingress = topo_add(d, &topo->ingress, &topo->ningress, sizeof(*ingress));
	if (!ingress)
		return -ENOMEM;
	ingress->of = of;
	ingress->stmt = stmt;
	ifb = &ingress->ifb;
	ifb->end = end;
	ifb->netns = topo_dev(topo, of)->netns;
	ifb->tx = ifb->rx = topo_dev(topo, of)->rx;
	ifb->last = -1;
	ifb->last_filter = -1;
	topo_mac_from_name(&end, ifb->mac);
	*ref = (struct topo_ref){ .link = -topo->ningress };
	return topo_name_dev(d, topo, *ref);
}

int topo_ingress_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_place p = { .implied = true, .first = 2 };
	struct topo_ref of;
	int err, other;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, false, &of);
	if (err)
		return err;
	other = topo_ingress_of(topo, of);
	if (other >= 0)
		return diag_usage(d, 1, "\"%s\" has its ingress in line %d already", s->words[1],
				  topo->stmts[topo->ingress[other].stmt].line);
	err = topo_filter_ingress_check(d, topo, s, of);
	if (!err)
		err = add_ifb(d, topo, stmt, of, &p.dev);
	if (err || s->nwords == 2)
		return err;
	err = topo_place_parse(d, topo, s, &p);
	return err ? err : topo_tc_add(d, topo, stmt, &p);
}

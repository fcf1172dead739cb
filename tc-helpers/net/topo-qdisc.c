// SPDX-License-Identifier: GPL-2.0-or-later
/* Qdiscs of a topology: tc's words, judged and put on the device. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "net/nets.h"
#include "net/qdisc.h"
#include "net/rtnl.h"
#include "net/topo-net.h"
#include "pure/diag.h"
#include "topo/topo.h"

static int spec_of(struct diag *d, const struct topo *topo, const struct topo_qdisc *q,
		   struct tc_spec *spec)
{
	int err = tc_spec_parse(d, OBJECT_QDISC, OP_ADD, q->words, q->nwords, spec);

	if (err)
		topo_locate(d, topo, q->stmt, q->cols, q->nwords + 1);
	else
		spec->end = topo_dev(topo, q->dev)->end;
	return err;
}

int topo_qdiscs_check(struct diag *d, const struct topo *topo)
{
	struct tc_spec spec;
	int i, err = 0;

	for (i = 0; !err && i < topo->nqdiscs; i++) {
		err = spec_of(d, topo, &topo->qdiscs[i], &spec);
		tc_spec_free(&spec);
	}
	return err;
}

int topo_qdisc_add(struct diag *d, struct nets *nets, const struct topo *topo,
		   const struct topo_qdisc *q, struct qdisc_dev *dev)
{
	const struct link_end *end = &topo_dev(topo, q->dev)->end;
	struct tc_spec spec;
	struct diag quiet;
	struct rtnl *rtnl;
	int err;

	diag_init(&quiet);	/* its warnings were given by topo_qdiscs_check() */
	err = spec_of(&quiet, topo, q, &spec);
	diag_free(&quiet);
	if (!err)
		err = nets_rtnl(d, nets, end->netns, &rtnl);
	if (!err && (strcmp(dev->end.dev, end->dev) || strcmp(dev->end.netns, end->netns)))
		err = qdisc_dev_read(rtnl, d, end, dev);
	if (!err)
		err = qdisc_do(rtnl, d, OP_ADD, &spec, dev);
	tc_spec_free(&spec);
	if (err)
		diag_context(d, 0, "%s:%d", topo->file, topo->stmts[q->stmt].line);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_PRIO_H
#define QBED_PRIO_H

struct doc;
struct nlattr;

/* struct tc_prio_qopt, which pfifo_fast tells too: bands and the map to them. */
extern const struct attr_desc prio_options;
void prio_show(struct doc *doc, struct nlattr *opts);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_NETEM_H
#define QBED_NETEM_H

struct doc;
struct nlattr;

/* The options of a netem as the kernel tells them, with tc's keys. */
void netem_show(struct doc *doc, struct nlattr *opts);

#endif

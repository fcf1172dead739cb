/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_CAKE_H
#define QBED_CAKE_H

struct doc;
struct nlattr;

/* Settings and counters of a cake (and of its flows) as the kernel tells them, with tc's keys. */
extern const struct attr_desc cake_options;
void cake_show(struct doc *doc, struct nlattr *opts);
void cake_xstats(struct doc *doc, struct nlattr *app);

#endif

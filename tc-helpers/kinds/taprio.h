/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TAPRIO_H
#define QBED_TAPRIO_H

struct doc;
struct nlattr;

/* Settings and counters of a taprio as the kernel tells them, with tc's keys. */
extern const struct attr_desc taprio_options;
void taprio_show(struct doc *doc, struct nlattr *opts);
void taprio_xstats(struct doc *doc, struct nlattr *app);

#endif

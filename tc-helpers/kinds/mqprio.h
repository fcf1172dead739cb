/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_MQPRIO_H
#define QBED_MQPRIO_H

struct doc;
struct nlattr;

/* The settings of an mqprio as the kernel tells them, with tc's keys. */
void mqprio_show(struct doc *doc, struct nlattr *opts);

#endif

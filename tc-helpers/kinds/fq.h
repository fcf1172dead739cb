/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FQ_H
#define QBED_FQ_H

struct doc;
struct nlattr;

/* Settings and counters of an fq as the kernel tells them, with tc's keys. */
void fq_show(struct doc *doc, struct nlattr *opts);
void fq_xstats(struct doc *doc, struct nlattr *app);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_STATS_SHOW_H
#define QBED_STATS_SHOW_H

struct doc;
struct nlattr;

/*
 * The counters of TCA_STATS2 (or TCA_ACT_STATS) with the keys and in the
 * words of tc -s; @lead stands before each line of the text. Nothing for NULL.
 */
void stats_show(struct doc *doc, struct nlattr *stats2, const char *lead);

#endif

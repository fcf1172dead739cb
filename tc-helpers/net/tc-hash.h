/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_HASH_H
#define QBED_TC_HASH_H

#include <stdint.h>

struct nlattr;

/*
 * A number for the options of a qdisc or class as the kernel tells them
 * (TCA_OPTIONS, may be NULL), those that have no words here too. What the
 * kernel changes there by itself - htb's counter, cake's rate with
 * autorate-ingress, the schedule of taprio that is next - does not change it.
 */
uint64_t tc_options_hash(const char *kind, const struct nlattr *opts);

/* Takes out of @opts, a copy, what tc_options_hash() leaves out of account, for who compares what is shown. */
void tc_options_mask(const char *kind, struct nlattr *opts);

#endif

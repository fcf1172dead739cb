/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TC_BLAME_H
#define QBED_TC_BLAME_H

#include <stdbool.h>

struct diag;
struct kind;

/*
 * Adds to a refusal (@err, with the kernel's words @extack) of a request that
 * names @kind, which may be NULL: what the kernel lacks, which makes it exit 4,
 * with its CONFIG_ option; or the kind's hint where the kernel said nothing.
 */
void tc_blame_config(struct diag *d, int err, const char *extack, const struct kind *kind);

/*
 * Whether the kernel certainly lacks @kind, for requests in which it does not
 * say so. It is asked in a network namespace of its own; where none can be
 * made, that is not known: false.
 */
bool tc_kind_lacks(const struct kind *kind);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_KFUNCTION_H
#define QBED_KFUNCTION_H

#include <stddef.h>

struct diag;

/**
 * kfunction_filter() - the filter of a timer event that lets the timers of a function through
 * @d: says what is wrong
 * @function: its name
 * @filter: gets "function == 0x.. || function == 0x.."; several functions may share a name
 * @len: bytes of @filter
 *
 * Return: 0; -EOPNOTSUPP (exit 4) when the kernel hides or has no such function; -EIO when they
 * are too many.
 */
int kfunction_filter(struct diag *d, const char *function, char *filter, size_t len);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_LOCKSTAT_H
#define QBED_LOCKSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

#define LOCKSTAT_NAME_MAX 63

/* Names as kernel/locking/lockdep_proc.c prints them, before "#N" and "/N". */
#define LOCKSTAT_ROOT "&sch->root_lock_key"
/* The class is named by the whole expression of lockdep_set_class(), cut at 37 characters. */
#define LOCKSTAT_BUSY "qdisc_tx_b"
#define LOCKSTAT_SCH "&sch->"

/**
 * struct lockstat_class - one line of figures of /proc/lock_stat
 * @name: class as printed, with its version "#N" and subclass "/N"; two
 *	classes may carry one name, the kernel cuts versions above 9
 * @bounces: contentions whose owner ran on another CPU
 * @contentions: failed trylocks
 * @acquisitions: all acquisitions
 * @wait_max_ns: longest wait
 * @wait_total_ns: sum of waits
 * @hold_max_ns: longest time held
 * @hold_total_ns: sum of the times held
 *
 * The kernel prints microseconds with two digits: times are multiples of 10 ns.
 */
struct lockstat_class {
	char name[LOCKSTAT_NAME_MAX + 1];
	uint64_t bounces;
	uint64_t contentions;
	uint64_t acquisitions;
	uint64_t wait_max_ns;
	uint64_t wait_total_ns;
	uint64_t hold_max_ns;
	uint64_t hold_total_ns;
};

/**
 * struct lockstat - the file, read
 * @disabled: the kernel says that lock debugging is off: figures are void
 * @classes: in the file's order, most contentions first
 * @nclasses: length of @classes
 */
struct lockstat {
	bool disabled;
	struct lockstat_class *classes;
	size_t nclasses;
};

/**
 * lockstat_parse() - read the text of /proc/lock_stat (version 0.4)
 * @d: gets the error
 * @text: the whole file, ended by NUL
 * @ls: result; lockstat_free() after success
 *
 * Return: 0, -EIO for a header or a line of figures that is not as expected, or -ENOMEM.
 */
int lockstat_parse(struct diag *d, const char *text, struct lockstat *ls);
void lockstat_free(struct lockstat *ls);

/**
 * lockstat_sum() - add up the classes whose name contains @pattern
 * @ls: a parsed file
 * @pattern: part of a class name
 * @sum: result: counts and totals added, maxima taken; its name is @pattern
 *
 * Return: how many classes matched.
 */
size_t lockstat_sum(const struct lockstat *ls, const char *pattern, struct lockstat_class *sum);

/* Orders classes by name, then contentions, then acquisitions: for a list that does not depend on ties. */
void lockstat_sort(struct lockstat *ls);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TEST_TC_LAYOUT_H
#define QBED_TEST_TC_LAYOUT_H

/**
 * struct layout - what the bytes of one attribute are, for people who compare two requests
 * @at: the attribute: the kind, then attribute numbers ("netem.5.2"); "class/KIND" before "KIND"
 *	for a class
 * @name: what it is called in the output
 * @fields: "NAME:BYTES" or "NAME:BYTES*COUNT" of a struct, in order; "+" last when
 *	attributes follow (alone: nothing but attributes); "s" for a string;
 *	NULL for a number, or bytes when it is too long for one
 *
 * From include/uapi/linux/pkt_sched.h and rtnetlink.h.
 */
struct layout {
	const char *at;
	const char *name;
	const char *fields;
};

extern const struct layout layouts[];	/* ends with a NULL @at */

#endif

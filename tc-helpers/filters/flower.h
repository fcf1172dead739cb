/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_FLOWER_H
#define QBED_FLOWER_H

#include <stdint.h>

struct doc;
struct filter_view;
struct nlattr;

/* The attributes of a port, of one side. */
struct flower_port {
	uint16_t value;
	uint16_t mask;
	uint16_t min;
	uint16_t max;
};

enum flower_side { FLOWER_SRC, FLOWER_DST };

/* Those that @ip_proto has, or NULL for a protocol without ports. */
const struct flower_port *flower_port(int ip_proto, enum flower_side side);

extern const struct attr_desc flower_options;
void flower_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view);

#endif

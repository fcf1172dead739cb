/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_MASKED_H
#define QBED_MASKED_H

#include <stdint.h>

struct diag;
struct doc;

/* A number that tc reads as hex, with or without 0x. */
int hex_parse(struct diag *d, char **words, int i, uint32_t max, uint32_t *v);

/* VALUE[/MASK], decimal or 0x; a mask that is not there is all ones. */
int masked_u32_parse(struct diag *d, char **words, int i, uint32_t *value, uint32_t *mask);

/* aa:bb:cc:dd:ee:ff[/BITS or /ff:ff:...] */
int mac_mask_parse(struct diag *d, char **words, int i, uint8_t *mac, uint8_t *mask);

/* tc has such numbers as hex strings in JSON; @fmt has %s. */
void hex_show(struct doc *doc, const char *key, const char *fmt, uint32_t v);

#endif

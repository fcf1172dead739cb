/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_MASKED_H
#define QBED_MASKED_H

#include <stddef.h>
#include <stdint.h>

struct diag;
struct doc;

/* The part of words[@i] before a '/', into @buf; where the '/' is, or NULL. */
const char *before_slash(char **words, int i, char *buf, size_t len);

/* A number that tc reads as hex, with or without 0x. */
int hex_parse(struct diag *d, char **words, int i, uint32_t max, uint32_t *v);

/* VALUE[/MASK], decimal or 0x; a mask that is not there is all ones. */
int masked_u32_parse(struct diag *d, char **words, int i, uint32_t *value, uint32_t *mask);

/**
 * struct prefix - an address and how much of it counts
 * @family: AF_INET or AF_INET6
 * @bytes: the address, in network order; 4 or 16 of them
 * @bits: 0 to 32 or 128
 */
struct prefix {
	int family;
	uint8_t bytes[16];
	unsigned int bits;
};

/* ADDRESS[/BITS] of @family. */
int prefix_parse(struct diag *d, char **words, int i, int family, struct prefix *prefix);
/* @bits ones from the front of @len bytes */
void mask_of_bits(uint8_t *mask, unsigned int len, unsigned int bits);
/* How many ones stand at the front of @mask, -1 if there are others behind a zero. */
int bits_of_mask(const uint8_t *mask, unsigned int len);

/* aa:bb:cc:dd:ee:ff[/BITS or /ff:ff:...] */
int mac_mask_parse(struct diag *d, char **words, int i, uint8_t *mac, uint8_t *mask);

/* tc has such numbers as hex strings in JSON; @fmt has %s. */
void hex_show(struct doc *doc, const char *key, const char *fmt, uint32_t v);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ADDR_H
#define QBED_ADDR_H

#include <stddef.h>
#include <stdint.h>

struct diag;

/* The part of words[@i] before a '/', into @buf; where the '/' is, or NULL. */
const char *before_slash(char **words, int i, char *buf, size_t len);

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

/* aa:bb:cc:dd:ee:ff; -1 if @text is something else. */
int mac_read(const char *text, uint8_t *mac);
int mac_parse(struct diag *d, char **words, int i, uint8_t *mac);

#endif

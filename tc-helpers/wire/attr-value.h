/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_ATTR_VALUE_H
#define QBED_ATTR_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes the @len bytes at @data to @out as @value (struct attr_desc) says, each
 * with a space before it; what it does not account for, as hex. Returns how
 * many bytes were used; where attributes follow, *@nested says so and they begin
 * at the next multiple of 4.
 */
size_t attr_value_write(FILE *out, const char *value, const void *data, size_t len, bool *nested);

/* " hex:..." of bytes of which nothing is known. */
void attr_hex_write(FILE *out, const void *data, size_t len);

/* Bytes of the struct that stands before nested attributes, as @value has it. */
size_t attr_value_fixed(const char *value);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TEST_TC_DECODE_H
#define QBED_TEST_TC_DECODE_H

#include <stdio.h>

/* A capture as JSON: an array of requests, each with the errno of its answer. */
void decode(const void *buf, size_t len, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_RETIRE_IDLE_H
#define QBED_RETIRE_IDLE_H

struct ctx;
struct retire_cfg;

/*
 * qbed retire --idle-rings: what rings cost that no packet comes to. @cfg has an end, a timeout and
 * the shape of a ring; the rest of it is for rings with packets. 0 or -errno in @ctx->diag.
 */
int retire_idle(struct ctx *ctx, struct retire_cfg *cfg);

#endif

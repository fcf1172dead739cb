/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_AFFINITY_H
#define QBED_AFFINITY_H

#include <pthread.h>
#include <stdbool.h>

#include "pure/names.h"

struct diag;

/* CPUs that this process may run on (online and within its cpuset). */
int affinity_allowed(struct diag *d, struct cpus *set);

/*
 * Every CPU of @want may be used, or "this machine cannot" (exit 4): @what
 * ("--cpus") lists the missing ones beside those there are.
 */
int affinity_check(struct diag *d, const struct cpus *want, const char *what);

/* Pins the calling thread. */
int affinity_pin_self(struct diag *d, unsigned int cpu);

/*
 * A thread that is born on @cpu and never ran anywhere else, with a small
 * stack (128 KiB). 0 or -errno in @d.
 */
int affinity_thread(struct diag *d, pthread_t *thread, unsigned int cpu,
		    void *(*fn)(void *arg), void *arg);

/*
 * Locks the memory there is now, threads' stacks included, so call it after
 * the last allocation. False when the limits do not allow it (harmless).
 */
bool affinity_lock_memory(void);

/**
 * struct hogs - threads that keep CPUs busy (SCHED_OTHER, no system call)
 */
struct hogs;

/* All of them spin when this returns 0. @cpus may be empty. */
int hogs_start(struct diag *d, const struct cpus *cpus, struct hogs **hogs);
void hogs_stop(struct hogs *hogs);

#endif

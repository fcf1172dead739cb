// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads on the CPU that they belong to. */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "pure/diag.h"

#define STACK_BYTES	(128 * 1024)

int affinity_allowed(struct diag *d, struct cpus *set)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);

	*set = (struct cpus){ 0 };
	if (!mask)
		return diag_failed(d, ENOMEM, "affinity");
	if (sched_getaffinity(0, size, mask) < 0) {
		int err = errno;

		CPU_FREE(mask);
		return diag_failed(d, err, "sched_getaffinity");
	}
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (CPU_ISSET_S(cpu, size, mask))
			cpus_add(set, cpu);
	CPU_FREE(mask);
	return 0;
}

int affinity_check(struct diag *d, const struct cpus *want, const char *what)
{
	struct cpus allowed, missing = { 0 };
	char miss[256], have[256];
	int err = affinity_allowed(d, &allowed);

	if (err)
		return err;
	for (int cpu = cpus_next(want, -1); cpu >= 0; cpu = cpus_next(want, cpu))
		if (!cpus_has(&allowed, (unsigned int)cpu))
			cpus_add(&missing, (unsigned int)cpu);
	if (!cpus_count(&missing))
		return 0;
	return diag_cannot(d, "%s: CPU %s cannot be used: this machine has %s", what,
			   cpus_format(miss, sizeof(miss), &missing),
			   cpus_format(have, sizeof(have), &allowed));
}

/* A mask of one CPU; free with CPU_FREE. */
static cpu_set_t *mask_of(unsigned int cpu, size_t *size)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);

	*size = CPU_ALLOC_SIZE(CPUS_MAX);
	if (!mask)
		return NULL;
	CPU_ZERO_S(*size, mask);
	CPU_SET_S(cpu, *size, mask);
	return mask;
}

int affinity_pin_self(struct diag *d, unsigned int cpu)
{
	size_t size;
	cpu_set_t *mask = mask_of(cpu, &size);
	int err;

	if (!mask)
		return diag_failed(d, ENOMEM, "CPU %u", cpu);
	err = pthread_setaffinity_np(pthread_self(), size, mask);
	CPU_FREE(mask);
	return err ? diag_failed(d, err, "CPU %u: pin thread", cpu) : 0;
}

int affinity_thread(struct diag *d, pthread_t *thread, unsigned int cpu,
		    void *(*fn)(void *arg), void *arg)
{
	size_t size;
	cpu_set_t *mask = mask_of(cpu, &size);
	pthread_attr_t attr;
	int err;

	if (!mask)
		return diag_failed(d, ENOMEM, "CPU %u", cpu);
	err = pthread_attr_init(&attr);
	if (!err) {
		err = pthread_attr_setaffinity_np(&attr, size, mask);
		if (!err)
			err = pthread_attr_setstacksize(&attr, STACK_BYTES);
		if (!err)
			err = pthread_create(thread, &attr, fn, arg);
		pthread_attr_destroy(&attr);
	}
	CPU_FREE(mask);
	return err ? diag_failed(d, err, "CPU %u: start thread", cpu) : 0;
}

bool affinity_lock_memory(void)
{
	return mlockall(MCL_CURRENT) == 0;
}

struct hog {
	pthread_t thread;
	atomic_bool spins;
	struct hogs *all;
};

struct hogs {
	atomic_bool stop;
	unsigned int n;
	struct hog hog[];
};

static void *hog_spin(void *arg)
{
	struct hog *hog = arg;

	atomic_store(&hog->spins, true);
	while (!atomic_load_explicit(&hog->all->stop, memory_order_relaxed))
		;
	return NULL;
}

int hogs_start(struct diag *d, const struct cpus *cpus, struct hogs **hogs)
{
	struct hogs *h = calloc(1, sizeof(*h) + cpus_count(cpus) * sizeof(h->hog[0]));
	int err;

	*hogs = NULL;
	if (!h)
		return diag_failed(d, ENOMEM, "hog");
	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu)) {
		struct hog *hog = &h->hog[h->n];

		hog->all = h;
		err = affinity_thread(d, &hog->thread, (unsigned int)cpu, hog_spin, hog);
		if (err) {
			hogs_stop(h);
			return err;
		}
		h->n++;
	}
	/* The caller may share a hog's CPU: give it up, do not wait in a spin. */
	for (unsigned int i = 0; i < h->n; i++)
		while (!atomic_load(&h->hog[i].spins))
			usleep(1000);
	*hogs = h;
	return 0;
}

void hogs_stop(struct hogs *hogs)
{
	if (!hogs)
		return;
	atomic_store(&hogs->stop, true);
	for (unsigned int i = 0; i < hogs->n; i++)
		pthread_join(hogs->hog[i].thread, NULL);
	free(hogs);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pure/diag.h"
#include "pure/names.h"

/* A CPU number; -1 if there is none or it is beyond CPUS_MAX. */
static long cpu_read(const char **p)
{
	long v = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); (*p)++) {
		v = v * 10 + (**p - '0');
		if (v >= CPUS_MAX)
			return -1;
	}
	return v;
}

int cpus_parse(struct diag *d, char **words, int i, struct cpus *set)
{
	const char *p = words[i];

	memset(set, 0, sizeof(*set));
	for (;;) {
		long first = cpu_read(&p);
		long last = first;

		if (first >= 0 && *p == '-') {
			p++;
			last = cpu_read(&p);
		}
		if (first < 0 || last < 0 || (*p && *p != ','))
			return diag_usage(d, i, "\"%s\": not a list of CPUs below %d, e.g. 0-6,8",
					  words[i], CPUS_MAX);
		if (last < first)
			return diag_usage(d, i, "\"%s\": %ld-%ld runs backwards", words[i], first, last);
		for (; first <= last; first++)
			cpus_add(set, (unsigned int)first);
		if (!*p)
			return 0;
		p++;
	}
}

bool cpus_has(const struct cpus *set, unsigned int cpu)
{
	return cpu < CPUS_MAX && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

void cpus_add(struct cpus *set, unsigned int cpu)
{
	if (cpu < CPUS_MAX)
		set->bits[cpu / 64] |= (uint64_t)1 << (cpu % 64);
}

unsigned int cpus_count(const struct cpus *set)
{
	unsigned int n = 0;

	for (size_t i = 0; i < CPUS_MAX / 64; i++)
		n += (unsigned int)__builtin_popcountll(set->bits[i]);
	return n;
}

int cpus_next(const struct cpus *set, int after)
{
	for (int cpu = after + 1; cpu < CPUS_MAX; cpu++)
		if (cpus_has(set, (unsigned int)cpu))
			return cpu;
	return -1;
}

char *cpus_format(char *buf, size_t len, const struct cpus *set)
{
	size_t used = 0;

	if (len)
		*buf = '\0';
	for (int first = cpus_next(set, -1); first >= 0;) {
		int last = first;
		int n;

		while (cpus_has(set, (unsigned int)last + 1))
			last++;
		n = first == last ?
			snprintf(buf + used, len - used, "%s%d", used ? "," : "", first) :
			snprintf(buf + used, len - used, "%s%d-%d", used ? "," : "", first, last);
		if (n < 0 || (size_t)n >= len - used)
			break;
		used += (size_t)n;
		first = cpus_next(set, last);
	}
	return buf;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Idle time of CPUs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "measure/cpu-idle.h"
#include "pure/diag.h"

int cpu_idle_read(struct diag *d, int64_t *idle_ns, size_t ncpus)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "re");
	char line[512];
	size_t i;

	if (!f)
		return diag_failed(d, errno, "/proc/stat");
	for (i = 0; i < ncpus; i++)
		idle_ns[i] = -1;
	while (fgets(line, sizeof(line), f)) {
		uint64_t idle, iowait;
		unsigned int cpu;

		/* proc(5): cpuN user nice system idle iowait ... */
		if (sscanf(line, "cpu%u %*u %*u %*u %" SCNu64 " %" SCNu64, &cpu, &idle, &iowait) == 3 &&
		    cpu < ncpus)
			idle_ns[cpu] = (int64_t)(idle + iowait) * tick_ns;
	}
	fclose(f);
	return 0;
}

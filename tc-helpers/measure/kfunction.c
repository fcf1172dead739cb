// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions of the running kernel, by name. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kfunction.h"
#include "pure/diag.h"

/* Is this line of kallsyms, "ADDRESS T NAME\n" or "... NAME\t[MODULE]\n", of the code of @function? */
static bool line_is_function(const char *line, const char *function, size_t len)
{
	const char *type = strchr(line, ' ');
	const char *name = type && type[1] ? strchr(type + 1, ' ') : NULL;

	return name && !strncmp(name + 1, function, len) && strchr("\t\n", name[1 + len]) &&
	       strchr("tTwW", type[1]);
}

int kfunction_filter(struct diag *d, const char *function, char *filter, size_t len)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t function_len = strlen(function);
	char line[512];
	size_t used = 0;
	bool hidden = false;

	if (!f)
		return diag_cannot(d, "/proc/kallsyms: %s: this kernel was built without CONFIG_KALLSYMS",
				   strerror(errno));
	filter[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		uint64_t address;

		if (!line_is_function(line, function, function_len))
			continue;
		address = strtoull(line, NULL, 16);
		if (!address) {
			hidden = true;
			continue;
		}
		used += (size_t)snprintf(filter + used, len - used, "%sfunction == 0x%" PRIx64,
					 used ? " || " : "", address);
		if (used >= len) {
			fclose(f);
			return diag_failed(d, 0, "%s: more functions of this name than fit a filter",
					   function);
		}
	}
	fclose(f);
	if (hidden && !used)
		return diag_cannot(d, "/proc/kallsyms: addresses are hidden: CAP_SYSLOG is needed (kernel.kptr_restrict)");
	if (!used)
		return diag_cannot(d, "%s: this kernel has no such function%s", function,
				   strcmp(function, "qdisc_watchdog") ? "" : " (CONFIG_NET_SCHED)");
	return 0;
}

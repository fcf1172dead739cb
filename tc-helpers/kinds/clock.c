// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "kinds/clock.h"
#include "pure/diag.h"
#include "pure/units.h"

#define PREFIX "CLOCK_"

static const struct {
	const char *name;
	int32_t id;
} clocks[] = {
	{ "REALTIME", CLOCK_REALTIME },
	{ "TAI", CLOCK_TAI },
	{ "BOOTTIME", CLOCK_BOOTTIME },
	{ "MONOTONIC", CLOCK_MONOTONIC },
};

int clockid_parse(struct diag *d, char **words, int i, void *field)
{
	const char *name = words[i];

	if (!strncasecmp(name, PREFIX, strlen(PREFIX)))
		name += strlen(PREFIX);
	for (size_t k = 0; k < sizeof(clocks) / sizeof(clocks[0]); k++) {
		if (strcasecmp(clocks[k].name, name))
			continue;
		*(int32_t *)field = clocks[k].id;
		return 0;
	}
	return diag_usage(d, i, "\"%s\": CLOCK_TAI, CLOCK_REALTIME, CLOCK_MONOTONIC or CLOCK_BOOTTIME",
			  words[i]);
}

const char *clockid_name(int32_t clockid)
{
	for (size_t k = 0; k < sizeof(clocks) / sizeof(clocks[0]); k++)
		if (clocks[k].id == clockid)
			return clocks[k].name;
	return "invalid";
}

int nanos_parse(struct diag *d, char **words, int i, int64_t max, int64_t *ns)
{
	size_t digits = strspn(words[i], "0123456789");
	uint64_t v;
	int err;

	if (digits && (!words[i][digits] || !strncasecmp(words[i], "0x", 2))) {
		err = u64_parse(d, words, i, 0, (uint64_t)max, &v);
		if (!err)
			*ns = (int64_t)v;
		return err;
	}
	err = time_parse(d, words, i, ns);
	if (!err && *ns > max)
		err = diag_usage(d, i, "\"%s\": too large", words[i]);
	return err;
}

int nanos31_parse(struct diag *d, char **words, int i, void *field)
{
	return nanos_parse(d, words, i, INT32_MAX, field);
}

int nanos32_parse(struct diag *d, char **words, int i, void *field)
{
	return nanos_parse(d, words, i, UINT32_MAX, field);
}

int nanos63_parse(struct diag *d, char **words, int i, void *field)
{
	return nanos_parse(d, words, i, INT64_MAX, field);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The rate estimator that tc's "est" asks for. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "kinds/est.h"
#include "kinds/resolve.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

/*
 * "est INTERVAL TIMECONST" as tc(8) turns it into the kernel's two logs: the
 * least of 2^-2 .. 2^3 s that is not below the interval, and the greatest
 * weight 1 - 2^-ewma_log whose time constant is not above the one asked for.
 */
static int est_logs(struct diag *d, int i, int64_t interval_ns, int64_t const_ns, struct est *est)
{
	int interval = -2;
	int ewma = 1;

	while (interval <= 3 && (double)interval_ns > ldexp(1e9, interval))
		interval++;
	if (interval > 3)
		return diag_usage(d, i, "est: the interval is at most 8 s");
	while (ewma < 32 &&
	       (double)interval_ns / -log(1.0 - ldexp(1.0, -ewma)) <= (double)const_ns)
		ewma++;
	ewma--;
	if (ewma == 0 || ewma >= 31)
		return diag_usage(d, i + 1, "est: no averaging fits: the time constant must be larger than the interval (about 1.5 times at least)");
	est->given = true;
	est->interval = (int8_t)interval;
	est->ewma_log = (uint8_t)ewma;
	return 0;
}

static int est_time_parse(struct diag *d, enum tc_units units, char **words, int i, int64_t *ns)
{
	char word[40], *one[1] = { word };
	const char *unit = bare_time_unit(units, KW_TIME);

	if (!*unit || !number_is_bare(words[i]) || strlen(words[i]) + 3 > sizeof(word))
		return time_parse(d, words, i, ns);
	snprintf(word, sizeof(word), "%s%s", words[i], unit);
	if (time_parse(d, one, 0, ns)) {
		d->word = i;
		return -EINVAL;
	}
	return 0;
}

int est_parse(struct diag *d, enum tc_units units, char **words, int i, struct est *est)
{
	int64_t interval, constant;

	if (est_time_parse(d, units, words, i, &interval) ||
	    est_time_parse(d, units, words, i + 1, &constant))
		return diag_context(d, 0, "est");
	if (interval <= 0)
		return diag_usage(d, i, "est: the interval is 0");
	return est_logs(d, i, interval, constant, est);
}

void est_fill(struct nlb *nlb, const struct est *est)
{
	const struct tc_estimator wire = { .interval = est->interval, .ewma_log = est->ewma_log };

	if (est->given)
		nlb_put(nlb, TCA_RATE, &wire, sizeof(wire));
}

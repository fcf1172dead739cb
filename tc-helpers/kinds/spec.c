// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "kinds/spec.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

const char *const qdisc_spec_words[] = { "dev", "root", "parent", "handle", "est", NULL };

const char *qdisc_op_name(enum qdisc_op op)
{
	static const char *const names[] = {
		[QDISC_ADD] = "add",
		[QDISC_CHANGE] = "change",
		[QDISC_REPLACE] = "replace",
		[QDISC_DEL] = "del",
		[QDISC_SHOW] = "show",
	};

	return names[op];
}

/*
 * "est INTERVAL TIMECONST" as tc(8) turns it into the kernel's two logs: the
 * least of 2^-2 .. 2^3 s that is not below the interval, and the greatest
 * weight 1 - 2^-ewma_log whose time constant is not above the one asked for.
 */
static int est_logs(struct diag *d, int i, int64_t interval_ns, int64_t const_ns,
		    struct qdisc_spec *spec)
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
	spec->est = true;
	spec->est_interval = (int8_t)interval;
	spec->est_ewma_log = (uint8_t)ewma;
	return 0;
}

static int est_parse(struct diag *d, char **words, int i, struct qdisc_spec *spec)
{
	int64_t interval, constant;

	if (time_parse(d, words, i, &interval) || time_parse(d, words, i + 1, &constant))
		return diag_context(d, 0, "est");
	if (interval <= 0)
		return diag_usage(d, i, "est: the interval is 0");
	return est_logs(d, i, interval, constant, spec);
}

static int kind_parse(struct diag *d, char **words, int i, int n, struct qdisc_spec *spec)
{
	char names[256];

	spec->kind = kind_find(words[i]);
	if (!spec->kind)
		return diag_usage(d, i, "unknown word \"%s\": neither dev, root, parent, handle, est nor a kind of qdisc (%s)",
				  words[i], kinds_names(names, sizeof(names)));
	if (!spec->kind->parse)
		return diag_usage(d, i, "%s is the kernel's own and not made by hand", words[i]);
	if (spec->kind->parse(d, words + i + 1, n - i - 1, &spec->cfg)) {
		diag_context(d, i + 1, "%s", spec->kind->name);
		return -EINVAL;
	}
	return 0;
}

/* The values that follow each word. */
static int values_of(const char *word)
{
	if (!strcmp(word, "root"))
		return 0;
	if (!strcmp(word, "dev") || !strcmp(word, "parent") || !strcmp(word, "handle"))
		return 1;
	return !strcmp(word, "est") ? 2 : -1;
}

static int word_parse(struct diag *d, char **words, int i, struct qdisc_spec *spec)
{
	if (!strcmp(words[i], "dev"))
		return spec->end.dev[0] ? diag_usage(d, i, "\"dev\" is there twice") :
		       link_end_parse(d, words, i + 1, &spec->end);
	if (!strcmp(words[i], "handle"))
		return spec->handle ? diag_usage(d, i, "\"handle\" is there twice") :
		       handle_parse(d, words, i + 1, &spec->handle);
	if (!strcmp(words[i], "est"))
		return spec->est ? diag_usage(d, i, "\"est\" is there twice") :
		       est_parse(d, words, i + 1, spec);
	if (spec->parent)
		return diag_usage(d, i, "\"%s\": the parent is there twice", words[i]);
	if (!strcmp(words[i], "root")) {
		spec->parent = TC_H_ROOT;
		return 0;
	}
	return classid_parse(d, words, i + 1, &spec->parent) ? diag_context(d, 0, "parent") : 0;
}

static int spec_check(struct diag *d, enum qdisc_op op, struct qdisc_spec *spec)
{
	char names[256];

	if (op == QDISC_SHOW)
		return spec->kind || spec->est ?
		       diag_usage(d, -1, "show takes dev, root, parent and handle only") : 0;
	if (!spec->parent && op != QDISC_CHANGE)
		return diag_usage(d, -1, "\"root\" or \"parent H\" is needed");
	if (!spec->parent && !spec->handle)
		return diag_usage(d, -1, "\"root\", \"parent H\" or \"handle H:\" is needed");
	if (!spec->kind && op != QDISC_DEL)
		return diag_usage(d, -1, "a kind of qdisc is needed: %s",
				  kinds_names(names, sizeof(names)));
	if (spec->kind && spec->kind->multiqueue && spec->parent != TC_H_ROOT)
		return diag_usage(d, -1, "%s: can only be the root", spec->kind->name);
	if (spec->kind && spec->kind->multiqueue && spec->est) {
		/* qdisc_create(): "Cannot attach rate estimator to a multi-queue root qdisc" */
		diag_warn(d, "%s: est is left out: the kernel has no rate estimator for a multi-queue root",
			  spec->kind->name);
		spec->est = false;
	}
	return 0;
}

int qdisc_spec_parse(struct diag *d, enum qdisc_op op, char **words, int n,
		     struct qdisc_spec *spec)
{
	int err;

	memset(spec, 0, sizeof(*spec));
	for (int i = 0; i < n;) {
		int values = values_of(words[i]);

		if (values < 0) {
			err = kind_parse(d, words, i, n, spec);
			if (err)
				return err;
			break;
		}
		if (i + values >= n)
			return diag_usage(d, i, "\"%s\" needs %s", words[i],
					  values == 2 ? "two values" : "a value");
		err = word_parse(d, words, i, spec);
		if (err)
			return err;
		i += values + 1;
	}
	return spec_check(d, op, spec);
}

int qdisc_spec_msg(const struct qdisc_spec *spec, enum qdisc_op op, int ifindex,
		   struct nl_msg **msg)
{
	static const uint16_t flags[] = {
		[QDISC_ADD] = NLM_F_CREATE | NLM_F_EXCL,
		[QDISC_CHANGE] = 0,
		[QDISC_REPLACE] = NLM_F_CREATE | NLM_F_REPLACE,
		[QDISC_DEL] = 0,
	};
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = ifindex,
		.tcm_handle = spec->handle,
		.tcm_parent = spec->parent,
	};
	struct nlb nlb;

	nlb_init(&nlb, op == QDISC_DEL ? RTM_DELQDISC : RTM_NEWQDISC, flags[op]);
	nlb_raw(&nlb, &tcm, sizeof(tcm));
	if (spec->kind)
		nlb_put_str(&nlb, TCA_KIND, spec->kind->name);
	if (spec->est) {
		struct tc_estimator est = {
			.interval = spec->est_interval,
			.ewma_log = spec->est_ewma_log,
		};

		nlb_put(&nlb, TCA_RATE, &est, sizeof(est));
	}
	if (spec->kind && spec->kind->fill)
		spec->kind->fill(&nlb, &spec->cfg);
	return nlb_finish(&nlb, msg);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of a packet after an action, and the number an action goes by. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <linux/pkt_cls.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filters.h"
#include "pure/diag.h"
#include "pure/doc.h"
#include "pure/units.h"

static const struct {
	const char *name;
	int control;
} controls[] = {
	{ "pass", TC_ACT_OK },
	{ "ok", TC_ACT_OK },
	{ "drop", TC_ACT_SHOT },
	{ "shot", TC_ACT_SHOT },
	{ "continue", TC_ACT_UNSPEC },
	{ "reclassify", TC_ACT_RECLASSIFY },
	{ "pipe", TC_ACT_PIPE },
	{ "stolen", TC_ACT_STOLEN },
	{ "trap", TC_ACT_TRAP },
};

/* How many of them can be asked for; the kernel shows the others too. */
#define CONTROLS_ASKED 7

const char *const control_words[] = {
	"pass", "ok", "drop", "shot", "continue", "reclassify", "pipe", "goto", "jump", NULL
};

static int value_parse(struct diag *d, char **words, int i, int n, int ext, int *control)
{
	uint64_t v = 0;

	if (i >= n)
		return diag_usage(d, i - 1, "\"%s\" needs a value", words[i - 1]);
	if (u64_parse(d, words, i, 0, TC_ACT_EXT_VAL_MASK, &v))
		return -1;
	*control = ext | (int)v;
	return i + 1;
}

int control_parse(struct diag *d, char **words, int i, int n, int *control)
{
	if (i >= n)
		return i;
	for (size_t c = 0; c < CONTROLS_ASKED; c++)
		if (!strcmp(controls[c].name, words[i])) {
			*control = controls[c].control;
			return i + 1;
		}
	if (!strcmp(words[i], "jump"))
		return value_parse(d, words, i + 1, n, TC_ACT_JUMP, control);
	if (strcmp(words[i], "goto"))
		return i;
	if (i + 1 >= n || strcmp(words[i + 1], "chain"))
		return diag_usage(d, i, "\"goto\" needs \"chain N\"");
	return value_parse(d, words, i + 2, n, TC_ACT_GOTO_CHAIN, control);
}

void control_show(struct doc *doc, int control)
{
	const char *name = "unknown";

	for (size_t c = 0; c < sizeof(controls) / sizeof(controls[0]); c++)
		if (controls[c].control == control) {
			name = controls[c].name;
			break;
		}
	if (TC_ACT_EXT_CMP(control, TC_ACT_GOTO_CHAIN))
		name = "goto";
	else if (TC_ACT_EXT_CMP(control, TC_ACT_JUMP))
		name = "jump";
	doc_open_object(doc, "control_action");
	doc_str(doc, "type", "%s", name);
	if (TC_ACT_EXT_CMP(control, TC_ACT_GOTO_CHAIN))
		doc_u64(doc, "chain", " chain %" PRIu64, control & TC_ACT_EXT_VAL_MASK);
	if (TC_ACT_EXT_CMP(control, TC_ACT_JUMP))
		doc_u64(doc, "jump", " %" PRIu64, control & TC_ACT_EXT_VAL_MASK);
	doc_close_object(doc);
}

int index_parse(struct diag *d, char **words, int i, int n, uint32_t *index)
{
	uint64_t v = 0;

	if (i >= n || strcmp(words[i], "index"))
		return i;
	if (i + 1 >= n)
		return diag_usage(d, i, "\"index\" needs a value");
	if (u64_parse(d, words, i + 1, 1, UINT32_MAX, &v))
		return diag_context(d, 0, "index");
	*index = (uint32_t)v;
	return i + 2;
}

/* The kernel tells these in USER_HZ: jiffies_to_clock_t() in tcf_tm_dump(). */
static void tm_show(struct doc *doc, struct nlattr *attr)
{
	uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
	struct tcf_t tm;

	if (!attr || nla_len(attr) < (int)sizeof(tm))
		return;
	memcpy(&tm, nla_data(attr), sizeof(tm));
	if (tm.install)
		doc_u64(doc, "installed", " installed %" PRIu64 " sec", tm.install / hz);
	if (tm.lastuse)
		doc_u64(doc, "last_used", " used %" PRIu64 " sec", tm.lastuse / hz);
	if (tm.firstuse)
		doc_u64(doc, "first_used", " firstused %" PRIu64 " sec", tm.firstuse / hz);
	if (tm.expires)
		doc_u64(doc, "expires", " expires %" PRIu64 " sec", tm.expires / hz);
}

void index_show(struct doc *doc, const char *lead, uint32_t index, int ref, int bind,
		struct nlattr *tm, const struct filter_view *view)
{
	doc_text(doc, "\n%s", lead);
	doc_u64(doc, "index", "index %" PRIu64, index);
	doc_i64(doc, "ref", " ref %" PRId64, ref);
	doc_i64(doc, "bind", " bind %" PRId64, bind);
	if (view->statistics)
		tm_show(doc, tm);
	doc_text(doc, "\n");
}

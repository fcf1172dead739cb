// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "kinds/kinds.h"

const struct kind *const kinds[] = {
	&kind_mq,
	&kind_netem,
	&kind_tbf,
	&kind_pfifo,
	&kind_pfifo_head_drop,
	&kind_bfifo,
	&kind_pfifo_fast,
	&kind_htb,
	&kind_hfsc,
	&kind_drr,
	&kind_prio,
	&kind_cbq,
	&kind_fq,
	&kind_fq_codel,
	&kind_codel,
	&kind_ingress,
	&kind_clsact,
	&kind_etf,
	&kind_mqprio,
	&kind_taprio,
	&kind_cake,
	&kind_cake_mq,
	NULL
};

const struct kind *kind_find(const char *name)
{
	for (const struct kind *const *kind = kinds; *kind; kind++)
		if (!strcmp((*kind)->name, name))
			return *kind;
	return NULL;
}

char *kinds_names(char *buf, size_t len)
{
	size_t used = 0;

	*buf = '\0';
	for (const struct kind *const *kind = kinds; *kind && used < len; kind++)
		if ((*kind)->parse)
			used += (size_t)snprintf(buf + used, len - used, "%s%s", used ? ", " : "",
						 (*kind)->name);
	return buf;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* "xps|rps NS:DEV cpu-per-queue | cpus LIST | mask HEX": CPUs of a device's queues. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

/* As sysfs writes it: hex, with or without a comma before each 8 digits. */
static int mask_parse(struct diag *d, char **words, int i, struct cpus *cpus)
{
	unsigned int cpu = 0;

	memset(cpus, 0, sizeof(*cpus));
	for (size_t at = strlen(words[i]); at-- > 0; ) {
		char digit[2] = { words[i][at], '\0' };

		if (*digit == ',')
			continue;
		if (!isxdigit((unsigned char)*digit))
			return diag_usage(d, i, "\"%s\": a mask is hex digits (f: the CPUs 0-3)", words[i]);
		for (unsigned int bit = 0; bit < 4; bit++, cpu++) {
			if (!(strtoul(digit, NULL, 16) >> bit & 1))
				continue;
			if (cpu >= CPUS_MAX)
				return diag_usage(d, i, "\"%s\": CPU %u of at most %d", words[i], cpu,
						  CPUS_MAX - 1);
			cpus_add(cpus, cpu);
		}
	}
	if (!cpus_count(cpus))
		return diag_usage(d, i, "\"%s\": no CPU in it", words[i]);
	return 0;
}

static int map_parse(struct diag *d, const struct topo_stmt *s, struct topo_steer *steer)
{
	const char *word = s->words[2];
	int err;

	if (strcmp(word, "cpu-per-queue") == 0) {
		steer->each = true;
		return topo_no_more(d, s, 3);
	}
	if (strcmp(word, "cpus") != 0 && strcmp(word, "mask") != 0)
		return diag_usage(d, 2, "\"%s\" is no map of %s: cpu-per-queue, cpus 0-3, mask f", word,
				  s->words[0]);
	err = topo_need_word(d, s, 3, word[0] == 'c' ? "the list (0-3,5)" : "the hex digits");
	if (!err)
		err = word[0] == 'c' ? cpus_parse(d, s->words, 3, &steer->cpus) :
				       mask_parse(d, s->words, 3, &steer->cpus);
	return err ? err : topo_no_more(d, s, 4);
}

int topo_steer_parse(struct diag *d, struct topo *topo, int stmt)
{
	const struct topo_stmt *s = &topo->stmts[stmt];
	struct topo_steer steer = { .stmt = stmt, .rps = s->words[0][0] == 'r' }, *slot;
	int i, err;

	err = topo_need_word(d, s, 1, "the device, NAMESPACE:DEVICE,");
	if (!err)
		err = topo_ref_parse(d, topo, s->words, 1, false, &steer.dev);
	if (!err)
		err = topo_need_word(d, s, 2, "the map");
	if (!err)
		err = map_parse(d, s, &steer);
	if (err)
		return err;
	for (i = 0; i < topo->nsteers; i++) {
		slot = &topo->steers[i];
		if (slot->dev.link == steer.dev.link && slot->dev.end == steer.dev.end &&
		    slot->rps == steer.rps)
			return diag_usage(d, 1, "\"%s\" has its %s in line %d already", s->words[1],
					  s->words[0], topo->stmts[slot->stmt].line);
	}
	slot = topo_add(d, &topo->steers, &topo->nsteers, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = steer;
	return 0;
}

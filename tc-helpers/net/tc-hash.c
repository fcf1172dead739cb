// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <linux/pkt_sched.h>
#include <netlink/attr.h>

#include "net/tc-hash.h"

#define FNV_BASIS 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

/* 64-bit FNV-1a. */
static uint64_t fnv(uint64_t h, const void *data, size_t len)
{
	const uint8_t *at = data;

	while (len--)
		h = (h ^ *at++) * FNV_PRIME;
	return h;
}

static uint64_t hash_attr(const struct nlattr *attr)
{
	uint16_t type = (uint16_t)nla_type(attr);

	return fnv(fnv(FNV_BASIS, &type, sizeof(type)), nla_data(attr), (size_t)nla_len(attr));
}

static struct nlattr *find(const struct nlattr *nest, int type)
{
	return nla_find(nla_data(nest), nla_len(nest), type);
}

/* The sum over the attributes of a nest, but for those that @skip names. */
static uint64_t hash_nest(const struct nlattr *nest, bool (*skip)(const struct nlattr *nest, int type))
{
	struct nlattr *attr;
	uint64_t h = 0;
	int rem;

	nla_for_each_attr(attr, nla_data(nest), nla_len(nest), rem)
		if (!skip || !skip(nest, nla_type(attr)))
			h += hash_attr(attr);
	return h;
}

/* htb counts in its options the packets that went round its classes. */
static uint64_t hash_htb(const struct nlattr *opts)
{
	const struct nlattr *init = find(opts, TCA_HTB_INIT);
	struct tc_htb_glob glob;
	uint64_t h = 0;
	struct nlattr *attr;
	int rem;

	nla_for_each_attr(attr, nla_data(opts), nla_len(opts), rem) {
		if (attr != init || nla_len(attr) != (int)sizeof(glob)) {
			h += hash_attr(attr);
			continue;
		}
		memcpy(&glob, nla_data(attr), sizeof(glob));
		glob.direct_pkts = 0;
		h += fnv(FNV_BASIS, &glob, sizeof(glob));
	}
	return h;
}

/* With autorate-ingress the rate is what cake has found. */
static bool skip_cake(const struct nlattr *nest, int type)
{
	const struct nlattr *autorate = find(nest, TCA_CAKE_AUTORATE);

	return type == TCA_CAKE_BASE_RATE64 && autorate && nla_len(autorate) >= 4 &&
	       nla_get_u32(autorate);
}

static uint64_t hash_cake(const struct nlattr *opts)
{
	return hash_nest(opts, skip_cake);
}

static bool is_schedule(const struct nlattr *opts, int type)
{
	(void)opts;
	return type == TCA_TAPRIO_ATTR_ADMIN_SCHED || type == TCA_TAPRIO_ATTR_SCHED_ENTRY_LIST ||
	       type == TCA_TAPRIO_ATTR_SCHED_BASE_TIME || type == TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME ||
	       type == TCA_TAPRIO_ATTR_SCHED_CYCLE_TIME_EXTENSION;
}

/* The schedule that was asked for is the "admin" one until its time comes, then it is at the top. */
static bool skip_taprio(const struct nlattr *nest, int type)
{
	if (type == TCA_TAPRIO_ATTR_ADMIN_SCHED)
		return true;
	return find(nest, TCA_TAPRIO_ATTR_ADMIN_SCHED) && is_schedule(nest, type);
}

static uint64_t hash_taprio(const struct nlattr *opts)
{
	const struct nlattr *admin = find(opts, TCA_TAPRIO_ATTR_ADMIN_SCHED);

	return hash_nest(opts, skip_taprio) + (admin ? hash_nest(admin, NULL) : 0);
}

uint64_t tc_options_hash(const char *kind, const struct nlattr *opts)
{
	static const struct {
		const char *kind;
		uint64_t (*hash)(const struct nlattr *opts);
	} special[] = {
		{ "htb", hash_htb },
		{ "cake", hash_cake },
		{ "cake_mq", hash_cake },
		{ "taprio", hash_taprio },
	};

	if (!opts)
		return 0;
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (strcmp(kind, special[i].kind) == 0)
			return special[i].hash(opts);
	return fnv(FNV_BASIS, nla_data(opts), (size_t)nla_len(opts));
}

static void mask_htb(struct nlattr *opts)
{
	struct nlattr *init = find(opts, TCA_HTB_INIT);
	struct tc_htb_glob glob;

	if (!init || nla_len(init) != (int)sizeof(glob))
		return;
	memcpy(&glob, nla_data(init), sizeof(glob));
	glob.direct_pkts = 0;
	memcpy(nla_data(init), &glob, sizeof(glob));
}

/* An attribute of type 0 is of no kind that anybody knows. */
static void hide(struct nlattr *opts, bool (*which)(const struct nlattr *opts, int type))
{
	struct nlattr *attr;
	int rem;

	nla_for_each_attr(attr, nla_data(opts), nla_len(opts), rem)
		if (which(opts, nla_type(attr)))
			attr->nla_type = 0;
}

void tc_options_mask(const char *kind, struct nlattr *opts)
{
	if (strcmp(kind, "htb") == 0)
		mask_htb(opts);
	else if (strcmp(kind, "cake") == 0 || strcmp(kind, "cake_mq") == 0)
		hide(opts, skip_cake);
	else if (strcmp(kind, "taprio") == 0)
		hide(opts, is_schedule);
}

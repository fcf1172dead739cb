// SPDX-License-Identifier: GPL-2.0-or-later
/* flower: packets by the fields of their headers. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <net/if.h>

#include "filters/filter-spec.h"
#include "filters/flower.h"
#include "filters/masked.h"
#include "pure/addr.h"
#include "pure/diag.h"
#include "pure/units.h"
#include "wire/nlb.h"

#define KEYS_MAX 32

/**
 * struct flower_cfg - the attributes that the words became
 * @begun: the two below are set
 * @eth_type: protocol of what is in the frame, behind a VLAN tag; 0 not yet known
 * @ip_proto: -1 for none
 */
struct flower_cfg {
	bool begun;
	uint16_t eth_type;
	int ip_proto;
	int nkeys;
	struct {
		uint16_t type;
		uint16_t len;
		uint8_t data[16];
	} key[KEYS_MAX];
};

enum {
	FLOWER_INDEV = FILTER_OWN, FLOWER_DST_MAC, FLOWER_SRC_MAC, FLOWER_VLAN_ID,
	FLOWER_VLAN_PRIO, FLOWER_VLAN_TYPE, FLOWER_PROTO, FLOWER_TOS, FLOWER_TTL,
	FLOWER_DST_IP, FLOWER_SRC_IP, FLOWER_DST_PORT, FLOWER_SRC_PORT,
};

static void key_put(struct flower_cfg *c, uint16_t type, const void *data, size_t len)
{
	/* fewer words than KEYS_MAX / 2, each at most twice: no need to check */
	c->key[c->nkeys].type = type;
	c->key[c->nkeys].len = (uint16_t)len;
	memcpy(c->key[c->nkeys++].data, data, len);
}

static void key_put_be16(struct flower_cfg *c, uint16_t type, uint64_t v)
{
	uint16_t be = htons((uint16_t)v);

	key_put(c, type, &be, sizeof(be));
}

static int needs_value(struct diag *d, int i)
{
	return diag_usage(d, i - 1, "needs a value");
}

/* The protocol of the filter is known before its kind: what the words may say follows from it. */
static struct flower_cfg *cfg_of(struct filter_spec *spec)
{
	struct flower_cfg *c = spec->cfg;

	if (!c->begun) {
		c->begun = true;
		c->eth_type = spec->protocol;
		c->ip_proto = -1;
	}
	return c;
}

static int indev_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	if (i >= n)
		return needs_value(d, i);
	if (dev_name_check(d, i, words[i]))
		return -1;
	key_put(cfg_of(spec), TCA_FLOWER_INDEV, words[i], strlen(words[i]) + 1);
	return i + 1;
}

static int mac_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	bool dst = !strcmp(words[i - 1], "dst_mac");
	uint8_t mac[ETH_ALEN], mask[ETH_ALEN];

	if (i >= n)
		return needs_value(d, i);
	if (mac_mask_parse(d, words, i, mac, mask))
		return -1;
	key_put(cfg_of(spec), dst ? TCA_FLOWER_KEY_ETH_DST : TCA_FLOWER_KEY_ETH_SRC, mac, sizeof(mac));
	key_put(cfg_of(spec), dst ? TCA_FLOWER_KEY_ETH_DST_MASK : TCA_FLOWER_KEY_ETH_SRC_MASK, mask,
		sizeof(mask));
	return i + 1;
}

static int vlan_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	struct flower_cfg *c = cfg_of(spec);
	const char *word = words[i - 1];
	uint16_t type, id;
	uint8_t prio;
	uint64_t v = 0;

	if (i >= n)
		return needs_value(d, i);
	if (spec->protocol != ETH_P_8021Q && spec->protocol != ETH_P_8021AD)
		return diag_usage(d, i - 1, "needs \"protocol 802.1Q\" or \"protocol 802.1ad\"");
	if (!strcmp(word, "vlan_ethtype")) {
		if (protocol_parse(d, words, i, &type))
			return -1;
		key_put_be16(c, TCA_FLOWER_KEY_VLAN_ETH_TYPE, type);
		c->eth_type = type;
		return i + 1;
	}
	if (u64_parse(d, words, i, 0, !strcmp(word, "vlan_id") ? 0xfff : 7, &v))
		return -1;
	id = (uint16_t)v;
	prio = (uint8_t)v;
	if (!strcmp(word, "vlan_id"))
		key_put(c, TCA_FLOWER_KEY_VLAN_ID, &id, sizeof(id));
	else
		key_put(c, TCA_FLOWER_KEY_VLAN_PRIO, &prio, sizeof(prio));
	return i + 1;
}

static bool is_ip(const struct flower_cfg *c)
{
	return c->eth_type == ETH_P_IP || c->eth_type == ETH_P_IPV6;
}

static int needs_ip(struct diag *d, int i)
{
	return diag_usage(d, i - 1, "needs \"protocol ip\" or \"protocol ipv6\" (or that vlan_ethtype before it)");
}

static int proto_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	static const struct {
		const char *name;
		int proto;
	} names[] = {
		{ "tcp", IPPROTO_TCP }, { "udp", IPPROTO_UDP }, { "sctp", IPPROTO_SCTP },
		{ "icmp", IPPROTO_ICMP }, { "icmpv6", IPPROTO_ICMPV6 },
	};
	struct flower_cfg *c = cfg_of(spec);
	uint32_t number;
	uint8_t proto;

	if (i >= n)
		return needs_value(d, i);
	if (!is_ip(c))
		return needs_ip(d, i);
	for (size_t p = 0; p < sizeof(names) / sizeof(names[0]); p++)
		if (!strcmp(names[p].name, words[i]))
			c->ip_proto = names[p].proto;
	if (c->ip_proto < 0) {
		if (hex_parse(d, words, i, UINT8_MAX, &number))
			return diag_context(d, 0, "neither tcp, udp, sctp, icmp nor icmpv6");
		c->ip_proto = (int)number;
	}
	proto = (uint8_t)c->ip_proto;
	key_put(c, TCA_FLOWER_KEY_IP_PROTO, &proto, sizeof(proto));
	return i + 1;
}

/* "VALUE[/MASK]": the value decimal or 0x, the mask hex as tc has it. */
static int tos_ttl_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	bool tos = !strcmp(words[i - 1], "ip_tos");
	struct flower_cfg *c = cfg_of(spec);
	const char *slash;
	uint32_t mask = UINT8_MAX;
	uint64_t value = 0;
	char part[16];
	char *one = part;
	uint8_t byte;

	if (i >= n)
		return needs_value(d, i);
	if (!is_ip(c))
		return needs_ip(d, i);
	slash = before_slash(words, i, part, sizeof(part));
	if (u64_parse(d, &one, 0, 0, UINT8_MAX, &value))
		return diag_context(d, i, "\"%s\"", words[i]);
	snprintf(part, sizeof(part), "%s", slash ? slash + 1 : "ff");
	if (hex_parse(d, &one, 0, UINT8_MAX, &mask))
		return diag_context(d, i, "\"%s\"", words[i]);
	byte = (uint8_t)value;
	key_put(c, tos ? TCA_FLOWER_KEY_IP_TOS : TCA_FLOWER_KEY_IP_TTL, &byte, 1);
	byte = (uint8_t)mask;
	key_put(c, tos ? TCA_FLOWER_KEY_IP_TOS_MASK : TCA_FLOWER_KEY_IP_TTL_MASK, &byte, 1);
	return i + 1;
}

static int ip_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	bool dst = !strcmp(words[i - 1], "dst_ip");
	struct flower_cfg *c = cfg_of(spec);
	uint8_t mask[16];
	struct prefix p;
	uint16_t type;
	size_t len;

	if (i >= n)
		return needs_value(d, i);
	if (!is_ip(c))
		return needs_ip(d, i);
	if (prefix_parse(d, words, i, c->eth_type == ETH_P_IP ? AF_INET : AF_INET6, &p))
		return -1;
	len = p.family == AF_INET ? 4 : 16;
	mask_of_bits(mask, (unsigned int)len, p.bits);
	if (p.family == AF_INET)
		type = dst ? TCA_FLOWER_KEY_IPV4_DST : TCA_FLOWER_KEY_IPV4_SRC;
	else
		type = dst ? TCA_FLOWER_KEY_IPV6_DST : TCA_FLOWER_KEY_IPV6_SRC;
	key_put(c, type, p.bytes, len);
	/* the mask is the attribute after it, for all four */
	key_put(c, (uint16_t)(type + 1), mask, len);
	return i + 1;
}

const struct flower_port *flower_port(int ip_proto, enum flower_side side)
{
	static const struct {
		int proto;
		struct flower_port side[2];
	} ports[] = {
		{ IPPROTO_TCP, {
			{ TCA_FLOWER_KEY_TCP_SRC, TCA_FLOWER_KEY_TCP_SRC_MASK,
			  TCA_FLOWER_KEY_PORT_SRC_MIN, TCA_FLOWER_KEY_PORT_SRC_MAX },
			{ TCA_FLOWER_KEY_TCP_DST, TCA_FLOWER_KEY_TCP_DST_MASK,
			  TCA_FLOWER_KEY_PORT_DST_MIN, TCA_FLOWER_KEY_PORT_DST_MAX } } },
		{ IPPROTO_UDP, {
			{ TCA_FLOWER_KEY_UDP_SRC, TCA_FLOWER_KEY_UDP_SRC_MASK,
			  TCA_FLOWER_KEY_PORT_SRC_MIN, TCA_FLOWER_KEY_PORT_SRC_MAX },
			{ TCA_FLOWER_KEY_UDP_DST, TCA_FLOWER_KEY_UDP_DST_MASK,
			  TCA_FLOWER_KEY_PORT_DST_MIN, TCA_FLOWER_KEY_PORT_DST_MAX } } },
		{ IPPROTO_SCTP, {
			{ TCA_FLOWER_KEY_SCTP_SRC, TCA_FLOWER_KEY_SCTP_SRC_MASK,
			  TCA_FLOWER_KEY_PORT_SRC_MIN, TCA_FLOWER_KEY_PORT_SRC_MAX },
			{ TCA_FLOWER_KEY_SCTP_DST, TCA_FLOWER_KEY_SCTP_DST_MASK,
			  TCA_FLOWER_KEY_PORT_DST_MIN, TCA_FLOWER_KEY_PORT_DST_MAX } } },
	};

	for (size_t p = 0; p < sizeof(ports) / sizeof(ports[0]); p++)
		if (ports[p].proto == ip_proto)
			return &ports[p].side[side];
	return NULL;
}

/* "PORT", "FROM-TO" or "PORT/MASK" */
static int port_take(struct diag *d, char **words, int i, int n, struct filter_spec *spec)
{
	enum flower_side side = !strcmp(words[i - 1], "dst_port") ? FLOWER_DST : FLOWER_SRC;
	struct flower_cfg *c = cfg_of(spec);
	const struct flower_port *port = flower_port(c->ip_proto, side);
	uint64_t from = 0, to = 0;
	uint32_t value, mask;
	char first[16];
	char *part = first;
	const char *dash;

	if (i >= n)
		return needs_value(d, i);
	if (!port)
		return diag_usage(d, i - 1, "needs \"ip_proto tcp\", udp or sctp before it");
	dash = strchr(words[i], '-');
	if (dash) {
		snprintf(first, sizeof(first), "%.*s", (int)(dash - words[i]), words[i]);
		if (u64_parse(d, &part, 0, 1, UINT16_MAX, &from))
			return diag_context(d, i, "\"%s\"", words[i]);
		snprintf(first, sizeof(first), "%s", dash + 1);
		if (u64_parse(d, &part, 0, from + 1, UINT16_MAX, &to))
			return diag_context(d, i, "\"%s\"", words[i]);
		key_put_be16(c, port->min, from);
		key_put_be16(c, port->max, to);
		return i + 1;
	}
	if (masked_u32_parse(d, words, i, &value, &mask))
		return -1;
	if (value > UINT16_MAX || (mask > UINT16_MAX && mask != UINT32_MAX))
		return diag_usage(d, i, "\"%s\": more than 65535", words[i]);
	key_put_be16(c, port->value, value);
	if (strchr(words[i], '/'))
		key_put_be16(c, port->mask, mask);
	return i + 1;
}

static const struct filter_word flower_words[] = {
	{ "indev", FLOWER_INDEV, .take = indev_take },
	{ "dst_mac", FLOWER_DST_MAC, .take = mac_take },
	{ "src_mac", FLOWER_SRC_MAC, .take = mac_take },
	{ "vlan_id", FLOWER_VLAN_ID, .take = vlan_take },
	{ "vlan_prio", FLOWER_VLAN_PRIO, .take = vlan_take },
	{ "vlan_ethtype", FLOWER_VLAN_TYPE, .take = vlan_take },
	{ "ip_proto", FLOWER_PROTO, .take = proto_take },
	{ "ip_tos", FLOWER_TOS, .take = tos_ttl_take },
	{ "ip_ttl", FLOWER_TTL, .take = tos_ttl_take },
	{ "dst_ip", FLOWER_DST_IP, .take = ip_take },
	{ "src_ip", FLOWER_SRC_IP, .take = ip_take },
	{ "dst_port", FLOWER_DST_PORT, .take = port_take },
	{ "src_port", FLOWER_SRC_PORT, .take = port_take },
	{ NULL }
};

static void flower_fill(struct nlb *nlb, const struct filter_spec *spec)
{
	const struct flower_cfg *c = spec->cfg;
	uint16_t eth_type = htons(spec->protocol);

	for (int k = 0; k < c->nkeys; k++)
		nlb_put(nlb, c->key[k].type, c->key[k].data, c->key[k].len);
	if (spec->protocol && spec->protocol != ETH_P_ALL)
		nlb_put(nlb, TCA_FLOWER_KEY_ETH_TYPE, &eth_type, sizeof(eth_type));
}

const struct classifier classifier_flower = {
	.name = "flower",
	.config = "CONFIG_NET_CLS_FLOWER",
	.words = flower_words,
	.cfg_size = sizeof(struct flower_cfg),
	.fill = flower_fill,
	.options = &flower_options,
	.show = flower_show,
	.classid_attr = TCA_FLOWER_CLASSID,
	.flags_attr = TCA_FLOWER_FLAGS,
	.act_attr = TCA_FLOWER_ACT,
	.bare = true,
};

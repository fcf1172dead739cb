// SPDX-License-Identifier: GPL-2.0-or-later
/* flower as tc shows it. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <netlink/attr.h>

#include "filters/action.h"
#include "filters/filter-spec.h"
#include "filters/flower.h"
#include "filters/masked.h"
#include "pure/addr.h"
#include "pure/doc.h"
#include "wire/attr-desc.h"

/* Whether attribute @type is there with @len bytes. */
static const uint8_t *bytes_get(struct nlattr **tb, int type, int len)
{
	return tb[type] && nla_len(tb[type]) == len ? nla_data(tb[type]) : NULL;
}

static void value_show(struct doc *doc, const char *name, const char *value)
{
	doc_text(doc, "\n  %s %s", name, value);
	doc_str(doc, name, NULL, value);
}

static void mac_format(char *buf, const uint8_t *mac)
{
	sprintf(buf, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

static void mac_show(struct doc *doc, const char *name, struct nlattr **tb, int type)
{
	const uint8_t *mac = bytes_get(tb, type, ETH_ALEN);
	const uint8_t *mask = bytes_get(tb, type + 1, ETH_ALEN);
	char text[48];
	int bits;

	if (!mac)
		return;
	mac_format(text, mac);
	bits = mask ? bits_of_mask(mask, ETH_ALEN) : 48;
	if (bits < 0) {
		strcat(text, "/");
		mac_format(text + strlen(text), mask);
	} else if (bits < 48) {
		sprintf(text + strlen(text), "/%d", bits);
	}
	value_show(doc, name, text);
}

static void ip_show(struct doc *doc, const char *name, struct nlattr **tb, int type, int family)
{
	int len = family == AF_INET ? 4 : 16;
	const uint8_t *addr = bytes_get(tb, type, len);
	const uint8_t *mask = bytes_get(tb, type + 1, len);
	char text[2 * INET6_ADDRSTRLEN + 1];
	int bits;

	if (!addr || !mask)
		return;
	inet_ntop(family, addr, text, INET6_ADDRSTRLEN);
	bits = bits_of_mask(mask, (unsigned int)len);
	if (bits < 0) {
		strcat(text, "/");
		inet_ntop(family, mask, text + strlen(text), INET6_ADDRSTRLEN);
	} else if (bits < len * 8) {
		sprintf(text + strlen(text), "/%d", bits);
	}
	value_show(doc, name, text);
}

/* A number, and the mask as a key of its own where it is not all ones. */
static void masked_show(struct doc *doc, const char *name, uint32_t value, uint32_t mask,
			uint32_t full)
{
	char key[32];

	doc_text(doc, "\n  %s %u", name, value);
	doc_u64(doc, name, NULL, value);
	if (mask == full)
		return;
	snprintf(key, sizeof(key), "%s_mask", name);
	hex_show(doc, key, "/0x%s", mask);
}

static void byte_show(struct doc *doc, const char *name, struct nlattr **tb, int type)
{
	const uint8_t *value = bytes_get(tb, type, 1);
	const uint8_t *mask = bytes_get(tb, type + 1, 1);

	if (value)
		masked_show(doc, name, *value, mask ? *mask : UINT8_MAX, UINT8_MAX);
}

static uint16_t be16_get(struct nlattr *attr)
{
	return ntohs(nla_get_u16(attr));
}

static void port_show(struct doc *doc, const char *name, struct nlattr **tb,
		      const struct flower_port *port)
{
	if (!port)
		return;
	if (tb[port->value])
		masked_show(doc, name, be16_get(tb[port->value]),
			    tb[port->mask] ? be16_get(tb[port->mask]) : UINT16_MAX, UINT16_MAX);
	if (!tb[port->min] || !tb[port->max])
		return;
	doc_text(doc, "\n  %s %u-%u", name, be16_get(tb[port->min]), be16_get(tb[port->max]));
	doc_open_object(doc, name);
	doc_u64(doc, "start", NULL, be16_get(tb[port->min]));
	doc_u64(doc, "end", NULL, be16_get(tb[port->max]));
	doc_close_object(doc);
}

static void vlan_show(struct doc *doc, struct nlattr **tb)
{
	char text[16];

	if (tb[TCA_FLOWER_KEY_VLAN_ID])
		doc_u64(doc, "vlan_id", "\n  vlan_id %" PRIu64, nla_get_u16(tb[TCA_FLOWER_KEY_VLAN_ID]));
	if (tb[TCA_FLOWER_KEY_VLAN_PRIO])
		doc_u64(doc, "vlan_prio", "\n  vlan_prio %" PRIu64,
			nla_get_u8(tb[TCA_FLOWER_KEY_VLAN_PRIO]));
	if (tb[TCA_FLOWER_KEY_VLAN_ETH_TYPE])
		value_show(doc, "vlan_ethtype",
			   protocol_format(text, be16_get(tb[TCA_FLOWER_KEY_VLAN_ETH_TYPE])));
}

static uint16_t eth_type_show(struct doc *doc, struct nlattr **tb)
{
	uint16_t type;
	char text[16];

	if (!tb[TCA_FLOWER_KEY_ETH_TYPE])
		return 0;
	type = be16_get(tb[TCA_FLOWER_KEY_ETH_TYPE]);
	snprintf(text, sizeof(text), "%04x", type);
	value_show(doc, "eth_type", type == ETH_P_IP ? "ipv4" : type == ETH_P_IPV6 ? "ipv6" :
		   type == ETH_P_ARP ? "arp" : type == ETH_P_RARP ? "rarp" : text);
	return type;
}

static int proto_show(struct doc *doc, struct nlattr **tb)
{
	static const struct {
		int proto;
		const char *name;
	} names[] = {
		{ IPPROTO_TCP, "tcp" }, { IPPROTO_UDP, "udp" }, { IPPROTO_SCTP, "sctp" },
		{ IPPROTO_ICMP, "icmp" }, { IPPROTO_ICMPV6, "icmpv6" },
	};
	char text[8];
	int proto;

	if (!tb[TCA_FLOWER_KEY_IP_PROTO])
		return -1;
	proto = nla_get_u8(tb[TCA_FLOWER_KEY_IP_PROTO]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].proto == proto) {
			value_show(doc, "ip_proto", names[i].name);
			return proto;
		}
	snprintf(text, sizeof(text), "%02x", proto);
	value_show(doc, "ip_proto", text);
	return proto;
}

/* Keys that are not shown must not pass for none. */
static void rest_show(struct doc *doc, struct nlattr **tb)
{
	static const struct {
		int first;
		int last;
	} known[] = {
		{ TCA_FLOWER_UNSPEC, TCA_FLOWER_KEY_UDP_DST },
		{ TCA_FLOWER_FLAGS, TCA_FLOWER_KEY_VLAN_ETH_TYPE },
		{ TCA_FLOWER_KEY_TCP_SRC_MASK, TCA_FLOWER_KEY_SCTP_DST },
		{ TCA_FLOWER_KEY_IP_TOS, TCA_FLOWER_KEY_IP_TTL_MASK },
		{ TCA_FLOWER_IN_HW_COUNT, TCA_FLOWER_KEY_PORT_DST_MAX },
	};
	unsigned int rest = 0;

	for (int type = 0; type <= TCA_FLOWER_MAX; type++) {
		bool shown = !tb[type];

		for (size_t k = 0; !shown && k < sizeof(known) / sizeof(known[0]); k++)
			shown = type >= known[k].first && type <= known[k].last;
		rest += !shown;
	}
	if (rest)
		doc_u64(doc, "keys_not_shown", "\n  %" PRIu64 " attributes of keys that are not shown",
			rest);
}

static const struct attr_desc flower_attrs[] = {
	ATTR(TCA_FLOWER_CLASSID, "handle"),
	ATTR(TCA_FLOWER_INDEV, "str"),
	ATTR_NEST(TCA_FLOWER_ACT, actions_attrs),
	ATTR(TCA_FLOWER_FLAGS, "x32"),
	ATTR(TCA_FLOWER_IN_HW_COUNT, "u32"),
	ATTR(TCA_FLOWER_KEY_ETH_DST, "mac"),
	ATTR(TCA_FLOWER_KEY_ETH_DST_MASK, "mac"),
	ATTR(TCA_FLOWER_KEY_ETH_SRC, "mac"),
	ATTR(TCA_FLOWER_KEY_ETH_SRC_MASK, "mac"),
	ATTR(TCA_FLOWER_KEY_ETH_TYPE, "xbe16"),
	ATTR(TCA_FLOWER_KEY_IP_PROTO, "u8"),
	ATTR(TCA_FLOWER_KEY_IPV4_SRC, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV4_SRC_MASK, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV4_DST, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV4_DST_MASK, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV6_SRC, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV6_SRC_MASK, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV6_DST, "ip"),
	ATTR(TCA_FLOWER_KEY_IPV6_DST_MASK, "ip"),
	ATTR(TCA_FLOWER_KEY_TCP_SRC, "be16"),
	ATTR(TCA_FLOWER_KEY_TCP_SRC_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_TCP_DST, "be16"),
	ATTR(TCA_FLOWER_KEY_TCP_DST_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_UDP_SRC, "be16"),
	ATTR(TCA_FLOWER_KEY_UDP_SRC_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_UDP_DST, "be16"),
	ATTR(TCA_FLOWER_KEY_UDP_DST_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_SCTP_SRC, "be16"),
	ATTR(TCA_FLOWER_KEY_SCTP_SRC_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_SCTP_DST, "be16"),
	ATTR(TCA_FLOWER_KEY_SCTP_DST_MASK, "xbe16"),
	ATTR(TCA_FLOWER_KEY_PORT_SRC_MIN, "be16"),
	ATTR(TCA_FLOWER_KEY_PORT_SRC_MAX, "be16"),
	ATTR(TCA_FLOWER_KEY_PORT_DST_MIN, "be16"),
	ATTR(TCA_FLOWER_KEY_PORT_DST_MAX, "be16"),
	ATTR(TCA_FLOWER_KEY_VLAN_ID, "u16"),
	ATTR(TCA_FLOWER_KEY_VLAN_PRIO, "u8"),
	ATTR(TCA_FLOWER_KEY_VLAN_ETH_TYPE, "xbe16"),
	ATTR(TCA_FLOWER_KEY_IP_TOS, "x8"),
	ATTR(TCA_FLOWER_KEY_IP_TOS_MASK, "x8"),
	ATTR(TCA_FLOWER_KEY_IP_TTL, "u8"),
	ATTR(TCA_FLOWER_KEY_IP_TTL_MASK, "x8"),
	ATTR_END
};

const struct attr_desc flower_options = { .value = "+", .sub = flower_attrs };

void flower_show(struct doc *doc, struct nlattr *opts, const struct filter_view *view)
{
	struct nlattr *tb[TCA_FLOWER_MAX + 1];
	uint16_t eth_type;
	int proto;

	if (nla_parse_nested(tb, TCA_FLOWER_MAX, opts, NULL) < 0)
		return;
	if (view->handle) {
		doc_text(doc, " handle 0x%x", view->handle);
		doc_u64(doc, "handle", NULL, view->handle);
	}
	filter_classid_show(doc, tb[TCA_FLOWER_CLASSID], "classid", " ");
	if (tb[TCA_FLOWER_INDEV])
		value_show(doc, "indev", nla_get_string(tb[TCA_FLOWER_INDEV]));
	doc_open_object(doc, "keys");
	vlan_show(doc, tb);
	mac_show(doc, "dst_mac", tb, TCA_FLOWER_KEY_ETH_DST);
	mac_show(doc, "src_mac", tb, TCA_FLOWER_KEY_ETH_SRC);
	eth_type = eth_type_show(doc, tb);
	proto = proto_show(doc, tb);
	byte_show(doc, "ip_tos", tb, TCA_FLOWER_KEY_IP_TOS);
	byte_show(doc, "ip_ttl", tb, TCA_FLOWER_KEY_IP_TTL);
	if (eth_type != ETH_P_IPV6) {
		ip_show(doc, "dst_ip", tb, TCA_FLOWER_KEY_IPV4_DST, AF_INET);
		ip_show(doc, "src_ip", tb, TCA_FLOWER_KEY_IPV4_SRC, AF_INET);
	}
	if (eth_type != ETH_P_IP) {
		ip_show(doc, "dst_ip", tb, TCA_FLOWER_KEY_IPV6_DST, AF_INET6);
		ip_show(doc, "src_ip", tb, TCA_FLOWER_KEY_IPV6_SRC, AF_INET6);
	}
	port_show(doc, "dst_port", tb, flower_port(proto, FLOWER_DST));
	port_show(doc, "src_port", tb, flower_port(proto, FLOWER_SRC));
	rest_show(doc, tb);
	doc_close_object(doc);
	filter_flags_show(doc, tb[TCA_FLOWER_FLAGS], "\n  ");
	actions_show(doc, tb[TCA_FLOWER_ACT], view);
}

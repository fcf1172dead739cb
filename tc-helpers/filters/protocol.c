// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of link-layer protocols, as tc writes them. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <linux/if_ether.h>

#include "filters/filter-spec.h"
#include "pure/diag.h"
#include "pure/units.h"

static const struct {
	const char *name;
	uint16_t protocol;
} protocols[] = {
	{ "all", ETH_P_ALL },
	{ "ip", ETH_P_IP },
	{ "ipv4", ETH_P_IP },
	{ "ipv6", ETH_P_IPV6 },
	{ "arp", ETH_P_ARP },
	{ "rarp", ETH_P_RARP },
	{ "802.1Q", ETH_P_8021Q },
	{ "802.1ad", ETH_P_8021AD },
	{ "802.2", ETH_P_802_2 },
	{ "802.3", ETH_P_802_3 },
	{ "mpls_uc", ETH_P_MPLS_UC },
	{ "mpls_mc", ETH_P_MPLS_MC },
	{ "ppp_ses", ETH_P_PPP_SES },
	{ "ppp_disc", ETH_P_PPP_DISC },
	{ "lldp", ETH_P_LLDP },
	{ "tipc", ETH_P_TIPC },
};

char *protocol_format(char *buf, uint16_t protocol)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (protocols[i].protocol == protocol)
			return strcpy(buf, protocols[i].name);
	snprintf(buf, 16, "[%u]", protocol);
	return buf;
}

int protocol_parse(struct diag *d, char **words, int i, uint16_t *protocol)
{
	uint64_t v = 0;

	for (size_t p = 0; p < sizeof(protocols) / sizeof(protocols[0]); p++)
		if (!strcasecmp(protocols[p].name, words[i])) {
			*protocol = protocols[p].protocol;
			return 0;
		}
	if (words[i][0] < '0' || words[i][0] > '9')
		return diag_usage(d, i, "unknown protocol \"%s\": all, ip, ipv6, arp, 802.1Q ... or its number, like 0x0800",
				  words[i]);
	if (u64_parse(d, words, i, 1, UINT16_MAX, &v))
		return -1;
	*protocol = (uint16_t)v;
	return 0;
}

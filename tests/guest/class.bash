# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A link for the tests of classes: nothing is on it but what they send.
#
#	q:eth1 10.0.0.1  ----  r:eth1 10.0.0.2

class_link()
{
	local ns
	for ns in q r; do
		ip netns add "$ns"
		ip netns exec "$ns" sysctl -qw net.ipv6.conf.default.disable_ipv6=1
	done
	ip -n q link add eth1 address 02:00:00:00:00:01 type veth \
		peer name eth1 address 02:00:00:00:00:02 netns r
	ip -n q addr add 10.0.0.1/24 dev eth1
	ip -n r addr add 10.0.0.2/24 dev eth1
	ip -n r link set eth1 up
	ip -n q link set eth1 up
	ip -n q neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev eth1
	# it answers that nobody listens, and asks nothing
	ip -n r neigh add 10.0.0.1 lladdr 02:00:00:00:00:01 nud permanent dev eth1
}

class_unlink()
{
	ip netns del q
	ip netns del r
}

# send N: N packets, without a priority of their own
send()
{
	# shellcheck disable=SC2016 # for the inner shell
	ip netns exec q bash -c 'for ((i = 0; i < $1; i++)); do echo x >/dev/udp/10.0.0.2/9; done' \
		send "$1"
}

# shown_as_tc_shows: the classes and the qdiscs, with and without counters
shown_as_tc_shows()
{
	local object options
	for object in qdisc class; do
		for options in '' -s -d; do
			# shellcheck disable=SC2086 # none or one word
			assert_equal "$(qbed "$object" show -n q $options dev eth1)" \
				"$(tc -n q $options "$object" show dev eth1 | sed 's/ *$//')"
		done
	done
}

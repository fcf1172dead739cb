# SPDX-License-Identifier: GPL-2.0-or-later
#
# Filters through qbed, with tc(8) as the oracle: the same words to both, each in a namespace of its
# own, must leave the same filters; and packets go where a filter sends them.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	for ns in t q; do
		ip netns add "$ns"
		# nothing but the test's packets
		ip netns exec "$ns" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
		ip -n "$ns" link add name eth1 numtxqueues 4 numrxqueues 4 type veth \
			peer name peer1 numtxqueues 4 numrxqueues 4
		ip -n "$ns" link add name ifb0 type ifb
		ip -n "$ns" link set eth1 up
		tc -n "$ns" qdisc add dev eth1 root handle 1: htb
		tc -n "$ns" qdisc add dev eth1 clsact
	done
}

teardown()
{
	ip netns del t
	ip netns del q
}

# same WORD...: see tests/bats/filter.bats
same()
{
	run tc -n t filter "$@"
	local tc_status=$status
	run qbed filter -n q "$@"
	assert_equal "$((status == 0)) $*" "$((tc_status == 0)) $*"
	same_shown "$*" parent 1:
	same_shown "$*" ingress
	same_shown "$*" egress
}

same_shown()
{
	local words=$1
	shift
	assert_equal "$words: $(tc -n q filter show dev eth1 "$@")" \
		"$words: $(tc -n t filter show dev eth1 "$@")"
	assert_equal "$(qbed filter -n q show dev eth1 "$@")" \
		"$(tc -n q filter show dev eth1 "$@" | sed 's/ *$//')"
	# tc's JSON of fw is broken
	[[ $words == *' fw'* ]] ||
		assert_equal "$(qbed --json filter -n q show dev eth1 "$@" | jq -c 'del(.. | objects | .matches)')" \
			"$(tc -n q -j filter show dev eth1 "$@" | jq -c .)"
}

@test "matchall" {
	same add dev eth1 parent 1: protocol ip prio 1 matchall classid 1:1
	same add dev eth1 ingress prio 2 handle 0x5 matchall skip_hw action mirred egress redirect dev ifb0
	same replace dev eth1 ingress prio 2 handle 0x5 matchall action drop
	same change dev eth1 parent 1: protocol ip prio 1 handle 1 matchall classid 1:2
	same add dev eth1 egress chain 3 matchall action gact pass index 9
	same add dev eth1 egress prio 1 matchall action goto chain 3
	same del dev eth1 ingress prio 2 handle 5 matchall
	same del dev eth1 parent 1:
}

@test "flower" {
	same add dev eth1 parent 1: protocol ip prio 1 flower ip_proto tcp dst_ip 10.0.0.0/8 \
		src_ip 10.1.2.3 dst_port 80 src_port 1024/0xfc00 ip_tos 0x10/0xfc ip_ttl 64 classid 1:1
	same add dev eth1 parent 1: protocol ip prio 2 flower ip_proto udp dst_port 5-900 src_port 7-9 \
		action drop
	same add dev eth1 parent 1: protocol ipv6 prio 3 flower ip_proto sctp dst_ip 2001:db8::/33 \
		src_ip fe80::1 dst_port 8 flowid 1:1
	same add dev eth1 parent 1: protocol 802.1Q prio 4 flower vlan_id 5 vlan_prio 3 vlan_ethtype ip \
		dst_ip 1.2.3.4 action pass
	same add dev eth1 ingress prio 5 flower dst_mac 1:2:3:4:5:6 src_mac 1:2:3:4:5:6/24 \
		indev eth1 action pass
	same add dev eth1 ingress prio 6 flower dst_mac 1:2:3:4:5:6/0:0:0:ff:0:ff skip_hw action pass
	same add dev eth1 ingress protocol arp prio 7 flower
	same add dev eth1 ingress protocol ip prio 8 handle 7 flower ip_proto icmp action pass
	same replace dev eth1 ingress protocol ip prio 8 handle 7 flower ip_proto 47 action drop
	same del dev eth1 ingress protocol ip prio 8 handle 7 flower
	same add dev eth1 ingress protocol ip prio 1 flower ip_proto 300
}

@test "a flower whose keys are not all shown says so" {
	tc -n q filter add dev eth1 ingress protocol ip flower ip_proto tcp tcp_flags 0x2/0x3 \
		dst_port 80 action pass
	run -0 qbed filter show dev q:eth1 ingress
	assert_line '  2 attributes of keys that are not shown'
	run -0 qbed --json filter show dev q:eth1 ingress
	assert_equal "$(jq '.[].options.keys | select(.) | .keys_not_shown' <<<"$output")" 2
}

@test "fw" {
	same add dev eth1 parent 1: protocol ip prio 1 handle 5 fw classid 1:1
	same add dev eth1 parent 1: protocol ip prio 2 handle 0x10/0xf0 fw classid 1:2
	same add dev eth1 ingress prio 3 handle 7 fw indev eth1 action drop
	same del dev eth1 parent 1: protocol ip prio 1 handle 5 fw
}

@test "skbedit, gact, and several actions" {
	same add dev eth1 egress prio 1 matchall action skbedit priority 1:10 queue_mapping 3 mark 5/0xff
	same add dev eth1 egress prio 2 matchall action skbedit mark 7 ptype otherhost pass index 11
	same add dev eth1 egress prio 3 matchall action skbedit priority 6 inheritdsfield continue
	same add dev eth1 egress prio 4 matchall action skbedit queue_mapping 1 pipe action gact jump 1 \
		action drop index 3
	same add dev eth1 egress prio 5 matchall action skbedit index 11
	same add dev eth1 egress prio 6 u32 match u32 0 0 action skbedit mark 0 shot
	same add dev eth1 egress prio 7 u32 match u32 0 0 action reclassify
}

@test "the counters of actions are shown as tc shows them" {
	qbed filter add dev q:eth1 egress prio 1 matchall action skbedit mark 3 action pass
	qbed filter add dev q:eth1 egress prio 2 u32 match u32 0 0 action mirred egress mirror dev ifb0
	assert_equal "$(qbed filter -n q -s show dev eth1 egress)" \
		"$(tc -n q -s filter show dev eth1 egress | sed 's/ *$//')"
	assert_equal "$(qbed --json filter -n q -s show dev eth1 egress | jq -c 'del(.. | objects | .matches)')" \
		"$(tc -n q -s -j filter show dev eth1 egress | jq -c .)"
}

@test "packets take the queue, the class and the device that a filter names" {
	# before there is a carrier: what the kernel sends by itself must not be counted
	qbed filter add dev q:eth1 egress prio 9 matchall action drop
	ip -n q addr add 10.0.0.1/24 dev eth1
	ip -n q link set peer1 up
	ip -n q link set ifb0 up
	ip -n q neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev eth1
	qbed qdisc del dev q:eth1 root
	qbed qdisc add dev q:eth1 root handle 1: mq
	for queue in 1 2 3 4; do
		qbed qdisc add dev q:eth1 parent "1:$queue" handle "1$queue:" pfifo limit 100
	done
	qbed filter add dev q:eth1 egress protocol ip prio 1 flower ip_proto udp dst_port 7000 \
		action skbedit queue_mapping 2 pass
	qbed filter add dev q:eth1 egress protocol ip prio 2 flower ip_proto udp dst_port 7001 \
		action mirred egress redirect dev ifb0
	# shellcheck disable=SC2016 # for the inner shell
	ip netns exec q bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.0.0.2/7000; done
		for i in 1 2; do echo x >/dev/udp/10.0.0.2/7001; done'
	run -0 qbed --json qdisc show -s dev q:eth1 parent 1:3
	assert_equal "$(jq '.[].packets' <<<"$output")" 3
	run -0 qbed --json filter show -s dev q:eth1 egress
	assert_equal "$(jq -c '[.[] | select(.pref < 9).options.actions[]?.stats.packets]' <<<"$output")" '[3,2]'
}

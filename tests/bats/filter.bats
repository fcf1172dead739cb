# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed filter against the kernel of this machine, with tc(8) as the oracle: the same words to both,
# each in a namespace of its own, must leave the same filters. What this kernel may lack (matchall,
# flower, fw, skbedit, gact) is in tests/guest.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load sandbox

setup()
{
	sandbox_start
}

teardown()
{
	sandbox_stop
}

# two_devices: in t and in q eth1 with an htb and an ingress qdisc, and ifb0
two_devices()
{
	local ns
	for ns in t q; do
		sandbox_veth "$ns" 1
		inside ip -n "$ns" link add ifb0 type ifb
		inside tc -n "$ns" qdisc add dev eth1 root handle 1: htb
		inside tc -n "$ns" class add dev eth1 parent 1: classid 1:1 htb rate 1mbit
		inside tc -n "$ns" qdisc add dev eth1 ingress
	done
}

# same WORD...: tc and qbed do the same with these words, in namespaces t and q, and both show
# what is in q in the same way
same()
{
	run inside tc -n t filter "$@"
	local tc_status=$status
	run inside qbed filter -n q "$@"
	assert_equal "$((status == 0)) $*" "$((tc_status == 0)) $*"
	same_shown "$*" parent 1:
	same_shown "$*" ingress
}

same_shown()
{
	local words=$1
	shift
	assert_equal "$words: $(inside tc -n q filter show dev eth1 "$@")" \
		"$words: $(inside tc -n t filter show dev eth1 "$@")"
	# newer versions of tc leave the star of u32's "*flowid" out
	assert_equal "$(inside qbed filter -n q show dev eth1 "$@" | sed 's/\*flowid/flowid/')" \
		"$(inside tc -n q filter show dev eth1 "$@" | sed 's/ *$//; s/\*flowid/flowid/')"
	# of tc's many "match" a reader of JSON sees the last
	assert_equal "$(inside qbed --json filter -n q show dev eth1 "$@" | jq -c 'del(.. | objects | .matches)')" \
		"$(inside tc -n q -j filter show dev eth1 "$@" | jq -c .)"
}

@test "u32: the same words leave the same filters as tc's, and are shown the same" {
	two_devices
	same add dev eth1 parent 1: protocol ip prio 1 u32 match ip dst 10.0.0.0/8 \
		match ip dport 80 0xffff match ip protocol 6 0xff flowid 1:1
	same add dev eth1 parent 1: protocol ip prio 1 u32 match ip src 10/8 flowid 1:2
	same add dev eth1 parent 1: protocol ipv6 prio 3 u32 match ip6 src 2001:db8::/33 \
		match ip6 dport 80 0xffff classid 1:1
	same add dev eth1 parent 1: protocol 802.1q prio 9 u32 match ether dst 1:2:3:4:5:6 \
		match ip6 dst fe80::1 match ip6 priority 3 ff match ip nofrag classid 1:1
	same add dev eth1 parent 1: pref 10 u32 match u8 3 f at -13 match u16 5 ff at 2 \
		match u32 0 0 at nexthdr+8 flowid 1:1
	same replace dev eth1 parent 1: protocol ip prio 1 handle 800::800 u32 match ip tos 16 0xff flowid 1:1
	same change dev eth1 parent 1: protocol ip prio 1 handle 800::801 u32 match ip src 10/8 flowid 1:3
	same add dev eth1 parent 1: protocol ip chain 5 u32 match u32 0 0 flowid 1:1
	same add dev eth1 parent 1: protocol ip prio 1 handle 800::800 u32 match u32 0 0 flowid 1:1
	same del dev eth1 parent 1: protocol ip prio 1 handle 800::800 u32
	same del dev eth1 parent 1: prio 3
	same del dev eth1 parent 1: prio 77
	same del dev eth1 parent 1:
}

@test "ingress and clsact are their own place, as tc has them" {
	two_devices
	local kind words
	for kind in ingress clsact; do
		for words in "del dev eth1 ingress" "add dev eth1 $kind" "add dev eth1 $kind" \
			"del dev eth1 $kind" "add dev eth1 handle ffff: $kind" "del dev eth1 clsact" \
			"replace dev eth1 ingress"; do
			# shellcheck disable=SC2086 # words
			run inside tc -n t qdisc $words
			local tc_status=$status
			# shellcheck disable=SC2086
			run inside qbed qdisc -n q $words
			assert_equal "$((status == 0)) $words" "$((tc_status == 0)) $words"
			assert_equal "$(inside qbed qdisc -n q show dev eth1)" \
				"$(inside tc -n t qdisc show dev eth1 | sed 's/ *$//')"
			assert_equal "$(inside qbed --json qdisc -n q show dev eth1 ingress | jq -c .)" \
				"$(inside tc -n t -j qdisc show dev eth1 ingress | jq -c .)"
		done
	done
}

@test "mirred: redirect and mirror, out of a device and into it, one after the other" {
	two_devices
	same add dev eth1 ingress protocol ip u32 match u32 0 0 action mirred egress redirect dev ifb0
	same add dev eth1 ingress protocol ip u32 match u32 0 0 action mirred ingress mirror dev ifb0 index 7
	same add dev eth1 parent 1: u32 match u32 0 0 action mirred egress mirror dev ifb0 pipe \
		action mirred egress redirect dev lo index 9
	same add dev eth1 parent 1: prio 5 u32 match u32 0 0 action mirred egress mirror dev ifb0 continue
	same add dev eth1 parent 1: prio 6 u32 match u32 0 0 action mirred index 7 flowid 1:1
	same add dev eth1 ingress prio 7 u32 match u32 0 0 action mirred egress redirect dev nope
	run -2 inside qbed filter add dev q:eth1 ingress u32 match u32 0 0 \
		action mirred egress redirect dev nope
	assert_output 'qbed: device nope: No such device'
}

@test "every key of a filter is in \"matches\", and its counters with -s" {
	two_devices
	inside qbed filter add dev q:eth1 ingress protocol ip u32 match ip dst 1.2.3.4 \
		match ip dport 80 0xffff action mirred egress redirect dev ifb0
	run -0 inside qbed --json filter show -s dev q:eth1 ingress
	assert_equal "$(jq -c '[.[].options | select(.matches) | .matches[] | .value + "@" + (.off | tostring)]' \
		<<<"$output")" '["1020304@16","50@20"]'
	assert_equal "$(jq '[.. | .stats? | select(.) | .packets] | add' <<<"$output")" 0
	assert_equal "$(inside qbed filter -n q show -s dev eth1 ingress)" \
		"$(inside tc -n q -s filter show dev eth1 ingress | sed 's/ *$//')"
}

@test "packets go to the class that a filter names" {
	two_devices
	inside tc -n q class add dev eth1 parent 1: classid 1:2 htb rate 1mbit
	inside ip -n q addr add 10.0.0.1/24 dev eth1
	inside ip -n q link set peer1 up
	inside ip -n q neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev eth1
	inside qbed filter add dev q:eth1 parent 1: protocol ip u32 match ip dport 7000 0xffff flowid 1:2
	inside ip netns exec q bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.0.0.2/7000; done
		echo x >/dev/udp/10.0.0.2/7001'
	run -0 inside qbed --json class show -s dev q:eth1
	assert_equal "$(jq '.[] | select(.handle == "1:2").stats.packets' <<<"$output")" 3
}

@test "the kernel's refusals come in its own words and change nothing" {
	two_devices
	inside qbed filter add dev q:eth1 parent 1: prio 1 u32 match u32 0 0 flowid 1:1
	local before
	before=$(inside tc -n q filter show dev eth1)
	run -2 inside qbed filter add dev q:eth1 parent 9: u32 match u32 0 0 flowid 1:1
	assert_output --partial "q:eth1: filter u32 parent 9:: add: Invalid argument: Parent Qdisc doesn't exists"
	run -2 inside qbed filter add dev q:eth1 parent 1: protocol ip prio 1 u32 match u32 0 0
	assert_output --partial 'q:eth1: filter u32 parent 1:: add: Invalid argument: '
	run -2 inside qbed filter del dev q:eth1 parent 1: prio 3
	assert_output --partial 'No such file or directory: Filter with specified priority/protocol not found'
	run -2 inside qbed filter show dev q:nope
	assert_output 'qbed: device nope: No such device'
	assert_equal "$(inside tc -n q filter show dev eth1)" "$before"
}

@test "a classifier or an action that this kernel lacks is exit 4 with its CONFIG_ name; tc decides whether it does" {
	two_devices
	local words config
	while IFS='|' read -r config words; do
		# shellcheck disable=SC2086 # words
		if inside tc -n t filter add dev eth1 parent 1: $words; then
			run -0 inside qbed filter add dev q:eth1 parent 1: $words
		else
			run -4 inside qbed filter add dev q:eth1 parent 1: $words
			assert_output --partial "this kernel lacks $config"
		fi
	done <<-'END'
	CONFIG_NET_CLS_MATCHALL|prio 1 matchall classid 1:1
	CONFIG_NET_CLS_FLOWER|protocol ip prio 2 flower classid 1:1
	CONFIG_NET_CLS_FW|prio 3 handle 1 fw classid 1:1
	CONFIG_NET_ACT_GACT|prio 4 u32 match u32 0 0 action drop
	CONFIG_NET_ACT_SKBEDIT|prio 5 u32 match u32 0 0 action skbedit mark 1
	END
}

@test "the words of a filter are judged before any kernel call, and the bad one is named" {
	local line word
	while IFS='|' read -r word line; do
		# shellcheck disable=SC2086 # words
		run -1 qbed filter $line
		assert_line --index 0 --partial "$word"
		assert_line --index 1 'See qbed filter --help.'
	done <<-'END'
	filter add: unknown word "foo"|add dev eth1 foo
	"nonsense"|nonsense dev eth1
	"dev D" is needed|add parent 1: u32 match u32 0 0
	"dev D" is needed|show
	a classifier is needed|add dev eth1 parent 1:
	"1.2.3.256"|add dev eth1 u32 match ip dst 1.2.3.256
	"b" by its name and in "a" by -n|-n a show dev b:eth1
	show takes|show dev eth1 u32
	END
}

@test "without the privilege nothing is touched: exit 4 and which one is missing" {
	two_devices
	run -4 inside nsenter --net=/run/netns/q setpriv --bounding-set=-all --inh-caps=-all \
		qbed filter add dev eth1 parent 1: u32 match u32 0 0
	assert_output --partial CAP_NET_ADMIN
}

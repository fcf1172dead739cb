# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed class against the kernel of this machine, with tc(8) as the oracle: the same words to both,
# each in a namespace of its own, must leave the same state. What needs hfsc, prio or drr is in
# tests/guest. Buckets here last whole microseconds and whole ticks, which every tc can hold.

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

# state NS: the qdiscs and the classes that tc sees there, without htb's counter. Before 6.12 it
# has no JSON of classes.
state()
{
	inside tc -n "$1" -j qdisc show dev eth1 | jq -S -c 'sort_by(.parent // "", .handle)[] | del(.options.direct_packets_stat)'
	inside tc -n "$1" -d class show dev eth1 | sort
}

# same qdisc|class WORD...: tc and qbed do the same with these words, in namespaces t and q
same()
{
	local object=$1
	shift
	run inside tc -n t "$object" "$@"
	local tc_status=$status
	run inside qbed "$object" -n q "$@"
	assert_equal "$((status == 0)) $object $*" "$((tc_status == 0)) $object $*"
	assert_equal "$(state q)" "$(state t)"
}

# htb [WORD...]: an htb 1: on q:eth1
htb()
{
	sandbox_veth q 1
	inside qbed qdisc add dev q:eth1 root handle 1: htb "$@"
}

@test "the same words leave the same htb as tc's" {
	sandbox_veth t 1
	sandbox_veth q 1
	same qdisc add dev eth1 root handle 1: htb default 20 r2q 20
	same class add dev eth1 parent 1: classid 1:1 htb rate 80mbit burst 20000
	same class add dev eth1 parent 1:1 classid 1:10 htb rate 8mbit ceil 80mbit burst 4000 cburst 20000 prio 1
	same class add dev eth1 parent 1:1 classid 1:20 est 1sec 8sec htb rate 800kbit quantum 1514 mpu 64 overhead 24 linklayer atm
	same class add dev eth1 parent 1:1 classid 1:30 htb rate 1mbps buffer 16k/8 cmaxburst 32000 mtu 9000
	same class add dev eth1 parent 1:10 classid 1:11 htb rate 8kbit
	same class add dev eth1 classid 1:40 htb rate 8mbit
	same class add dev eth1 root classid 1:41 htb rate 8mbit
	same qdisc add dev eth1 parent 1:20 handle 20: pfifo limit 7
	same class change dev eth1 classid 1:20 htb rate 8mbit ceil 16mbit burst 8000 cburst 8000
	same class change dev eth1 parent 1:1 classid 1:10 htb rate 16mbit
	same class replace dev eth1 parent 1:1 classid 1:10 htb rate 8mbit
	same class replace dev eth1 parent 1:1 classid 1:50 htb rate 8mbit
	same class add dev eth1 parent 1:1 classid 1:50 htb rate 8mbit
	same class change dev eth1 classid 1:51 htb rate 8mbit
	same class del dev eth1 classid 1:1
	same class del dev eth1 classid 1:51
	same class del dev eth1 classid 1:50
	same qdisc change dev eth1 root handle 1: htb default 30
	same qdisc del dev eth1 root
	same qdisc add dev eth1 root handle abc: htb default 0xff direct_qlen 11
	same class add dev eth1 parent abc: classid abc:ffff htb rate 8mbit
}

@test "rates mean what they mean to tc" {
	sandbox_veth t 1
	sandbox_veth q 1
	same qdisc add dev eth1 root handle 1: htb
	local rate burst=8000
	for rate in 1mbps 1kbps 8kbit 16000bit 80mbit 800Kbit 1.6mbit 8000 40gbit 100gbit; do
		[[ $rate != 40gbit ]] || burst=40000000
		same class replace dev eth1 parent 1: classid 1:1 htb rate "$rate" ceil 100gbit \
			quantum 9000 burst "$burst" cburst 40000000
	done
}

@test "a share of the link's speed means what it means to tc" {
	sandbox_veth t 1
	sandbox_veth q 1
	inside ip -n t link set peer1 up
	inside ip -n q link set peer1 up
	same qdisc add dev eth1 root handle 1: htb
	same class add dev eth1 parent 1: classid 1:1 htb rate 10% ceil 100% quantum 9000 burst 125000 cburst 1250000
}

@test "rates of 40 and 100 Gbit arrive whole, with a bucket that holds a frame" {
	htb
	local gbit
	for gbit in 40 100 400; do
		inside qbed class replace dev q:eth1 parent 1: classid 1:1 htb rate "${gbit}gbit" quantum 9000
		run -0 bash -c "$(declare -f inside); sandbox_pid=$sandbox_pid
			inside qbed --json class show dev q:eth1 | jq -c '.[0] | [.rate, .ceil, .burst >= 1514]'"
		assert_output "[$((gbit * 125000000)),$((gbit * 125000000)),true]"
	done
}

@test "a bucket is never less than was asked for, and hardly more" {
	htb
	local rate burst asked
	for rate in 1 7 33 100 999 1000 9999 25000; do
		for burst in 1514 1600 3001 15000; do
			inside qbed class replace dev q:eth1 parent 1: classid 1:1 htb rate "${rate}mbit" \
				burst "$burst" quantum 9000
			# one tick of 64 ns more at most
			asked=$(inside qbed --json class show dev q:eth1 | jq ".[0] |
				(.burst >= $burst and .burst <= $burst + .rate * 64 / 1000000000 + 1)")
			assert_equal "$rate $burst $asked" "$rate $burst true"
		done
	done
}

@test "show prints tc's text, with counters and with details" {
	htb default 20
	inside qbed class add dev q:eth1 parent 1: classid 1:1 est 1sec 8sec htb rate 80mbit burst 20000
	inside qbed class add dev q:eth1 parent 1:1 classid 1:20 htb rate 8mbit mpu 64 overhead 4 linklayer atm
	inside qbed qdisc add dev q:eth1 parent 1:20 handle 20: pfifo limit 7
	local options
	for options in '' -s -d '-s -d'; do
		# shellcheck disable=SC2086 # none or more words; tc 6.15 lacks a blank behind a cell
		assert_equal \
			"$(inside qbed class show -n q $options dev eth1)" \
			"$(inside tc -n q $options class show dev eth1 | sed -E 's/ *$//; s|(/[0-9]+)mpu|\1 mpu|g')"
	done
}

@test "show has the keys of newer tc's JSON, in its order" {
	htb default 20
	inside qbed class add dev q:eth1 parent 1: classid 1:20 est 1sec 8sec htb rate 8mbit
	inside qbed qdisc add dev q:eth1 parent 1:20 handle 20: pfifo limit 7
	run -0 inside qbed --json class show dev q:eth1
	assert_output '[{"class":"htb","handle":"1:20","root":true,"leaf":"0x20","prio":0,"rate":1000000,"ceil":1000000,"burst":1600,"cburst":1600}]'
	run -0 inside qbed --json class -s show dev q:eth1
	assert_output --partial '"stats":{"bytes":0,"packets":0,"drops":0,"overlimits":0,"requeues":0,"rate":0,"pps":0,"backlog":0,"qlen":0,"lended":0,"borrowed":0,"giants":0,"tokens":25000,"ctokens":25000}}]'
	run -0 inside qbed --json class -d show dev q:eth1
	assert_output --partial '"prio":0,"quantum":100000,"rate":1000000,"ceil":1000000,"linklayer":"ethernet","burst":1600,"burst_cell":1,"mpu_rate":0,"cburst":1600,"cburst_cell":1,"mpu_ceil":0,"level":0'
}

@test "show lists in the kernel's order and picks by parent, classid and root" {
	htb
	inside qbed class add dev q:eth1 parent 1: classid 1:1 htb rate 8mbit
	inside qbed class add dev q:eth1 parent 1:1 classid 1:10 htb rate 8mbit
	inside qbed class add dev q:eth1 parent 1:1 classid 1:11 htb rate 8mbit
	inside qbed qdisc add dev q:eth1 parent 1:11 handle 11: htb
	inside qbed class add dev q:eth1 parent 11: classid 11:5 htb rate 8mbit
	local filter
	for filter in '' 'parent 1:' 'parent 11:' 'parent 1:1' 'parent 2:' 'classid 1:11' 'classid 1:99'; do
		# shellcheck disable=SC2086 # none or more words
		assert_equal "$(inside qbed class show -n q dev eth1 $filter)" \
			"$(inside tc -n q class show dev eth1 $filter | sed 's/ *$//')"
	done
	run -0 bash -c "$(declare -f inside); sandbox_pid=$sandbox_pid
		inside qbed class show dev q:eth1 root | cut -d' ' -f3 | sort"
	assert_output $'11:5\n1:1'
	run -1 inside qbed class show
	assert_output --partial '"dev D" is needed'
	run -2 inside qbed class show dev q:eth9
	assert_output 'qbed: device eth9: No such device'
}

@test "a class of another kind than its qdisc, or of a qdisc that is not there, is refused" {
	htb
	run -2 inside qbed class add dev q:eth1 parent 1: classid 1:1 hfsc ls rate 1mbit
	assert_output --partial 'q:eth1: class hfsc 1:1: add: the qdisc 1: is of kind htb: Invalid argument'
	run -2 inside qbed class add dev q:eth1 parent 2: classid 2:1 htb rate 8mbit
	assert_output --partial 'q:eth1: class htb 2:1: add: No such file or directory: there is no qdisc 2:'
	inside qbed qdisc replace dev q:eth1 root handle 3: pfifo
	run -2 inside qbed class add dev q:eth1 parent 3: classid 3:1 htb rate 8mbit
	assert_output --partial 'the qdisc 3: is of kind pfifo'
	inside qbed qdisc del dev q:eth1 root
	run -2 inside qbed class add dev q:eth1 classid :1 htb rate 8mbit
	assert_output --partial 'there is no qdisc at the root that has a handle'
	run -0 inside qbed class show dev q:eth1
	assert_output ''
}

@test "a parent class that is not there is refused: the kernel would make a class at the root" {
	htb
	run -2 inside qbed class add dev q:eth1 parent 1:99 classid 1:1 htb rate 8mbit
	assert_output --partial 'there is no class 1:99 to be below: No such file or directory'
	run -2 inside qbed class replace dev q:eth1 parent :99 classid 1:1 htb rate 8mbit
	assert_output --partial 'there is no class 1:99 to be below'
	run -0 inside qbed class show dev q:eth1
	assert_output ''
}

@test "a class keeps its parent, and that is said" {
	htb
	inside qbed class add dev q:eth1 parent 1: classid 1:1 htb rate 8mbit
	inside qbed class add dev q:eth1 parent 1:1 classid 1:10 htb rate 8mbit
	run -0 inside qbed class change dev q:eth1 parent 1:1 classid 1:10 htb rate 16mbit
	assert_output ''
	run -0 inside qbed class change dev q:eth1 parent 1: classid 1:1 htb rate 16mbit
	assert_output ''
	run -0 inside qbed class replace dev q:eth1 parent 1: classid 1:10 htb rate 16mbit
	assert_output --partial 'warning: q:eth1: class htb 1:10: replace: the class stays below 1:1: it cannot be moved to 1:'
}

@test "a default class that is not there is warned of, one that is is not" {
	sandbox_veth q 1
	run -0 inside qbed qdisc add dev q:eth1 root handle 1: htb default 20
	assert_output 'qbed: warning: htb: the default class 1:20 is not there yet: until it is, what no filter claims goes out at once, past all classes'
	run -0 inside qbed qdisc replace dev q:eth1 root handle 2: htb
	assert_output ''
	inside qbed qdisc del dev q:eth1 root
	run -0 inside qbed qdisc add dev q:eth1 root htb default 5
	assert_output --partial 'the default class :5 is not there yet'
}

@test "small and large quanta and small buckets are warned of, with the numbers" {
	htb
	run -0 inside qbed class add dev q:eth1 parent 1: classid 1:1 htb rate 1gbit
	assert_output --regexp 'quantum of class (1:1|10001) is big'
	run -0 inside qbed class add dev q:eth1 parent 1: classid 1:2 htb rate 8kbit
	assert_output --regexp 'quantum of class (1:2|10002) is small'
	assert_equal "${#lines[@]}" 1
	run -0 inside qbed class add dev q:eth1 parent 1: classid 1:3 htb rate 1gbit quantum 9000 burst 1513
	assert_output "qbed: warning: htb: class 1:3: burst 1513 is below the device's largest frame, 1514 bytes (MTU + 14): the class falls behind its rate"
	inside ip -n q link set eth1 mtu 9000
	run -0 inside qbed class add dev q:eth1 parent 1: classid 1:4 htb rate 1gbit quantum 9000
	assert_output --partial 'burst 1600 is below the device'\''s largest frame, 9014 bytes'
	assert_output --partial 'cburst 1600 is below'
	run -0 inside qbed class add dev q:eth1 parent 1: classid 1:5 htb rate 1gbit quantum 9000 mtu 9014
	assert_output ''
}

@test "refusals have the kernel's own words and change nothing" {
	htb
	inside qbed class add dev q:eth1 parent 1: classid 1:1 htb rate 8mbit
	inside qbed class add dev q:eth1 parent 1:1 classid 1:2 htb rate 8mbit
	local before
	before=$(state q)
	run -2 inside qbed class add dev q:eth1 parent 1: classid 1:1 htb rate 8mbit
	assert_output --partial 'q:eth1: class htb 1:1: add: File exists'
	run -2 inside qbed class change dev q:eth1 classid 1:7 htb rate 8mbit
	assert_output --partial 'q:eth1: class htb 1:7: change: No such file or directory'
	run -2 inside qbed class del dev q:eth1 classid 1:1
	# the kernel's own words since 6.5
	assert_output --regexp 'q:eth1: class 1:1: del: Device or resource busy: (HTB class in use|classes below it)'
	run -2 inside qbed class del dev q:eth1 classid 1:7
	local minor parent=2
	for minor in 3 4 5 6 7 8; do
		inside qbed class add dev q:eth1 parent "1:$parent" classid "1:$minor" htb rate 8mbit
		parent=$minor
	done
	run -2 inside qbed class add dev q:eth1 parent 1:8 classid 1:9 htb rate 8mbit
	assert_output --regexp 'Invalid argument: .*(too deep|8 levels deep)'
	for minor in 8 7 6 5 4 3; do
		inside qbed class del dev q:eth1 classid "1:$minor"
	done
	run -2 inside qbed qdisc change dev q:eth1 root handle 1: htb default 1
	assert_output --partial 'Change operation not supported by specified qdisc'
	assert_equal "$(state q)" "$before"
}

@test "a kind that this kernel lacks is exit 4 with its CONFIG_ name, for a class too; tc decides whether it does" {
	local kind options class
	sandbox_veth t 1
	sandbox_veth q 1
	while read -r kind options class; do
		[[ $options != - ]] || options=
		# shellcheck disable=SC2086 # words
		if inside tc -n t qdisc add dev eth1 root handle 1: "$kind" ${options//,/ }; then
			run -0 inside qbed qdisc add dev q:eth1 root handle 1: "$kind" ${options//,/ }
			inside tc -n t qdisc del dev eth1 root
			inside tc -n q qdisc del dev eth1 root
			continue
		fi
		# shellcheck disable=SC2086
		run -4 inside qbed qdisc add dev q:eth1 root handle 1: "$kind" ${options//,/ }
		assert_output --partial "this kernel lacks CONFIG_NET_SCH_${kind^^}"
		[[ $class != - ]] || continue
		# shellcheck disable=SC2086
		run -4 inside qbed class add dev q:eth1 parent 9: classid 9:1 "$kind" ${class//,/ }
		assert_output --partial "No such file or directory: there is no qdisc 9:: this kernel lacks CONFIG_NET_SCH_${kind^^}"
	done <<-EOF
		htb default,0 rate,8mbit
		hfsc default,0 ls,rate,8mbit
		drr - quantum,1500
		cbq bandwidth,10mbit,avpkt,1000 rate,8mbit,allot,1514
		prio bands,3 -
	EOF
}

@test "without the privilege nothing is touched: exit 4 and which one is missing" {
	inside ip link add name eth1 type veth peer name peer1
	inside qbed qdisc add dev eth1 root handle 1: htb
	run -4 inside setpriv --bounding-set=-all --inh-caps=-all \
		qbed class add dev eth1 parent 1: classid 1:1 htb rate 8mbit
	assert_output --partial 'Operation not permitted'
	assert_output --partial CAP_NET_ADMIN
	run -0 inside setpriv --bounding-set=-all --inh-caps=-all qbed class show dev eth1
}

@test "in a batch every line is judged by what those before it left" {
	sandbox_veth q 1
	run -2 inside qbed batch -n q --force - <<-'END'
		qdisc add dev eth1 root handle 1: htb
		class add dev eth1 parent 1: classid 1:1 htb rate 80mbit quantum 9000
		class add dev eth1 parent 1:1 classid 1:10 htb rate 8mbit
		class add dev eth1 parent 1:1 classid 1:11 htb rate 8mbit
		qdisc add dev eth1 parent 1:10 handle 10: htb
		class add dev eth1 parent 10: classid 10:1 htb rate 8mbit
		class del dev eth1 classid 1:10
		class add dev eth1 parent 1:10 classid 1:12 htb rate 8mbit
		class add dev eth1 parent 10: classid 10:2 htb rate 8mbit
		class add dev eth1 parent 1:11 classid 1:13 htb rate 8mbit
		class change dev eth1 classid 1:11 htb rate 80gbit
		class change dev eth1 parent 1: classid 1:13 htb rate 8mbit
		qdisc replace dev eth1 root handle 2: htb
		class add dev eth1 parent 1: classid 1:14 htb rate 8mbit
		class add dev eth1 parent 2: classid 2:1 htb rate 8mbit
		link del dev eth1
		link add name eth1 type veth peer name peer1
		class add dev eth1 parent 2: classid 2:2 htb rate 8mbit
	END
	# an inner class has no quantum to be warned of
	refute_output --partial 'quantum'
	assert_output --partial '-:8: q:eth1: class htb 1:12: add: there is no class 1:10 to be below'
	assert_output --partial '-:9: q:eth1: class htb 10:2: add: No such file or directory'
	assert_output --partial 'warning: -:12: q:eth1: class htb 1:13: change: the class stays below 1:11'
	assert_output --partial '-:14: q:eth1: class htb 1:14: add: No such file or directory: there is no qdisc 1:'
	assert_output --partial '-:18: q:eth1: class htb 2:2: add: No such file or directory: there is no qdisc 2:'
}

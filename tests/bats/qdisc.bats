# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed qdisc against the kernel of this machine, with tc(8) as the oracle: the same words to both,
# each in a namespace of its own, must leave the same state. What needs netem is in tests/guest.

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

# state NS [DEV]: what tc sees there
state()
{
	inside tc -n "$1" -j qdisc show dev "${2:-eth1}" | jq -S -c 'sort_by(.parent // "", .handle)[]'
}

# same WORD...: tc and qbed do the same with these words, in namespaces t and q
same()
{
	run inside tc -n t qdisc "$@"
	local tc_status=$status
	run inside qbed qdisc -n q "$@"
	assert_equal "$((status == 0)) $*" "$((tc_status == 0)) $*"
	assert_equal "$(state q)" "$(state t)"
}

two_of_eight()
{
	sandbox_veth t 8
	sandbox_veth q 8
}

@test "the same words leave the same state as tc's" {
	two_of_eight
	same add dev eth1 root handle 1: mq
	same add dev eth1 parent 1:1 handle 10: est 1sec 4sec tbf rate 10mbit burst 3000 latency 20ms
	same add dev eth1 parent 1:2 handle 11: pfifo limit 100
	same add dev eth1 parent 1:3 handle 12: bfifo limit 10000
	same add dev eth1 parent 1:4 handle 13: tbf rate 1mbit burst 3000 limit 6000 peakrate 2mbit mtu 2000
	same add dev eth1 parent 1:5 handle 14: pfifo
	same add dev eth1 parent 1:6 handle 15: bfifo
	same change dev eth1 handle 11: parent 1:2 pfifo limit 33
	same replace dev eth1 parent 1:3 handle 12: bfifo limit 12345
	same replace dev eth1 parent 1:3 handle 22: pfifo limit 7
	same del dev eth1 parent 1:3
	same del dev eth1 parent 1:4 handle 13:
	same del dev eth1 root
	same add dev eth1 root handle abc: pfifo limit 5
}

@test "rates and sizes mean what they mean to tc" {
	sandbox_veth t 1
	sandbox_veth q 1
	local rate size
	for rate in 10kbps 1mbps 1mibit 1mibps 100kbit 1.5mbit 64Kbit 8000 1gbit 10kibit; do
		same replace dev eth1 root handle 1: tbf rate "$rate" burst 4000 limit 9000
	done
	for size in 3000 3k 3kb 3000b 0.5mb 16kbit 1mbit 2K 1.5k; do
		same replace dev eth1 root handle 1: tbf rate 1mbit burst "$size" limit 900000
	done
}

@test "a rate that is a percentage is that share of the device's speed, as with tc" {
	# in the namespace itself: tc reads the speed where it stands
	sandbox_veth t 1
	sandbox_veth q 1
	local share
	for share in 50% 100% 12.5% 0.1%; do
		run -0 inside ip netns exec t tc qdisc replace dev eth1 root handle 1: tbf rate "$share" \
			burst 1mb limit 2mb
		run -0 inside qbed qdisc replace dev q:eth1 root handle 1: tbf rate "$share" burst 1mb limit 2mb
		assert_equal "$(state q)" "$(state t)"
	done
	run -1 inside qbed qdisc replace dev q:eth1 root tbf rate 100.1% burst 1mb limit 2mb
	assert_output --partial '"100.1%": more than 100%'
}

@test "bare times are refused, and with --tc-units they are what that tc takes them for" {
	sandbox_veth t 1
	sandbox_veth q 1
	run -1 inside qbed qdisc add dev q:eth1 root tbf rate 1mbit burst 2000 latency 50000
	assert_output --partial '"50000": a time needs its unit'
	local words='add dev eth1 root handle 1: est 1000000 4000000 tbf rate 1mbit burst 2000 latency 50000'
	# shellcheck disable=SC2086 # words
	run -0 inside tc -n t qdisc $words
	# shellcheck disable=SC2086
	run -0 inside qbed qdisc --tc-units 6.1 -n q $words
	assert_equal "$(state q)" "$(state t)"
	run -1 inside qbed qdisc --tc-units 5 show
	assert_output --partial 'option --tc-units: "5": 6.1'
}

@test "size tables, and what a packet counts for to tbf, are as with tc" {
	sandbox_veth t 1
	sandbox_veth q 1
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same replace dev eth1 root $words
		assert_equal "$(inside tc -n q -j -d qdisc show dev eth1 | jq -S -c '.[0].stab')" \
			"$(inside tc -n t -j -d qdisc show dev eth1 | jq -S -c '.[0].stab')"
		assert_equal "$(inside qbed --json qdisc show -d dev q:eth1 | jq -S -c '.[0].stab')" \
			"$(inside tc -n q -j -d qdisc show dev eth1 | jq -S -c '.[0].stab')"
	done <<-'END'
	handle 1: stab overhead 24 tbf rate 1mbit burst 2000 limit 9000
	handle 1: stab linklayer atm mpu 64 tbf rate 1mbit burst 2000 limit 9000 overhead 8
	handle 1: tbf rate 1mbit burst 2000/8 limit 9000 linklayer adsl
	handle 2: stab mtu 9000 tsize 100 linklayer atm overhead -4 pfifo limit 7
	handle 3: pfifo_head_drop limit 9
	handle 3: pfifo_head_drop limit 0
	END
}

@test "a shared block of filters is asked for and shown as with tc" {
	sandbox_veth t 1
	sandbox_veth q 1
	same add dev eth1 ingress_block 7 egress_block 8 clsact
	assert_equal "$(inside qbed --json qdisc show dev q:eth1 | jq -S -c '.[]')" \
		"$(inside tc -n q -j qdisc show dev eth1 | jq -S -c '.[]')"
	run -2 inside qbed qdisc add dev q:eth1 root ingress_block 7 pfifo
	assert_output --partial 'Ingress block sharing is not supported'
	run -1 inside qbed qdisc add dev q:eth1 ingress_block 0 ingress
	assert_output --partial 'ingress_block: "0": less than 1'
}

@test "a bucket or a queue that the largest frame does not fit is warned of" {
	sandbox_veth q 1
	run -0 inside qbed qdisc add dev q:eth1 root tbf rate 1mbit burst 1500 limit 1500 peakrate 2mbit mtu 1500
	assert_output --partial 'burst 1500 is below the device'"'"'s largest frame, 1514 bytes'
	assert_output --partial 'mtu 1500 is below the device'"'"'s largest frame, 1514 bytes'
	assert_output --partial 'limit 1500 is below the device'"'"'s largest frame, 1514 bytes'
	run -0 inside qbed qdisc replace dev q:eth1 root tbf rate 100gbit burst 1514 limit 1514
	refute_output --partial warning
}

@test "a rate of 40 and of 100 Gbit arrives whole" {
	sandbox_veth q 1
	for gbit in 40 100; do
		run -0 inside qbed qdisc replace dev q:eth1 root handle 1: tbf rate "${gbit}gbit" \
			burst 1mb latency 1ms
		refute_output --partial warning
		run -0 bash -c "$(declare -f inside state); sandbox_pid=$sandbox_pid; state q | jq .options.rate"
		assert_output "$((gbit * 125000000))"
	done
}

@test "show prints tc's keys and values" {
	# as many queues as children: the default qdisc is the machine's own affair
	sandbox_veth t 3
	sandbox_veth q 3
	same add dev eth1 root handle 1: mq
	same add dev eth1 parent 1:1 handle 10: est 1sec 4sec tbf rate 10mbit burst 3000 latency 20ms
	same add dev eth1 parent 1:2 handle 11: pfifo limit 100
	same add dev eth1 parent 1:3 handle 12: bfifo limit 10000
	local options
	for options in '' -s; do
		# shellcheck disable=SC2086 # none or one word
		assert_equal \
			"$(inside qbed --json qdisc -n q $options show dev eth1 | jq -S -c '.[]')" \
			"$(inside tc -n q -j $options qdisc show dev eth1 | jq -S -c '.[]')"
		# shellcheck disable=SC2086
		assert_equal \
			"$(inside qbed --json qdisc -n q $options show | jq -S -c '.[]')" \
			"$(inside tc -n q -j $options qdisc show | jq -S -c '.[]')"
		# shellcheck disable=SC2086
		assert_equal \
			"$(inside qbed qdisc -n q $options show)" \
			"$(inside tc -n q $options qdisc show | sed 's/ *$//')"
	done
}

@test "show picks a device, a parent, a handle" {
	sandbox_veth q 4
	inside qbed qdisc add dev q:eth1 root handle 1: mq
	inside qbed qdisc add dev q:eth1 parent 1:2 handle 20: pfifo limit 9
	run -0 inside qbed qdisc show dev q:eth1 parent 1:2
	assert_output 'qdisc pfifo 20: parent 1:2 limit 9p'
	run -0 inside qbed qdisc show dev q:eth1 handle 20:
	assert_output 'qdisc pfifo 20: parent 1:2 limit 9p'
	run -0 inside qbed qdisc show dev q:eth1 root
	assert_output 'qdisc mq 1: root'
	run -2 inside qbed qdisc show dev q:eth9
	assert_output 'qbed: device eth9: No such device'
}

@test "mq on a device of one queue is refused and the count is named" {
	sandbox_veth q 1
	run -2 inside qbed qdisc add dev q:eth1 root handle 1: mq
	assert_output --partial 'q:eth1: qdisc mq'
	assert_output --partial '1 transmit queue'
	assert_output --partial 'Operation not supported'
	run -0 inside qbed qdisc show dev q:eth1
	refute_output --partial mq
}

@test "a queue that is not in use is refused: a veth's end has one, whatever it was made with" {
	inside ip netns add q
	inside ip -n q link add name peer1 type veth peer name eth1 numtxqueues 8 numrxqueues 8
	run -0 inside qbed qdisc add dev q:eth1 root handle 1: mq
	assert_output --partial 'warning: q:eth1: 1 of 8 transmit queues are in use'
	run -2 inside qbed qdisc add dev q:eth1 parent 1:2 pfifo
	assert_output --partial "q:eth1: parent 1:2: only 1 of the device's 8 transmit queues are in use"
	assert_output --partial 'ethtool -L eth1 tx 2'
	run -0 inside qbed qdisc add dev q:eth1 parent 1:1 pfifo
}

@test "a parent beyond the queues is refused with their count" {
	sandbox_veth q 8
	inside qbed qdisc add dev q:eth1 root handle 1: mq
	run -2 inside qbed qdisc add dev q:eth1 parent 1:9 pfifo
	assert_output --partial 'q:eth1: parent 1:9: the device has 8 transmit queues, 1:1 to 1:8'
	run -2 inside qbed qdisc add dev q:eth1 parent 3:1 pfifo
	assert_output --partial "parent 3:1: add: No such file or directory: Failed to find specified qdisc"
}

@test "a handle or a parent used twice gives the kernel's own words and changes nothing" {
	sandbox_veth q 8
	inside qbed qdisc add dev q:eth1 root handle 1: mq
	inside qbed qdisc add dev q:eth1 parent 1:1 handle 10: pfifo limit 5
	local before
	before=$(state q)
	run -2 inside qbed qdisc add dev q:eth1 parent 1:2 handle 10: pfifo limit 5
	assert_output --partial 'q:eth1: qdisc pfifo parent 1:2: add: Invalid argument: Cannot move'
	run -2 inside qbed qdisc add dev q:eth1 parent 1:1 handle 11: pfifo limit 5
	assert_output --partial 'q:eth1: qdisc pfifo parent 1:1: add: File exists: '
	assert_equal "$(state q)" "$before"
}

@test "the kernel's own mq has no handle, and the fix is named" {
	inside ip link add name ifb7 numtxqueues 4 type ifb || skip 'no ifb: CONFIG_IFB'
	inside ip link set ifb7 up
	for parent in 1:1 :1; do
		run -2 inside qbed qdisc add dev ifb7 parent "$parent" pfifo
		assert_output --partial 'qbed qdisc replace dev ifb7 root handle 1: mq'
	done
	inside qbed qdisc replace dev ifb7 root handle 1: mq
	run -0 inside qbed qdisc add dev ifb7 parent 1:1 pfifo
}

@test "an estimator at a multi-queue root is left out with a warning, for the kernel has none there" {
	sandbox_veth q 8
	run -0 inside qbed qdisc add dev q:eth1 root handle 1: est 1sec 4sec mq
	assert_output 'qbed: warning: mq: est is left out: the kernel has no rate estimator for a multi-queue root'
	run -0 inside qbed qdisc show dev q:eth1 root
	assert_output 'qdisc mq 1: root'
}

@test "a replace that makes the kernel empty all queues is warned of, one that only changes is not" {
	sandbox_veth q 4
	inside qbed qdisc add dev q:eth1 root handle 1: mq
	run -0 inside qbed qdisc replace dev q:eth1 parent 1:2 handle 20: pfifo limit 9
	assert_output ''
	run -0 inside qbed qdisc replace dev q:eth1 parent 1:2 handle 20: pfifo limit 8
	assert_output ''
	run -0 inside qbed qdisc replace dev q:eth1 parent 1:2 handle 21: pfifo limit 8
	assert_output --partial 'warning: q:eth1: the kernel empties the queues of all children'
	run -0 inside qbed qdisc replace dev q:eth1 parent 1:2 bfifo limit 8000
	assert_output --partial '"change" does not'
}

@test "del root gives back, whole, what a device has by itself" {
	sandbox_veth q 8
	inside ip -n q link add name ifb1 numtxqueues 4 type ifb
	inside ip -n q link set ifb1 up
	inside ip -n q link set peer1 up txqueuelen 1000
	local dev own
	for dev in eth1 peer1 ifb1; do
		own=$(inside tc -n q -j qdisc show dev $dev)
		inside qbed qdisc add dev q:$dev root handle 1: htb default 10
		inside qbed class add dev q:$dev parent 1: classid 1:10 htb rate 10mbit
		inside qbed qdisc add dev q:$dev parent 1:10 handle 10: tbf rate 1mbit burst 3000 limit 9000
		refute [ "$(inside tc -n q -j qdisc show dev $dev)" = "$own" ]
		inside qbed qdisc del dev q:$dev root
		assert_equal "$(inside tc -n q -j qdisc show dev $dev)" "$own"
	done
	# mq of our own instead of the kernel's
	inside qbed qdisc add dev q:ifb1 root handle 1: mq
	inside qbed qdisc add dev q:ifb1 parent 1:2 pfifo limit 7
	inside qbed qdisc del dev q:ifb1 root
	assert_equal "$(inside tc -n q -j qdisc show dev ifb1)" "$own"
}

@test "a bucket below the largest frame is warned of" {
	sandbox_veth q 1
	run -0 inside qbed qdisc add dev q:eth1 root tbf rate 10mbit burst 1000 latency 20ms
	assert_output --partial 'burst 1000 is below the device'\''s largest frame, 1514 bytes'
}

@test "a kind that this kernel lacks is exit 4 with its CONFIG_ name; tc decides whether it does" {
	sandbox_veth t 1
	sandbox_veth q 1
	if inside tc -n t qdisc add dev eth1 root netem delay 3ms; then
		run -0 inside qbed qdisc add dev q:eth1 root netem delay 3ms
	else
		run -4 inside qbed qdisc add dev q:eth1 root netem delay 3ms
		assert_output --partial 'this kernel lacks CONFIG_NET_SCH_NETEM'
		assert_output --partial 'Specified qdisc kind is unknown'
	fi
}

@test "without the privilege nothing is touched: exit 4 and which one is missing" {
	sandbox_veth q 1
	inside ip link add name eth1 type veth peer name peer1
	run -4 inside setpriv --bounding-set=-all --inh-caps=-all qbed qdisc add dev eth1 root pfifo
	assert_output --partial 'Operation not permitted'
	assert_output --partial CAP_NET_ADMIN
	run -4 inside setpriv --bounding-set=-all --inh-caps=-all qbed qdisc add dev q:eth1 root pfifo
	assert_output --partial CAP_SYS_ADMIN
	run -0 inside setpriv --bounding-set=-all --inh-caps=-all qbed qdisc show dev eth1
}

@test "namespaces: a plain file, a missing one, names that escape, -n against NS:DEV" {
	inside mkdir -p /run/netns
	inside touch /run/netns/plain
	run -2 inside qbed qdisc show dev plain:eth1
	assert_output --partial '/run/netns/plain is a plain file, not a network namespace'
	run -2 inside qbed qdisc show dev none:eth1
	assert_output --partial 'netns none: no such network namespace'
	for name in a/b .. '' "$(printf '%0256d' 0)"; do
		run -1 inside qbed qdisc -n "$name" show
		assert_output --partial 'network namespace'
	done
	run -1 inside qbed qdisc -n a show dev b:eth1
	assert_output --partial '"b" by its name and in "a" by -n'
}

@test "with -n and with NS:DEV the same device is meant" {
	sandbox_veth q 1
	inside qbed qdisc add dev q:eth1 root handle 5: pfifo limit 3
	run -0 inside qbed qdisc show -n q dev eth1
	assert_output 'qdisc pfifo 5: root refcnt 2 limit 3p'
	run -0 inside qbed qdisc show --netns=q dev q:eth1
	assert_output 'qdisc pfifo 5: root refcnt 2 limit 3p'
}

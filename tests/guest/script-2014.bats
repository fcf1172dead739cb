# SPDX-License-Identifier: GPL-2.0-or-later
#
# The script that showed the migrating qdisc timers in 2014, its lines as they stood but for
# "qbed" in place of "tc": an 8-queue device, mq, and one netem per queue, 6 to 20 ms.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	ip netns add tx
	ip -n tx link add name eth1 numtxqueues 8 numrxqueues 8 type veth \
		peer name peer1 numtxqueues 8 numrxqueues 8
	ip -n tx link set eth1 up
}

teardown()
{
	ip netns del tx
}

# script TC: the lines, with TC as the program
script()
{
	sed "s/^tc /$1 /" <<'END'
tc qd del dev eth1 root 2>/dev/null || true
tc qd add dev eth1 root handle 1: mq
tc qd add dev eth1 parent 1:1 est 1sec 4sec netem limit 70000 delay 6ms
tc qd add dev eth1 parent 1:2 est 1sec 4sec netem limit 70000 delay 8ms
tc qd add dev eth1 parent 1:3 est 1sec 4sec netem limit 70000 delay 10ms
tc qd add dev eth1 parent 1:4 est 1sec 4sec netem limit 70000 delay 12ms
tc qd add dev eth1 parent 1:5 est 1sec 4sec netem limit 80000 delay 14ms
tc qd add dev eth1 parent 1:6 est 1sec 4sec netem limit 80000 delay 16ms
tc qd add dev eth1 parent 1:7 est 1sec 4sec netem limit 90000 delay 18ms
tc qd add dev eth1 parent 1:8 est 1sec 4sec netem limit 90000 delay 20ms
END
}

# The kernel numbers the handles that nobody gave; which numbers is of no matter.
state()
{
	ip netns exec tx tc -j qdisc show dev eth1 |
		jq -S -c '[.[] | if .root then . else del(.handle) end] | sort_by(.parent // "")[]'
}

@test "the script's lines leave the state that tc's leave" {
	run -0 ip netns exec tx bash -ec "$(script tc)"
	local expected
	expected=$(state)
	assert_equal "$(wc -l <<<"$expected")" 9
	ip -n tx link del eth1
	ip -n tx link add name eth1 numtxqueues 8 numrxqueues 8 type veth \
		peer name peer1 numtxqueues 8 numrxqueues 8
	ip -n tx link set eth1 up
	run -0 ip netns exec tx bash -ec "$(script qbed)"
	assert_output ''
	assert_equal "$(state)" "$expected"
}

@test "the script can be run again over what it left" {
	run -0 ip netns exec tx bash -ec "$(script qbed)"
	local expected
	expected=$(state)
	run -0 ip netns exec tx bash -ec "$(script qbed)"
	assert_equal "$(state)" "$expected"
}

@test "with an estimator asked for at the root too, the script works and warns" {
	local lines
	lines=$(script qbed | sed 's/handle 1: mq/handle 1: est 1sec 4sec mq/')
	run -0 ip netns exec tx bash -ec "$lines"
	assert_output --partial 'warning: mq: est is left out'
	run -0 ip netns exec tx tc qdisc show dev eth1
	assert_line --partial 'parent 1:8 limit 90000 delay 20ms'
}

@test "every queue has its estimator" {
	ip netns exec tx bash -ec "$(script qbed)"
	run -0 ip netns exec tx bash -c \
		'tc -s -j qdisc show dev eth1 | jq -c "[.[] | select(.kind == \"netem\" and has(\"pps\"))] | length"'
	assert_output 8
}

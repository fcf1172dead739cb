# SPDX-License-Identifier: GPL-2.0-or-later
#
# hfsc through qbed: what its classes do to packets, what is shown of them, and what is said where
# the kernel is silent. That the words are tc's is diff.bats' affair.
#
#	q:eth1 10.0.0.1  ----  r:eth1 10.0.0.2

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load class

setup()
{
	class_link
	qbed qdisc add dev q:eth1 root handle 1: hfsc default 20 2>/dev/null
}

teardown()
{
	class_unlink
}

@test "what no filter claims is dropped until the default class is there, and that is said" {
	run -0 qbed qdisc replace dev q:eth1 root handle 1: hfsc default 20
	assert_output 'qbed: warning: hfsc: the default class 1:20 is not there yet: until it is, what no filter claims is dropped'
	send 3
	assert_equal "$(qbed --json qdisc -s show dev q:eth1 root | jq '.[0].drops')" 3
	qbed class add dev q:eth1 parent 1: classid 1:20 hfsc ls rate 8mbit
	run -0 qbed qdisc change dev q:eth1 root handle 1: hfsc default 20
	assert_output ''
	send 3
	assert_equal "$(qbed --json class -s show dev q:eth1 classid 1:20 | jq -c '.[0].stats |
		[.packets, .work == .bytes, .level]')" '[3,true,0]'
}

@test "show prints tc's text, with counters" {
	qbed class add dev q:eth1 parent 1: classid 1:1 est 1sec 8sec hfsc ls rate 8mbit ul rate 80mbit
	qbed class add dev q:eth1 parent 1:1 classid 1:20 hfsc sc umax 1500 dmax 10ms rate 8kbit
	qbed class add dev q:eth1 parent 1:1 classid 1:30 hfsc rt m1 8mbit d 20ms m2 1mbit
	send 3
	shown_as_tc_shows
}

@test "show has the keys of newer tc's JSON" {
	qbed class add dev q:eth1 parent 1: classid 1:20 hfsc sc m1 8mbit d 20ms m2 1mbit ul rate 80mbit
	run -0 bash -c 'qbed --json qdisc show dev q:eth1 root | jq -c ".[0].options"'
	assert_output '{"default":"0x20"}'
	run -0 qbed --json class show dev q:eth1 classid 1:20
	assert_output '[{"class":"hfsc","handle":"1:20","parent":"1:","sc":{"m1":1000000,"d":20000,"m2":125000},"ul":{"m1":0,"d":0,"m2":10000000}}]'
	run -0 qbed --json class -s show dev q:eth1 classid 1:20
	assert_output --partial '"stats":{"bytes":0,"packets":0,"drops":0,"overlimits":0,"requeues":0,"backlog":0,"qlen":0,"period":0,"level":0}}]'
}

@test "shares of the link's speed, and times of old scripts, are what they are to tc" {
	qbed class add --tc-units 6.1 dev q:eth1 parent 1: classid 1:20 \
		hfsc sc m1 10% d 20000 m2 5% ul rate 100%
	local qbeds
	qbeds=$(tc -n q class show dev eth1 classid 1:20)
	tc -n q class del dev eth1 classid 1:20
	tc -n q class add dev eth1 parent 1: classid 1:20 hfsc sc m1 10% d 20000 m2 5% ul rate 100%
	assert_equal "$qbeds" "$(tc -n q class show dev eth1 classid 1:20)"
	assert_equal "$qbeds" 'class hfsc 1:20 parent 1: sc m1 1Gbit d 20ms m2 500Mbit ul m1 0bit d 0us m2 10Gbit '
}

@test "the kernel's own warning about a curve is shown" {
	qbed class add dev q:eth1 parent 1: classid 1:1 hfsc rt rate 8mbit
	run -0 qbed class add dev q:eth1 parent 1:1 classid 1:2 hfsc rt rate 1mbit
	assert_output --partial "Forced curve change on parent 'rt' to 'sc'"
}

@test "refusals say why, and change nothing" {
	qbed class add dev q:eth1 parent 1: classid 1:1 hfsc ls rate 8mbit
	local before
	before=$(tc -n q class show dev eth1)
	run -2 qbed class add dev q:eth1 parent 1:9 classid 1:2 hfsc ls rate 8mbit
	assert_output --partial 'there is no class 1:9 to be below: No such file or directory'
	run -2 qbed class add dev q:eth1 parent 1: classid 1:2 htb rate 8mbit
	assert_output --partial 'the qdisc 1: is of kind hfsc'
	run -2 qbed class add dev q:eth1 parent 1: classid 1:1 hfsc ls rate 8mbit
	assert_output --partial 'File exists'
	qbed class add dev q:eth1 parent 1:1 classid 1:3 hfsc ls rate 8mbit
	run -2 qbed class del dev q:eth1 classid 1:1
	assert_output --regexp 'Device or resource busy: .'
	run -2 qbed class change dev q:eth1 parent 1: classid 1:3 hfsc ls rate 8mbit
	assert_output --partial 'Invalid argument: a class keeps its parent'
	qbed class del dev q:eth1 classid 1:3
	run -1 qbed class del dev q:eth1 classid 1:
	assert_output --partial 'its minor number is 1 to ffff'
	run -2 qbed class add dev q:eth1 parent 5: classid 5:1 hfsc ls rate 8mbit
	assert_output 'qbed: q:eth1: class hfsc 5:1: add: No such file or directory: there is no qdisc 5:'
	assert_equal "$(tc -n q class show dev eth1)" "$before"
}

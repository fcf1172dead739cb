# SPDX-License-Identifier: GPL-2.0-or-later
#
# drr and prio through qbed: what their classes do to packets and what is shown of them. That the
# words are tc's is diff.bats' affair.
#
#	q:eth1 10.0.0.1  ----  r:eth1 10.0.0.2

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load class

setup()
{
	class_link
}

teardown()
{
	class_unlink
}

# packets CLASSID: that went through it
packets()
{
	qbed --json class -s show dev q:eth1 classid "$1" | jq '.[0].stats.packets'
}

@test "packets go to the drr class that a filter names" {
	qbed qdisc add dev q:eth1 root handle 1: drr
	qbed class add dev q:eth1 parent 1: classid 1:1 drr
	qbed class add dev q:eth1 parent 1: classid 1:2 drr quantum 3000
	tc -n q filter add dev eth1 parent 1: matchall flowid 1:2
	send 3
	assert_equal "$(packets 1:1) $(packets 1:2)" '0 3'
	run -0 bash -c 'qbed --json class -s show dev q:eth1 classid 1:1 |
		jq -c ".[0] | [.class, .handle, .root, .quantum, .stats.deficit]"'
	assert_output '["drr","1:1",true,1514,0]'
	shown_as_tc_shows
}

@test "a drr class below another is warned of, and a quantum that the kernel does not keep" {
	qbed qdisc add dev q:eth1 root handle 1: drr
	run -0 qbed class add dev q:eth1 parent 1:7 classid 1:1 drr
	assert_output 'qbed: warning: q:eth1: class drr 1:1: add: the parent 1:7 counts for nothing: all classes of a drr are right below it'
	run -0 qbed class add dev q:eth1 parent 1: classid 1:2 drr quantum 100
	assert_output --partial 'class 1:2: quantum 100: kernels since 2025 keep it within 256 and 1048576 bytes'
}

@test "the bands of a prio are classes, and its map says which gets a packet" {
	qbed qdisc add dev q:eth1 root handle 1: prio bands 4 priomap 3
	run -0 bash -c 'qbed --json class show dev q:eth1 | jq -c "map([.class, .handle, .parent])[]"'
	assert_output '["prio","1:1","1:"]
["prio","1:2","1:"]
["prio","1:3","1:"]
["prio","1:4","1:"]'
	qbed qdisc add dev q:eth1 parent 1:4 handle 40: pfifo limit 7
	send 3
	assert_equal "$(packets 1:1) $(packets 1:4)" '0 3'
	shown_as_tc_shows
	run -2 qbed qdisc change dev q:eth1 root handle 1: prio bands 2
	assert_output --partial 'bands 2: priority 1 goes to band 2 unless "priomap" says otherwise'
	run -1 qbed class add dev q:eth1 parent 1: classid 1:5 prio
	assert_output --partial 'prio has no classes that are made by hand'
}

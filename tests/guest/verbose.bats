# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a kernel refuses is named: the attribute that its ext-ack points at. qbed refuses by itself
# what it knows to be wrong, so what is left is what this kernel was built without: conntrack.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	ip netns add q
	ip -n q link add name eth1 numtxqueues 8 numrxqueues 8 type veth \
		peer name peer1 numtxqueues 8 numrxqueues 8
	ip -n q link set eth1 up
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown()
{
	ip netns del q
}

@test "a refused qdisc names the attribute that the kernel points at" {
	run -4 qbed qdisc -n q add dev eth1 root cake nat
	assert_output --partial ': Operation not supported: the kernel refused TCA_CAKE_NAT: No conntrack support in kernel: this kernel lacks CONFIG_NF_CONNTRACK'
	run -4 qbed --json qdisc -n q add dev eth1 root cake nat
	assert_output --partial 'the kernel refused TCA_CAKE_NAT: '
}

@test "a refused line of a batch names it, with the line" {
	run -4 qbed batch - <<-'END'
		tc -n q qdisc add dev eth1 root handle 1: mq
		tc -n q qdisc add dev eth1 parent 1:1 cake nat
	END
	assert_output --partial '-:2: '
	assert_output --partial 'the kernel refused TCA_CAKE_NAT: No conntrack support in kernel: this kernel lacks CONFIG_NF_CONNTRACK'
}

@test "a refused statement of a topology names it, with the line, and nothing stays" {
	printf '%s\n' 'netns a' 'netns b' 'link a:v b:w queues 8' 'qdisc a:v root handle 1: mq' \
		'qdisc a:v parent 1:* cake nat' >t
	run -4 qbed topo up t
	assert_output --partial 't:5: '
	assert_output --partial 'the kernel refused TCA_CAKE_NAT: No conntrack support in kernel: this kernel lacks CONFIG_NF_CONNTRACK'
	[ ! -e /run/netns/a ]
}

@test "-vv shows where the kernel points" {
	run -4 qbed -vv qdisc -n q add dev eth1 root cake nat
	assert_line '        TCA_CAKE_NAT 1'
	assert_line --regexp '^q: <- NLMSG_ERROR flags CAPPED\|ACK_TLVS seq [0-9]+ error Operation not supported$'
	assert_line '    NLMSGERR_ATTR_MSG "No conntrack support in kernel"'
	assert_line --regexp '^    NLMSGERR_ATTR_OFFS [0-9]+$'
}

@test "-vv gives every attribute that a kernel tells of a qdisc its name" {
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		qbed qdisc -n q replace dev eth1 root handle 1: $words
		run -0 qbed -vv qdisc -n q show dev eth1
		run awk '/^q: / { on = /NEWQDISC/ } on && /attribute [0-9]/' <<<"$output"
		assert_output ''
		qbed qdisc -n q del dev eth1 root
	done <<-'END'
		netem delay 6ms 1ms 25% distribution normal loss gemodel 1% reorder 1% rate 100gbit slot 1ms
		tbf rate 40gbit burst 1mb limit 1mb
		htb default 10
		hfsc default 1
		prio
		drr
		fq
		fq_codel
		codel
		cake
		etf clockid CLOCK_TAI
		mqprio num_tc 2 map 0 1 queues 1@0 1@1 hw 0
	END
}

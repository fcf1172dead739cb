# SPDX-License-Identifier: GPL-2.0-or-later
#
# What qbed topo says of a topology before it asks the kernel, and that what the kernel changes by
# itself is no drift. Most of it is a dry run: no kernel has to know the kinds.

load topo

# advice LINE...: the warnings about a topology with these lines after the link in line 3
advice()
{
	topology t "$@"
	inside qbed topo up --dry-run t 2>&1 >/dev/null | sed 's/^qbed: warning: //'
}

@test "netem that is about frames wants offloads off at its link" {
	local words
	for words in 'loss 1%' 'rate 1mbit' 'duplicate 1%' 'limit 999 delay 5ms' 'delay 5ms reorder 25%'; do
		run -0 advice "qdisc tx:eth1 root netem $words"
		assert_line --regexp '^t:4: tx:eth1: netem: (loss|rate|duplicate|limit|reorder) takes what TCP sends at once, .* "offload off" at its link \(line 3\)$'
		assert_equal "${#lines[@]}" 1
	done
	run -0 advice 'ingress rx:eth1 netem loss 1%'
	assert_line --partial 't:4: rx:ifb-eth1: netem: loss takes what TCP sends at once'
	run -0 advice 'qdisc tx:eth1 root netem limit 70000 delay 5ms 1ms'
	assert_output ''
	run -0 advice 'link tx:eth2 rx:eth2 offload off' 'qdisc tx:eth2 root netem loss 1%' 'ingress rx:eth2 netem loss 1%'
	assert_output ''
	run -0 advice 'link tx:eth2 rx:eth2 gso off' 'qdisc tx:eth2 root netem loss 1%'
	assert_output ''
	run -0 advice 'link tx:eth2 rx:eth2 tso off' 'qdisc tx:eth2 root netem loss 1%'
	assert_line --partial 'takes what TCP sends at once'
}

@test "a limit that rate times delay does not fit is told once for a star, with the one that does" {
	run -0 advice 'link tx:e rx:e queues 8 offload off' 'qdisc tx:e root handle 1: mq' \
		'qdisc tx:e parent 1:* netem limit 5000 rate 1gbit delay 10ms step 50ms'
	assert_line --regexp '^t:6: tx:e: netem: limit 5000 drops packets at the full rate: .*: limit [0-9]+ or more holds them$'
	assert_equal "${#lines[@]}" 1
}

@test "a burst below the largest frame is told, by the MTU that the link has" {
	run -0 advice 'qdisc tx:eth1 root tbf rate 1mbit burst 1500 limit 10k'
	assert_output --partial "t:4: tx:eth1: tbf: burst 1500 is below the device's largest frame, 1514 bytes"
	run -0 advice 'link tx:e rx:e mtu 1000' 'qdisc tx:e root tbf rate 1mbit burst 1500 limit 10k'
	assert_output ''
	run -0 advice 'link tx:e rx:e mtu 9000' 'ingress rx:e tbf rate 1mbit burst 1600 limit 10k'
	assert_output --partial "t:5: rx:ifb-e: tbf: burst 1600 is below the device's largest frame, 9014 bytes"
}

@test "a class that is not there: below it nothing can be, and as the default it is told" {
	run -0 advice 'qdisc tx:eth1 root handle 1: htb default 30'
	assert_output --regexp '^t:4: tx:eth1: htb: no line "class" makes the default class 1:30: what no filter claims '
	run -0 advice 'qdisc tx:eth1 root handle 1: htb default 30' 'class tx:eth1 parent 1: classid 1:30 htb rate 1mbit'
	assert_output ''
	topology t 'qdisc tx:eth1 root handle 1: htb' 'qdisc tx:eth1 parent 1:5 pfifo'
	run -1 inside qbed topo up t
	assert_line 'qbed: t:5:22: "1:5": no line "class" makes that class of the htb'
	nothing_of_ours
}

@test "a class's words are judged as a class's, with what its qdisc says" {
	run -0 advice 'qdisc tx:eth1 root handle 1: htb r2q 100' 'class tx:eth1 parent 1: classid 1:1 htb rate 1mbit' \
		'class tx:eth1 parent 1:1 classid 1:10 htb rate 100kbit burst 100'
	assert_line --partial 't:6: tx:eth1: htb: class 1:10: burst 100 is below'
	assert_line --partial 't:6: tx:eth1: htb: the quantum of class 1:10 is small: rate / r2q 100 is 125 bytes'
	# an inner class has no quantum to be small
	refute_output --partial 'class 1:1 is small'
	topology t 'qdisc tx:eth1 root handle 1: htb' 'class tx:eth1 parent 1: classid 1:1 htb rate 1'
	run -1 inside qbed topo up t
	assert_line --partial 'qbed: t:5:'
}

@test "duplicate in a tree with another netem is told" {
	run -0 advice 'link tx:e rx:e queues 2 offload off' 'qdisc tx:e root handle 1: mq' \
		'qdisc tx:e parent 1:1 netem duplicate 5%' 'qdisc tx:e parent 1:2 netem delay 5ms'
	assert_output 't:6: tx:e: netem: duplicate in a tree with another netem: many kernels refuse that'
	run -0 advice 'link tx:e rx:e queues 2 offload off' 'qdisc tx:e root netem duplicate 5%'
	assert_output ''
}

@test "a tree of classes is made, is found unchanged, and its classes are facts" {
	topology t 'qdisc tx:eth1 root handle 1: htb default 10' 'class tx:eth1 parent 1: classid 1:1 htb rate 10mbit' \
		'class tx:eth1 parent 1:1 classid 1:10 htb rate 1mbit ceil 2mbit' 'qdisc tx:eth1 parent 1:10 handle 10: pfifo limit 7'
	inside qbed topo up t
	run -0 inside tc -n tx class show dev eth1
	assert_line --partial 'class htb 1:10 parent 1:1 leaf 10: prio 0 rate 1Mbit ceil 2Mbit'
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# unchanged'
	inside tc -n tx class add dev eth1 parent 1:1 classid 1:20 htb rate 2mbit
	inside tc -n tx class change dev eth1 parent 1:1 classid 1:10 htb rate 3mbit
	run -2 inside qbed topo check t
	assert_line --regexp '^\+ class tx:eth1 parent 1:1 classid 1:20 htb '
	assert_line --regexp '^- class tx:eth1 parent 1:1 classid 1:10 htb .* rate 1Mbit ceil 2Mbit'
	assert_line --regexp '^\+ class tx:eth1 parent 1:1 classid 1:10 htb .* rate 3Mbit ceil 3Mbit'
	inside qbed topo up t
	run -0 inside qbed topo check t
}

@test "what htb counts in its options is no drift" {
	topology t "${addresses[@]}" 'qdisc tx:eth1 root handle 1: htb'
	inside qbed topo up t
	inside ip netns exec tx bash -c 'echo hello >/dev/udp/10.0.1.2/9'
	run -0 inside tc -n tx qdisc show dev eth1
	assert_output --partial 'direct_packets_stat 1'
	run -0 inside qbed topo check t
	assert_output ''
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# unchanged'
}

@test "a schedule changes classes too" {
	topology t 'qdisc tx:eth1 root handle 1: htb' 'class tx:eth1 parent 1: classid 1:1 htb rate 10mbit' \
		'at 1ms class change tx:eth1 parent 1: classid 1:1 htb rate 3mbit' 'trace tx:eth1 classid 1:1 ceil ramp'
	printf '2ms 20mbit\n' >ramp
	inside qbed topo up t
	run -0 inside qbed topo play t
	assert_line --partial '2 of 2 changes done'
	run -0 inside tc -n tx class show dev eth1
	assert_output --partial 'rate 10Mbit ceil 20Mbit'
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# Topologies that need netem, an ifb with it, matchall, and XPS and RPS, which only the real root may set.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	queues=$(nproc)
	cat >t <<-END
		netns tx
		netns rx
		link  tx:eth1 rx:eth1 queues $queues
		addr  tx:eth1 10.0.0.1/24
		addr  rx:eth1 10.0.0.2/24
		xps   tx:eth1 cpu-per-queue
		qdisc tx:eth1 root handle 1: mq
		qdisc tx:eth1 parent 1:* netem limit 70000 delay 6ms step 2ms
	END
}

teardown()
{
	qbed topo down --all
}

@test "one netem per queue, each 2 ms later than the one before, as tc sees it" {
	((queues > 1)) || skip 'one CPU'
	run -0 qbed topo up t
	assert_output ''
	run -0 tc -n tx -j qdisc show dev eth1
	run -0 jq -c '[.[] | select(.kind == "netem")] | sort_by(.parent)[] |
		[.parent, .options.limit, (.options.delay.delay * 1000 | round)]' <<<"$output"
	for ((n = 1; n <= queues; n++)); do
		assert_line --index "$((n - 1))" "[\"1:$n\",70000,$((4 + 2 * n))]"
	done
	assert_equal "${#lines[@]}" "$queues"
}

@test "queue i sends from CPU i alone" {
	((queues > 1)) || skip 'one CPU'
	qbed topo up t
	for ((n = 0; n < queues; n++)); do
		mask=$(ip netns exec tx cat "/sys/class/net/eth1/queues/tx-$n/xps_cpus")
		assert_equal "$((16#${mask//,/}))" "$((1 << n))"
	done
	run -0 qbed topo show t
	assert_line "xps tx:eth1 queue $((queues - 1)) cpus $((queues - 1))"
	ip netns exec tx sh -c 'echo 0 >/sys/class/net/eth1/queues/tx-1/xps_cpus'
	run -2 qbed topo check t
	assert_line '- xps tx:eth1 queue 1 cpus 1'
}

@test "more queues than CPUs cannot have a CPU each" {
	sed -i 's/queues .*/queues 64/' t
	run -4 qbed topo up t
	assert_line --regexp '^qbed: t:6: xps tx:eth1 cpu-per-queue: 64 queues need CPUs 0-63, this machine has 0'
	run -0 ip netns list
	assert_output ''
}

@test "a netem that was given more by hand is made as new" {
	sed -i /^xps/d t
	qbed topo up t
	run -0 qbed topo show t
	fresh=$output
	tc -n tx qdisc change dev eth1 parent 1:1 netem limit 70000 delay 6ms loss 5% rate 1mbit
	run -0 qbed topo up -v t
	assert_line --index 0 '# made again'
	run -0 tc -n tx qdisc show dev eth1
	refute_output --partial loss
	refute_output --partial rate
	run -0 qbed topo show t
	assert_output "$fresh"
}

# facts: what stands, but for the random seeds of newer kernels
facts()
{
	qbed topo show t | sed 's/ seed [0-9]*//'
}

@test "a topology put up over another is as a fresh one, whatever the other's netems had" {
	sed -i '/^xps/d; /1:\*/d' t
	printf 'qdisc tx:eth1 parent 1:1 handle 11: netem delay 6ms\n' >>t
	qbed topo up t
	run -0 facts
	local fresh=$output
	qbed topo down t
	sed -i '$d' t
	printf 'qdisc tx:eth1 parent 1:1 handle 11: netem %s\n' \
		'limit 50 delay 20ms 5ms 5% distribution normal loss gemodel 5% 30% ecn corrupt 2% 3% reorder 4% 5% gap 3 rate 5mbit 20 48 5 slot 1ms 2ms packets 9' >>t
	qbed topo up t
	run -0 facts
	assert_output --partial 'loss gemodel'
	assert_output --partial 'slot 1ms 2ms'
	sed -i '$d' t
	printf 'qdisc tx:eth1 parent 1:1 handle 11: netem delay 6ms\n' >>t
	qbed topo up t
	run -0 facts
	assert_output "$fresh"
}

@test "duplicates that the kernel refuses in a tree leave nothing of the topology, and the line is told" {
	((queues > 1)) || skip 'one CPU'
	sed -i '/^xps/d; /1:\*/d' t
	printf 'qdisc tx:eth1 parent 1:%d netem delay 6ms duplicate 1%%\n' 1 2 >>t
	run qbed topo up t
	if ((status == 0)); then
		run -0 tc -n tx qdisc show dev eth1
		assert_output --partial duplicate
		return
	fi
	assert_equal "$status" 2
	assert_output --partial 't:8: '
	assert_output --partial 'netem: cannot mix duplicating netems with other netems in tree'
	run -0 ip netns list
	assert_output ''
}

@test "a table that a topology names is looked for before anything is made" {
	sed -i 's/netem limit 70000 delay 6ms step 2ms/netem limit 70000 delay 6ms 1ms distribution nosuch/; /^xps/d' t
	run -2 qbed topo up t
	assert_output --partial 't:7:'
	assert_output --partial 'there is no nosuch.dist in'
	run -0 ip netns list
	assert_output ''
	sed -i 's/nosuch/normal/' t
	run -0 qbed topo up t
	run -0 qbed topo check t
}

# netem_of NS DEV: parent, limit, delay in ms, packets held, of each netem
netem_of()
{
	tc -n "$1" -s -j qdisc show dev "$2" | jq -c '[.[] | select(.kind == "netem")] | sort_by(.parent)[] |
		[.parent // "root", .options.limit, ((.options.delay.delay // 0) * 1000 | round), .qlen]'
}

# say DST N: so many datagrams from tx
say()
{
	for ((n = 0; n < $2; n++)); do
		ip netns exec tx bash -c "echo hello >/dev/udp/$1/9"
	done
}

@test "what arrives is delayed in an ifb, by matchall, and what leaves by its own" {
	sed -i '/^xps/d; /^qdisc/d' t
	printf '%s\n' 'ingress rx:eth1 netem limit 500 delay 100s' 'qdisc tx:eth1 root netem limit 400' \
		'ingress tx:eth1 netem delay 90s' >>t
	run -0 qbed topo up -v t
	assert_line 'ingress rx:eth1 filter matchall to ifb-eth1'
	say 10.0.0.2 3
	assert_equal "$(netem_of rx ifb-eth1)" '["root",500,100000,3]'
	assert_equal "$(netem_of tx eth1)" '["root",400,0,0]'
	assert_equal "$(netem_of tx ifb-eth1)" '["root",1000,90000,0]'
	ip netns exec rx bash -c 'echo hello >/dev/udp/10.0.0.1/9'
	assert_equal "$(netem_of tx ifb-eth1)" '["root",1000,90000,1]'
	run -0 qbed topo check t
	tc -n rx filter del dev eth1 parent ffff: pref 1
	tc -n rx filter add dev eth1 parent ffff: pref 1 protocol all matchall action drop
	run -2 qbed topo check t
	assert_line '- ingress rx:eth1 filter matchall to ifb-eth1'
	assert_line '+ ingress rx:eth1 filter matchall'
}

@test "filters steer to a class, to a queue and to an ifb, by flower, fw, matchall and skbedit" {
	sed -i '/^xps/d; /^qdisc/d' t
	printf '%s\n' 'ingress tx:eth1 netem delay 90s' 'qdisc tx:eth1 root handle 1: mq' \
		'qdisc tx:eth1 parent 1:* netem delay 80s' \
		"filter tx:eth1 egress protocol ip prio 1 flower ip_proto udp dst_port 81 action skbedit queue_mapping $((queues - 1))" \
		'filter tx:eth1 egress protocol ip prio 2 flower ip_proto udp dst_port 82 action mirred egress redirect dev ifb-eth1' \
		'qdisc rx:eth1 root handle 1: prio' \
		'filter rx:eth1 parent 1: protocol ip prio 1 handle 3 fw classid 1:3' \
		'filter rx:eth1 parent 1: protocol ip prio 2 matchall classid 1:2' >>t
	run -0 qbed topo up -v t
	assert_line --regexp '^filter tx:eth1 egress protocol ip pref 1 flower .* skbedit queue_mapping '
	assert_line --regexp '^filter rx:eth1 parent 1: protocol ip pref 2 matchall .*flowid 1:2'
	for ((n = 0; n < 3; n++)); do
		ip netns exec tx bash -c 'echo x >/dev/udp/10.0.0.2/81'
	done
	ip netns exec tx bash -c 'echo x >/dev/udp/10.0.0.2/82'
	run -0 tc -n tx -s -j qdisc show dev eth1
	run -0 jq "map(select(.parent == \"1:$queues\"))[0].qlen" <<<"$output"
	assert_output 3
	assert_equal "$(netem_of tx ifb-eth1)" '["root",1000,90000,1]'
	run -0 qbed topo check t
	run -0 qbed topo up -v t
	assert_line '# unchanged'
	tc -n rx filter del dev eth1 parent 1: protocol ip prio 2
	tc -n rx filter add dev eth1 parent 1: protocol ip prio 2 matchall classid 1:1
	run -2 qbed topo check t
	assert_line --regexp '^- filter rx:eth1 parent 1: protocol ip pref 2 matchall .*flowid 1:2'
}

@test "an ingress of many queues has a netem for each" {
	((queues > 1)) || skip 'one CPU'
	sed -i '/^qdisc/d' t
	printf '%s\n' 'ingress rx:eth1 handle 1: mq' 'qdisc rx:ifb-eth1 parent 1:* netem delay 6s step 1s' >>t
	qbed topo up t
	run -0 netem_of rx ifb-eth1
	assert_line --index 0 '["1:1",1000,6000,0]'
	assert_equal "${#lines[@]}" "$queues"
}

@test "packets of a queue are worked on by the CPU that rps names" {
	((queues > 1)) || skip 'one CPU'
	echo 'rps rx:eth1 cpu-per-queue' >>t
	qbed topo up t
	for ((n = 0; n < queues; n++)); do
		mask=$(ip netns exec rx cat "/sys/class/net/eth1/queues/rx-$n/rps_cpus")
		assert_equal "$((16#${mask//,/}))" "$((1 << n))"
	done
	run -0 qbed topo show t
	assert_line "rps rx:eth1 queue $((queues - 1)) cpus $((queues - 1))"
	ip netns exec rx sh -c 'echo 0 >/sys/class/net/eth1/queues/rx-0/rps_cpus'
	run -2 qbed topo check t
	assert_line '- rps rx:eth1 queue 0 cpus 0'
	sed -i 's/^rps.*/rps rx:eth1 cpus 0-1/; s/^xps.*/xps tx:eth1 mask 3/' t
	qbed topo up t
	run -0 qbed topo show t
	assert_line 'rps rx:eth1 queue 0 cpus 0-1'
	assert_line 'xps tx:eth1 queue 1 cpus 0-1'
}

@test "a schedule changes the netem of every queue, and what it holds stays" {
	sed -i '/^xps/d; s/limit 70000 delay 6ms step 2ms/limit 70000000 delay 100s/' t
	printf '%s\n' 'at 20ms qdisc change tx:eth1 parent 1:* netem limit 70000000 delay 200s step 1s' \
		'trace tx:eth1 parent 1:1 delay ramp' >>t
	printf '%s\n' '10ms 150s' '30ms 250s 1ms 25%' >ramp
	qbed topo up t
	say 10.0.0.2 5
	run -0 qbed topo play t
	assert_line --regexp "^$((queues + 2)) of $((queues + 2)) changes done in "
	run -0 netem_of tx eth1
	assert_line --index 0 --regexp '^\["1:1",70000000,250000,[0-5]\]$'
	held=$(jq -s 'map(.[3]) | add' <<<"$output")
	assert_equal "$held" 5
	run -0 tc -n tx -j qdisc show dev eth1
	run -0 jq -c '.[] | select(.parent == "1:1") | .options.delay | [.jitter * 1000, .correlation]' <<<"$output"
	assert_output --regexp '^\[1(\.0*)?,0\.25\]$'
}

@test "a schedule takes a distribution, and a value that netem does not have is found by up" {
	sed -i '/^xps/d' t
	echo 'at 1ms qdisc change tx:eth1 parent 1:1 netem delay 6ms 1ms distribution no-such-table' >>t
	run ! qbed topo up t
	assert_line --partial 'qbed: t:8:'
	assert_line --partial no-such-table
	sed -i 's/no-such-table/normal/' t
	qbed topo up t
	run -0 qbed topo play t
}

@test "a seed is set, or told to be lacking before anything is made" {
	sed -i 's/netem limit 70000 delay 6ms step 2ms/netem limit 70000 delay 6ms loss 5% seed 7/; /^xps/d' t
	run qbed topo up t
	if ((status == 0)); then
		run -0 qbed topo show t
		assert_output --partial 'seed 7'
		return
	fi
	assert_equal "$status" 4
	assert_output --partial 'qbed: t:7: tx:eth1: qdisc netem: seed: this kernel does not know it'
	run -0 ip netns list
	assert_output ''
	[ ! -e /run/qbed/topo-1 ]
}

@test "offloads that make many frames one packet to netem are warned of, once, unless they are off" {
	sed -i 's/netem limit 70000 delay 6ms step 2ms/netem limit 70000 delay 6ms loss 5%/; /^xps/d' t
	run -0 qbed topo up t
	assert_equal "$(grep -c 'takes what TCP sends at once, up to 64 KiB,' <<<"$output")" 1
	qbed topo down t
	sed -i '/^link/s/$/ offload off/' t
	run -0 qbed topo up t
	assert_output ''
}

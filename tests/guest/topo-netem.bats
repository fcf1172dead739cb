# SPDX-License-Identifier: GPL-2.0-or-later
#
# Topologies that need netem, and XPS, which only the real root may set.

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

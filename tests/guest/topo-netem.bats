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

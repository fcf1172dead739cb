# SPDX-License-Identifier: GPL-2.0-or-later
#
# The watchdogs of cbq, which only old kernels have. How many timers move is not asserted where
# they may; that they do not is, where they are pinned.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

#	tx:eth1 10.0.0.1 -- mq: cbq, cbq -- 10.0.0.2 rx:eth1	CPU i sends to queue i, more than a
#	class of 1 Mbit/s takes
setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	ip netns add tx
	ip netns add rx
	ip -n tx link add eth1 address 02:00:00:00:00:01 numtxqueues 2 numrxqueues 2 type veth \
		peer name eth1 address 02:00:00:00:00:02 netns rx numtxqueues 2 numrxqueues 2
	ip -n tx addr add 10.0.0.1/24 dev eth1
	ip -n rx addr add 10.0.0.2/24 dev eth1
	ip -n tx link set eth1 up
	ip -n rx link set eth1 up
	ip -n tx neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev eth1
	ip netns exec tx sh -c 'echo 1 >/sys/class/net/eth1/queues/tx-0/xps_cpus &&
		echo 2 >/sys/class/net/eth1/queues/tx-1/xps_cpus'
}

teardown()
{
	ip netns del tx
	ip netns del rx
}

# add QUEUE: with qbed, what a queue is to have
add()
{
	printf '%s\n' "qdisc add dev eth1 parent 1:$1 handle ${1}0: cbq bandwidth 100mbit avpkt 1000" \
		"class add dev eth1 parent ${1}0: classid ${1}0:1 cbq bandwidth 100mbit rate 1mbit allot 1514 \
		prio 5 avpkt 1000 bounded isolated" \
		"filter add dev eth1 parent ${1}0: protocol all pref 1 matchall classid ${1}0:1"
}

@test "a cbq above its rate is woken by its watchdog, and on its queue's CPU where that is pinned" {
	ip netns exec tx qbed qdisc add dev eth1 root handle 1: mq
	if ! zcat /proc/config.gz | grep -qx CONFIG_NET_SCH_CBQ=y; then
		add 1 >lines
		run -4 ip netns exec tx qbed batch lines
		assert_output --partial 'lacks CONFIG_NET_SCH_CBQ'
		return
	fi
	{ add 1; add 2; } >lines
	ip netns exec tx qbed batch lines
	run -0 qbed timers --from tx:eth1 -o t.json -- qbed load --from tx:eth1 --to rx:eth1 \
		--cpus 0-1 --rate 250 --size 1000 --duration 2s
	assert_equal "$(jq -c '[.queues[] | [.parent, .handle, .home_cpus]]' t.json)" \
		'[["1:1","10:","0"],["1:2","20:","1"]]'
	assert_equal "$(jq '.queues | all(.expiries > 50 and .enqueues > 200)' t.json)" true
	if [ "$QBED_ARM" = after ]; then
		run -0 qbed timers --from tx:eth1 -o hog.json -- qbed load --from tx:eth1 --to rx:eth1 \
			--hog 1 --cpus 0 --rate 250 --size 1000 --duration 2s
		assert_equal "$(jq -c '.expiries > 50' hog.json)" true
		assert_equal "$(jq -c '[.away, .away_percent]' t.json hog.json)" $'[0,0]\n[0,0]'
	fi
}

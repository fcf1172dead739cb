# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed delay and qbed load against netem: two queues, two delays, and what netem does to packets.
# The clock is the host's, so no figure of time is asserted but what netem guarantees: a
# packet is never early.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

words='--from tx:eth1 --to rx:eth1'

#	tx:eth1 10.0.0.1 -- mq: netem 6ms, netem 8ms -- 10.0.0.2 rx:eth1	CPU i sends to queue i
#	tx:eth2 10.0.1.1 -- no qdisc ------------------ 10.0.1.2 rx:eth2
# IPv6 is on: what it sends by itself must not be taken for probes.
setup()
{
	local end i
	ip netns add tx
	ip netns add rx
	ip -n tx link add eth1 address 02:00:00:00:00:01 numtxqueues 2 numrxqueues 2 type veth \
		peer name eth1 address 02:00:00:00:00:02 netns rx numtxqueues 2 numrxqueues 2
	ip -n tx link add eth2 address 02:00:00:00:01:01 type veth \
		peer name eth2 address 02:00:00:00:01:02 netns rx
	for end in tx:1 rx:2; do
		for i in 0 1; do
			ip -n "${end%:*}" addr add "10.0.$i.${end#*:}/24" dev eth$((i + 1))
			ip -n "${end%:*}" link set eth$((i + 1)) up
		done
	done
	for i in 0 1; do
		ip -n tx neigh replace "10.0.$i.2" lladdr "02:00:00:00:0$i:02" nud permanent dev eth$((i + 1))
	done
	xps 1 2
	tc -n tx qdisc add dev eth1 root handle 1: mq
	tc -n tx qdisc add dev eth1 parent 1:1 handle 10: netem limit 70000 delay 6ms
	tc -n tx qdisc add dev eth1 parent 1:2 handle 20: netem limit 70000 delay 8ms
}

teardown()
{
	ip netns del tx
	ip netns del rx
}

# xps MASK0 MASK1: which CPUs send to queue 0 and to queue 1
xps()
{
	ip netns exec tx sh -c 'echo $1 >/sys/class/net/eth1/queues/tx-0/xps_cpus &&
		echo $2 >/sys/class/net/eth1/queues/tx-1/xps_cpus' xps "$1" "$2"
}

# packets: how many are in the netems or went through them, queue by queue
packets()
{
	tc -n tx -j -s qdisc show dev eth1 |
		jq -c '[.[] | select(.kind == "netem")] | sort_by(.parent) | map(.packets + .qlen)'
}

# traffic_runs: waits until the first packets went into netem
traffic_runs()
{
	local i
	for ((i = 0; i < 200; i++)); do
		[ "$(packets | jq 'add > 3')" = false ] || return 0
		sleep 0.1
	done
	fail 'no traffic after 20 s'
}

# json FILTER: what jq makes of $output
json()
{
	jq -r "$1" <<<"$output"
}

# sole QDISC...: this one alone instead of the two queues' netems
sole()
{
	tc -n tx qdisc del dev eth1 root
	tc -n tx qdisc add dev eth1 root handle 5: "$@"
}

# quiet: nothing but the test's packets on eth1, where the kernel's own counters are compared
quiet()
{
	ip netns exec tx sh -c 'echo 1 >/proc/sys/net/ipv6/conf/eth1/disable_ipv6'
}

@test "each queue is named, its delay read from the kernel, and no packet is early" {
	run -0 --separate-stderr qbed delay $words --floor tx:eth2 --rate 200 --cpus 0-1 --duration 1s --json
	assert_equal "$(json '[.queues[] | [.queue, .cpu, .kind, .configured_ns]] | tostring')" \
		'[["1:1",0,"netem",6000000],["1:2",1,"netem",8000000]]'
	assert_equal "$(json '[.queues[] | [.received, .lost, .early, .foreign]] | tostring')" \
		'[[200,0,0,0],[200,0,0,0]]'
	assert_equal "$(json '[.queues[].beyond.min_ns] | min >= 0')" true
	assert_equal "$(json '.total.floor | [.received, .lost] | tostring')" '[400,0]'
	assert_equal "$stderr" ''
}

@test "CPU and queue are told apart when XPS crosses them" {
	xps 2 1
	run -0 --separate-stderr qbed delay $words --rate 100 --cpus 0-1 --duration 300ms --json
	assert_equal "$(json '[.queues[] | [.cpu, .queue, .configured_ns]] | tostring')" \
		'[[0,"1:2",8000000],[1,"1:1",6000000]]'
	assert_equal "$(json '[.queues[].early] | tostring')" '[0,0]'
}

@test "XPS alone chooses the queue of a load" {
	quiet
	xps 2 1
	before=$(packets)
	run -0 --separate-stderr qbed load $words --rate 100 --cpus 0 --duration 300ms --json
	assert_equal "$(json '.senders[0].queue')" 1
	assert_equal "$(jq -c --argjson before "$before" '[.[0] - $before[0], .[1] - $before[1]]' <<<"$(packets)")" \
		'[0,30]'
}

@test "queues of different delays need XPS" {
	xps 0 0
	run -2 --separate-stderr qbed delay $words --rate 100 --cpus 0 --duration 100ms --json
	assert_output ''
	[[ $stderr == *'CPU 0: XPS gives it no queue of its own'* ]]
}

@test "a packet that misses the delay is flagged as early" {
	quiet
	qbed delay $words --rate 100 --cpus 0-1 --duration 3s -o delay.json 2>errors 3>&- &
	traffic_runs
	tc -n tx qdisc change dev eth1 parent 1:1 handle 10: netem limit 70000 delay 0ms
	wait $!
	assert_equal "$(jq '.queues[0].early > 0 and .queues[0].beyond.min_ns < 0' delay.json)" true
	assert_equal "$(jq '.queues[1].early' delay.json)" 0
	assert_equal "$(jq '.total.early == .queues[0].early' delay.json)" true
	run -0 cat errors
	assert_output --regexp '^qbed: warning: 1:1: [0-9]+ packets came before the configured 6ms'
}

# 8192 in a table is one jitter: 2 ms later than the delay, or, by the other table, earlier.
@test "a user's table decides how late packets are" {
	awk 'BEGIN { for (i = 0; i < 16384; i++) print 8192 }' >"$BATS_TEST_TMPDIR/late"
	sed 's/^/-/' "$BATS_TEST_TMPDIR/late" >"$BATS_TEST_TMPDIR/soon"
	qbed qdisc -n tx change dev eth1 parent 1:1 handle 10: netem limit 70000 delay 6ms 2ms \
		distribution "$BATS_TEST_TMPDIR/late"
	qbed qdisc -n tx change dev eth1 parent 1:2 handle 20: netem limit 70000 delay 8ms 2ms \
		distribution "$BATS_TEST_TMPDIR/soon"
	run -0 --separate-stderr qbed delay $words --rate 200 --cpus 0-1 --duration 1s --json
	assert_equal "$(json '.queues[0].beyond.min_ns >= 2000000')" true
	assert_equal "$(json '.queues[1].beyond.min_ns | . >= -2000000 and . < 0')" true
}

@test "duplicates are counted and are no samples" {
	sole netem delay 5ms duplicate 100%
	run -0 --separate-stderr qbed delay $words --rate 100 --cpus 0 --duration 500ms --json
	assert_equal "$(json '.total | [.received, .duplicates, .lost, .beyond.count] | tostring')" '[50,50,0,50]'
}

@test "loss is what netem says it dropped" {
	quiet
	sole netem delay 5ms loss 50%
	run -0 --separate-stderr qbed delay $words --rate 200 --cpus 0 --duration 1s --json
	assert_equal "$(json .total.lost)" "$(tc -n tx -j -s qdisc show dev eth1 | jq '.[0].drops')"
	assert_equal "$(json '.total.lost > 0 and .total.received > 0')" true
	assert_equal "$(json '.total.lost + .total.received')" 200
}

@test "jitter reorders, which is counted, and is not taken for a way round the qdisc" {
	sole netem delay 10ms 5ms
	run -0 --separate-stderr qbed delay $words --rate 1000 --cpus 0 --duration 500ms --json
	assert_equal "$(json '.total.inversions > 0')" true
	assert_equal "$(json '[.total.early, .total.lost, .queues[0].configured_jitter_ns] | tostring')" '[0,0,5000000]'
}

@test "a delay beyond 274 seconds is read whole" {
	tc -n tx qdisc del dev eth1 root
	ip netns exec tx qbed qdisc add dev eth1 root netem delay 300s
	run -2 --separate-stderr timeout -s INT 2 qbed delay $words --rate 10 --cpus 0 --duration 60s --json
	assert_equal "$(json '.queues[0].configured_ns')" 300000000000
}

@test "a load leaves no packet behind for who measures next" {
	sole netem delay 300ms
	qbed load $words --rate 500 --cpus 0 --duration 200ms -o load.json
	run -0 --separate-stderr qbed delay $words --rate 100 --cpus 0 --duration 100ms --json
	assert_equal "$(json '.total | [.received, .foreign] | tostring')" '[10,0]'
}

@test "probes of an earlier run are foreign" {
	quiet
	sole netem delay 2s
	qbed delay $words --rate 20 --cpus 0 --duration 30s -o early.json 2>errors 3>&- &
	traffic_runs
	kill -TERM $!
	code=0
	wait $! || code=$?
	assert_equal "$code" 2
	run -0 --separate-stderr qbed delay $words --rate 100 --cpus 0 --duration 300ms --json
	assert_equal "$(json '.total | [.received, .duplicates] | tostring')" '[30,0]'
	assert_equal "$(json '.total.foreign > 0')" true
}

@test "a floor with a delay is refused" {
	tc -n tx qdisc add dev eth2 root netem delay 1ms
	run -1 --separate-stderr qbed delay $words --floor tx:eth2 --rate 100 --cpus 0 --duration 100ms
	[[ $stderr == *'it is no floor'* ]]
}

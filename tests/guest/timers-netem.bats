# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed timers against two queues of netem, each with a sender on a CPU of its own. How many timers
# move is not asserted where they may; that they do not is, where they are pinned.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

instances=/sys/kernel/tracing/instances
load=(qbed load --from tx:eth1 --to rx:eth1 --rate 200)

#	tx:eth1 10.0.0.1 -- mq: netem 6ms, netem 8ms -- 10.0.0.2 rx:eth1	CPU i sends to queue i
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
	tc -n tx qdisc add dev eth1 root handle 1: mq
	tc -n tx qdisc add dev eth1 parent 1:1 handle 10: netem limit 70000 delay 6ms
	tc -n tx qdisc add dev eth1 parent 1:2 handle 20: netem limit 70000 delay 8ms
}

teardown()
{
	ip netns del tx
	ip netns del rx
	rmdir $instances/* 2>/dev/null || :
}

# json FILTER FILE
json()
{
	jq -r "$1" "$2"
}

no_instance_left()
{
	assert_equal "$(ls $instances)" ''
}

# wait_for COMMAND...: up to ten seconds
wait_for()
{
	local i
	for ((i = 0; i < 100; i++)); do
		! "$@" || return 0
		sleep 0.1
	done
	fail "did not come: $*"
}

@test "queues are told apart: their parent, their home, their timers" {
	run -0 qbed timers --from tx:eth1 --within l.json -o t.json -- "${load[@]}" --cpus 0-1 --duration 1s -o l.json
	assert_output ''
	assert_equal "$(json '[.schema, .function, .from, .command_exit] | tostring' t.json)" \
		'["qbed-timers-1","qdisc_watchdog","tx:eth1",0]'
	assert_equal "$(json '[.queues[] | [.parent, .handle, .home_cpus]] | tostring' t.json)" \
		'[["1:1","10:","0"],["1:2","20:","1"]]'
	assert_equal "$(json '.queues | all(.expiries > 50 and .enqueues > 100)' t.json)" true
	assert_equal "$(json '[.unmatched_timers, .unmatched_expiries] | tostring' t.json)" '[0,0]'
	assert_equal "$(json '.timer_offsets_bytes | length' t.json)" 1
	# every book agrees with every other
	assert_equal "$(json '([.queues[].expiries] | add) == .expiries and ([.cpus[].expiries] | add) == .expiries' t.json)" true
	assert_equal "$(json '([.queues[].away] | add) == .away and ([.cpus[].away] | add) == .away' t.json)" true
	assert_equal "$(json '.queues | all(.lateness.count + .undated == .expiries)' t.json)" true
	assert_equal "$(json '.lateness.min_ns >= 0' t.json)" true
	assert_equal "$(jq -s '.[0].window_ns == .[1].window_ns' t.json l.json)" true
	no_instance_left
}

@test "a pinned timer never fires away from its queue's CPU, hog or no hog" {
	run -0 qbed timers --from tx:eth1 -o t.json -- "${load[@]}" --hog 1 --cpus 0 --duration 1s
	assert_equal "$(json '.expiries > 50 and .away <= .expiries' t.json)" true
	# on the kernel whose timers are not pinned any number may
	if [ "$QBED_ARM" = after ]; then
		assert_equal "$(json '[.away, .away_percent] | tostring' t.json)" '[0,0]'
	fi
}

@test "only what lies in the window counts" {
	run -0 qbed timers --from tx:eth1 --within l.json -o inside.json -- \
		sh -c "${load[*]} --cpus 0-1 --duration 500ms && ${load[*]} --cpus 0-1 --duration 500ms -o l.json"
	run -0 qbed timers --from tx:eth1 -o all.json -- \
		sh -c "${load[*]} --cpus 0-1 --duration 500ms && ${load[*]} --cpus 0-1 --duration 500ms"
	assert_equal "$(jq -s '.[0].expiries < .[1].expiries * 0.8 and .[0].expiries > 0' inside.json all.json)" true
	echo '{"window_ns": null}' >l.json
	run -2 qbed timers --within l.json -- true
	assert_output --partial 'no "window_ns"'
	run -2 qbed timers --within none.json -- true
	assert_output --partial 'none.json'
}

@test "an idle machine has no share of expiries, and says so" {
	run -0 --separate-stderr qbed timers --from tx:eth1 --json -- true
	assert_equal "$(jq -c '[.expiries, .away_percent, .queues]' <<<"$output")" '[0,null,[]]'
	[[ $stderr == *'never fired for a queue'* ]]
}

@test "a buffer that is too small is a failure with the number of lost events, never a sample" {
	run -2 --separate-stderr qbed timers --buffer 64kb -o t.json -- \
		qbed load --from tx:eth1 --to rx:eth1 --rate 4000 --cpus 0-1 --duration 1s -o l.json
	[[ $stderr =~ timers:\ [1-9][0-9]*\ events\ lost ]]
	assert [ ! -e t.json ]
	assert [ -s l.json ]
	no_instance_left
}

@test "exit codes go through, wrappers nest, and the command keeps its namespace and its signals" {
	run -7 qbed timers -o t.json -- sh -c 'exit 7'
	assert_equal "$(json .command_exit t.json)" 7
	run -137 qbed timers -o t.json -- sh -c 'kill -KILL $$'
	run -2 qbed timers -- ./no-such-command
	assert_output --partial './no-such-command: exec: No such file or directory'
	run -9 qbed timers -o a.json -- qbed timers -o b.json -- sh -c 'exit 9'
	assert_equal "$(jq -s -c 'map(.command_exit)' a.json b.json)" '[9,9]'
	run -0 --separate-stderr qbed timers -o t.json -- readlink /proc/self/ns/net
	assert_output "$(readlink /proc/self/ns/net)"
	run -143 qbed timers -o t.json -- sh -c 'kill -TERM $$; sleep 5'
	no_instance_left
}

@test "a signal ends the command and takes the instance away" {
	qbed timers -o t.json -- sleep 60 3>&- &
	local qbed=$! code=0
	wait_for test -e "$instances/qbed-timers-$qbed"
	kill -TERM $qbed
	wait $qbed || code=$?
	assert_equal $code 143
	no_instance_left
	run -1 grep -lx sleep /proc/[0-9]*/comm
}

@test "what a killed qbed left behind goes with the next start; others' instances stay" {
	qbed timers -o t.json -- sleep 61 3>&- &
	local qbed=$!
	wait_for test -e "$instances/qbed-timers-$qbed"
	kill -KILL $qbed
	wait $qbed || :
	assert [ -d "$instances/qbed-timers-$qbed" ]
	mkdir $instances/qbed-timers-x $instances/others
	run -0 qbed timers -o t.json -- true
	assert [ ! -d "$instances/qbed-timers-$qbed" ]
	assert [ -d $instances/others ]
	rmdir $instances/qbed-timers-x $instances/others
}

@test "what this kernel lacks is exit 4 and named" {
	run -4 qbed timers --function no_such_function -- true
	assert_output --partial 'no_such_function: this kernel has no such function'
	run -4 unshare -m sh -c 'mount -t tmpfs none /sys; exec qbed timers -- true'
	assert_output --partial 'tracefs: not mounted (the kernel has CONFIG_FTRACE)'
	run -4 unshare -m sh -c 'mount -t tmpfs none /proc/sys; exec qbed timers -- true'
	assert_output --partial CONFIG_NO_HZ
	run -2 qbed timers --from tx:eth9 -- true
	assert_output --partial eth9
	no_instance_left
}

@test "kernel.timer_migration is recorded" {
	run -0 qbed timers --json -- true
	assert_equal "$(jq .timer_migration <<<"${lines[-1]}")" "$(cat /proc/sys/kernel/timer_migration)"
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed locks: the lock statistics of a kernel that has them, and what is said of one that has not.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

load=(qbed load --from tx:eth1 --to rx:eth1 --rate 200 --cpus 0 --duration 500ms)

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	ip netns add tx
	ip netns add rx
	ip -n tx link add eth1 address 02:00:00:00:00:01 type veth \
		peer name eth1 address 02:00:00:00:00:02 netns rx
	ip -n tx addr add 10.0.0.1/24 dev eth1
	ip -n rx addr add 10.0.0.2/24 dev eth1
	ip -n tx link set eth1 up
	ip -n rx link set eth1 up
	ip -n tx neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 nud permanent dev eth1
	tc -n tx qdisc add dev eth1 root handle 1: netem limit 70000 delay 6ms
}

teardown()
{
	ip netns del tx
	ip netns del rx
}

# lacking: where this kernel has no lock statistics, exit 4 and the option's name, and that nothing
# runs, are all there is to see
lacking()
{
	run -4 qbed locks -- touch ran
	assert_output --partial CONFIG_LOCK_STAT
	assert [ ! -e ran ]
}

@test "the root lock of a qdisc that sends is counted" {
	[ "$QBED_FLAVOUR" = lockstat ] || { lacking; return; }
	run -0 qbed locks -o k.json -- "${load[@]}"
	assert_equal "$(jq -c '[.schema, .command_exit]' k.json)" '["qbed-locks-1",0]'
	# each packet takes the lock at least to get in and to get out
	assert_equal "$(jq '.root.acquisitions >= 200 and .root.classes >= 1' k.json)" true
	assert_equal "$(jq '([.classes[] | select(.name | contains("root_lock_key")) | .contentions] | add) == .root.contentions' k.json)" true
	assert_equal "$(jq '(.root.contentions == 0) == (.root.waittime_total_ns == 0)' k.json)" true
}

@test "what was counted before is gone, and the switch is as it was" {
	[ "$QBED_FLAVOUR" = lockstat ] || { lacking; return; }
	local before
	"${load[@]}"
	for before in 0 1; do
		echo $before >/proc/sys/kernel/lock_stat
		run -0 --separate-stderr qbed locks --json -- true
		assert_equal "$(jq .root.acquisitions <<<"$output")" 0
		[[ $stderr == *'no qdisc root lock was taken'* ]]
		assert_equal "$(cat /proc/sys/kernel/lock_stat)" $before
	done
}

@test "other classes are listed when they are asked for" {
	[ "$QBED_FLAVOUR" = lockstat ] || { lacking; return; }
	run -0 qbed locks --class 'rq->__lock' --json -- "${load[@]}"
	assert_equal "$(jq -s '.[-1].classes | any(.name | contains("rq->__lock"))' <<<"${lines[-1]}")" true
}

@test "exit codes go through and wrappers nest" {
	[ "$QBED_FLAVOUR" = lockstat ] || { lacking; return; }
	run -7 qbed locks -o k.json -- sh -c 'exit 7'
	assert_equal "$(jq .command_exit k.json)" 7
	run -0 qbed locks -o k.json -- qbed timers -o t.json -- "${load[@]}"
	assert_equal "$(jq '.expiries > 0' t.json)" true
	assert_equal "$(jq '.root.acquisitions > 0' k.json)" true
	run -143 qbed locks -o k.json -- sh -c 'kill -TERM $$; sleep 5'
	run -0 cat /proc/sys/kernel/lock_stat
	assert_output 1
}

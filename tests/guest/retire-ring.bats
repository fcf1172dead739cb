# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed retire on the kernel's jiffies timer (before) and its hrtimer (after). The figures belong to
# the experiment, which has one CPU; here it is the books that must be right.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

retire=(qbed retire --from tx:eth1 --to rx:eth1 --duration 300ms --interval 1ms)

setup()
{
	ip netns add tx
	ip netns add rx
	ip -n tx link add eth1 type veth peer name eth1 netns rx
	ip -n tx link set eth1 up
	ip -n rx link set eth1 up
}

teardown()
{
	ip netns del tx
	ip netns del rx
}

@test "every packet comes, once, by timeout, and the kernel confirms the timeout" {
	run -0 --separate-stderr "${retire[@]}" --tov 8ms --json
	assert_equal "$stderr" ''
	assert_equal "$(jq -c '[.effective_tov_ns, .sent, .received, .lost, .duplicates, .foreign]' <<<"$output")" \
		'[8000000,300,300,0,0,0]'
	assert_equal "$(jq '.retired_by_timeout == .blocks and .blocks > 1 and .packet_delay.count == 300' <<<"$output")" true
}

@test "a timeout of more than 16 bits is refused where the kernel cuts it, and kept where not" {
	if [ "$QBED_ARM" = before ]; then
		run -2 "${retire[@]}" --tov 65536ms
		assert_output --partial '--tov 65536ms: the kernel changed it to 0ms'
		run -2 "${retire[@]}" --tov 66536ms
		assert_output --partial 'the kernel changed it to 1000ms'
	else
		# blocks of four packets fill, so that the run does not last until the timeout
		run -0 "${retire[@]}" --tov 65536ms --block-size 4096 --block-count 64 --interval 750us --json
		assert_equal "$(jq .effective_tov_ns <<<"$output")" 65536000000
	fi
}

@test "a ring without enough memory is smaller, and says so" {
	# 2 GiB of blocks in a guest of 1 GiB
	run -0 --separate-stderr "${retire[@]}" --tov 8ms --block-count 2048 --json
	[[ $stderr == *'no memory for 2048 blocks'* ]]
	assert_equal "$(jq '.parameters.block_count < 2048 and .received == 300' <<<"$output")" true
}

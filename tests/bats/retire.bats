# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed retire on a veth of the running kernel: structure, counts, words. No figure of time is
# asserted but by comparison within one run; that is for the guest.

bats_load_library bats-support
bats_load_library bats-assert
load link

bats_require_minimum_version 1.5.0

words='--from tx:eth1 --to rx:eth1'

# refused CODE TEXT ARG...: exit code CODE, TEXT on stderr, nothing on stdout
refused()
{
	local code=$1 text=$2
	shift 2
	run --separate-stderr -"$code" qbed retire "$@"
	assert_equal "$output" ''
	[[ $stderr == *"$text"* ]] || fail "'$text' is not in: $stderr"
}

@test "every packet is sent, counted once, and in the histogram" {
	run -0 --separate-stderr in_link "qbed retire $words --tov 4ms --duration 300ms --interval 1ms --json"
	assert_equal "$(json '[.schema, .sent, .received + .lost, .duplicates, .foreign, .send_errors] | tostring')" \
		'["qbed-retire-1",300,300,0,0,0]'
	assert_equal "$(json '.packet_delay.count == .received and .received > 0')" true
	assert_equal "$(json '.block_gap.count == .blocks - 1 and .blocks > 1')" true
	assert_equal "$(json '.packet_delay | .min_ns > 0 and .min_ns <= .p50_ns and .p50_ns <= .p90_ns and .p90_ns <= .max_ns')" true
	assert_equal "$(json '[.parameters.tov_ns, .parameters.size_bytes, .parameters.interval_ns] | tostring')" \
		'[4000000,902,1000000]'
}

@test "what the timer handed over has an age, and is early if it is younger than the timeout" {
	run -0 --separate-stderr in_link "qbed retire $words --tov 8ms --duration 300ms --interval 1ms --json"
	assert_equal "$(json '.retired_by_timeout > 1 and .block_age.count == .retired_by_timeout and .retired_early <= .retired_by_timeout')" true
	# of a block, its first packet is the oldest
	assert_equal "$(json '.block_age.max_ns == .packet_delay.max_ns')" true
	assert_equal "$(json '(.retired_early > 0) == (.block_age.min_ns < .parameters.tov_ns)')" true
}

@test "the timeout that the kernel uses is read back, or it is said that it cannot be" {
	run -0 --separate-stderr in_link "qbed retire $words --tov 3ms --duration 50ms --json"
	if [[ $(json .effective_tov_ns) == null ]]; then
		[[ $stderr == *CONFIG_PACKET_DIAG* ]]
	else
		assert_equal "$(json .effective_tov_ns)" 3000000
		assert_equal "$stderr" ''
	fi
}

@test "a timeout of zero is derived by the kernel, and shown" {
	run -0 --separate-stderr in_link "qbed retire $words --tov 0ms --duration 50ms --json"
	assert_equal "$(json '.parameters.tov_ns == 0 and (.effective_tov_ns == null or .effective_tov_ns > 0)')" true
}

@test "a timeout is kept or refused, never changed in silence" {
	local tov
	for tov in 65535ms 65536ms 66536ms; do
		run --separate-stderr in_link "qbed retire $words --tov $tov --duration 10ms \
			--interval 1ms --block-size 4096 --block-count 2 --size 900 --json &
			run=\$!
			sleep 0.5
			kill -TERM \$run 2>/dev/null || :
			wait \$run"
		# the run itself would last two timeouts: ended by us, or refused before it began
		assert_equal "$status" 2
		if [[ $stderr == *'the kernel changed it to'* ]]; then
			assert_equal "$output" ''
			[[ $tov != 65535ms ]]
		else
			[[ $stderr == *'stopped by signal 15'* ]]
			assert_equal "$(json ".effective_tov_ns == null or .effective_tov_ns == .parameters.tov_ns")" true
		fi
	done
}

@test "full blocks come before the timeout, and are not counted as timed out" {
	run -0 --separate-stderr in_link "qbed retire $words --tov 1000ms --duration 100ms --interval 100us \
		--block-size 16KiB --block-count 64 --json"
	assert_equal "$(json '.blocks > 10 and .retired_by_timeout <= 1')" true
	assert_equal "$(json '.packet_delay.p50_ns < .parameters.tov_ns / 2')" true
}

@test "a longer timeout makes fewer blocks" {
	run -0 in_link "for tov in 4ms 200ms; do
		qbed retire $words --tov \$tov --duration 1200ms --interval 500us --json
	done"
	run -0 jq -s '4 * .[1].blocks < .[0].blocks' <<<"$output"
	assert_output true
}

@test "the ring is made and polled on the poller's CPU, and sent to from the sender's" {
	[ "$(nproc)" -ge 2 ] || skip 'needs two CPUs'
	local sender poller
	while read -r sender poller; do
		run -0 --separate-stderr in_link "
			qbed retire $words --tov 4ms --duration 3s --interval 1ms --sender-cpu $sender \
				--poller-cpu $poller -o /run/retire.json &
			for i in {1..50}; do
				# the first thread has the ring, the other one sends
				seen=\$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/\$!/task/*/status | paste -sd ' ')
				[ \"\$seen\" != '$poller $sender' ] || break
				sleep 0.05
			done
			wait \$!
			echo \"\$seen\"
			jq -c '[.parameters.poller_cpu, .parameters.sender_cpu]' /run/retire.json"
		assert_line --index 0 "$poller $sender"
		assert_line --index 1 "[$poller,$sender]"
	done <<-'END'
	0 1
	1 0
	1 1
	END
	refused 1 '--poller-cpu' --from lo --to lo --tov 2ms --poller-cpu 99999
	refused 1 '"two"' --from lo --to lo --tov 2ms --poller-cpu two
}

@test "on lo each packet counts once" {
	run -0 in_link "qbed retire --from tx:lo --to tx:lo --tov 4ms --duration 100ms --interval 1ms --json"
	assert_equal "$(json '[.sent, .received + .lost, .duplicates] | tostring')" '[100,100,0]'
	assert_equal "$(json '.received > 0')" true
}

@test "with no way to the ring the run ends by itself, with nothing in the sample" {
	run -0 --separate-stderr in_link "qbed retire --from tx:eth1 --to rx:eth2 --tov 2ms --duration 100ms --interval 1ms --json"
	assert_equal "$(json '[.sent, .received, .blocks, .packet_delay.count, .packet_delay.p50_ns] | tostring')" \
		'[100,0,0,0,null]'
	[[ $stderr == *'no packet came'* ]]
}

@test "a signal ends the run, and what was measured says so" {
	run -2 --separate-stderr in_link "qbed retire $words --tov 2ms --duration 30s --interval 1ms --json &
		sleep 0.5
		kill -INT \$! 2>/dev/null || :
		kill -TERM \$!
		wait \$!"
	[[ $stderr == *'stopped by signal'* ]]
	assert_equal "$(json '.sent < 30000')" true
}

@test "the same seed gives the same phase, another one another" {
	run -0 in_link "for seed in 7 7 8; do
		qbed retire $words --tov 2ms --duration 5ms --interval 1ms --seed \$seed --json
	done"
	run -0 jq -s 'map(.phase_ns) | .[0] == .[1] and .[0] != .[2]' <<<"$output"
	assert_output true
}

@test "a ring that cannot be is refused in words, before the kernel is asked" {
	local text line
	while IFS='|' read -r text line; do
		# shellcheck disable=SC2086 # words
		refused 1 "$text" --from nowhere:eth1 --to nowhere:eth2 $line
	done <<-'END'
	--tov is needed|
	"2": a time needs its unit|--tov 2
	"-1ms"|--tov -1ms
	"1500us": the timeout of a ring is in whole milliseconds|--tov 1500us
	"4294967296ms": more than 32 bits|--tov 4294967296ms
	--block-size 6000: not a multiple of the page size|--tov 2ms --block-size 6000
	--frame-size 2040: not a multiple of 16|--tov 2ms --frame-size 2040
	--frame-size 8192: more than a block|--tov 2ms --block-size 4096 --frame-size 8192
	--block-count 0|--tov 2ms --block-count 0
	--block-count 100000000|--tov 2ms --block-count 100000000
	"1X"|--tov 2ms --block-size 1XiB
	--size 20|--tov 2ms --size 20
	--size 5000|--tov 2ms --block-size 4096 --size 5000
	--interval|--tov 2ms --interval 3s --duration 2s
	"nonsense"|--tov 2ms nonsense
	END
	refused 1 '--from and --to are needed' --tov 2ms
}

@test "what is not there is named: a namespace, a device, a CPU, a link that is down" {
	refused 4 '--sender-cpu: CPU 1023' --from lo --to lo --tov 2ms --sender-cpu 1023
	refused 4 '--poller-cpu: CPU 1023' --from lo --to lo --tov 2ms --poller-cpu 1023
	run -2 in_link "qbed retire --from none:eth1 --to rx:eth1 --tov 2ms"
	assert_output --partial none
	run -2 in_link "qbed retire --from tx:eth9 --to rx:eth1 --tov 2ms"
	assert_output --partial 'tx:eth9'
	run -2 in_link "ip -n rx link set eth1 down; qbed retire $words --tov 2ms"
	assert_output --partial 'rx:eth1: link: Network is down'
	run -1 in_link "qbed retire $words --tov 2ms --size 1600"
	assert_output --partial 'MTU 1500'
}

@test "idle rings: what has a meaning with packets only is refused, and what is needed is named" {
	local text line
	while IFS='|' read -r text line; do
		# shellcheck disable=SC2086 # words
		refused 1 "$text" --to nowhere:eth1 --tov 1ms $line
	done <<-'END'
	--idle-rings|--idle-rings 0
	"many"|--idle-rings many
	--idle-rings|--idle-rings 1000001
	--from: there are no packets with --idle-rings|--idle-rings 1 --from nowhere:eth2
	--size: there are no packets|--idle-rings 1 --size 902
	--interval: there are no packets|--idle-rings 1 --interval 1ms
	--seed: there are no packets|--idle-rings 1 --seed 1
	--sender-cpu: there are no packets|--idle-rings 1 --sender-cpu 0
	--block-size 6000: not a multiple of the page size|--idle-rings 1 --block-size 6000
	--block-count 0|--idle-rings 1 --block-count 0
	"nonsense"|--idle-rings 1 nonsense
	END
	refused 1 '--to is needed' --idle-rings 1 --tov 1ms
	refused 1 '--tov is needed' --idle-rings 1 --to lo
}

@test "idle rings: what this machine has not is told before anything is made" {
	refused 2 "more than half of this machine's memory" --to lo --tov 1ms --idle-rings 1000000 --block-size 1MiB
	# a user namespace has no right to raise the limit
	run -2 in_link "ulimit -n 100; qbed retire --idle-rings 100 --to lo --tov 1ms"
	assert_output --partial 'RLIMIT_NOFILE (ulimit -n) of 164'
	refused 4 '--poller-cpu' --to lo --tov 1ms --idle-rings 1 --poller-cpu 1023
}

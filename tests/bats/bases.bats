# SPDX-License-Identifier: GPL-2.0-or-later
#
# The figures of the experiments on a base other than the one that they were made on, 6.1.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup()
{
	out=$BATS_TEST_TMPDIR/out
}

@test "6.12: a block waits for ticks with the jiffies timer, and for its timeout with the hrtimer" {
	run -0 "$lab" run retire --base 6.12 --seed 1 --set tovs=2ms --set duration=500ms --output "$out" \
		--expect 'retire.before.p99_ns >= 4ms' --expect 'retire.after.p99_ns <= 2.1ms' \
		--expect 'retire.before.lost == 0' --expect 'retire.after.lost == 0'
}

@test "6.12: unpinned watchdogs gather on the busy CPU, pinned ones stay" {
	# a second of one seed: what any change to the guest moves lies between 25 and 55 %
	run -0 "$lab" run mq-netem --base 6.12 --flavour plain --arm before --arm after --seed 1 \
		--set duration=1s --set delay_duration=200ms --set control_duration=100ms --output "$out" \
		--expect 'mq-netem.before.away_percent >= 15' --expect 'mq-netem.after.away_percent == 0'
}

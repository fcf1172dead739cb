# SPDX-License-Identifier: GPL-2.0-or-later
#
# The experiment shapers: the timers of every kind move where they may, and stay where they are pinned.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

@test "the timers of tbf, htb, hfsc, fq and netem stay where they are pinned" {
	local kind expect=()
	for kind in tbf htb hfsc fq netem; do
		# a second of one seed: how many move differs, that many do does not
		expect+=(--expect "shapers.before.${kind}_away_percent >= 10" \
			--expect "shapers.after.${kind}_away_percent == 0" \
			--expect "shapers.after.${kind}_least >= 100")
	done
	run -0 "$lab" run shapers --arm before --arm after --seed 1 --set duration=1s \
		--output "$BATS_TEST_TMPDIR/out" "${expect[@]}"
}

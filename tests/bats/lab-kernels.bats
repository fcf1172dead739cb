# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels of the user's own in an experiment: patches on a base, a fragment of configuration, ready
# images; and the clock of the host. Most of it on a kernel that builds in a blink and a QEMU that
# only pretends; the last tests boot a real one.

bats_load_library bats-support
bats_load_library bats-assert
load lab
load fake-kernel

bats_require_minimum_version 1.5.0

# on_fakes: a base "fake" and a guest that is done at once
on_fakes()
{
	lab_setup bases=fake seeds=1 'param.word=hi'
	fake_kernel_setup
	fake_guest '{"n": 1}'
}

# field FILTER ARM: from the result of an arm
field()
{
	jq -r "$1" "$out/tiny-"*"-$2-plain-seed1.json"
}

# image ARM: the image that the result of an arm names by its hash
image()
{
	local file
	for file in "$QBED_CACHE"/images/*/bzImage; do
		if [[ $(sha256sum <"$file") == "$(field .environment.kernel_sha256 "$1")  -" ]]; then
			printf '%s\n' "$file"
			return 0
		fi
	done
	fail "no image of arm $1 in the cache"
}

@test "--series runs the base without the patches against the base with all of them" {
	on_fakes
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	fake_kernel_patch "$BATS_TEST_TMPDIR/b.patch" src/timer.c 's/pinned = 1/pinned = 5/'
	run -0 "$lab" run "$exp" --series "$BATS_TEST_TMPDIR/a.patch" "$BATS_TEST_TMPDIR/b.patch" --output "$out"
	run -0 cat "$(image before)"
	assert_line 'int main;'
	assert_line 'int pinned = 1;'
	run -0 cat "$(image after)"
	assert_line 'int entry;'
	assert_line 'int pinned = 5;'
	[ "$(field .environment.source_tree before)" != "$(field .environment.source_tree after)" ]
	assert_equal "$(field '.patches | tostring' before)" '[]'
	assert_equal "$(field '.patches | tostring' after)" '["a.patch","b.patch"]'
	run -0 field .command after
	assert_output 'qbed-lab run tiny --base fake --arm after --series a.patch b.patch --flavour plain --seed 1 --clock virtual --shift 2'
}

@test "the command in a result of --series repeats it, from the folder of the patches" {
	on_fakes
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	run -0 "$lab" run "$exp" --series "$BATS_TEST_TMPDIR/a.patch" --output "$out"
	cd "$BATS_TEST_TMPDIR"
	run -0 field .command after
	eval "set -- $output"
	run -0 "$lab" "${@:2}" --output "$out.again"
	cmp "$out/tiny-fake-after-plain-seed1.json" "$out.again/tiny-fake-after-plain-seed1.json"
}

@test "patches are told by their subjects, mails in one file and folded lines included" {
	on_fakes
	local patch=$BATS_TEST_TMPDIR/two.mbox
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	fake_kernel_patch "$BATS_TEST_TMPDIR/b.patch" src/timer.c 's/end/stop/'
	{
		printf 'From %040d Mon Sep 17 00:00:00 2001\nSubject: [PATCH net-next v3 1/2] src: =?UTF-8?q?f=C3=BCr?=\n all\n\nSubject: no\n---\n' 1
		cat "$BATS_TEST_TMPDIR/a.patch"
		printf 'From %040d Mon Sep 17 00:00:00 2001\nSubject: [PATCH 2/2] src: stop\n\ntext\n---\n' 2
		cat "$BATS_TEST_TMPDIR/b.patch"
	} >"$patch"
	run -0 "$lab" run "$exp" --series "$patch" --output "$out"
	assert_equal "$(field '.patches | tostring' after)" '["src: für all","src: stop"]'
	run -0 grep -c 'int stop' "$(image after)"
}

@test "a patch of --series that does not apply is named, and nothing is run" {
	on_fakes
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	sed -i 's/^-int main/-int other/' "$BATS_TEST_TMPDIR/a.patch"
	run -2 "$lab" run "$exp" --series "$BATS_TEST_TMPDIR/a.patch" --output "$out"
	assert_output --partial 'a.patch: does not apply'
	[ ! -e "$out" ] || [ -z "$(ls "$out")" ]
	run -1 "$lab" run "$exp" --series /nix.patch
	assert_output --partial "cannot read '/nix.patch'"
}

@test "--config goes into every arm, and into the command that repeats it" {
	on_fakes
	printf 'CONFIG_BUS=y\n' >"$BATS_TEST_TMPDIR/own.config"
	run -0 "$lab" run "$exp" --config "$BATS_TEST_TMPDIR/own.config" --output "$out"
	assert grep -qx CONFIG_BUS=y "$(image before)"
	assert grep -qx CONFIG_BUS=y "$(image after)"
	run -0 field .command before
	assert_output --partial ' --config own.config'
	printf 'CONFIG_FLUX=y\n' >"$BATS_TEST_TMPDIR/own.config"
	run -2 "$lab" run "$exp" --config "$BATS_TEST_TMPDIR/own.config" --output "$out.2"
	assert_output --partial 'CONFIG_FLUX=y (is n)'
}

@test "--kernel takes images as they are, with names or without" {
	on_fakes
	printf one >"$BATS_TEST_TMPDIR/one"
	printf two >"$BATS_TEST_TMPDIR/two"
	run -0 "$lab" run "$exp" --kernel "$BATS_TEST_TMPDIR/one" --kernel "$BATS_TEST_TMPDIR/two" --output "$out"
	assert_equal "$(field .environment.kernel_sha256 before)" "$(sha256sum <"$BATS_TEST_TMPDIR/one" | cut -d' ' -f1)"
	assert_equal "$(field .environment.kernel_sha256 after)" "$(sha256sum <"$BATS_TEST_TMPDIR/two" | cut -d' ' -f1)"
	assert_equal "$(field .environment.source_tree after)" ''
	assert_equal "$(field .patches after)" null
	run -0 field .command after
	assert_output 'qbed-lab run tiny --kernel after=two --flavour plain --seed 1 --clock virtual --shift 2'
	run -0 "$lab" run "$exp" --kernel "next=$BATS_TEST_TMPDIR/one" --output "$out"
	run -0 field .base next
	assert_output own
	[ ! -e "$QBED_CACHE/images" ]
}

@test "an arm that only another arm's kernel makes runs on --kernel too" {
	on_fakes
	printf 'arms=before after migration-off:before\n' >>"$exp/experiment"
	printf one >"$BATS_TEST_TMPDIR/one"
	run -0 "$lab" run "$exp" --kernel "before=$BATS_TEST_TMPDIR/one" --output "$out"
	assert_equal "$(field .environment.kernel_sha256 migration-off)" "$(field .environment.kernel_sha256 before)"
}

# The only kernel that is built for this file, an object and a link: the pinned sources come from
# the cache of the arm "after".
@test "6.1: patches and a fragment of the user's make the kernel that the guest runs" {
	printf 'CONFIG_NET_SCH_CHOKE=y\n' >"$BATS_TEST_TMPDIR/own.config"
	out=$BATS_TEST_TMPDIR/out exp=$BATS_TEST_TMPDIR/tiny
	cp -R "$root/testbed/experiments/retire" "$exp"
	chmod -R u+w "$exp"
	printf 'needs=CONFIG_NET_SCH_CHOKE\n' >>"$exp/experiment"
	run -0 "$lab" run "$exp" --base 6.1 --series "$root"/kernel-patches/6.1/af_packet-*.patch \
		--config "$BATS_TEST_TMPDIR/own.config" --arm after --seed 1 --set tovs=2ms \
		--set duration=200ms --output "$out" --expect 'tiny.after.p99_ns <= 2100000'
	run -0 field .command after
	assert_output --partial '--series af_packet-1-remove-last_kactive_blk_num.patch af_packet-2-hrtimer-retire.patch '
}

# The experiment that the man page has as an example, as it stands there.
@test "6.1: the example of an experiment in the man page runs and has all its figures" {
	exp=$BATS_TEST_TMPDIR/burst out=$BATS_TEST_TMPDIR/out
	mkdir "$exp"
	awk -v dir="$exp" '
		/^## An example/ { on = 1 }
		/^# KERNELS/ { on = 0 }
		on && !block && match($0, /\*(experiment|topology|run|metrics)\*/) {
			file = dir "/" substr($0, RSTART + 1, RLENGTH - 2)
		}
		/^```$/ { block = !block; next }
		on && block { print >file }
	' "$root/docs/man/qbed-lab.8.scd"
	run -0 --separate-stderr "$lab" run "$exp" --base 6.1 --arm after --seed 1 --output "$out" --report
	assert_line --regexp '^    delay, p99 +[mu]s +[0-9.]+$'
	assert_line --regexp '^    packets lost +0$'
	[[ $stderr != *warning* ]] || fail "$stderr"
}

# What the README shows of qbed itself, on the kernel that has all of it.
@test "6.1: the commands of the README for qbed do what they say" {
	lab_shared_cache
	lab_setup bases=6.1 arms=after flavours=lockstat cpus=2 seeds=1
	{
		awk '/^## / { on = /qbed, the helper/ } on && sub(/^    /, "")' "$root/README.md"
		printf '[ -z "$(ls /run/netns)" ]\n'
	} >"$exp/run"
	run -0 grep -c '^qbed ' "$exp/run"
	[ "$output" -ge 8 ]
	QBED_CACHE=$cache
	run -0 "$lab" run "$exp" --output "$out"
}

@test "6.1: a guest on the host's clock has a clock that is good enough, and says whose it is" {
	lab_shared_cache
	kernel=$("$lab" build 6.1 after plain)
	lab_setup seeds=1
	# shellcheck disable=SC2016 # the guest's
	printf '%s\n' 'echo "{\"clock\": \"$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)\"}" >$QBED_OUT/x.json' \
		'exec qbed timers --json -o $QBED_OUT/timers.json -- sleep 0.1' >"$exp/run"
	run -0 "$lab" run "$exp" --kernel "after=$kernel" --cpus 2 --clock host --output "$out"
	run -0 jq -c '[.environment.clock, .environment.shift, .measurements.timers.nohz_cpus, .measurements.x.clock]' "$out"/*.json
	assert_output --regexp '^\["host",null,[12],"tsc(-early)?"\]$'
	# what the TSC runs at is the machine's affair, not the experiment's
	run -1 grep tsc_early_khz "$out"/*.json
	run -0 qbed report "$out"
	assert_output --partial 'wall clock of the host'
}

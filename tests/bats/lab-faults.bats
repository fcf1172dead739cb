# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a machine can lack: QEMU, a QEMU that is new enough, room. Nothing in here boots a guest.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup() { lab_setup seeds=1; }

# gone PID
gone() { ! kill -0 "$1" 2>/dev/null; }

@test "QEMU 7.2 is refused for more than one CPU, and the version that is needed is named" {
	fake_qemu '7.2.17 (Debian 1:7.2+dfsg-7+deb12u13)'
	run -4 "$lab" run "$exp" --cpus 2 --kernel "$exp/run"
	assert_output --partial '7.2.17'
	assert_output --partial '8.1'
}

@test "QEMU 7.2 is refused for the tests of the guest before a kernel is built" {
	fake_qemu 7.2.17
	run -4 "$lab" test 6.1 after plain -- guest.bats
	assert_output --partial '8.1'
	refute_output --partial 'building'
}

@test "QEMU 7.2 is taken for one CPU, and QEMU's own failure is told as such" {
	fake_qemu '7.2.17 (Debian 1:7.2+dfsg-7+deb12u13)'
	run -2 "$lab" run "$exp" --cpus 1 --kernel "$exp/run"
	assert_output --partial 'QEMU failed with exit code 1'
	assert_output --partial 'fake: no machine'
}

@test "QEMU 10 is not older than 8.1" {
	fake_qemu 10.0.2
	run -2 "$lab" run "$exp" --cpus 2 --kernel "$exp/run"
	assert_output --partial 'fake: no machine'
}

@test "a machine without QEMU is told so" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	local program
	for program in awk bash busybox cat chmod cpio cut date df find flock grep head id install jq \
		ldd ln ls mkdir mktemp mv nproc readlink rm sed seq setsid sort tail touch tr uname; do
		ln -s "$(command -v $program)" "$BATS_TEST_TMPDIR/bin/"
	done
	run -4 env -u QBED_QEMU PATH="$BATS_TEST_TMPDIR/bin" "$lab" run "$exp" --kernel "$exp/run"
	assert_output --partial 'qemu-system-x86_64: not found'
}

@test "a file that is no kernel makes a guest that never answers, not a success" {
	command -v qemu-system-x86_64 || fail 'QEMU is needed for this test'
	run -2 "$lab" run "$exp" --kernel "$exp/run" --limit 20
	assert_output --partial 'qbed-lab: error: tiny-own-kernel-plain-seed1:'
}

@test "no room in the cache is said before anything is started, and nothing is left" {
	fake_qemu 10.0.2
	run -4 unshare -Urm sh -c "
		mkdir -p '$QBED_CACHE' && mount -t tmpfs -o size=4m tmpfs '$QBED_CACHE' || exit 99
		'$lab' run '$exp' --kernel '$exp/run'
		code=\$?
		ls '$QBED_CACHE/work' >&2
		exit \$code"
	assert_output --partial "$QBED_CACHE: no room"
	refute_output --partial 'run.'
}

@test "the guest of every verb ends with the lab, however that ends, and leaves no working directory" {
	local signal words qemu=$BATS_TEST_TMPDIR/qemu.pid
	fake_qemu_script 10.0.2 "echo \$\$ >'$qemu.new'; mv '$qemu.new' '$qemu'; exec sleep 300"
	while read -r signal words; do
		# shellcheck disable=SC2086 # words
		env --default-signal=INT,HUP setsid "$lab" $words </dev/null >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
		within 60 [ -e "$qemu" ]
		kill -"$signal" $!
		within 20 gone "$(cat "$qemu")"
		wait $! && fail "$signal $words: success" || :
		rm "$qemu"
		[ "$signal" = KILL ] || assert_equal "$(ls "$QBED_CACHE/work")" ''
	done <<-END
	KILL run $exp --kernel $exp/run
	TERM run $exp --kernel $exp/run
	HUP test --kernel $exp/run -- guest.bats
	KILL test --kernel $exp/run -- guest.bats
	TERM shell --kernel $exp/run
	INT shell --kernel $exp/run
	KILL shell --kernel $exp/run
	END
}

@test "results that are there are not overwritten, unless that is asked for" {
	fake_guest '{"n": 1}'
	run -0 "$lab" run "$exp" --kernel "$exp/run" --output "$out"
	fake_guest '{"n": 2}'
	run -1 "$lab" run "$exp" --kernel "$exp/run" --output "$out"
	assert_output --partial "$out/tiny-own-kernel-plain-seed1.json is there already (--force"
	assert_equal "$(jq .measurements.x.n "$out"/*.json)" 1
	# others may stand beside them
	run -0 "$lab" run "$exp" --kernel "$exp/run" --output "$out" --seed 2
	run -0 "$lab" run "$exp" --kernel "$exp/run" --output "$out" --force
	assert_equal "$(jq .measurements.x.n "$out"/*seed1.json)" 2
}

@test "a place for results that cannot be written is refused before anything is started" {
	fake_qemu 10.0.2
	run -2 "$lab" run "$exp" --kernel "$exp/run" --output /proc/nowhere
	assert_output --partial '/proc/nowhere'
	refute_output --partial 'QEMU failed'
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# What becomes of a guest: every end that it can have is told apart, and nothing is left behind.
# Boots small guests of one CPU; the kernel comes from the lab's cache.

# shellcheck disable=SC2016 # variables in single quotes are the guest's

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup_file()
{
	kernel=$("$lab" build 6.1 after plain 3>&-)
	export kernel
}

setup() { lab_setup seeds=1 arms=after param.word=hi; }

# tiny SCRIPT [OPTION...]: run an experiment whose run file is SCRIPT
tiny()
{
	printf '%s\n' "$1" >"$exp/run"
	shift
	"$lab" run "$exp" --kernel "after=$kernel" --output "$out" "$@" 3>&-
}

# marked_qemu: from here on QEMU has this test's directory in its command line
marked_qemu()
{
	printf '#!/bin/sh\nexec qemu-system-x86_64 "$@" -name "%s"\n' \
		"$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/qemu"
	chmod +x "$BATS_TEST_TMPDIR/qemu"
	export QBED_QEMU=$BATS_TEST_TMPDIR/qemu
}

# ours: pids of the marked QEMUs that run
ours()
{
	pgrep -f -- "-name $BATS_TEST_TMPDIR" || :
}

one_runs() { [ -n "$(ours)" ]; }
none_runs() { [ -z "$(ours)" ]; }

@test "documents, seed and parameters make the way there and back" {
	run -0 tiny 'printf "{\"word\": \"%s\",\n \"seed\": %d}\n" "$QBED_P_WORD" "$QBED_SEED" \
		>$QBED_OUT/hello.json; echo noise' --seed 7 --set "word=it's \$c; *  x"
	assert_output "$out/tiny-own-after-plain-seed7.json"
	run -0 jq -r '.measurements.hello.seed, .measurements.hello.word, .environment.cpus,
		.environment.clock, .schema, .arm' "$output"
	assert_line -n 0 7
	assert_line -n 1 "it's \$c; *  x"
	assert_line -n 2 1
	assert_line -n 3 virtual
	assert_line -n 4 qbed-result-1
	assert_line -n 5 after
}

@test "a result has no path, and says what is needed to repeat it" {
	run -0 tiny 'echo "{}" >$QBED_OUT/x.json' --seed 1
	run -1 grep -F -e "$root" -e "$kernel" -e "$BATS_TEST_TMPDIR" -e "$(uname -n)" "$out"/*.json
	run -0 jq -e '.environment | .kernel_sha256, .config_sha256, .initramfs_sha256 |
		test("^[0-9a-f]{64}$")' "$out"/*.json
	run -0 jq -r .command "$out"/*.json
	assert_output "qbed-lab run tiny --kernel after=${kernel##*/} --flavour plain --seed 1 --clock virtual --shift 2"
}

@test "the seed decides the guest's random numbers" {
	local script='printf "{\"random\": \"%s\"}\n" \
		"$(head -c 8 /dev/urandom | hexdump -v -e "/1 \"%02x\"")" >$QBED_OUT/x.json'
	run -0 tiny "$script" --seeds 2
	run -0 jq -r .measurements.x.random "$out"/*.json
	[ "${lines[0]}" != "${lines[1]}" ]
	first=$output
	run -0 tiny "$script" --seeds 2 --force
	run -0 jq -r .measurements.x.random "$out"/*.json
	assert_output "$first"
}

@test "the script's exit code and its words come out" {
	run -4 tiny 'echo "this guest lacks CONFIG_EXAMPLE" >&2; exit 4'
	assert_output --partial 'this guest lacks CONFIG_EXAMPLE'
	run -3 tiny 'exit 3'
	run -1 tiny 'false; exit 0'
	[ ! -e "$out/tiny-own-after-plain-seed1.json" ]
}

@test "a script that fails without a word is told to have failed, and a full /run is named" {
	run -7 tiny 'exit 7'
	assert_output --partial 'ended with exit code 7'
	run -1 tiny 'dd if=/dev/zero of=$QBED_OUT/x.json bs=1M 2>/dev/null'
	assert_output --partial '/run is full'
	run -2 tiny 'dd if=/dev/zero of=$QBED_OUT/x.json bs=1M 2>/dev/null || :'
	assert_output --partial '/run is full'
}

@test "what a guest prints does nothing to the terminal" {
	run -3 tiny 'printf "a\033[2Jb\007c\n"; exit 3'
	assert_output --partial 'a[2Jbc'
	refute_output --partial $'\033'
}

@test "a document with the name of the lab's own is refused" {
	run -2 tiny 'echo "{}" >$QBED_OUT/environment.json'
	assert_output --partial 'environment.json'
}

@test "the command in a result is what a shell takes apart again" {
	run -0 tiny 'echo "{}" >$QBED_OUT/x.json' --seed 1 --set "word=it's two \$(words)"
	run -0 jq -r .command "$out"/*.json
	assert_output --partial "--set 'word=it'\\''s two \$(words)'"
	eval "set -- $output"
	assert_equal "${!#}" "word=it's two \$(words)"
}

@test "an option that the kernel lacks is named, and the exit code is 4" {
	printf 'needs.plain=CONFIG_PACKET CONFIG_EXAMPLE\n' >>"$exp/experiment"
	run -4 tiny 'exit 0'
	assert_output --partial 'CONFIG_EXAMPLE'
	refute_output --partial 'CONFIG_PACKET'
}

@test "a tick that cannot stop is named, and the exit code is 4" {
	printf 'cmdline=nohz=off\n' >>"$exp/experiment"
	run -4 tiny 'exec qbed timers -- true'
	assert_output --partial 'NO_HZ: cannot tell'
}

@test "fewer CPUs than asked is an error with both numbers" {
	# a kernel that brings up one of two
	printf 'cmdline=maxcpus=1\n' >>"$exp/experiment"
	run -4 tiny 'exit 0' --cpus 2
	assert_output --partial 'asked for 2 CPUs, 1 came up'
}

@test "a guest that panics is told apart, with the last lines of its console" {
	run -2 tiny 'echo 2 >/proc/sys/vm/panic_on_oom; mount -o remount,size=100% /run
		dd if=/dev/zero of=/run/fill bs=1M'
	assert_output --partial 'the guest panicked'
	assert_output --partial 'panic_on_oom'
}

@test "a kernel that never starts the lab's init is told apart from a script that fails" {
	printf 'cmdline=rdinit=/bin/false\n' >>"$exp/experiment"
	run -2 tiny 'exit 0'
	assert_output --partial 'the guest panicked'
	assert_output --partial 'did not start the init of the lab'
	refute_output --partial 'exit code'
}

@test "a guest that hangs is told apart, and its QEMU is gone afterwards" {
	marked_qemu
	run -2 tiny 'while :; do :; done' --limit 8
	assert_output --partial 'the guest hangs: no end after 8 s'
	none_runs
}

@test "the lab takes its QEMU and its working directory along, however it ends" {
	local signal lab_pid
	marked_qemu
	printf 'while :; do :; done\n' >"$exp/run"
	for signal in TERM INT HUP KILL; do
		# a background process of a script ignores SIGINT otherwise, and one below nohup SIGHUP
		env --default-signal=INT,HUP setsid --wait "$lab" run "$exp" --kernel "$kernel" >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
		within 60 one_runs
		# not one of its subshells
		lab_pid=$(pgrep -o -f -- "^/bin/bash $lab run $exp")
		kill -"$signal" "$lab_pid"
		within 20 none_runs
		wait $! || :
		if [ $signal != KILL ]; then
			run -0 ls "$QBED_CACHE/work"
			assert_output ''
		fi
	done
	# the next run removes what a killed one left
	run -0 tiny 'exit 0'
	run -0 ls "$QBED_CACHE/work"
	assert_output ''
}

@test "a guest that powers off before its verdict is told apart" {
	run -2 tiny 'reboot -f'
	assert_output --partial 'powered off without a verdict'
}

@test "a document that is no JSON is named, and fails its own boot alone" {
	run -2 tiny '[ $QBED_SEED = 1 ] && echo "{" >$QBED_OUT/bad.json || echo "{}" >$QBED_OUT/good.json' --seeds 2
	assert_output --partial "seed1: the documents of the guest are not JSON: bad.json:"
	[ ! -e "$out/tiny-own-after-plain-seed1.json" ]
	[ -e "$out/tiny-own-after-plain-seed2.json" ]
}

@test "one boot that fails does not take the others' results away" {
	run -5 tiny '[ $QBED_SEED != 2 ] || exit 5; echo "{}" >$QBED_OUT/x.json' --seeds 3
	[ -e "$out/tiny-own-after-plain-seed1.json" ]
	[ ! -e "$out/tiny-own-after-plain-seed2.json" ]
	[ -e "$out/tiny-own-after-plain-seed3.json" ]
}

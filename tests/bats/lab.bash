# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What tests of qbed-lab share: a lab whose cache and results are the test's own, an experiment that
# costs nothing, and programs that stand in for QEMU.

root=$(readlink -f -- "${QBED_SRCDIR:-$BATS_TEST_DIRNAME/../..}")
lab=$root/testbed/qbed-lab

# lab_setup [LINE...]: sets exp, a directory with an experiment "tiny" whose file has the LINEs too,
# and out, a place for results; what is left in the cache can be told
lab_setup()
{
	export QBED_CACHE=$BATS_TEST_TMPDIR/cache XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	exp=$BATS_TEST_TMPDIR/tiny
	out=$BATS_TEST_TMPDIR/out
	mkdir -p "$exp"
	printf '%s\n' 'title=a tiny one' "$@" >"$exp/experiment"
	printf 'exit 0\n' >"$exp/run"
}

# lab_shared_cache: sets cache, that of the user, for tests that cannot do without real kernels
lab_shared_cache()
{
	cache=${QBED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/qbed}
}

# fake_qemu VERSION: a QEMU that tells its version, and fails if it is used for more
fake_qemu()
{
	fake_qemu_script "$1" "echo 'fake: no machine' >&2; exit 1"
}

# fake_guest [DOCUMENT]: a QEMU whose guest does at once what an experiment would: it leaves the
# JSON as the document "x" and says that all is well
fake_guest()
{
	# shellcheck disable=SC2016 # for the fake
	fake_qemu_script 10.0.2 '
		for word; do
			file=${word#file:}
			case $word in
			file:*/verdict)	printf "exit 0\n" >"$file" ;;
			file:*/documents)
				printf "environment\t{\"kernel_release\": \"1.2.3\", \"cpus\": 1}\n" >"$file"
				printf "x\t%s\n" '"'${1:-{\}}'"' >>"$file" ;;
			file:*)	: >"$file" ;;
			esac
		done'
}

fake_qemu_script()
{
	# shellcheck disable=SC2016 # for the fake
	printf '#!/bin/sh\n[ "$1" != --version ] || { echo "QEMU emulator version %s"; exit 0; }\n%s\n' \
		"$1" "$2" >"$BATS_TEST_TMPDIR/qemu"
	chmod +x "$BATS_TEST_TMPDIR/qemu"
	export QBED_QEMU=$BATS_TEST_TMPDIR/qemu
}

# refused CODE WORD ARG...: qbed-lab ARG... ends with CODE, says one line with WORD in it on stderr
# and prints nothing
refused()
{
	local code=$1 word=$2
	shift 2
	run --separate-stderr -"$code" "$lab" "$@"
	assert_equal "$output" ''
	[[ $stderr == *"$word"* ]] || fail "'$word' is not in: $stderr"
	assert_equal "${#stderr_lines[@]}" 1
}

# within SECONDS COMMAND...: COMMAND succeeds before SECONDS are over
within()
{
	local tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		((tries > 0)) || fail "never came true: $*"
		sleep 0.1
	done
}

# lab_functions: the functions of qbed-lab itself, with the user's own cache, so that sources and
# build trees are there already
lab_functions()
{
	local file
	lab_root=$root
	lab_lib=$root/testbed/lib
	# shellcheck source=testbed/lib/msg.bash
	source "$lab_lib/msg.bash"
	for file in "$lab_lib"/*.bash; do
		if [[ $file != */msg.bash ]]; then
			# shellcheck source=/dev/null
			source "$file"
		fi
	done
	# bats cleans up; the traps of lab_work_init are for the lab
	lab_work=$BATS_TEST_TMPDIR/work
	mkdir -p "$lab_work"
}

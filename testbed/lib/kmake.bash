# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The kernel's own make: configuration, the build itself, its selftests.

# lab_kmake TREE ARGS...: make in a kernel tree, with all that could leak into an image fixed
lab_kmake()
{
	local tree=$1
	shift
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u KBUILD_OUTPUT -u KCFLAGS -u KCPPFLAGS -u KAFLAGS \
		-u LDFLAGS -u CFLAGS -u CPPFLAGS -u ARCH -u CROSS_COMPILE -u LLVM -u O -u CC -u LD \
		LC_ALL=C TZ=UTC make --no-print-directory -C "$tree" ARCH=x86 LOCALVERSION= \
		${QBED_CC:+"CC=$QBED_CC"} ${QBED_LD:+"LD=$QBED_LD"} \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_USER=qbed KBUILD_BUILD_HOST=qbed "$@"
}

# lab_build_config BUILD MERGED: everything off but what MERGED asks for and what that needs; then
# see that each line of it came true
lab_build_config()
{
	local build=$1 merged=$2 log=$1/config.log missing
	printf '%s\n' "$merged" >"$build/asked"
	KCONFIG_ALLCONFIG=$build/asked lab_kmake "$build/tree" allnoconfig >"$log" 2>&1 || {
		lab_show_file "$log" "$log"
		lab_die "$LAB_FAILED" "$base: the configuration failed"
	}
	missing=$(awk -F= '
		FNR == NR { if (/^CONFIG_/) have[$1] = substr($0, length($1) + 2); next }
		{ value = substr($0, length($1) + 2); got = $1 in have ? have[$1] : "n" }
		value != got { print $1 "=" value " (is " got ")" }
	' "$build/tree/.config" "$build/asked")
	[[ -z $missing ]] ||
		lab_die "$LAB_FAILED" "$base $flavour: this kernel cannot have what the configuration asks for:" \
			"$(paste -sd, <<<"$missing" | sed 's/,/, /g')"
}

# lab_build_make BUILD TARGET...: build, with a count of what is done on a terminal. A build that
# fails leaves its log, and says the end of it.
lab_build_make()
{
	local build=$1 log=$1/build.log
	shift
	lab_build_progress "$log" </dev/null &
	local watcher=$! code=0
	# make keeps the lock (9): the next build waits until the guard has ended the last of it
	lab_kmake "$build/tree" -j"$(nproc)" "$@" >"$log" 2>&1 3>&- || code=$?
	kill "$watcher" 2>/dev/null || :
	wait "$watcher" 2>/dev/null || :
	lab_progress_end
	if (( code != 0 )); then
		# make has taken back what it had not finished
		rm -f -- "$build/busy"
		lab_show_file "$log" "$log" 20
		if grep -q 'No space left on device' "$log"; then
			lab_die "$LAB_FAILED" "$build: no room on the disk"
		fi
		lab_die "$LAB_FAILED" "$base $flavour: the kernel does not build (log: $log)"
	fi
}

# lab_build_progress LOG: until killed, the number of objects that are done
lab_build_progress()
{
	exec 3>&- 9>&-
	[[ -t 2 ]] || return 0
	local count
	while sleep 1; do
		count=$(grep -cE '^  (CC|AS|HOSTCC) ' "$1" 2>/dev/null || :)
		lab_progress "$base $flavour: ${count:-0} objects built ..."
	done
}

# lab_selftest_build BASE TEST OUT: compile tools/testing/selftests/TEST.c of the base's pristine
# source to the program OUT, statically, for guests
lab_selftest_build()
{
	local base=$1 test=$2 out=$3 commit dir
	commit=$(lab_base_commit "$base")
	dir=$(mktemp -d -- "$lab_work/selftest.XXXXXX")
	lab_git archive "$commit" tools/testing/selftests/kselftest.h \
		"tools/testing/selftests/${test%/*}" | tar -x -C "$dir"
	"${QBED_CC:-gcc}" -O2 -static -w -I "$dir/tools/testing/selftests" \
		-o "$out" "$dir/tools/testing/selftests/$test.c" 2>"$dir/log" || {
		lab_show_file "$test.c" "$dir/log"
		lab_die "$LAB_FAILED" "$base: the selftest $test does not build"
	}
	rm -rf -- "$dir"
}

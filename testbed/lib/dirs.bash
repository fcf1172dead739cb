# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Where things are, and a working directory that never outlives its owner.

lab_cache=${QBED_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/qbed}
lab_state=${XDG_STATE_HOME:-${HOME:-/nonexistent}/.local/state}/qbed
lab_work=

# lab_find_program NAME: path of a program of ours (qbed, seed-crng, steady-clock.so, tsc-khz), built or installed
lab_find_program()
{
	local name=$1 dir
	for dir in ${QBED_BINDIR:+"$QBED_BINDIR" "$QBED_BINDIR/testbed/guest" "$QBED_BINDIR/testbed/host"} \
		"$lab_root" "$lab_root/testbed/guest" "$lab_root/testbed/host" "$lab_root/../../bin" \
		"${QBED_BINDIR:-$lab_root}/tests/tools"; do
		if [[ -f $dir/$name && -x $dir/$name ]]; then
			printf '%s\n' "$dir/$name"
			return 0
		fi
	done
	lab_die "$LAB_CANNOT" "$name: not built (run 'make', or set QBED_BINDIR to where it is)"
}

lab_version()
{
	local version
	version=$(lab_find_program qbed) || return
	"$version" --version | sed -n '1s/.* //p'
}

# lab_make_dir DIR: create it, or say what is in the way
lab_make_dir()
{
	local why
	[[ $1 != /nonexistent/* ]] ||
		lab_die "$LAB_FAILED" 'HOME is not set: QBED_CACHE and XDG_STATE_HOME say where things go'
	why=$(mkdir -p -- "$1" 2>&1) || lab_die "$LAB_FAILED" "$1: cannot be made: ${why##*: }"
	[[ -w $1 ]] || lab_die "$LAB_FAILED" "$1: not writable"
}

# lab_need_room DIR MIB WHAT: refuse to start what cannot end for want of disk
lab_need_room()
{
	local dir=$1 need=$2 what=$3 free
	free=$(df -Pm -- "$dir" | awk 'NR == 2 { print $4 }')
	(( free >= need )) ||
		lab_die "$LAB_CANNOT" "$dir: no room: $what needs $need MiB, $free MiB are free"
}

# lab_work_init: make $lab_work, a private directory that is removed at exit. The lock is held
# as long as this process lives, so that what a killed run left behind is known for what it is.
lab_work_init()
{
	[[ -z $lab_work ]] || return 0
	local base=$lab_cache/work old lock
	lab_make_dir "$base"
	for old in "$base"/run.*/; do
		exec {lock}<"$old" || continue
		if flock -n "$lock" && [[ -e ${old}owned ]]; then
			rm -rf -- "$old"
		fi
		exec {lock}<&-
	done
	lab_work=$(mktemp -d -- "$base/run.XXXXXX") ||
		lab_die "$LAB_FAILED" "$base: no working directory can be made"
	exec {lab_work_lock}<"$lab_work"
	flock "$lab_work_lock"
	: >"$lab_work/owned"
	trap lab_cleanup EXIT
	lab_exit_on_signals
}

lab_exit_on_signals()
{
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
}

# lab_cleanup: stop what runs, remove the working directory, keep the exit code
lab_cleanup()
{
	local code=$?
	trap - EXIT
	trap '' INT TERM HUP
	lab_progress_end
	lab_jobs_kill
	[[ -z ${lab_terminal:-} ]] || stty "$lab_terminal"
	if [[ -n $lab_work ]]; then
		rm -rf -- "$lab_work"
	fi
	exit "$(lab_exit_code "$code")"
}

# lab_sha256 FILE: the bare digest
lab_sha256()
{
	local sum
	sum=$(sha256sum <"$1")
	printf '%s\n' "${sum%% *}"
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Nothing that the lab starts outlives it, however the lab ends:
#
#   qbed-lab ---- worker, in a process group of its own: the verb, make and compilers, git, apt, QEMU
#       |
#       '-- pipe -- watcher, in a session of its own: at the end of the pipe it kills that group
#
# The lab itself only waits, so that a signal is heard at once and not when make has ended. It alone
# holds the pipe, so its end is the end of the lab, by kill -9 too.

# lab_guard COMMAND...: run it as the worker; its exit code
lab_guard()
{
	local lab_leash lab_watcher lab_worker='' lab_paused code
	# not called after the lab: who kills that by name shall not take the watcher along
	# shellcheck disable=SC2016 # for the watcher
	exec {lab_leash}> >(exec setsid bash -c 'read -r group && { read -r; kill -KILL -- "-$group"; }' \
		watcher >/dev/null 2>&1 3>&- 4>&-)
	lab_watcher=$!
	trap 'lab_guard_end 129' HUP
	trap 'lab_guard_end 130' INT
	trap 'lab_guard_end 143' TERM
	trap lab_guard_pause TSTP
	set -m
	(
		set +m
		printf '%s\n' "$BASHPID" >&"$lab_leash"
		exec {lab_leash}>&-
		# what is not in the terminal's foreground may still write to it
		trap '' TTIN TTOU
		"$@"
	) &
	lab_worker=$!
	set +m
	while :; do
		code=0 lab_paused=
		wait "$lab_worker" || code=$?
		[[ -n $lab_paused ]] || break
	done
	lab_guard_close
	trap - HUP INT TERM TSTP
	return "$code"
}

# lab_guard_close: whatever is left of the worker's group is killed, and seen to be
lab_guard_close()
{
	exec {lab_leash}>&-
	wait "$lab_watcher" 2>/dev/null || :
}

# lab_guard_end CODE: a signal for the lab. The worker may tidy up, but not for long.
lab_guard_end()
{
	local tries
	trap '' HUP INT TERM TSTP
	kill -CONT -- "-$lab_worker" 2>/dev/null || :
	kill -TERM -- "-$lab_worker" 2>/dev/null || :
	for ((tries = 0; tries < 50; tries++)); do
		kill -0 "$lab_worker" 2>/dev/null || break
		sleep 0.1
	done
	lab_guard_close
	exit "$1"
}

# lab_guard_pause: Ctrl-Z reaches the lab alone, and is meant for what it runs
lab_guard_pause()
{
	lab_paused=1
	kill -STOP -- "-$lab_worker" 2>/dev/null || :
	kill -STOP "$BASHPID"
	kill -CONT -- "-$lab_worker" 2>/dev/null || :
}

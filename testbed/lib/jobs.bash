# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs that run beside each other, and never longer than the lab itself.

declare -A lab_jobs=()	# pid -> id

# lab_leash COMMAND...: replace this process by COMMAND, which the kernel kills when its parent
# ends, however that happens
lab_leash()
{
	exec setpriv --pdeathsig KILL -- "$@"
}

# lab_jobs_start ID LIMIT LOG COMMAND...: start it in the background, for LIMIT seconds at most.
# Nothing in a guest is worth a farewell, and a QEMU that computes does not listen: it is killed.
# timeout(1) sits in between, in the group that the guard knows, and both have a leash besides.
lab_jobs_start()
{
	local id=$1 limit=$2 log=$3
	shift 3
	lab_leash timeout --foreground -s KILL "$limit" setpriv --pdeathsig KILL -- "$@" \
		</dev/null >"$log" 2>&1 3>&- 4>&- &
	lab_jobs[$!]=$id
}

# lab_jobs_wait: wait for any one of them; sets lab_job_id and lab_job_rc (124 or 137: the
# limit was reached)
lab_jobs_wait()
{
	local pid=
	lab_job_rc=0
	wait -n -p pid "${!lab_jobs[@]}" || lab_job_rc=$?
	lab_job_id=${lab_jobs[$pid]}
	unset "lab_jobs[$pid]"
}

# lab_jobs_kill: end all of them, by pid, and see them gone
lab_jobs_kill()
{
	local pid
	(( ${#lab_jobs[@]} )) || return 0
	for pid in "${!lab_jobs[@]}"; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	for pid in "${!lab_jobs[@]}"; do
		wait "$pid" 2>/dev/null || :
	done
	lab_jobs=()
}

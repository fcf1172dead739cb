# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Boots of a plan: as many beside each other as asked, each in a directory of its own below
# $lab_work. They share nothing, so how many there are cannot be seen in a result.

# lab_boot_start I: start boot I of the plan
lab_boot_start()
{
	local i=$1 dir=$lab_work/boot.$1 flavour=${plan_flavour[$1]} cpus=${run_cpus:-${lab_exp[cpus]}}
	local name settings=()
	mkdir -p "$dir"
	while read -r name; do
		settings+=("QBED_P_$(lab_env_name "$name")=${lab_param[$name]}")
	done < <(lab_param_names)
	lab_job_initrd "$dir/initrd" "$lab_initrd" QBED_MODE=experiment \
		"QBED_SEED=${plan_seed[i]}" "QBED_ARM=${plan_arm[i]}" "QBED_FLAVOUR=$flavour" \
		"QBED_CLOCK=$run_clock" "QBED_CPUS=$cpus" "QBED_SHIFT=$(lab_shift "$flavour")" \
		"QBED_NEEDS=$(lab_words "${lab_exp[needs]} ${lab_exp[needs.$flavour]:-}")" \
		"${settings[@]}"
	lab_qemu_command "$dir" "${plan_kernel[i]}" "$dir/initrd" "$cpus" \
		"${lab_exp[memory]}" "$run_clock" "$(lab_shift "$flavour")" "${lab_exp[cmdline]}"
	lab_debug "$(lab_boot_name "$i"): ${lab_qemu_argv[*]}"
	lab_jobs_start "$i" "$run_limit" "$dir/qemu.log" "${lab_qemu_argv[@]}"
}

# lab_env_name NAME: a parameter's name as the run script sees it, behind QBED_P_
lab_env_name()
{
	local name=${1^^}
	printf '%s\n' "${name//[^A-Z0-9]/_}"
}

# lab_boot_name I: what messages and result files call it
lab_boot_name()
{
	printf '%s-%s-%s-%s-seed%s\n' "${lab_exp[name]}" "${plan_base[$1]}" "${plan_arm[$1]}" \
		"${plan_flavour[$1]}" "${plan_seed[$1]}"
}

# lab_boot_all: run the plan; sets boot_code[i]. A boot that fails does not stop the others: each
# one says what it has to say.
lab_boot_all()
{
	local next=0 total=${#plan_arm[@]} done=0 failed=0 code
	boot_code=()
	while (( done < total )); do
		while (( next < total && ${#lab_jobs[@]} < run_jobs )); do
			lab_boot_start "$next"
			next=$((next + 1))
		done
		lab_progress "booting: $done of $total done, ${#lab_jobs[@]} run"
		lab_jobs_wait
		code=0
		lab_verdict "$lab_work/boot.$lab_job_id" "$lab_job_rc" "$run_limit" \
			"$(lab_boot_name "$lab_job_id")" || code=$?
		boot_code[lab_job_id]=$code
		rm -f -- "$lab_work/boot.$lab_job_id/initrd"
		if (( code == 0 )); then
			# in a process of its own: what it cannot take ends this boot, not the run
			(lab_result "$lab_job_id") || boot_code[lab_job_id]=$?
		fi
		done=$((done + 1))
	done
	lab_progress_end
}

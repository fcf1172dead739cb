# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_shell_usage()
{
	cat <<-'END'
	qbed-lab shell: boot a kernel and give a shell in it

	Usage: qbed-lab shell [BASE [ARM [FLAVOUR]]] [--kernel BZIMAGE] [--cpus N]

	The guest has qbed, bash, tc, ip, jq, bats and the tests (in /tests). Its clock is that of
	this machine: it is for looking around, not for figures. Default: 6.1 after plain, 2 CPUs.
	Leave with 'exit', or Ctrl-A x.
	END
}

cmd_shell()
{
	local words=() cpus=2
	run_kernel=''
	while (( $# )); do
		case $1 in
		--kernel | --cpus)
			(( $# > 1 )) || lab_usage shell "$1 needs a value"
			if [[ $1 == --kernel ]]; then
				run_kernel=$2
				[[ -r $run_kernel ]] ||
					lab_usage shell "--kernel: cannot read '$run_kernel'"
			else
				cpus=$2
				[[ $cpus =~ ^[1-9][0-9]?$ ]] ||
					lab_usage shell "--cpus: '$cpus' is not a positive number"
			fi
			shift ;;
		-*)	lab_usage shell "unknown option '$1'" ;;
		*)	words+=("$1") ;;
		esac
		shift
	done
	(( ${#words[@]} <= 3 )) || lab_usage shell "unexpected word '${words[3]}'"
	lab_work_init
	lab_guard shell_prepare "${words[@]}"
	mapfile -d '' -t lab_qemu_argv <"$lab_work/qemu"
	shell_boot
}

# shell_prepare [BASE [ARM [FLAVOUR]]]: leaves the command of QEMU in $lab_work/qemu
shell_prepare()
{
	local i
	lab_qemu_init
	lab_kernel_for "${1:-6.1}" "${2:-after}" "${3:-plain}"
	lab_initramfs shell
	lab_job_initrd "$lab_work/initrd" "$lab_initrd" QBED_MODE=shell
	lab_qemu_command "$lab_work" "$lab_image" "$lab_work/initrd" "$cpus" 1024 host 0 ''
	# the console is this terminal
	for i in "${!lab_qemu_argv[@]}"; do
		if [[ ${lab_qemu_argv[i]} == "file:$lab_work/console" ]]; then
			lab_qemu_argv[i]=mon:stdio
		fi
	done
	printf '%s\0' "${lab_qemu_argv[@]}" >"$lab_work/qemu"
}

# shell_boot: QEMU in the terminal's foreground, where it must be to have the keys, but waited for,
# so that a signal is heard. One that is killed leaves the terminal raw.
shell_boot()
{
	lab_info 'leave with "exit" or Ctrl-A x'
	lab_terminal=$(stty -g 2>/dev/null) || :
	lab_exit_on_signals
	lab_leash "${lab_qemu_argv[@]}" <&0 &
	lab_jobs[$!]=shell
	lab_jobs_wait
	return "$lab_job_rc"
}

# lab_kernel_for BASE ARM FLAVOUR: sets lab_image, honouring run_kernel
lab_kernel_for()
{
	run_tree='' run_series=() run_config='' own_kernel=()
	if [[ -n $run_kernel ]]; then
		lab_image=$run_kernel
		lab_source=
	else
		lab_plan_image "$1" "$2" "$3"
	fi
}

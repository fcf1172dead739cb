# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_run_usage()
{
	cat <<-'END'
	qbed-lab run: boot kernels and run an experiment in them

	Usage: qbed-lab run EXPERIMENT|DIR [OPTIONS]

	What runs (default: every arm of the experiment, five seeds):
	  --base B            base of the kernels, e.g. 6.1 (may be repeated)
	  --arm A             arm, e.g. before (may be repeated)
	  --flavour F         kernel flavour, e.g. plain or lockstat (may be repeated)
	  --seeds N           seeds 1 to N
	  --seed K            seed K alone
	  --set NAME=VALUE    a parameter of the experiment (may be repeated)
	  --cpus N            CPUs of the guest

	Kernels of your own, in place of the base's arms:
	  --tree DIR          a git tree of yours; with
	    --before REV      arm before (default HEAD, if --after is not given either)
	    --after REV       arm after (default: the work tree as it is)
	  --series FILE...    patches on the base: arm before without, arm after with them
	  --kernel [ARM=]FILE a bzImage (may be repeated)
	  --config FRAGMENT   options to add to the kernels' configuration

	Clock:
	  --clock virtual     counts instructions: figures are the same on any machine (default)
	  --clock host        the wall clock of this machine
	  --shift S           virtual: an instruction takes 2^S ns

	Results:
	  --output DIR        where result documents go
	  --force             there may be such results already: overwrite them
	  --report            print the report
	  --expect EXPR       a bound such as 'retire.after.p99_ns<=2100000'; exit 2 if it is not met
	  --bisect            exit 125 where it cannot be told (for git bisect run)
	  --jobs N            boots beside each other (default: as many as CPUs)
	  --limit SECONDS     wall time that one boot may take

	Exit codes: 0 done, 1 usage, 2 failed, 4 this machine cannot; those of the guest propagate.
	END
}

# run_option WORD [NEXT]: handle one option; sets run_shift_by
run_option()
{
	local name=${1%%=*} value
	case $name in
	--report | --bisect | --force)
		[[ $1 != *=* ]] || lab_usage run "$name takes no value"
		printf -v "run_${name#--}" 1
		run_shift_by=1
		return ;;
	--base | --arm | --flavour | --seeds | --seed | --set | --cpus | --tree | --before | \
	--after | --series | --kernel | --config | --clock | --shift | --output | --expect | \
	--jobs | --limit) ;;
	*)
		lab_usage run "unknown option '$1'" ;;
	esac
	if [[ $1 == *=* ]]; then
		value=${1#*=}
		run_shift_by=1
	else
		(( $# > 1 )) || lab_usage run "$name needs a value"
		value=$2
		run_shift_by=2
	fi
	[[ -n $value ]] || lab_usage run "$name needs a value"
	case $name in
	--base | --arm | --flavour)
		[[ $value =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] ||
			lab_usage run "$name: '$value' is not a name" ;;
	--seeds | --cpus | --jobs | --limit)
		[[ $value =~ ^[1-9][0-9]{0,5}$ ]] ||
			lab_usage run "$name: '$value' is not a positive number" ;;
	--seed)
		[[ $value =~ ^(0|[1-9][0-9]{0,8})$ ]] ||
			lab_usage run "$name: '$value' is not a seed (0 to 999999999)" ;;
	--shift)
		[[ $value =~ ^([0-9]|10)$ ]] ||
			lab_usage run "$name: '$value' is not a shift (0 to 10)" ;;
	--clock)
		[[ $value == virtual || $value == host ]] ||
			lab_usage run "$name: '$value' is not virtual or host" ;;
	--config | --series)
		[[ -f $value && -r $value ]] || lab_usage run "$name: cannot read '$value'" ;;
	esac
	case $name in
	--base | --arm | --flavour | --kernel | --series | --expect | --set) ;;
	*)
		[[ ! -v run_given[$name] ]] || lab_usage run "$name is given twice" ;;
	esac
	run_given[$name]=1
	[[ ! -v run_given[--seed] || ! -v run_given[--seeds] ]] ||
		lab_usage run 'one of --seed and --seeds at a time'
	case $name in
	--base)		run_bases+=("$value") ;;
	--arm)		run_arms+=("$value") ;;
	--flavour)	run_flavours+=("$value") ;;
	--kernel)	run_kernels+=("$value") ;;
	--series)	run_series+=("$value") ;;
	--expect)	run_expect+=("$value") ;;
	--set)
		[[ $value =~ ^([a-z][a-z0-9_-]*)=(.+)$ ]] ||
			lab_usage run "--set: '$value' is not NAME=VALUE"
		[[ ! -v run_set[${BASH_REMATCH[1]}] ]] ||
			lab_usage run "--set ${BASH_REMATCH[1]} is given twice"
		run_set[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]} ;;
	*)		printf -v "run_${name#--}" %s "$value" ;;
	esac
}

run_defaults()
{
	run_bases=() run_arms=() run_flavours=() run_kernels=() run_series=() run_expect=()
	declare -gA run_set=() run_given=()
	run_seeds='' run_seed='' run_cpus='' run_tree='' run_before='' run_after='' run_config=''
	run_clock=virtual run_shift='' run_output='' run_report='' run_bisect='' run_force='' run_limit=''
	run_jobs=$(nproc) run_stage=''
}

cmd_run()
{
	local experiment='' name code=0 i
	run_defaults
	# from the first word on: what is wrong with the words is no fault of the revision
	[[ " $* " != *' --bisect '* ]] || run_bisect=1
	trap lab_cleanup EXIT
	while (( $# )); do
		if [[ $1 == --series && $# -gt 1 ]]; then
			# every file up to the next option
			run_option "$1" "$2"
			shift 2
			while (( $# )) && [[ $1 == *.patch ]]; do
				run_option --series "$1"
				shift
			done
		elif [[ $1 == -* ]]; then
			run_option "$@"
			shift "$run_shift_by"
		else
			[[ -z $experiment ]] || lab_usage run "one experiment at a time: '$1'"
			experiment=$1
			shift
		fi
	done
	[[ -n $experiment ]] || lab_usage run 'which experiment?'
	run_expect_check
	lab_work_init
	lab_experiment_load "$experiment"
	for name in "${!run_set[@]}"; do
		lab_param_set "$name" "${run_set[$name]}"
	done
	: "${run_limit:=${lab_exp[limit]}}"
	lab_plan
	[[ -z $run_output || -n $run_force ]] || lab_results_absent "$run_output"
	lab_qemu_init
	lab_qemu_check "${run_cpus:-${lab_exp[cpus]}}" "$run_clock"
	lab_need_room "$lab_cache" 64 'a run'
	: "${run_output:=$lab_state/results/${lab_exp[name]}/$(date +%Y%m%d-%H%M%S)-$$}"
	lab_make_dir "$run_output"
	run_stage=build
	lab_plan_resolve
	run_stage=run
	lab_initramfs experiment "${lab_exp[dir]}"
	lab_boot_all
	run_stage=keep
	lab_results_keep "$run_output"
	run_stage=run
	for i in "${!boot_code[@]}"; do
		if (( boot_code[i] > code )); then
			code=${boot_code[i]}
		fi
	done
	if (( code != 0 )); then
		rmdir -- "$run_output" 2>/dev/null || :
		return "$code"
	fi
	cmd_run_report
}

# run_expect_check: a bound that cannot be read is told before minutes of boots, by who reads it
run_expect_check()
{
	local qbed expr
	(( ${#run_expect[@]} )) || return 0
	qbed=$(lab_find_program qbed)
	for expr in "${run_expect[@]}"; do
		"$qbed" report --expect "$expr" --help >/dev/null || exit "$LAB_USAGE"
	done
}

# lab_exit_code CODE: the same, but with --bisect what git has words for: 125 (skip) for what cannot
# be judged, a revision that does not build or a machine that cannot; 128 (give up) for a wrong
# command line or no place for the results, which no revision is to be blamed for. A guest that crashes is judged.
lab_exit_code()
{
	local code=$1
	if [[ -n ${run_bisect:-} ]]; then
		case $run_stage:$code in
		run:"$LAB_USAGE")	;;
		*:"$LAB_USAGE")		code=128 ;;
		*:"$LAB_CANNOT")	code=125 ;;
		build:"$LAB_FAILED")	code=125 ;;
		:"$LAB_FAILED" | keep:"$LAB_FAILED")	code=128 ;;
		esac
	fi
	printf '%s\n' "$code"
}

# cmd_run_report: print what was asked for; the exit code is that of the expectations
cmd_run_report()
{
	local args=() expr
	if [[ -z $run_report ]] && (( ${#run_expect[@]} == 0 )); then
		printf '%s\n' "${lab_result_files[@]}"
		return 0
	fi
	for expr in "${run_expect[@]}"; do
		args+=(--expect "$expr")
	done
	lab_info "results: $run_output"
	run_stage=report
	"$(lab_find_program qbed)" report "${args[@]}" "${lab_result_files[@]}"
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# From what was asked to a list of boots, in the order in which their results are shown.
#
# plan_*[i] describe boot i. An arm of an experiment is NAME or NAME:ARM, where ARM is the arm of
# the base that gives the kernel (migration-off:before).

plan_base=() plan_arm=() plan_flavour=() plan_seed=() plan_kernel=() plan_tree=() plan_patches=()

# lab_plan: expand bases x flavours x arms x seeds
lab_plan()
{
	local base flavour arm seed
	lab_plan_check
	for base in "${run_bases[@]}"; do
		for flavour in "${run_flavours[@]}"; do
			for arm in $(lab_arms_in "$flavour"); do
				for seed in $(lab_seeds "$flavour"); do
					plan_base+=("$base")
					plan_arm+=("${arm%%:*}")
					plan_flavour+=("$flavour")
					plan_seed+=("$seed")
				done
			done
		done
	done
	(( ${#plan_arm[@]} )) ||
		lab_usage run "nothing to run: no arm is left of '${run_arms[*]}' in flavour '${run_flavours[*]}'"
}

# lab_arms_in FLAVOUR: the arms to run; the experiment may want fewer in a flavour, unless asked
lab_arms_in()
{
	local arm wanted=${lab_exp[arms.$1]:-}
	for arm in "${run_arms[@]}"; do
		if [[ -n $run_arms_asked || -z $wanted || " $wanted " == *" ${arm%%:*} "* ]]; then
			printf '%s\n' "$arm"
		fi
	done
}

# lab_seeds FLAVOUR: the seeds to run
lab_seeds()
{
	if [[ -n $run_seed ]]; then
		printf '%s\n' "$run_seed"
	else
		seq "${run_seeds:-$(lab_exp_get seeds "$1")}"
	fi
}

# lab_plan_check: what was asked fits together; defaults come from the experiment
lab_plan_check()
{
	local arm known flavour
	if [[ -n $run_before$run_after && -z $run_tree ]]; then
		lab_usage run "--before and --after need --tree"
	fi
	(( (${#run_kernels[@]} > 0) + (${#run_series[@]} > 0) + (${#run_tree} > 0) <= 1 )) ||
		lab_usage run "one of --tree, --series and --kernel at a time"
	(( ${#run_bases[@]} )) || read -ra run_bases <<<"${lab_exp[bases]}"
	(( ${#run_flavours[@]} )) || read -ra run_flavours <<<"${lab_exp[flavours]}"
	if (( ${#run_kernels[@]} )); then
		run_bases=(own)
		lab_plan_kernels
	elif [[ -n $run_tree ]]; then
		(( ${#run_bases[@]} == 1 )) ||
			lab_usage run "--tree takes one --base (it says which configuration to use)"
		[[ -n $run_before$run_after ]] || run_before=HEAD run_after=worktree
		known="${run_before:+before }${run_after:+after}"
	elif (( ${#run_series[@]} )); then
		known='before after'
	else
		known=${lab_exp[arms]}
	fi
	run_arms_asked=${run_arms[*]}
	if (( ${#run_arms[@]} )); then
		for arm in "${!run_arms[@]}"; do
			run_arms[arm]=$(lab_arm_of "${run_arms[arm]}" "$known") || exit
		done
	else
		read -ra run_arms <<<"$known"
	fi
}

# lab_arm_of NAME KNOWN: NAME or NAME:ARM of the arms in KNOWN
lab_arm_of()
{
	local arm
	for arm in $2; do
		if [[ ${arm%%:*} == "$1" ]]; then
			printf '%s\n' "$arm"
			return 0
		fi
	done
	lab_usage run "unknown arm '$1' (known: $2)"
}

# lab_plan_kernels: --kernel [ARM=]FILE; arms without a name are before and after, or kernel
lab_plan_kernels()
{
	local item arm number=0 names=(before after)
	(( ${#run_flavours[@]} == 1 )) || run_flavours=("${run_flavours[0]}")
	(( ${#run_kernels[@]} > 1 )) || names=(kernel)
	known=
	for item in "${run_kernels[@]}"; do
		if [[ $item =~ ^([a-z][a-z0-9-]*)=(.+)$ ]]; then
			arm=${BASH_REMATCH[1]}
			item=${BASH_REMATCH[2]}
		else
			arm=${names[number]:-kernel$((number + 1))}
		fi
		[[ -f $item && -r $item ]] || lab_usage run "--kernel: cannot read '$item'"
		own_kernel[$arm]=$item
		known+="${known:+ }$arm"
		number=$((number + 1))
	done
	for arm in ${lab_exp[arms]}; do
		if [[ $arm == *:* && -v own_kernel[${arm#*:}] ]]; then
			known+=" $arm"
		fi
	done
}
declare -A own_kernel=() plan_image=() plan_source=() plan_titles=()

# lab_plan_resolve: a kernel for every boot; builds what the cache has not
lab_plan_resolve()
{
	local i arm key
	for i in "${!plan_arm[@]}"; do
		arm=$(lab_arm_of "${plan_arm[i]}" "${run_arms[*]}")
		arm=${arm#*:}
		key=${plan_base[i]}/$arm/${plan_flavour[i]}
		if [[ ! -v plan_image[$key] ]]; then
			lab_plan_image "${plan_base[i]}" "$arm" "${plan_flavour[i]}"
			plan_image[$key]=$lab_image
			plan_source[$key]=$lab_source
			plan_titles[$key]=$lab_titles
		fi
		plan_kernel[i]=${plan_image[$key]}
		plan_tree[i]=${plan_source[$key]}
		plan_patches[i]=${plan_titles[$key]}
	done
}

# lab_plan_image BASE ARM FLAVOUR: sets lab_image (file), lab_source (tree id, "" if unknown) and
# lab_titles (of the patches on the base, a line for each; "-" if that is not what makes the arm)
lab_plan_image()
{
	local base=$1 arm=$2 flavour=$3 key patches=()
	lab_source='' lab_titles=-
	if [[ -v own_kernel[$arm] && $base == own ]]; then
		lab_image=${own_kernel[$arm]}
		return 0
	fi
	if [[ -n $run_tree ]]; then
		local rev=run_$arm
		lab_source=$(lab_rev_tree "$run_tree" "${!rev}") || exit
	elif (( ${#run_series[@]} )); then
		[[ $arm != after ]] || patches=("${run_series[@]}")
		lab_source=$(lab_series_tree "$base" "${patches[@]}") || exit
		lab_titles=$(lab_patch_titles "${patches[@]}")
	else
		lab_source=$(lab_arm_tree "$base" "$arm") || exit
		mapfile -t patches < <(lab_arm_patches "$base" "$arm")
		lab_titles=$(lab_patch_titles "${patches[@]}")
	fi
	key=$(lab_kernel_build "$base" "$lab_source" "$flavour" "$run_config") || exit
	lab_image=$(lab_image_path "$key")
}

# lab_plan_command I: the command that repeats boot I anywhere. Revisions are given as the tree
# that they were; files of the user's by their last part.
lab_plan_command()
{
	local i=$1 name flavour=${plan_flavour[$1]} words=(qbed-lab run "${lab_exp[name]}")
	local arm=${plan_arm[$1]}
	if [[ -n $run_tree ]]; then
		words+=(--base "${plan_base[i]}" --tree . "--$arm" "${plan_tree[i]}")
	elif (( ${#run_kernels[@]} )); then
		words+=(--kernel "$arm=${plan_kernel[i]##*/}")
	else
		words+=(--base "${plan_base[i]}" --arm "$arm")
		if (( ${#run_series[@]} )); then
			words+=(--series "${run_series[@]##*/}")
		fi
	fi
	words+=(--flavour "$flavour" --seed "${plan_seed[i]}" --clock "$run_clock")
	[[ $run_clock != virtual ]] || words+=(--shift "$(lab_shift "$flavour")")
	[[ -z $run_cpus ]] || words+=(--cpus "$run_cpus")
	[[ -z $run_config ]] || words+=(--config "${run_config##*/}")
	while read -r name; do
		[[ -z $name ]] || words+=(--set "$name=${run_set[$name]}")
	done < <(printf '%s\n' "${!run_set[@]}" | sort)
	lab_command_line "${words[@]}"
}

# lab_command_line WORD...: one line that a shell takes apart again as it was
lab_command_line()
{
	local word line=()
	for word; do
		[[ $word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]] || word=$(lab_quote "$word")
		line+=("$word")
	done
	printf '%s\n' "${line[*]}"
}

# lab_shift FLAVOUR: the shift of the virtual clock
lab_shift()
{
	if [[ -n $run_shift ]]; then
		printf '%s\n' "$run_shift"
	else
		lab_exp_get shift "$1"
	fi
}

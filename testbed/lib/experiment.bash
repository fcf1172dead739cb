# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Experiments: a directory with the files
#   experiment   KEY=VALUE lines (see qbed-lab(8))
#   run          what the guest executes: a POSIX shell script
#   metrics      NAME PATH REDUCE UNIT BETTER TITLE...: what the report shows
#   README.md    question, method, expected shape, limits

declare -A lab_exp=() lab_exp_default=(
	[title]='' [bases]=6.1 [arms]='before after' [flavours]=plain [cpus]=1 [memory]=256
	[seeds]=5 [limit]=600 [needs]='' [cmdline]='' [shift]=2
)
declare -A lab_param=()
lab_metrics='[]'

# lab_experiments: names of those that come with the lab
lab_experiments()
{
	local dir
	for dir in "$lab_root"/testbed/experiments/*/; do
		dir=${dir%/}
		[[ -e $dir/experiment ]] && printf '%s\n' "${dir##*/}"
	done
	return 0
}

# lab_experiment_load NAME|DIR: sets lab_exp, lab_param, lab_metrics; lab_exp[name], lab_exp[dir]
lab_experiment_load()
{
	lab_experiment_read "$1"
	lab_metrics_load "${lab_exp[dir]}/metrics"
}

# lab_experiment_read NAME|DIR: the same without the figures
lab_experiment_read()
{
	local word=$1 dir file line key value number=0
	if [[ $word == */* || -e $word/experiment ]]; then
		dir=$word
	else
		dir=$lab_root/testbed/experiments/$word
	fi
	[[ -d $dir ]] || lab_usage "${lab_verb:-run}" "unknown experiment '$word'"
	for file in experiment run; do
		[[ -f $dir/$file ]] || lab_usage "${lab_verb:-run}" "$word: has no file '$file'"
	done
	dir=$(cd -- "$dir" 2>/dev/null && pwd) || lab_usage "${lab_verb:-run}" "$word: cannot be entered"
	for key in "${!lab_exp_default[@]}"; do
		lab_exp[$key]=${lab_exp_default[$key]}
	done
	lab_exp[dir]=$dir
	lab_exp[name]=${dir##*/}
	[[ ${lab_exp[name]} =~ ^[A-Za-z0-9][A-Za-z0-9_-]*$ ]] ||
		lab_usage "${lab_verb:-run}" "'${lab_exp[name]}': an experiment's name is letters, digits, - and _"
	for file in experiment run metrics; do
		[[ -e $dir/$file ]] || continue
		[[ -r $dir/$file ]] || lab_usage "${lab_verb:-run}" "$dir/$file: cannot be read"
		! grep -q $'\r$' "$dir/$file" ||
			lab_usage "${lab_verb:-run}" "$word/$file: its lines end in CR LF; the guest's shell takes LF alone"
	done
	while IFS= read -r line || [[ -n $line ]]; do
		number=$((number + 1))
		line=${line%%#*}
		[[ $line =~ ^[[:space:]]*$ ]] && continue
		[[ $line =~ ^([a-z0-9._]+)=(.*)$ ]] ||
			lab_usage "${lab_verb:-run}" "${lab_exp[name]}/experiment:$number: not KEY=VALUE: '$line'"
		key=${BASH_REMATCH[1]}
		value=$(lab_words "${BASH_REMATCH[2]}")
		lab_experiment_check "$key" "$value" ||
			lab_usage "${lab_verb:-run}" "${lab_exp[name]}/experiment:$number: $key: '$value' cannot be"
		case $key in
		param.*)
			[[ ${key#param.} =~ ^[a-z][a-z0-9_]*$ ]] ||
				lab_usage "${lab_verb:-run}" "${lab_exp[name]}/experiment:$number: '${key#param.}' is no name of a parameter"
			lab_param[${key#param.}]=$value ;;
		shift.* | needs.* | seeds.* | arms.*)
			lab_exp[$key]=$value ;;
		*)
			[[ -v lab_exp_default[$key] ]] ||
				lab_usage "${lab_verb:-run}" "${lab_exp[name]}/experiment:$number: unknown key '$key'"
			lab_exp[$key]=$value ;;
		esac
	done <"$dir/experiment"
}

# lab_experiment_check KEY VALUE: the value can be one of this key
lab_experiment_check()
{
	local key=${1%%.*} value=$2 name='[A-Za-z0-9][A-Za-z0-9._-]*'
	case $key in
	cpus | memory | seeds | limit)
		[[ $value =~ ^[1-9][0-9]{0,5}$ ]] ;;
	shift)
		[[ $value =~ ^([0-9]|10)$ ]] ;;
	bases | flavours)
		[[ $value =~ ^$name(\ $name)*$ ]] ;;
	arms)
		[[ $value =~ ^$name(:$name)?(\ $name(:$name)?)*$ ]] ;;
	esac
}

# lab_param_set NAME VALUE: a parameter that the experiment has
lab_param_set()
{
	[[ -v lab_param[$1] ]] || lab_usage "${lab_verb:-run}" \
		"--set: ${lab_exp[name]} has no parameter '$1' (has: $(lab_words "$(lab_param_names)"))"
	lab_param[$1]=$2
}

# lab_param_names: the parameters, in a fixed order
lab_param_names()
{
	(( ${#lab_param[@]} == 0 )) || printf '%s\n' "${!lab_param[@]}" | sort
}

# lab_exp_get KEY FLAVOUR: the value for this flavour, or the common one
lab_exp_get()
{
	if [[ -v lab_exp[$1.$2] ]]; then
		printf '%s\n' "${lab_exp[$1.$2]}"
	else
		printf '%s\n' "${lab_exp[$1]}"
	fi
}

# lab_metrics_load FILE: sets lab_metrics, a JSON array, in the order of the file. What qbed report
# would refuse is told here, before minutes of boots.
lab_metrics_load()
{
	local file=$1 line number=0 name path reduce unit better title flavour
	local -A seen=()
	lab_metrics='[]'
	[[ -f $file ]] || return 0
	while IFS= read -r line || [[ -n $line ]]; do
		number=$((number + 1))
		line=${line%%#*}
		[[ $line =~ ^[[:space:]]*$ ]] && continue
		read -r name path reduce unit better title <<<"$line"
		[[ $reduce =~ ^(median|max|min|sum)$ && $better =~ ^(lower|higher|none)(,(cost|zero|detail))*$ &&
			-n $title ]] || lab_usage "${lab_verb:-run}" \
			"${lab_exp[name]}/metrics:$number: not NAME PATH REDUCE UNIT BETTER TITLE"
		[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9_-]*$ ]] ||
			lab_usage "${lab_verb:-run}" "${lab_exp[name]}/metrics:$number: '$name' is no name of a figure"
		flavour=
		if [[ $path == *:* ]]; then
			flavour=${path%%:*}
			path=${path#*:}
		fi
		[[ -n $path ]] || lab_usage "${lab_verb:-run}" "${lab_exp[name]}/metrics:$number: $name has no path"
		[[ ! -v seen[$name:] && ! -v seen[$name:$flavour] && ( -n $flavour || ! -v seen[$name] ) ]] ||
			lab_usage "${lab_verb:-run}" "${lab_exp[name]}/metrics:$number: '$name' is there twice"
		seen[$name:$flavour]=1
		seen[$name]=1
		printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$path" "$flavour" "$reduce" \
			"$unit" "$better" "$title"
	done <"$file" >"$lab_work/metrics"
	[[ -s $lab_work/metrics ]] ||
		lab_usage "${lab_verb:-run}" "${lab_exp[name]}/metrics: has no figure in it (leave the file out if there is none)"
	lab_metrics=$(jq -R -s -c 'split("\n") | map(select(. != "") | split("\t") |
		{name: .[0], path: .[1], flavour: .[2], reduce: .[3], unit: .[4], better: .[5],
		 title: .[6]})' "$lab_work/metrics")
}

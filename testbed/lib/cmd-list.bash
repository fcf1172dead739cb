# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_list_usage()
{
	cat <<-'END'
	qbed-lab list: show experiments, bases, flavours and what the cache holds

	Usage: qbed-lab list [experiments|bases|flavours|cache|results]
	       qbed-lab list parameters [EXPERIMENT|DIR]

	Without a word: all of them, with a heading each. With one: names alone, one a line.
	Parameters are shown with their defaults, as --set takes them.
	END
}

list_bases() { lab_bases; }
list_flavours() { lab_flavours; }

list_cache()
{
	local dir name
	for dir in "$lab_cache"/*/; do
		dir=${dir%/}
		[[ $dir != */work ]] || continue
		for name in "$dir"/*; do
			printf '%s/%s\n' "${dir##*/}" "${name##*/}"
		done
	done
}

list_results()
{
	local dir
	for dir in "$lab_state"/results/*/*/; do
		printf '%s\n' "${dir%/}"
	done
}

cmd_list()
{
	local what word
	case $# in
	0)	what='experiments bases flavours cache results' ;;
	1)	what=$1 ;;
	*)	[[ $1 == parameters ]] || lab_usage list "unexpected word '$2'"
		(( $# == 2 )) || lab_usage list "unexpected word '$3'"
		what=parameters ;;
	esac
	for word in $what; do
		case $word in
		experiments | bases | flavours | cache | results) ;;
		parameters)
			list_parameters "${@:2}"
			return ;;
		*)	lab_usage list "unknown word '$word'" ;;
		esac
		if (( $# )); then
			"list_$word"
		else
			printf '%s:\n' "$word"
			"list_$word" parameters | sed 's/^/  /'
		fi
	done
}

# list_experiments [parameters]: names and titles, and what --set takes
list_experiments()
{
	local name title
	while read -r name; do
		title=$(sed -n 's/^title=//p' "$lab_root/testbed/experiments/$name/experiment")
		printf '%-12s %s\n' "$name" "$title"
		[[ -z ${1-} ]] || list_parameters "$name" | sed 's/^/    --set /'
	done < <(lab_experiments)
}

# list_parameters [EXPERIMENT|DIR]: NAME=DEFAULT; of all experiments, EXPERIMENT NAME=DEFAULT
list_parameters()
{
	local name
	if (( $# )); then
		lab_experiment_read "$1"
		while read -r name; do
			lab_command_line "$name=${lab_param[$name]}"
		done < <(lab_param_names)
		return
	fi
	while read -r name; do
		# each in a process of its own: they have the same variables
		(list_parameters "$name") | sed "s/^/$name /"
	done < <(lab_experiments)
}

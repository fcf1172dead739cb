# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_list_usage()
{
	cat <<-'END'
	qbed-lab list: show experiments, kernel bases and what the cache holds

	Usage: qbed-lab list [experiments|bases|cache|results]

	Without a word: all of them, with a heading each. With one: names alone, one a line.
	END
}

# list_bases: bases with a description in kernel-patches/
list_bases()
{
	local file
	for file in "$lab_root"/kernel-patches/*/base; do
		file=${file%/base}
		printf '%s\n' "${file##*/}"
	done
}

# list_below DIR: names in a directory, if it is there
list_below()
{
	local path
	for path in "$1"/*; do
		printf '%s\n' "${path##*/}"
	done
}

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
	0)	what='experiments bases cache results' ;;
	1)	what=$1 ;;
	*)	lab_usage list "unexpected word '$2'" ;;
	esac
	for word in $what; do
		case $word in
		experiments | bases | cache | results) ;;
		*)	lab_usage list "unknown word '$word'" ;;
		esac
		if (( $# )); then
			"list_$word"
		else
			printf '%s:\n' "$word"
			"list_$word" | sed 's/^/  /'
		fi
	done
}

list_experiments()
{
	local name title
	while read -r name; do
		title=$(sed -n 's/^title=//p' "$lab_root/testbed/experiments/$name/experiment")
		printf '%-12s %s\n' "$name" "$title"
	done < <(lab_experiments)
}

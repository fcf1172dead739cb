# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_list_usage()
{
	cat <<-'END'
	qbed-lab list: show experiments, bases, flavours and what the cache holds

	Usage: qbed-lab list [experiments|bases|flavours|cache|results]

	Without a word: all of them, with a heading each. With one: names alone, one a line.
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
	*)	lab_usage list "unexpected word '$2'" ;;
	esac
	for word in $what; do
		case $word in
		experiments | bases | flavours | cache | results) ;;
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

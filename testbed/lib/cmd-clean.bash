# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_clean_usage()
{
	cat <<-'END'
	qbed-lab clean: remove what the cache holds

	Usage: qbed-lab clean [--dry-run] [PART...]

	A part is a directory of the cache (see 'qbed-lab list cache'), 'all' for the whole of it,
	or 'results' for the results that were not given a place of their own. Without a part: all
	but kernel sources. Everything that goes is built again when it is needed.
	END
}

# clean_remove DIR: one directory, said out loud
clean_remove()
{
	[[ -e $1 ]] || return 0
	printf '%s\n' "$1"
	[[ -n $clean_dry ]] || rm -rf -- "$1"
}

cmd_clean()
{
	local clean_dry='' parts=() part dir
	while (( $# )); do
		case $1 in
		-n | --dry-run)	clean_dry=1 ;;
		-*)		lab_usage clean "unknown option '$1'" ;;
		*)		parts+=("$1") ;;
		esac
		shift
	done
	for part in "${parts[@]}"; do
		[[ $part =~ ^[a-z][a-z0-9-]*(\.[a-z]+)?$ ]] || lab_usage clean "unknown part '$part'"
		[[ $part == all || $part == results || -d $lab_cache/$part ]] ||
			lab_usage clean "unknown part '$part'"
	done
	if (( ${#parts[@]} == 0 )); then
		for dir in "$lab_cache"/*/; do
			dir=${dir%/}
			[[ ${dir##*/} == source* || ${dir##*/} == work ]] || parts+=("${dir##*/}")
		done
	fi
	for part in "${parts[@]}"; do
		case $part in
		all)
			for dir in "$lab_cache"/*/; do
				clean_remove "${dir%/}"
			done ;;
		results)
			clean_remove "$lab_state/results" ;;
		*)
			clean_remove "$lab_cache/$part" ;;
		esac
	done
}

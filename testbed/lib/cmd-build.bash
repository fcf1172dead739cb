# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_build_usage()
{
	cat <<-'END'
	qbed-lab build: build a kernel image, unless the cache has it

	Usage: qbed-lab build BASE ARM [FLAVOUR]
	       qbed-lab build BASE --series FILE... [--flavour F]
	       qbed-lab build BASE --tree DIR [--rev REV] [--flavour F]

	BASE names the source and the configuration (see 'qbed-lab list bases'), ARM which patches
	of kernel-patches/BASE/series are on it. FLAVOUR is plain (the default) or lockstat.

	  --series FILE...   these patches on the pristine base
	  --tree DIR         the kernel in a git repository of yours, with the base's configuration
	  --rev REV          which revision of it; 'worktree', the default, is the work tree as it is
	  --flavour F        the same as FLAVOUR
	  --config FRAGMENT  options to add to the configuration (may be repeated)
	  --output FILE      put a copy of the image there

	Prints the path of the image. Exit codes: 0 done, 1 usage, 2 it does not build, 4 this
	machine cannot.
	END
}

cmd_build()
{
	local words=() series=() fragments=() tree='' rev=worktree flavour='' output='' base id key
	while (( $# )); do
		case $1 in
		--series | --tree | --rev | --flavour | --config | --output)
			[[ -n ${2-} ]] || lab_usage build "$1 needs a value" ;;
		--*=*)
			set -- "${1%%=*}" "${1#*=}" "${@:2}"
			continue ;;
		esac
		case $1 in
		--series)
			shift
			while (( $# )) && [[ $1 != -* ]]; do
				[[ -f $1 && -r $1 ]] || lab_usage build "--series: cannot read '$1'"
				series+=("$1")
				shift
			done
			continue ;;
		--config)
			[[ -f $2 && -r $2 ]] || lab_usage build "--config: cannot read '$2'"
			fragments+=("$2")
			shift ;;
		--tree | --rev | --flavour | --output)
			printf -v "${1#--}" %s "$2"
			shift ;;
		-*)
			lab_usage build "unknown option '$1'" ;;
		*)
			words+=("$1") ;;
		esac
		shift
	done
	(( ${#words[@]} )) || lab_usage build 'which base?'
	base=${words[0]}
	if [[ -n $tree ]] || (( ${#series[@]} )); then
		(( ${#words[@]} == 1 )) || lab_usage build "unexpected word '${words[1]}'"
		[[ -z $tree || ${#series[@]} -eq 0 ]] || lab_usage build 'one of --tree and --series at a time'
	else
		(( ${#words[@]} >= 2 )) || lab_usage build "which arm of base $base?"
		(( ${#words[@]} <= 3 )) || lab_usage build "unexpected word '${words[3]}'"
		: "${flavour:=${words[2]-}}"
	fi
	: "${flavour:=plain}"
	lab_work_init
	lab_fragments "$base" "$flavour" >/dev/null
	lab_base_get "$base" package >/dev/null
	if [[ -n $tree ]]; then
		id=$(lab_rev_tree "$tree" "$rev")
	elif (( ${#series[@]} )); then
		id=$(lab_series_tree "$base" "${series[@]}")
	else
		id=$(lab_arm_tree "$base" "${words[1]}")
	fi
	key=$(lab_kernel_build "$base" "$id" "$flavour" "${fragments[@]}")
	if [[ -n $output ]]; then
		cp -- "$(lab_image_path "$key")" "$output" ||
			lab_die "$LAB_FAILED" "$output: the image cannot be copied there"
	fi
	lab_image_path "$key"
}

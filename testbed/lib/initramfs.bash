# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Root file systems of guests: everything inside, nothing of this machine's paths, times or
# owners, so that the same content gives the same bytes.

# lab_root_add ROOT MODE FROM TO: one file
lab_root_add()
{
	install -D -m "$2" -- "$3" "$1/$4"
}

# lab_root_libs ROOT PROGRAM...: what the programs are linked with: libraries to /lib, which is on
# the loader's own path, and the loader where the programs expect it
lab_root_libs()
{
	local root=$1 path
	shift
	while read -r path; do
		if [[ $path == /lib64/ld-* ]]; then
			lab_root_add "$root" 755 "$path" "$path"
		else
			lab_root_add "$root" 644 "$path" "lib/${path##*/}"
		fi
	done < <(lab_closure "$@")
}

# lab_closure PROGRAM...: paths of all libraries, sorted
lab_closure()
{
	local out
	# A static program makes ldd fail after saying so; a missing library is the real fault.
	out=$(ldd -- "$@" 2>&1) || :
	if grep -q 'not found' <<<"$out"; then
		lab_die "$LAB_FAILED" "ldd: $(grep -m 1 'not found' <<<"$out")"
	fi
	awk '$2 == "=>" && $3 ~ /^\// { print $3; next } $1 ~ /^\// && $1 !~ /:$/ { print $1 }' \
		<<<"$out" | sort -u
}

# lab_root_base ROOT: busybox, qbed, init
lab_root_base()
{
	local root=$1 busybox qbed seed applets
	busybox=$(command -v busybox) ||
		lab_die "$LAB_CANNOT" 'busybox: not found (Debian package busybox-static)'
	qbed=$(lab_find_program qbed)
	seed=$(lab_find_program seed-crng)
	mkdir -p "$root"/{bin,dev,etc/qbed,lib,proc,root,run,sys,tmp,var} \
		"$root"/usr/{bin,lib,sbin}
	lab_root_add "$root" 755 "$busybox" bin/busybox
	lab_root_add "$root" 755 "$qbed" bin/qbed
	lab_root_add "$root" 755 "$seed" bin/seed-crng
	lab_root_add "$root" 755 "$lab_root/testbed/guest/init" init
	readarray -t applets < <("$busybox" --list | grep -vxF busybox)
	# one process, not one a link
	(cd "$root/bin" && perl -e 'symlink "busybox", $_ or die "$_: $!\n" for @ARGV' "${applets[@]}")
	lab_root_libs "$root" "$busybox" "$qbed" "$seed"
	ln -s /run "$root/var/run"
	printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
	printf 'root:x:0:\n' >"$root/etc/group"
}

# lab_root_experiment ROOT DIR: an experiment's own files
lab_root_experiment()
{
	local root=$1 dir=$2
	mkdir -p "$root/experiment"
	cp -R -L -- "$dir"/. "$root/experiment/"
	rm -f -- "$root/experiment/README.md"
}

# lab_root_tests ROOT: bats, the oracles, the tests and their data
lab_root_tests()
{
	local root=$1 name path programs=()
	for name in bash tc ip jq nsenter unshare; do
		path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$name") ||
			lab_die "$LAB_CANNOT" "$name: not found; the tests in the guest need it"
		rm -f -- "$root/bin/$name"
		lab_root_add "$root" 755 "$path" "bin/$name"
		programs+=("$path")
	done
	path=$(command -v gojq || :)
	if [[ -n $path ]]; then
		lab_root_add "$root" 755 "$path" bin/gojq
		lab_root_gojq "$root"
		programs+=("$path")
	fi
	lab_root_libs "$root" "${programs[@]}"
	path=$(command -v bats) || lab_die "$LAB_CANNOT" 'bats: not found (Debian package bats)'
	path=$(readlink -f -- "$path")
	lab_root_add "$root" 755 "$path" usr/bin/bats
	for name in lib/bats-core libexec/bats-core lib/bats lib/tc; do
		[[ -d ${path%/bin/bats}/$name ]] || continue
		mkdir -p "$root/usr/$name"
		cp -R -L -- "${path%/bin/bats}/$name"/. "$root/usr/$name/"
	done
	ln -sf ../../bin/busybox "$root/usr/bin/env"
	# netem's distributions, where the guest's tc looks for them
	for path in /usr/lib/tc/*.dist /usr/lib/*/tc/*.dist; do
		[[ ! -f $path ]] || lab_root_add "$root" 644 "$path" "$path"
	done
	mkdir -p "$root/tests"
	for name in guest data; do
		[[ -d $lab_root/tests/$name ]] || continue
		cp -R -L -- "$lab_root/tests/$name" "$root/tests/"
	done
	cp -R -L -- "$lab_root/testbed/experiments" "$root/"
}

# lab_root_gojq ROOT: jq is gojq, where the machine has it. jq 1.6 compiles its library each time it
# starts: 180 million instructions, as much as 30 of the other programs that tests run.
lab_root_gojq()
{
	rm -f -- "$1/bin/jq"
	cat >"$1/bin/jq" <<-'END'
	#!/bin/sh
	# keys are sorted always, and so there is no option for it
	left=$#
	while [ $left -gt 0 ]; do
	    [ "$1" = -S ] || set -- "$@" "$1"
	    shift
	    left=$((left - 1))
	done
	exec gojq "$@"
	END
	chmod 755 "$1/bin/jq"
}

# lab_pack ROOT FILE: a newc archive in a fixed order, with fixed times, owners and modes
lab_pack()
{
	local root=$1 file=$2
	find "$root" -type f -perm /111 -exec chmod 755 {} +
	find "$root" -type f ! -perm /111 -exec chmod 644 {} +
	find "$root" -type d -exec chmod 755 {} +
	find "$root" -depth -exec touch -h -d @0 {} +
	(cd "$root" && find . -mindepth 1 -printf '%P\0' | sort -z |
		cpio --quiet --null --create --format=newc --owner=0:0 --reproducible) >"$file" ||
		lab_die "$LAB_FAILED" "${file##*/}: cannot be written (no room?)"
}

# what one caller alone needs in it: a function, and its words after the root
lab_root_more=()

# lab_initramfs KIND [EXPERIMENT-DIR [EXTRA-PROGRAM...]]: sets lab_initrd (a file in $lab_work) and
# lab_initrd_sha256. KIND is experiment, tests or shell. Programs go to /bin. Made anew each time:
# that is faster than finding out whether one that is there still holds what it should.
lab_initramfs()
{
	local kind=$1 dir=${2:-} root=$lab_work/root program
	lab_need_room "$lab_work" 64 'an initramfs'
	rm -rf -- "$root"
	lab_root_base "$root"
	case $kind in
	experiment)
		lab_root_experiment "$root" "$dir" ;;
	tests | shell)
		lab_root_tests "$root" ;;
	esac
	(( ${#lab_root_more[@]} == 0 )) || "${lab_root_more[0]}" "$root" "${lab_root_more[@]:1}"
	for program in "${@:3}"; do
		lab_root_add "$root" 755 "$program" "bin/${program##*/}"
		lab_root_libs "$root" "$program"
	done
	lab_initrd=$lab_work/initramfs
	lab_pack "$root" "$lab_initrd"
	rm -rf -- "$root"
	lab_initrd_sha256=$(lab_sha256 "$lab_initrd")
}

# lab_quote TEXT: as one word of a POSIX shell
lab_quote()
{
	printf "'%s'" "${1//\'/\'\\\'\'}"
}

# lab_job_initrd FILE BASE NAME=VALUE...: BASE and, behind it, an archive with the job's settings
lab_job_initrd()
{
	local file=$1 base=$2 root=$1.d pair
	shift 2
	mkdir -p "$root/etc/qbed"
	for pair in "$@"; do
		printf 'export %s=%s\n' "${pair%%=*}" "$(lab_quote "${pair#*=}")"
	done >"$root/etc/qbed/job"
	lab_pack "$root" "$file.job"
	cat -- "$base" "$file.job" >"$file" ||
		lab_die "$LAB_FAILED" "${file##*/}: cannot be written (no room?)"
	rm -rf -- "$root" "$file.job"
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash

cmd_test_usage()
{
	cat <<-'END'
	qbed-lab test: run the guest's tests in a kernel

	Usage: qbed-lab test [BASE [ARM [FLAVOUR]]] [--kernel BZIMAGE] [--cpus N] [--limit SECONDS]
	                     [-- FILE...]

	Boots the kernel on the virtual clock, runs bats over tests/guest/*.bats (those for ARM,
	or the FILEs of that directory) in it and prints TAP. No test in there may assert a time.
	Default: 6.1 after plain, 2 CPUs. Exit code: that of bats; 2 if the guest did not end
	as it should; 4 if this machine cannot.
	END
}

cmd_test()
{
	local words=() files=() cpus=2 limit=1800 code=0
	run_kernel=''
	while (( $# )); do
		case $1 in
		--kernel | --cpus | --limit)
			(( $# > 1 )) || lab_usage test "$1 needs a value"
			case $1 in
			--kernel)
				run_kernel=$2
				[[ -r $run_kernel ]] ||
					lab_usage test "--kernel: cannot read '$run_kernel'" ;;
			*)
				[[ $2 =~ ^[1-9][0-9]{0,4}$ ]] ||
					lab_usage test "$1: '$2' is not a positive number"
				printf -v "${1#--}" %s "$2" ;;
			esac
			shift ;;
		--)	shift
			files=("$@")
			break ;;
		-*)	lab_usage test "unknown option '$1'" ;;
		*)	words+=("$1") ;;
		esac
		shift
	done
	(( ${#words[@]} <= 3 )) || lab_usage test "unexpected word '${words[3]}'"
	test_files "${words[1]:-after}"
	lab_work_init
	lab_qemu_init
	lab_qemu_check "$cpus" virtual
	lab_kernel_for "${words[0]:-6.1}" "${words[1]:-after}" "${words[2]:-plain}"
	test_initramfs "${words[0]:-6.1}"
	mkdir -p "$lab_work/boot"
	lab_job_initrd "$lab_work/initrd" "$lab_initrd" QBED_MODE=tests QBED_SEED=1 \
		"QBED_CPUS=$cpus" QBED_NEEDS= "QBED_TESTS=${files[*]/#//tests/guest/}" \
		"QBED_ARM=${words[1]:-after}" "QBED_FLAVOUR=${words[2]:-plain}" \
		"QBED_BENCH_SIZES=${QBED_BENCH_SIZES:-}" "BATS_LIB_PATH=/usr/lib/bats"
	lab_qemu_command "$lab_work/boot" "$lab_image" "$lab_work/initrd" "$cpus" 1024 virtual 2 ''
	lab_jobs_start test "$limit" "$lab_work/boot/qemu.log" "${lab_qemu_argv[@]}"
	lab_progress "testing in the guest: ${words[*]:-6.1 after plain}"
	lab_jobs_wait
	lab_progress_end
	sed -n 's/^tap\t//p' "$lab_work/boot/documents"
	lab_verdict "$lab_work/boot" "$lab_job_rc" "$limit" test || code=$?
	return "$code"
}

# test_files ARM: sets files, names below tests/guest; all that there are unless some were asked for. A
# file with a line "# arms: ARM..." is among all for those arms only.
test_files()
{
	local file arms
	if (( ${#files[@]} == 0 )); then
		for file in "$lab_root"/tests/guest/*.bats; do
			arms=$(sed -n 's/^# arms: //p' "$file")
			[[ -z $arms || " $arms " == *" $1 "* ]] || continue
			files+=("${file##*/}")
		done
	fi
	for file in "${files[@]}"; do
		[[ $file =~ ^[A-Za-z0-9_-]+\.bats$ && -f $lab_root/tests/guest/$file ]] ||
			lab_usage test "no test '$file' in tests/guest"
	done
	(( ${#files[@]} )) || lab_die "$LAB_FAILED" 'tests/guest: no tests (not a source tree?)'
}

# test_initramfs BASE: with the kernel's own selftests of packet rings and of tc, if there is a base,
# and what the differential test needs
test_initramfs()
{
	local programs=() lab_root_more=()
	if [[ -z $run_kernel ]]; then
		programs=("$lab_work/psock_tpacket")
		lab_selftest_build "$1" net/psock_tpacket "${programs[0]}"
	fi
	if [[ -z $run_kernel && " ${files[*]} " == *' tdc.bats '* ]]; then
		lab_root_more=(lab_root_tdc "$1")
	fi
	if [[ " ${files[*]} " == *' topo-speed.bats '* ]]; then
		lab_root_more=(test_root_bench "${lab_root_more[@]}")
	fi
	if [[ " ${files[*]}" == *' diff'* ]]; then
		lab_other_tc "$lab_work/tc-other"
		programs+=("$(lab_find_program tc-capture)" "$(lab_find_program tc-feed)"
			"$(lab_find_program tc-words)" "$lab_work"/tc-other)
	fi
	if [[ " ${files[*]} " == *' retire-park.bats '* ]]; then
		programs+=("$(lab_find_program ring-play)")
	fi
	lab_initramfs tests '' "${programs[@]}"
}

# test_root_bench ROOT [MORE...]: the programs that measure, and a shell that runs no applet of its own in
# the place of ip; then MORE
test_root_bench()
{
	local root=$1 name path
	shift
	for name in stopwatch replay record.so; do
		path=${QBED_BINDIR:-$lab_root}/tests/bench/$name
		[[ -x $path ]] || lab_die "$LAB_CANNOT" "$name: not built (run 'make')"
		lab_root_add "$root" 755 "$path" "tests/bench/$name"
	done
	for name in bench-topo topo-work.bash; do
		lab_root_add "$root" 755 "$lab_root/tests/bench/$name" "tests/bench/$name"
	done
	path=$(command -v dash) || lab_die "$LAB_CANNOT" 'dash: not found'
	lab_root_add "$root" 755 "$path" bin/dash
	lab_root_libs "$root" "$path" "$root"/tests/bench/{stopwatch,replay,record.so}
	(( $# == 0 )) || "$1" "$root" "${@:2}"
}

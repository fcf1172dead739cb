# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The machine: one recipe for every boot. Anything that would let the time of the host in is
# left out: no disk, no network, no random instructions of the CPU, a fixed date, a clock that
# counts instructions, and output to files, which never make QEMU wait.

# In QEMU from 7.2 (Debian 12) on; a machine without a version changes with QEMU.
readonly LAB_MACHINE=pc-i440fx-7.2
# Has neither RDRAND nor RDSEED; "max" changes with QEMU.
readonly LAB_CPU=qemu64

# The guest need not measure what is fixed: the local APIC timer of QEMU runs at 1 GHz. (A boot aid
# in kernel-patches/ knows lapic_timer_khz; a kernel without it boots later.)
readonly LAB_CMDLINE='console=ttyS0 quiet panic=-1 panic_on_warn=1 oops=panic random.trust_cpu=off
	random.trust_bootloader=off tsc=reliable no_timer_check lapic_timer_khz=1000000 rdinit=/init'
# So does the TSC, on the virtual clock; lpj is that at HZ=250: a delay loop of a kernel with another HZ
# is too long or too short by their ratio.
readonly LAB_CMDLINE_VIRTUAL='lpj=4000000'

# lab_cmdline CLOCK MORE: the words for the kernel, as results have them
lab_cmdline()
{
	local words="$LAB_CMDLINE $2"
	[[ $1 != virtual ]] || words="$LAB_CMDLINE $LAB_CMDLINE_VIRTUAL $2"
	lab_words "$words"
}

# lab_cmdline_here CLOCK: what only this machine's guests are told, at this time. On the clock of the
# host the TSC is the host's, and a guest that is kept waiting cannot measure it.
lab_cmdline_here()
{
	local measure khz
	[[ $1 == host ]] || return 0
	measure=$(lab_find_program tsc-khz) || return
	khz=$("$measure") || lab_die "$LAB_CANNOT" '--clock host: this machine cannot tell its guests what time it is'
	printf 'tsc_early_khz=%s\n' "$khz"
}

# lab_qemu_init: find QEMU; sets lab_qemu and lab_qemu_version
lab_qemu_init()
{
	lab_qemu=${QBED_QEMU:-$(command -v qemu-system-x86_64 || :)}
	[[ -n $lab_qemu ]] ||
		lab_die "$LAB_CANNOT" 'qemu-system-x86_64: not found (Debian package qemu-system-x86)'
	lab_qemu_version=$("$lab_qemu" --version 2>/dev/null |
		sed -n '1s/.*version \([0-9][0-9.]*\).*/\1/p') || :
	[[ -n $lab_qemu_version ]] ||
		lab_die "$LAB_CANNOT" "$lab_qemu: does not tell its version"
}

# lab_version_at_least HAVE WANT
lab_version_at_least()
{
	printf '%s\n%s\n' "$2" "$1" | sort -C -V
}

# lab_qemu_check CPUS CLOCK: 7.2 hangs when a second CPU comes up under -icount
lab_qemu_check()
{
	local cpus=$1 clock=$2
	[[ $clock == virtual ]] && (( cpus > 1 )) || return 0
	lab_version_at_least "$lab_qemu_version" 8.1 ||
		lab_die "$LAB_CANNOT" "$lab_qemu: version $lab_qemu_version cannot count" \
			"instructions of $cpus CPUs; 8.1 or later is needed" \
			"(Debian 12: qemu-system-x86 of bookworm-backports)"
}

# lab_qemu_command DIR KERNEL INITRD CPUS MEMORY CLOCK SHIFT CMDLINE: sets the array
# lab_qemu_argv. MEMORY in MiB; SHIFT: an instruction takes 2^SHIFT ns; CLOCK virtual or host.
lab_qemu_command()
{
	local dir=$1 kernel=$2 initrd=$3 cpus=$4 memory=$5 clock=$6 shift=$7 cmdline=$8
	local accel=tcg,thread=multi count=() steady=() here
	here=$(lab_cmdline_here "$clock") || exit
	if [[ $clock == virtual ]]; then
		accel=tcg,thread=single
		count=(-icount "shift=$shift,sleep=off" -rtc 'clock=vm,base=2020-01-01'
			-name 'qbed,debug-threads=on')
		lab_steady_clock
		steady=(env "LD_PRELOAD=/proc/self/fd/$lab_steady_fd")
	fi
	lab_qemu_argv=("${steady[@]}" "$lab_qemu" -nodefaults -no-user-config -no-reboot -display none
		-machine "$LAB_MACHINE" -accel "$accel" -cpu "$LAB_CPU"
		-smp "$cpus,sockets=$cpus" -m "$memory" -seed 1 "${count[@]}"
		-serial "file:$dir/console" -serial "file:$dir/verdict"
		-serial "file:$dir/documents"
		-kernel "$kernel" -initrd "$initrd" -append "$(lab_cmdline "$clock" "$here $cmdline")")
}

# lab_steady_clock: open what keeps the host's load out of QEMU's virtual clock (see
# testbed/host/steady-clock.c). By descriptor, as a path in LD_PRELOAD may hold no space and no colon.
lab_steady_clock()
{
	local library
	[[ -z ${lab_steady_fd:-} ]] || return 0
	library=$(lab_find_program steady-clock.so) || exit
	exec {lab_steady_fd}<"$library"
}

# lab_words TEXT: its words with one space between them
lab_words()
{
	local words
	# not by the shell's own splitting: a '*' is a word, not the files that are here
	read -r -d '' -a words <<<"$1" || :
	printf '%s\n' "${words[*]}"
}

# lab_verdict_early DIR: say so if a guest ended before the lab's own program ran in it
lab_verdict_early()
{
	grep -qx up "$1/verdict" 2>/dev/null ||
		lab_info 'its kernel did not start the init of the lab: see KERNELS in qbed-lab(8) for what it needs'
}

# lab_verdict DIR RC LIMIT NAME: what became of a guest, from what it left in DIR and from QEMU's
# exit code RC. Returns the guest's own code, or says what went wrong and returns 2.
lab_verdict()
{
	local dir=$1 rc=$2 limit=$3 name=$4 code line
	if line=$(grep -m 1 -o 'Kernel panic.*' "$dir/console" 2>/dev/null); then
		lab_error "$name: the guest panicked: ${line%$'\r'}"
		lab_show_file 'last lines of its console' "$dir/console" 24
		lab_verdict_early "$dir"
		return "$LAB_FAILED"
	fi
	if (( rc == 124 || rc == 137 )); then
		lab_error "$name: the guest hangs: no end after $limit s"
		lab_show_file 'last lines of its console' "$dir/console"
		lab_verdict_early "$dir"
		return "$LAB_FAILED"
	fi
	if (( rc != 0 )); then
		lab_error "$name: QEMU failed with exit code $rc"
		lab_show_file 'what QEMU said' "$dir/qemu.log"
		return "$LAB_FAILED"
	fi
	code=$(sed -n '$s/^exit \([0-9]\{1,3\}\)$/\1/p' "$dir/verdict" 2>/dev/null) || :
	if [[ -z $code ]]; then
		lab_error "$name: the guest powered off without a verdict"
		lab_show_file 'last lines of its console' "$dir/console"
		lab_verdict_early "$dir"
		return "$LAB_FAILED"
	fi
	if (( code != 0 || lab_verbose )); then
		while read -r line; do
			lab_say "$name" '36' "$line"
		done < <(sed -n 's/^say //p' "$dir/verdict" | lab_printable)
	fi
	if (( code != 0 )); then
		lab_error "$name: what ran in the guest ended with exit code $code"
	fi
	return "$code"
}

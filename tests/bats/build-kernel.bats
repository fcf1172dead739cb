# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same as build.bats on a real kernel, as far as that is quick: it uses the sources, the build
# trees and the images that the user's cache has.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup()
{
	lab_functions
}

@test "6.1: arms that are built again, the other way round, are the same bytes" {
	local before after again=$BATS_TEST_TMPDIR/cache
	before=$("$lab" build 6.1 before)
	after=$("$lab" build 6.1 after)
	# the same sources and build trees, no images
	mkdir "$again"
	ln -s "$lab_cache/sources.git" "$lab_cache/build" "$again"
	QBED_CACHE=$again run --separate-stderr -0 "$lab" build 6.1 after
	assert cmp "$output" "$after"
	QBED_CACHE=$again run --separate-stderr -0 "$lab" build 6.1 before
	assert cmp "$output" "$before"
	assert [ "$(lab_sha256 "$before")" != "$(lab_sha256 "$after")" ]
}

@test "6.1: the arms differ in the files of their patches and in no others" {
	local base before after
	base=$(lab_git rev-parse "$(lab_base_commit 6.1)^{tree}")
	before=$(lab_arm_tree 6.1 before)
	after=$(lab_arm_tree 6.1 after)
	run -0 lab_git diff --name-only "$base" "$before"
	assert_output $'net/core/pktgen.c\nnet/sched/sch_api.c'
	run -0 lab_git diff --name-only "$base" "$after"
	assert_output $'net/packet/af_packet.c\nnet/packet/diag.c\nnet/packet/internal.h'
}

@test "6.1: the configuration has what the experiments rest on" {
	local image
	for image in "$("$lab" build 6.1 before)" "$("$lab" build 6.1 after lockstat)"; do
		for symbol in SMP NO_HZ_COMMON HIGH_RES_TIMERS HIST_TRIGGERS IKCONFIG_PROC PACKET_DIAG \
			NET_SCH_NETEM NET_SCH_TBF; do
			run -0 grep -x "CONFIG_$symbol=y" "${image%/*}/config"
		done
		run -0 grep -x CONFIG_HZ=250 "${image%/*}/config"
	done
	run -0 grep -x CONFIG_LOCK_STAT=y "${image%/*}/config"
}

@test "6.1: psock_tpacket compiles to a program that needs no library" {
	lab_selftest_build 6.1 net/psock_tpacket "$BATS_TEST_TMPDIR/psock_tpacket"
	run -1 ldd "$BATS_TEST_TMPDIR/psock_tpacket"
}

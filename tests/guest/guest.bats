# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every test in here rests on: the guest itself, and the kernel's own test of packet rings.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

@test "the guest has as many CPUs as were asked for" {
	run nproc
	assert_success
	assert_output "$QBED_CPUS"
}

@test "the seed fixes what the kernel's random numbers are credited with" {
	run -1 seed-crng nonsense
	assert_output --partial "'nonsense'"
	run -0 seed-crng 1
}

@test "qbed runs with the libraries of the initramfs" {
	run -0 qbed --version
}

@test "the kernel says what it was built with" {
	run -0 zcat /proc/config.gz
	assert_line 'CONFIG_HZ=250'
	assert_line 'CONFIG_NO_HZ_IDLE=y'
}

@test "psock_tpacket of the kernel's selftests passes" {
	[ -x /bin/psock_tpacket ] || skip 'a kernel without a source tree'
	ip link set lo up
	run psock_tpacket
	assert_success
	assert_output --partial 'OK. All tests passed'
}

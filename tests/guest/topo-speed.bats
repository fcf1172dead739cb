# SPDX-License-Identifier: GPL-2.0-or-later
#
# What "qbed topo" takes against iproute2, by the virtual clock: the same on every machine. "make
# bench-topo-guest" is this with more leaves, and shows all figures.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	# busybox runs an "ip" of its own, whatever there is in PATH
	ln -sf dash /bin/sh
}

teardown()
{
	ln -sf busybox /bin/sh
}

@test "up and down of many leaves are much faster than iproute2's" {
	local sizes what
	read -ra sizes <<<"${QBED_BENCH_SIZES:-8}"
	run -0 env BENCH_CLOCK=virtual BENCH_CHILD=netem BENCH_ROUNDS=1 QBED_BINDIR=/ \
		bash /tests/bench/bench-topo "${sizes[@]}"
	[[ -z ${QBED_BENCH_SIZES:-} ]] || printf '# %s\n' "${lines[@]}" >&3
	echo "$output"
	for what in 'best / one thread' 'down: loop / qbed'; do
		assert_line --regexp "^ *$what .* yes\$"
	done
}

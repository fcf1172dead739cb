# SPDX-License-Identifier: GPL-2.0-or-later
#
# The experiment pktgen: instructions per packet, which the virtual clock counts.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

@test "setting the task's state for every packet costs pktgen instructions, the same number each time" {
	local lab out=$BATS_TEST_TMPDIR before after
	lab=${QBED_SRCDIR:-$BATS_TEST_DIRNAME/../..}/testbed/qbed-lab
	"$lab" run pktgen --set count=20000 --output "$out/one" 3>&-
	"$lab" run pktgen --set count=20000 --output "$out/two" 3>&-
	cmp "$out"/{one,two}/pktgen-6.1-before-plain-seed1.json
	before=$(jq .measurements.pktgen.instructions_per_packet "$out/one/pktgen-6.1-before-plain-seed1.json")
	after=$(jq .measurements.pktgen.instructions_per_packet "$out/one/pktgen-6.1-after-plain-seed1.json")
	run -0 jq -n "$before > $after and $after > 0"
	assert_output true
}

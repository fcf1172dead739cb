# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The functions of qbed-lab in a test, with the user's own cache, so that sources and build trees
# are there already.

# lab_functions: load them; $root is the source tree
lab_functions()
{
	local file
	lab_root=$root
	lab_lib=$root/testbed/lib
	# shellcheck source=testbed/lib/msg.bash
	source "$lab_lib/msg.bash"
	for file in "$lab_lib"/*.bash; do
		if [[ $file != */msg.bash ]]; then
			# shellcheck source=/dev/null
			source "$file"
		fi
	done
	# bats cleans up; the traps of lab_work_init are for the lab
	lab_work=$BATS_TEST_TMPDIR/work
	mkdir -p "$lab_work"
}

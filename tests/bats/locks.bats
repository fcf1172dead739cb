# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed locks on the host: the words, and what is said where there are no lock statistics. The
# statistics themselves are for the guest.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

# blind SCRIPT: SCRIPT where /proc has no lock_stat, whatever the kernel was built with
blind()
{
	timeout 30 unshare -Urm bash -euo pipefail -c 'mount -t tmpfs none /proc; '"$1" blind 3>&-
}

# refused TEXT ARG...: exit 1, TEXT on stderr, nothing on stdout
refused()
{
	local text=$1
	shift
	run --separate-stderr -1 qbed locks "$@"
	assert_equal "$output" ''
	[[ $stderr == *"$text"* ]] || fail "'$text' is not in: $stderr"
}

@test "wrong words are named" {
	local many=() i
	refused 'a command to run is needed'
	refused 'a command to run is needed' --
	refused '""' --class '' -- true
	refused '--nonsense' --nonsense -- true
	for ((i = 0; i < 17; i++)); do
		many+=(--class "c$i")
	done
	refused 'more than 16 classes' "${many[@]}" -- true
}

@test "without lock statistics it is exit 4 and CONFIG_LOCK_STAT, and the command does not run" {
	run --separate-stderr -4 blind "qbed locks -- touch $BATS_TEST_TMPDIR/ran"
	assert_equal "$output" ''
	[[ $stderr == *CONFIG_LOCK_STAT* ]]
	assert [ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

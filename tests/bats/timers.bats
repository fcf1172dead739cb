# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed timers on the host: the words, and what an ordinary user is told. Timers themselves are for
# the guest. tracefs is hidden in a namespace of the test's own, so root gets no further either.

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

# blind SCRIPT: SCRIPT where no tracefs is mounted
blind()
{
	timeout 30 unshare -Urm bash -euo pipefail -c 'mount -t tmpfs none /sys; '"$1" blind 3>&-
}

# refused TEXT ARG...: exit 1, TEXT on stderr, nothing on stdout
refused()
{
	local text=$1
	shift
	run --separate-stderr -1 qbed timers "$@"
	assert_equal "$output" ''
	[[ $stderr == *"$text"* ]] || fail "'$text' is not in: $stderr"
}

@test "wrong words are named" {
	refused 'a command to run is needed'
	refused 'a command to run is needed' --
	refused '"no such"' --function 'no such' -- true
	refused '""' --function '' -- true
	refused '"x;y"' --function 'x;y' -- true
	refused '"a/b"' --from a/b:eth1 -- true
	refused '"1"' --buffer 1 -- true
	refused '"much"' --buffer much -- true
	refused '--nonsense' --nonsense -- true
}

@test "without tracefs it is exit 4, with the way out, and the command does not run" {
	run --separate-stderr -4 blind "qbed timers -- touch $BATS_TEST_TMPDIR/ran"
	assert_equal "$output" ''
	[[ $stderr == *tracefs* ]]
	[[ $stderr == *CONFIG_FTRACE* ]]
	assert [ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "a failure leaves no file of -o" {
	run -4 blind "qbed timers -o $BATS_TEST_TMPDIR/t.json -- true"
	assert [ ! -e "$BATS_TEST_TMPDIR/t.json" ]
}

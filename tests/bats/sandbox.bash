# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Namespaces of a test's own: user, network, mount; an empty /run. Works as root and as an
# ordinary user alike, and what a test leaves behind goes with it.
#
#   setup()    { sandbox_start; }
#   teardown() { sandbox_stop; }
#   inside ip link add ...

# sandbox_start: sets sandbox_pid, the process that holds the namespaces
sandbox_start()
{
	local ready=$BATS_TEST_TMPDIR/sandbox-ready i
	# The holder ends by itself should nobody stop it.
	# shellcheck disable=SC2016 # for the inner shell
	unshare --user --map-root-user --net --mount sh -ec '
		mount -t tmpfs tmpfs /run
		: >"$1"
		exec sleep 900' sandbox "$ready" 3>&- &
	sandbox_pid=$!
	for ((i = 0; i < 200; i++)); do
		[[ ! -e $ready ]] || return 0
		kill -0 "$sandbox_pid" 2>/dev/null || break
		sleep 0.05
	done
	printf 'no namespaces of our own: is unshare(1) allowed here?\n' >&2
	return 1
}

sandbox_stop()
{
	[[ -z ${sandbox_pid:-} ]] && return
	kill "$sandbox_pid" 2>/dev/null || :
	wait "$sandbox_pid" 2>/dev/null || :
}

# inside COMMAND...: in the sandbox, in the current directory
inside()
{
	nsenter --target "$sandbox_pid" --user --preserve-credentials --net --mount \
		--wdns="$PWD" -- "$@"
}

# sandbox_veth NS QUEUES: namespace NS with the pair eth1 - peer1; only eth1 is up, so that
# nothing is sent by itself
sandbox_veth()
{
	inside ip netns add "$1"
	inside ip -n "$1" link add name eth1 numtxqueues "$2" numrxqueues "$2" type veth \
		peer name peer1 numtxqueues "$2" numrxqueues "$2"
	inside ip -n "$1" link set eth1 up
}

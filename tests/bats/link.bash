# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Two namespaces and two links in namespaces of the test's own, for tests that send:
#
#	tx:eth1 10.0.0.1  ----  10.0.0.2 rx:eth1	2 queues, the qdisc under test
#	tx:eth2 10.0.1.1  ----  10.0.1.2 rx:eth2	no qdisc

# in_link SCRIPT [WORD...]: SCRIPT in bash beside that topology, WORDs are its parameters.
# Everything is gone when it ends.
in_link()
{
	timeout 60 unshare -Urnm bash -euo pipefail -c "$link_up$1" link "${@:2}" 3>&-
}

# json FILTER: what jq makes of $output
json()
{
	jq -r "$1" <<<"$output"
}

# misused COMMAND: for each line CODE|WORDS|TEXT of stdin, COMMAND WORDS beside that topology ends with
# CODE, says TEXT on stderr and prints nothing
misused()
{
	local code words message
	while IFS='|' read -r code words message; do
		run --separate-stderr in_link "$1 $words"
		assert_equal "$code:$words:$status" "$code:$words:$code"
		assert_equal "$output" ''
		[[ $stderr == *"$message"* ]] || fail "$words: '$message' is not in: $stderr"
	done
}

# Neighbours are permanent and IPv6 is off: nothing but the test's packets is on the links.
# shellcheck disable=SC2016 # for the inner shell
link_up='
mount -t tmpfs none /run
mkdir /run/netns
ip netns add tx
ip netns add rx
for net in tx rx; do
	ip netns exec $net sysctl -qw net.ipv6.conf.default.disable_ipv6=1 || :
	ip -n $net link set lo up
done
link() # DEV SUBNET QUEUES
{
	ip -n tx link add $1 address 02:00:00:00:$2:01 numtxqueues $3 numrxqueues $3 type veth \
		peer name $1 address 02:00:00:00:$2:02 netns rx numtxqueues $3 numrxqueues $3
	ip -n tx addr add 10.0.$2.1/24 dev $1
	ip -n rx addr add 10.0.$2.2/24 dev $1
	ip -n tx link set $1 up
	ip -n rx link set $1 up
	ip -n tx neigh add 10.0.$2.2 lladdr 02:00:00:00:$2:02 nud permanent dev $1
	ip -n rx neigh add 10.0.$2.1 lladdr 02:00:00:00:$2:01 nud permanent dev $1
}
link eth1 0 2
link eth2 1 1
'

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests of qbed topo share: a sandbox each, with the current directory in it, and topologies.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load sandbox

setup()
{
	sandbox_start
	cd "$BATS_TEST_TMPDIR" || return
}

teardown()
{
	sandbox_stop
}

# topology NAME LINE...: a file with namespaces tx and rx and a link of two queues, then the lines
topology()
{
	{
		printf 'netns tx\nnetns rx\nlink tx:eth1 rx:eth1 queues 2\n'
		printf '%s\n' "${@:2}"
	} >"$1"
}

addresses=('addr tx:eth1 10.0.1.1/24' 'addr rx:eth1 10.0.1.2/24')
tree=('qdisc tx:eth1 root handle 1: mq' 'qdisc tx:eth1 parent 1:* tbf rate 10mbit burst 10k latency 10ms')

# nothing_of_ours: no namespace, no journal
nothing_of_ours()
{
	run -0 inside sh -c 'ls /run/netns /run/qbed 2>/dev/null | grep -v -e : -e "^lock$" -e "^$" || :'
	assert_output ''
}

# received NS: packets that eth1 of a namespace got
received()
{
	inside ip -n "$1" -s -j link show eth1 | jq '.[0].stats64.rx.packets'
}

# backlog NS DEV: packets and bytes that the qdiscs of a device hold, and packets they dropped
backlog()
{
	inside tc -n "$1" -s -j qdisc show dev "$2" | jq -c '[map(.qlen), map(.backlog), map(.drops)] | map(add)'
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# What qbed topo makes and what it refuses, on the kernel of this machine; ip(8) and tc(8) are the
# oracle. What needs netem or the privilege to set XPS is in tests/guest.

load topo

@test "up makes what the file says, as ip and tc see it" {
	topology t mtu "${addresses[@]}" "${tree[@]}"
	sed -i '/^mtu$/d; s/queues 2/queues 2 mtu 9000 mac 02:00:00:00:00:0a/' t
	run -0 inside qbed topo up t
	assert_output ''
	for ns in tx rx; do
		run -0 inside ip -n "$ns" -d -j link show eth1
		run -0 jq -c '.[0] | [.num_tx_queues, .num_rx_queues, .mtu, .operstate, .inet6_addr_gen_mode]' <<<"$output"
		assert_output --regexp '^\[2,2,9000,"UP",(null|"none")\]$'
	done
	run -0 inside ip -n tx -j link show eth1
	assert_output --partial '"address":"02:00:00:00:00:0a"'
	run -0 inside ip -n rx -4 -j addr show eth1
	assert_output --partial '"local":"10.0.1.2","prefixlen":24'
	run -0 inside ip -n rx -j neigh show dev eth1
	run -0 jq -c '.[] | [.dst, .lladdr, .state]' <<<"$output"
	assert_output '["10.0.1.1","02:00:00:00:00:0a",["PERMANENT"]]'
	run -0 inside tc -n tx -j qdisc show dev eth1
	run -0 jq -c 'sort_by(.parent // "")[] | [.kind, .parent, .options.rate]' <<<"$output"
	assert_output '["mq",null,null]
["tbf","1:1",1250000]
["tbf","1:2",1250000]'
	run -0 inside ip -n tx -j link show lo
	assert_output --partial '"UP"'
}

@test "both ends have the queues that were asked for, and show says how many are real" {
	topology t
	sed -i 's/queues 2/queues 16/' t
	inside qbed topo up t
	for ns in tx rx; do
		run -0 inside ip netns exec "$ns" sh -c 'ls -d /sys/class/net/eth1/queues/*x-* | wc -l'
		assert_output 32
	done
	run -0 inside qbed topo show t
	assert_line --partial 'link tx:eth1 peer rx:eth1 veth up running'
	assert_line --regexp '^link rx:eth1 .* tx queues 16 \(16 real\) rx queues 16 \(16 real\)$'
}

@test "a qdisc on a queue that is not there is refused at its place in the file, nothing is made" {
	topology t 'qdisc tx:eth1 root handle 1: mq' 'qdisc tx:eth1 parent 1:3 pfifo'
	run -1 inside qbed topo up t
	assert_line 'qbed: t:5:22: "1:3": tx:eth1 has 2 tx queues, 1:1 to 1:2: write "queues N" at its link (line 3)'
	sed -i 's/ queues 2//' t
	run -1 inside qbed topo up t
	assert_line --partial 't:4:30: mq on tx:eth1: the device has 1 tx queue'
	nothing_of_ours
}

@test "tc's words are judged before the kernel is touched" {
	topology t 'qdisc tx:eth1 root tbf rate 1mbit burst 10k latency 10'
	run -1 inside qbed topo up t
	assert_line --partial 'qbed: t:4:53: '
	nothing_of_ours
}

@test "what the kernel refuses is told in its own words, and all goes back" {
	topology t "${addresses[@]}" 'qdisc tx:eth1 root handle 1: pfifo' 'qdisc tx:eth1 parent 1:1 pfifo'
	run -2 inside qbed topo up t
	assert_line --regexp '^qbed: t:7: tx:eth1: qdisc pfifo parent 1:1: add: .*: .+$'
	nothing_of_ours
	topology t 'sysctl rx net.ipv4.no_such_key 1'
	run -2 inside qbed topo up t
	assert_line --partial 't:4: sysctl rx net/ipv4/no_such_key 1: write: No such file or directory'
	nothing_of_ours
}

@test "the first packet meets no ARP" {
	printf 'netns tx\nnetns rx\n%s\n%s\nlink tx:eth1 rx:eth1\n' >t \
		'sysctl tx net.ipv6.conf.default.disable_ipv6 1' 'sysctl rx net.ipv6.conf.default.disable_ipv6 1'
	inside test -e /proc/sys/net/ipv6 || sed -i /^sysctl/d t
	printf '%s\n' "${addresses[@]}" >>t
	inside qbed topo up t
	assert_equal "$(received rx)" 0
	inside ip netns exec tx bash -c 'echo hello >/dev/udp/10.0.1.2/9'
	for _ in {1..100}; do
		[[ $(received rx) == 0 ]] || break
		sleep 0.02
	done
	assert_equal "$(received rx)" 1
}

@test "an IPv6 address is usable at once" {
	inside test -e /proc/sys/net/ipv6 || skip 'no IPv6 in this kernel'
	topology t 'addr tx:eth1 fd00::1/64' 'addr rx:eth1 fd00::2/64'
	run -0 inside sh -c 'qbed topo up t && ip -n tx -6 -j addr show eth1 && ip -n rx -6 -j addr show eth1 tentative'
	refute_output --partial '"tentative":true'
	assert_output --partial '"local":"fd00::1"'
	refute_output --partial fe80
	run -0 inside ip -n tx -6 -j neigh show
	assert_output --partial '"PERMANENT"'
	run -0 inside ip netns exec tx bash -c 'echo hello >/dev/udp/fd00::2/9'
}

@test "the addresses of devices are set when they are made, and the same each time" {
	topology t
	run -0 inside qbed topo up --dry-run t
	mac=$(sed -n 's/^link .* mac \([0-9a-f:]*\) .*/\1/p' <<<"$output")
	inside qbed topo up t
	run -0 inside ip netns exec tx sh -c 'cat /sys/class/net/eth1/address /sys/class/net/eth1/addr_assign_type'
	# 3 is NET_ADDR_SET: udev leaves such an address alone
	assert_output "$mac
3"
}

@test "a dry run prints the steps and makes nothing" {
	topology t "${addresses[@]}" "${tree[@]}"
	run -0 inside qbed topo up --dry-run t
	assert_line 'qdisc tx:eth1 parent 1:2 tbf rate 10mbit burst 10k latency 10ms'
	assert_line --regexp '^neigh rx:eth1 10.0.1.1 lladdr 02:[0-9a-f:]* permanent$'
	nothing_of_ours
	inside qbed topo up t
	run -0 inside qbed topo down --dry-run t
	assert_output 'delete netns tx
delete netns rx'
	run -0 inside qbed topo check t
}

@test "xps without the privilege or the CPUs is exit 4, and nothing stays" {
	topology t 'xps tx:eth1 cpu-per-queue'
	run -4 inside qbed topo up t
	assert_line --regexp '^qbed: t:4: xps tx:eth1 cpu-per-queue: '
	nothing_of_ours
	sed -i 's/queues 2/queues 1025/' t
	run -4 inside qbed topo up t
	assert_line --partial '1025 queues need CPUs 0-1024, this machine has 0'
}

@test "without a privilege the message names it" {
	topology t
	run -4 inside unshare --user qbed topo up t
	assert_line --partial 'be root, or try unshare -Urnm'
}

@test "wrong words are named" {
	topology t
	run -1 inside qbed topo
	run -1 inside qbed topo upp t
	assert_line --partial '"upp": up, down, show, check or play'
	run -1 inside qbed topo up
	assert_line --partial 'the FILE is missing'
	run -1 inside qbed topo up t t
	run -1 inside qbed topo up --all
	run -1 inside qbed topo check --dry-run t
	run -1 inside qbed topo up --prefix a/ t
	run -2 inside qbed topo up no-such-file
	assert_line --partial 'no-such-file: open: No such file or directory'
	run -2 inside qbed topo up .
	seq -f 'netns n%.0f' 20000 >many
	run -1 inside timeout 20 qbed topo up --dry-run many
	assert_line --partial 'many:16385: more than 16384 statements'
	nothing_of_ours
}

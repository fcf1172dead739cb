# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of a topology beyond links, addresses and qdiscs: other queues at the two ends, offloads,
# ingress, routes, rps. ip(8), tc(8) and sysfs are the oracle.

load topo

# queues NS DEV: "TX RX", those in use
queues()
{
	# shellcheck disable=SC2016 # for the inner shell
	inside ip netns exec "$1" sh -c 'echo $(ls -d /sys/class/net/$1/queues/tx-* | wc -l) \
		$(ls -d /sys/class/net/$1/queues/rx-* | wc -l)' queues "$2"
}

# packet_size: bytes of what waits in the qdisc of tx:eth1, on average, while TCP sends
packet_size()
{
	local size=0
	# Their own numbers: that of a job is of the shell around it. Nothing of theirs holds our stdout.
	inside ip netns exec rx timeout 60 python3 -c '
import os, socket
s = socket.create_server(("10.0.1.2", 7777))
open("listens.new", "w").write(str(os.getpid()))
os.rename("listens.new", "listens")
c, _ = s.accept()
while c.recv(65536):
    pass' >/dev/null 2>&1 3>&- &
	for _ in {1..200}; do
		[[ ! -e listens ]] || break
		sleep 0.05
	done
	inside ip netns exec tx timeout 60 python3 -c '
import os, socket
open("sends.new", "w").write(str(os.getpid()))
os.rename("sends.new", "sends")
s = socket.create_connection(("10.0.1.2", 7777), timeout=30)
s.sendall(bytes(500000))' >/dev/null 2>&1 3>&- &
	for _ in {1..200}; do
		size=$(inside tc -n tx -s -j qdisc show dev eth1 |
			jq '.[0] | if .qlen > 1 then .backlog / .qlen | floor else 0 end')
		((size == 0)) || break
		sleep 0.05
	done
	kill "$(<listens)" "$(<sends)"
	wait
	rm -f listens sends
	echo "$size"
}

@test "the two ends have the queues that each was given" {
	topology t
	sed -i 's/queues 2/queues 8 3/' t
	inside qbed topo up t
	assert_equal "$(queues tx eth1)/$(queues rx eth1)" '8 8/3 3'
	sed -i 's/queues 8 3/txqueues 4 rxqueues 1 5/' t
	inside qbed topo up t
	assert_equal "$(queues tx eth1)/$(queues rx eth1)" '4 1/4 5'
	run -0 inside qbed topo check t
}

@test "what arrives goes through the qdiscs of an ifb" {
	topology t "${addresses[@]}" 'ingress rx:eth1 tbf rate 8kbit burst 1600 limit 100k'
	inside qbed topo up t
	run -0 inside tc -n rx -j qdisc show dev ifb-eth1
	assert_output --partial '"kind":"tbf"'
	# 9 kB within moments: at 1 kB/s and with 1.6 kB at once, most of them wait in the ifb
	for _ in {1..9}; do
		inside ip netns exec tx bash -c 'head -c 1000 /dev/zero >/dev/udp/10.0.1.2/9'
	done
	for _ in {1..100}; do
		[[ $(backlog rx ifb-eth1) != \[0,* ]] && break
		sleep 0.02
	done
	run -0 backlog rx ifb-eth1
	refute_output --regexp '^\[0,'
	assert_output --regexp ',0\]$'
	# the other direction has none
	run -0 inside ip -n tx -j link show
	refute_output --partial ifb
}

@test "an ingress with many queues has a qdisc for each, and goes with the topology" {
	topology t 'ingress rx:eth1' 'qdisc rx:ifb-eth1 root handle 1: mq' \
		'qdisc rx:ifb-eth1 parent 1:* tbf rate 1mbit step 1mbit burst 10k latency 10ms'
	inside qbed topo up t
	run -0 inside tc -n rx -j qdisc show dev ifb-eth1
	run -0 jq -c '[.[] | select(.kind == "tbf")] | sort_by(.parent)[] | [.parent, .options.rate]' <<<"$output"
	assert_output '["1:1",125000]
["1:2",250000]'
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# unchanged'
	inside qbed topo down t
	nothing_of_ours
}

@test "check names an ingress that is gone, led elsewhere, or given more by hand" {
	topology t 'ingress rx:eth1 pfifo limit 5'
	inside qbed topo up t
	run -0 inside qbed topo check t
	inside tc -n rx qdisc del dev eth1 ingress
	run -2 inside qbed topo check t
	assert_line --regexp '^- ingress rx:eth1 filter (u32|matchall) to ifb-eth1'
	assert_line --partial '- qdisc rx:eth1 parent ffff:fff1 ingress'
	inside qbed topo up t
	run -0 inside qbed topo check t
	inside tc -n rx filter add dev eth1 parent ffff: pref 7 protocol ip u32 match u32 0 0 \
		action mirred egress redirect dev ifb-eth1
	run -2 inside qbed topo check t
	assert_line '+ ingress rx:eth1 filter u32 pref 7 to ifb-eth1'
	inside qbed topo up t
	inside ip -n rx link del ifb-eth1
	run -2 inside qbed topo check t
	assert_line --regexp '^- link rx:ifb-eth1 ifb up '
	inside qbed topo up t
	run -0 inside qbed topo check t
}

@test "an ifb in the caller's namespace is ours, others' are left alone" {
	printf 'netns tx\nlink tx:eth1 veth9\ningress veth9 pfifo\n' >t
	inside ip link add ifb-veth9 type ifb
	run -2 inside qbed topo up t
	assert_line --partial 't:3: device ifb-veth9: it is there already'
	run -0 inside ip link show ifb-veth9
	inside ip link del ifb-veth9
	inside ip link add ifb7 type ifb
	inside qbed topo up t
	run -0 inside qbed topo down --dry-run t
	assert_line 'delete dev ifb-veth9'
	inside qbed topo down t
	run -1 inside ip link show ifb-veth9
	run -0 inside ip link show ifb7
}

@test "offload off: a packet of TCP is a frame, also to a qdisc" {
	topology t "${addresses[@]}" 'qdisc tx:eth1 root tbf rate 8kbit burst 70000 limit 1m'
	sed -i 's/queues 2/queues 1/' t
	inside qbed topo up t
	large=$(packet_size)
	sed -i 's/queues 1/queues 1 offload off/' t
	inside qbed topo up t
	run -0 inside qbed topo show t
	assert_line 'offload tx:eth1 gso off tso off gro off gso_max_segs 1'
	small=$(packet_size)
	echo "bytes of a packet: $large without, $small with"
	((small > 0 && small <= 1514 && large > 1514))
}

@test "check names an offload that was switched back" {
	topology t
	sed -i 's/queues 2/queues 2 offload off/' t
	inside qbed topo up t
	run -0 inside qbed topo check t
	inside ip -n tx link set eth1 gso_max_segs 9
	run -2 inside qbed topo check t
	assert_line '- offload tx:eth1 gso off tso off gro off gso_max_segs 1'
	assert_line '+ offload tx:eth1 gso off tso off gro off gso_max_segs 9'
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# made again'
}

@test "routes are there, in the namespace alone, and check names those that are not" {
	topology t "${addresses[@]}" 'route rx 10.9.0.0/16 via 10.0.1.1 metric 7' 'route rx default dev eth1' \
		'route rx 10.8.0.0/16 via 10.0.7.1 dev eth1 onlink src 10.0.1.2'
	inside qbed topo up t
	run -0 inside ip -n rx -j route show
	run -0 jq -c '.[] | select(.protocol == "static") | [.dst, .gateway, .dev, .metric, .prefsrc]' <<<"$output"
	assert_line '["10.9.0.0/16","10.0.1.1","eth1",7,null]'
	assert_line '["default",null,"eth1",null,null]'
	assert_line '["10.8.0.0/16","10.0.7.1","eth1",null,"10.0.1.2"]'
	run -0 inside ip -n tx route show
	refute_output --partial static
	inside ip -n rx route del 10.9.0.0/16 metric 7
	inside ip -n rx route add blackhole 10.7.0.0/16
	run -2 inside qbed topo check t
	assert_line '- route rx 10.9.0.0/16 via 10.0.1.1 dev eth1 metric 7'
	assert_line '+ route rx blackhole 10.7.0.0/16'
	inside qbed topo up t
	run -0 inside qbed topo check t
}

@test "a route by IPv6, and one that the kernel refuses" {
	inside test -e /proc/sys/net/ipv6 || skip 'no IPv6 in this kernel'
	topology t 'addr rx:eth1 fd00::2/64' 'route rx fd01::/64 via fd00::1' 'route rx default via fd00::1'
	inside qbed topo up t
	run -0 inside ip -n rx -6 route show
	assert_line --regexp '^fd01::/64 via fd00::1 dev eth1 proto static metric 1024'
	assert_line --regexp '^default via fd00::1 dev eth1 proto static'
	inside qbed topo down t
	topology t 'addr rx:eth1 10.0.1.2/24' 'route rx 10.9.0.0/16 via 10.5.5.5'
	run -2 inside qbed topo up t
	assert_line --regexp '^qbed: t:5: route rx 10.9.0.0/16 via 10.5.5.5: .*(unreachable|gateway)'
	nothing_of_ours
}

@test "rps without the privilege is exit 4, and so are CPUs that are not there" {
	topology t 'rps rx:eth1 cpu-per-queue'
	run -4 inside qbed topo up t
	assert_line --regexp '^qbed: t:4: rps rx:eth1 cpu-per-queue: '
	sed -i 's/cpu-per-queue/cpus 0,1023/' t
	run -4 inside qbed topo up t
	assert_line --partial 'CPUs 0,1023 are asked for, this machine has 0'
	nothing_of_ours
}

@test "a document of all kinds of lines is taken again" {
	topology t "${addresses[@]}" 'ingress rx:eth1 pfifo limit 5' 'route rx default via 10.0.1.1' \
		'qdisc tx:eth1 root handle 1: mq' 'qdisc tx:eth1 parent 1:* pfifo limit 5 step 5' \
		'at 1ms qdisc change tx:eth1 parent 1:1 pfifo limit 9'
	sed -i 's/queues 2/queues 2 3 offload off/' t
	inside qbed topo up --prefix p- t
	run -0 inside qbed topo show --json --prefix p- t
	printf '%s\n' "$output" >t.json
	run -0 jq -c '[.links[].end], .routes[0].via, .links[1].ingress[0].redirect, .links[0].offloads.gso' t.json
	assert_output '["p-tx:eth1","p-rx:eth1","p-rx:ifb-eth1"]
"10.0.1.1"
"ifb-eth1"
false'
	run -0 inside qbed topo up -v t.json
	assert_line --index 0 '# unchanged'
	run -0 inside qbed topo play t.json
	inside qbed topo down t.json
	nothing_of_ours
}

@test "times without a unit mean what the tc that is named takes them for" {
	topology t 'qdisc tx:eth1 root handle 1: tbf rate 1mbit burst 2000 latency 50000'
	run -1 inside qbed topo up t
	assert_output --partial '"50000": a time needs its unit'
	run -0 inside qbed topo up --tc-units 6.1 t
	run -0 bash -c "$(declare -f inside); sandbox_pid=$sandbox_pid; inside tc -n tx -j qdisc show dev eth1 | jq .[0].options.lat"
	assert_output 50000
	run -0 inside qbed topo check --tc-units 6.1 t
	run -0 inside qbed topo up -v --tc-units 6.1 t
	assert_line --index 0 '# unchanged'
	# what stands says it itself
	inside qbed --json topo show --tc-units 6.1 t >doc
	echo 'tc-units 6.1' >>t
	run -0 inside qbed topo check t
	run -0 inside qbed topo down t
	run -0 inside qbed topo up doc
	run -0 inside qbed topo check doc
	run -1 inside qbed topo up --tc-units 6.1 doc
	assert_output --partial 'a document says it itself'
	run -1 inside qbed topo up --tc-units 6.1 t
	assert_output --partial 'tc-units stands here twice'
	sed -i 's/^tc-units.*/tc-units 6.5/' t
	run -1 inside qbed topo up t
	assert_output --partial '"6.5": 6.1 (and what came before 6.9)'
}

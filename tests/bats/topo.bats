# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo on the kernel of this machine; ip(8) and tc(8) are the oracle. What needs netem or
# the privilege to set XPS is in tests/guest.

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

@test "up is idempotent, and what was changed by hand is made as new" {
	topology t "${addresses[@]}" "${tree[@]}"
	inside qbed topo up t
	run -0 inside qbed topo show t
	fresh=$output
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# unchanged'
	inside tc -n tx qdisc replace dev eth1 parent 1:2 pfifo limit 7
	inside ip -n rx addr add 10.9.9.9/32 dev eth1
	inside ip -n tx neigh del 10.0.1.2 dev eth1
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# made again'
	run -0 inside qbed topo show t
	assert_output "$fresh"
}

@test "topology B after topology A is a fresh B" {
	topology b 'addr tx:eth1 10.0.1.1/24' 'qdisc tx:eth1 root tbf rate 1mbit burst 10k latency 10ms'
	inside qbed topo up b
	run -0 inside qbed topo show b
	fresh=$output
	run -0 inside qbed topo down b
	topology a "${addresses[@]}" "${tree[@]}" 'netns third' 'link third:eth1 rx:eth9' \
		'sysctl tx net.ipv4.ip_forward 1'
	inside qbed topo up a
	inside qbed topo up b
	run -0 inside qbed topo show b
	assert_output "$fresh"
	run -0 inside ip netns list
	refute_output --partial third
	run -0 inside ip netns exec tx cat /proc/sys/net/ipv4/ip_forward
	assert_output 0
	inside qbed topo down b
	nothing_of_ours
}

@test "a namespace of others is never touched, neither by up nor by down" {
	topology t
	inside ip netns add rx
	inside ip -n rx link add theirs type dummy || inside ip -n rx link add theirs type veth
	run -2 inside qbed topo up t
	assert_line --partial 't:2: netns rx: it is there already and is not qbed'
	inside qbed topo down t
	run -0 inside ip -n rx link show theirs
	run -0 inside ip netns list
	assert_line --regexp '^rx( |$)'
	refute_line --partial tx
}

@test "a namespace that took the name of ours is left alone" {
	topology t
	inside qbed topo up t
	inside ip netns del tx
	inside ip netns add tx
	run -2 inside qbed topo check t
	assert_line '+ netns tx that qbed did not make'
	run -0 inside qbed topo down t
	assert_line --partial 'netns tx: the one there now is not the one that qbed made: left alone'
	run -0 inside ip netns list
	assert_output tx
}

@test "a plain file in the place of a namespace gets a clear message" {
	topology t
	inside sh -c 'mkdir -p /run/netns && echo keep >/run/netns/rx'
	run -2 inside qbed topo up t
	assert_line --partial 't:2: netns rx: /run/netns/rx is there, is no network namespace'
	inside qbed topo down t
	run -0 inside cat /run/netns/rx
	assert_output keep
}

@test "a device of others in the caller's namespace is never touched" {
	printf 'netns tx\nlink tx:eth1 veth9\naddr veth9 10.0.3.1/24\n' >t
	inside ip link add veth9 address 02:01:02:03:04:05 type veth peer name other
	run -2 inside qbed topo up t
	assert_line --partial 't:2: device veth9: it is there already'
	inside qbed topo down t
	run -0 inside ip link show veth9
	assert_output --partial 02:01:02:03:04:05
	inside ip link del veth9
	inside qbed topo up t
	run -0 inside ip -4 addr show veth9
	assert_output --partial 10.0.3.1/24
	inside qbed topo down t
	run -1 inside ip link show veth9
}

# killed MS VERB FILE: topo up or down, killed with no warning after so many milliseconds
killed()
{
	inside timeout -s KILL "$(printf '0.%03d' "$1")" qbed topo "$2" "$3" 3>&- || :
}

@test "killed at any point, the next up or down puts all right" {
	local ms half=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	inside ip netns add theirs
	inside qbed topo up t
	run -0 inside qbed topo show t
	fresh=$output
	inside qbed topo down t
	for ((ms = 1; ms <= 60; ms++)); do
		killed "$ms" up t
		if inside sh -c 'test -e /run/qbed/topo-1 && ! grep -qx up /run/qbed/topo-1'; then
			half=$((half + 1))
		fi
		if ((ms % 2)); then
			run -0 inside qbed topo up t
			assert_output ''
			run -0 inside qbed topo show t
			assert_output "$fresh"
		fi
		run -0 inside qbed topo down t
		assert_output ''
		run -0 inside ip netns list
		assert_output theirs
	done
	# or nothing was tried
	echo "killed half way: $half times"
	((half > 0))
}

@test "a down that was killed is ended by the next" {
	local ms half=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	for ((ms = 2; ms <= 60; ms += 2)); do
		inside qbed topo up t
		killed "$ms" down t
		run inside qbed topo check t
		if inside test -e /run/qbed/topo-1 && ((status)); then
			half=$((half + 1))
		fi
		if ((ms % 4)); then
			inside qbed topo up t
			run -0 inside qbed topo check t
		fi
		run -0 inside qbed topo down t
		assert_output ''
		nothing_of_ours
	done
	echo "killed half way: $half times"
	((half > 0))
}

@test "what a kill left between file and mount is cleared" {
	topology t
	inside qbed topo up t
	# as after a kill when the file was there and not yet mounted on
	# shellcheck disable=SC2016 # sed's dollar
	inside sh -c 'umount /run/netns/rx && sed -i -e /^up/d -e "/^cookie .* rx/,\$d" /run/qbed/topo-1'
	run -0 inside qbed topo up t
	run -0 inside qbed topo check t
	inside qbed topo down t
	nothing_of_ours
}

@test "a signal in the middle takes all back" {
	local ms code gone=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	# the test before shows that a SIGKILL at these times leaves something half made
	for ((ms = 1; ms <= 60; ms += 2)); do
		code=0
		inside timeout -s TERM "$(printf '0.%03d' "$ms")" qbed topo up t >out 2>&1 3>&- || code=$?
		if inside test -e /run/qbed/topo-1; then
			run -0 inside qbed topo check t
			inside qbed topo down t
		else
			# timeout's own code: it has sent the signal
			assert_equal "$code" 124
			gone=$((gone + 1))
		fi
		nothing_of_ours
	done
	((gone > 0))
}

@test "two at once do not meet" {
	local pids=() pid
	topology t "${addresses[@]}" "${tree[@]}"
	for _ in 1 2 3 4; do
		inside qbed topo up t 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	run -0 inside qbed topo check t
	run -0 inside sh -c 'ls /run/qbed/topo-*'
	assert_output /run/qbed/topo-1
}

@test "down returns when the devices are gone, although a process keeps the namespace" {
	topology t
	inside qbed topo up t
	inside ip netns exec tx sh -c 'echo $$ >pid; exec sleep 60' 3>&- &
	local holder=$! i
	for ((i = 0; i < 100; i++)); do
		[[ ! -s pid ]] || break
		sleep 0.05
	done
	inside qbed topo down t
	run -0 inside nsenter --net="/proc/$(<pid)/ns/net" ip -j link show
	run -0 jq -r '.[].ifname' <<<"$output"
	refute_line eth1
	kill "$(<pid)"
	wait "$holder" || :
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

@test "show prints a document that up takes" {
	topology t "${addresses[@]}" "${tree[@]}"
	inside qbed topo up --prefix p- t
	run -0 inside qbed topo show --json --prefix p- t
	printf '%s\n' "$output" >t.json
	run -0 jq -r '.links[0].end, .links[0].real_tx_queues, .links[0].qdiscs[1].parent' t.json
	assert_output 'p-tx:eth1
2
1:1'
	run -0 inside qbed topo up -v t.json
	assert_line --index 0 '# unchanged'
	inside qbed topo down t.json
	nothing_of_ours
	inside qbed topo up t.json
	run -0 inside qbed topo show --all
	assert_line '# t.json'
	assert_line 'netns p-tx'
}

@test "two prefixes stand side by side" {
	topology t "${addresses[@]}"
	inside qbed topo up --prefix a- t
	inside qbed topo up --prefix b- t
	inside qbed topo down --prefix a- t
	run -0 inside qbed topo check --prefix b- t
	run -2 inside qbed topo check --prefix a- t
	assert_line --partial 't: nothing of it is up'
	run -0 inside qbed topo down --all
	nothing_of_ours
}

@test "check names what is not as declared" {
	topology t "${addresses[@]}" "${tree[@]}"
	inside qbed topo up t
	run -0 inside qbed topo check t
	assert_output ''
	inside ip -n rx link set eth1 mtu 1400
	inside tc -n tx qdisc change dev eth1 parent 1:1 tbf rate 20mbit burst 10k latency 10ms
	run -2 inside qbed topo check t
	assert_line --regexp '^- link rx:eth1 .* mtu 1500 '
	assert_line --regexp '^\+ link rx:eth1 .* mtu 1400 '
	assert_line --regexp '^- qdisc tx:eth1 parent 1:1 tbf rate 10Mbit'
	assert_line --regexp '^\+ qdisc tx:eth1 parent 1:1 tbf rate 20Mbit'
	assert_line 'qbed: t: 4 facts are not as declared'
	run -2 inside qbed topo check --json t
	echo 'addr tx:eth1 10.0.2.1/24' >>t
	run -2 inside qbed topo check t
	assert_line '- addr tx:eth1 10.0.2.1/24'
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
	assert_line --partial '"upp": up, down, show or check'
	run -1 inside qbed topo up
	assert_line --partial 'the FILE is missing'
	run -1 inside qbed topo up t t
	run -1 inside qbed topo up --all
	run -1 inside qbed topo check --dry-run t
	run -1 inside qbed topo up --prefix a/ t
	run -2 inside qbed topo up no-such-file
	assert_line --partial 'no-such-file: open: No such file or directory'
	run -2 inside qbed topo up .
	nothing_of_ours
}

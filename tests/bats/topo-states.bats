# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo from any state: what is ours is made as new, what is not ours is never touched.

load topo

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

@test "a FIFO in the place of a namespace or of a journal is refused, not waited for" {
	topology t
	inside sh -c 'mkdir -p /run/netns /run/qbed && mkfifo /run/netns/rx'
	run -2 inside timeout -k 1 20 qbed topo up t
	assert_line --partial 't:2: netns rx: /run/netns/rx is there, is no network namespace'
	inside sh -c 'rm /run/netns/rx && mkfifo /run/qbed/topo-7'
	run -2 inside timeout -k 1 20 qbed topo down --all
	assert_line --partial '/run/qbed/topo-7: read'
}

@test "a file among the journals that is none is told, and not removed" {
	topology t
	inside qbed topo up t
	inside sh -c 'printf "some text\nup\n" >/run/qbed/topo-7'
	local words
	for words in 'show --all' 'show t' 'down --all' 'down t' 'up t' 'check t'; do
		# shellcheck disable=SC2086 # words
		run -2 inside qbed topo $words
		assert_line --partial "/run/qbed/topo-7: this is no journal of qbed's"
	done
	inside sh -c 'printf "no newline" >/run/qbed/topo-7'
	run -2 inside qbed topo show --all
	inside rm /run/qbed/topo-7
	inside qbed topo down t
}

@test "a journal that is damaged does not hide the others, and down removes it" {
	topology t
	inside qbed topo up t
	inside sh -c 'printf "qbed-journal-1\nfile bad\nprefix \nline no such line\nup\n" >/run/qbed/topo-7'
	run -2 inside qbed topo show --all
	assert_line 'netns tx'
	assert_line --partial '/run/qbed/topo-7:1:1: "no" begins no line of a topology'
	assert_line --partial 'this journal is damaged'
	run -2 inside qbed topo show --all --json
	run -0 inside qbed topo down --all
	nothing_of_ours
}

@test "an answer that cannot be written: the message says that the topology stands" {
	topology t
	run -2 inside sh -c 'qbed topo up --json t >/dev/full'
	assert_output 'qbed: standard output: write: No space left on device: the topology stands'
	run -0 inside qbed topo check t
	inside qbed topo down t
	run -2 inside qbed topo up -o /dev/full t
	assert_output 'qbed: /dev/full: write: No space left on device: the topology stands'
	run -0 inside qbed topo check t
}

@test "a signal that is ignored does not end an up" {
	local ms
	topology t "${addresses[@]}" "${tree[@]}"
	for ms in 5 10 15 20; do
		# shellcheck disable=SC2016 # for the inner shell
		run -0 inside sh -c 'trap "" HUP
			qbed topo up t &
			sleep "$1"
			kill -HUP $! 2>/dev/null
			wait $!' up "$(printf '0.%03d' "$ms")"
		assert_output ''
		inside qbed topo down t
	done
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

@test "in the caller's namespace down takes ours at once, and nothing else of their group" {
	printf 'netns tx\nlink tx:a veth8\nlink tx:b veth9\nlink tx:c tx:d\n' >t
	inside qbed topo up t
	group=$(inside ip -d -j link show veth8 | jq -r '.[0].group')
	inside ip link add theirs group "$group" type veth peer name other group "$group"
	run -0 inside qbed topo down t
	assert_output ''
	run -0 inside ip -j link show
	run -0 jq -r '.[].ifname' <<<"$output"
	refute_line --partial veth
	assert_line theirs
	assert_line other
	nothing_of_ours
}

@test "a chain, where no namespace has all the links, is taken down whole" {
	local i
	for i in {0..12}; do
		echo "netns n$i"
		((!i)) || echo "link n$((i - 1)):r n$i:l"
	done >t
	inside qbed topo up t
	# what a process keeps shows that the devices are gone, not only going
	inside ip netns exec n6 sh -c 'echo $$ >pid; exec sleep 60' 3>&- &
	local holder=$!
	for ((i = 0; i < 100; i++)); do
		[[ ! -s pid ]] || break
		sleep 0.05
	done
	run -0 inside qbed topo down t
	assert_output ''
	run -0 inside nsenter --net="/proc/$(<pid)/ns/net" ip -j link show
	run -0 jq -r '.[].ifname' <<<"$output"
	refute_line --regexp '^[lr]$'
	kill "$(<pid)"
	wait "$holder" || :
	nothing_of_ours
}

@test "a device that the kernel is about to take away is waited for; one that stays is refused" {
	local round n
	topology t 'link tx:out veth9'
	for ((round = 0; round < 3; round++)); do
		# The kernel takes namespaces apart one after the other, in the background: it is busy.
		for ((n = 0; n < 40; n++)); do
			inside ip netns add "busy$n"
		done
		inside ip netns add other
		inside ip link add veth9 type veth peer name far netns other
		inside sh -c 'for n in /run/netns/busy*; do ip netns del "${n##*/}"; done
			ip netns del other; exec qbed topo up t'
		run -0 inside qbed topo check t
		inside qbed topo down t
	done
	inside ip netns add other
	inside ip link add veth9 type veth peer name far netns other
	run -2 inside qbed topo up t
	assert_line --partial 'device veth9: it is there already'
	inside ip link show veth9
}

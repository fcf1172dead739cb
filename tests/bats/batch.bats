# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed batch: lines of tc's and ip's words, with ip(8) and tc(8) as the oracle.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load sandbox

setup()
{
	sandbox_start
	file=$BATS_TEST_TMPDIR/lines
}

teardown()
{
	sandbox_stop
}

# lines [PREFIX]: the standard input becomes the file
lines()
{
	cat >"$file"
}

# addresses NS: what ip sees there, without what is of the moment
addresses()
{
	inside ip -n "$1" -j -d addr show | jq -S -c '.[] | [.ifname, .mtu, .txqlen, .num_tx_queues, .operstate,
		(.flags | sort), .linkinfo.info_kind,
		[.addr_info[] | select(.scope != "link") | [.local, .prefixlen, .broadcast, .scope]]]'
}

# everything NS...: devices, addresses, qdiscs, classes and filters
everything()
{
	local ns
	inside ip netns list | sed 's, (id: .*,,' | sort	# the kernel numbers them as they go
	for ns; do
		addresses "$ns"
		inside tc -n "$ns" -j qdisc show | jq -S -c '.[]'
		inside tc -n "$ns" class show dev eth1
		inside tc -n "$ns" filter show dev eth1
	done
}

topology()
{
	cat <<-'END'
	# two namespaces and what ip and tc do in them
	netns add a	# the sender
	netns add b
	link add eth1 netns a numtxqueues 4 numrxqueues 4 mtu 1400 address 02:00:00:00:00:01 type veth \
		peer name eth1 netns b numtxqueues 4 numrxqueues 4 address 02:00:00:00:00:02
	ip -n a link add ifb0 type ifb
	-n a link add name eth2 txqueuelen 77 up type veth peer name peer2
	ip -netns b link set lo up
	-n a link set dev eth1 up
	-n b link set "eth1" up txqueuelen 55 mtu 1300
	-n a addr add 10.0.0.1/24 brd + dev eth1
	-n a addr add 10.0.1.1/24 dev eth1
	-n a address del 10.0.1.1/24 dev eth1
	-n a addr add fd00::1/64 dev eth1 nodad
	-n b addr add 10.0.0.2 dev eth1
	tc -n a qdisc add dev eth1 root handle 1: htb default 1
	tc -n a class add dev eth1 parent 1: classid 1:1 htb rate 10mbit burst 2k cburst 2k
	tc -n a filter add dev eth1 parent 1: protocol ip prio 1 u32 match ip dst 10.0.0.2 flowid 1:1
	link add eth9 type veth peer name peer9
	link set eth9 netns b
	-n b link set eth9 name eth3
	link del peer9
	END
}

@test "lines leave what ip and tc leave with the same words" {
	topology | lines
	run -0 inside qbed batch "$file"
	local ours
	ours=$(everything a b)
	inside ip netns del a
	inside ip netns del b
	# for them: options before the object, and -batch as each knows its own lines
	sed -E 's/^(netns|link)/ip \1/; s/^-n ([ab]) /ip -n \1 /; s/#.*//; s/address del/addr del/' "$file" |
		inside bash -e
	assert_equal "$ours" "$(everything a b)"
}

@test "what the lines show is printed in order, also as one array of JSON" {
	sandbox_veth q 1
	lines <<-'END'
	-n q qdisc add dev eth1 root handle 1: pfifo limit 3
	-n q qdisc show dev eth1
	qdisc change dev q:eth1 root pfifo limit 4
	tc -n q -s qdisc show dev eth1
	END
	run -0 inside qbed batch "$file"
	assert_line --index 0 'qdisc pfifo 1: root refcnt 2 limit 3p'
	assert_line --index 1 'qdisc pfifo 1: root refcnt 2 limit 4p'
	assert_line --index 2 --partial ' Sent 0 bytes'
	inside qbed qdisc del dev q:eth1 root
	run -0 inside qbed --json batch "$file"
	assert_equal "$(jq -c '[.[][].options.limit]' <<<"$output")" '[3,4]'
	assert_equal "$(jq -c '[.[][].bytes]' <<<"$output")" '[null,0]'
}

@test "standard input is read line by line: the answer to one is there before the next is written" {
	sandbox_veth q 1
	mkfifo "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/out"
	inside qbed batch -n q - <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" 3>&- &
	local pid=$! answer
	exec 7>"$BATS_TEST_TMPDIR/in" 8<"$BATS_TEST_TMPDIR/out"
	for limit in 3 4 5; do
		echo "qdisc replace dev eth1 root handle 1: pfifo limit $limit" >&7
		echo "qdisc show dev eth1" >&7
		read -r -t 30 answer <&8
		assert_equal "$answer" "qdisc pfifo 1: root refcnt 2 limit ${limit}p"
	done
	exec 7>&- 8<&-
	wait "$pid"
}

@test "the batch ends at the first line that fails, which is named with the word" {
	sandbox_veth q 1
	local words say
	while IFS='|' read -r status say words; do
		printf '%s\n' '# first' 'qdisc replace dev q:eth1 root handle 1: pfifo limit 3' "$words" \
			'qdisc replace dev q:eth1 root handle 1: pfifo limit 4' >"$file"
		run "-$status" inside qbed batch "$file"
		assert_output --partial "qbed: $file:3: $say"
		run -0 inside qbed qdisc show dev q:eth1
		assert_output --partial 'limit 3p'
	done <<-'END'
	1|unknown word "foo": qdisc, class, filter, link, addr or netns|foo bar
	1|unknown option "-x"|-x qdisc show
	1|tc: "-n" needs a value|tc -n
	1|qdisc add: netem: delay: "10": a time needs its unit|qdisc add dev q:eth1 root netem delay 10
	1|link: unknown word "foo"|link foo
	1|netns: network namespace "a/b"|netns add a/b
	1|"'x y?": the quote does not end|qdisc show dev 'x y
	1|qdisc, class, filter, link, addr or netns is needed|-n q
	2|netns q: create: File exists|netns add q
	2|q:eth1: link add: File exists|-n q link add eth1 type ifb
	2|device nope: No such device|-n q link set nope up
	2|netns none: no such network namespace|-n none link set nope up
	2|q:eth1: qdisc pfifo root: add: File exists|qdisc add dev q:eth1 root handle 1: pfifo
	END
}

@test "with --force the others are done, every error is told, and the first one's exit code is kept" {
	sandbox_veth q 1
	lines <<-'END'
	qdisc replace dev q:eth1 root handle 1: pfifo limit 3
	qdisc add dev q:eth1 root handle 1: pfifo
	foo
	qdisc change dev q:eth1 root pfifo limit 4
	END
	run --separate-stderr -2 inside qbed batch --force "$file"
	assert_equal "${stderr_lines[0]}" "qbed: $file:2: q:eth1: qdisc pfifo root: add: File exists: Exclusivity flag on, cannot modify"
	assert_equal "${stderr_lines[1]}" "qbed: $file:3: unknown word \"foo\": qdisc, class, filter, link, addr or netns"
	assert_equal "${stderr_lines[2]}" "qbed: $file: 2 of 4 lines failed"
	assert_equal "${#stderr_lines[@]}" 3
	run -0 inside qbed qdisc show dev q:eth1
	assert_output --partial 'limit 4p'
	sed -i '1,2d' "$file"
	run -1 inside qbed batch "$file" --force
}

@test "a line's warning comes with its place, at once" {
	sandbox_veth q 1
	lines <<-'END'

	qdisc add dev q:eth1 root tbf rate 10mbit burst 1000 latency 20ms
	END
	run -0 inside qbed batch "$file"
	assert_output --partial "qbed: warning: $file:2: tbf: burst 1000 is below"
}

@test "--atomic does all lines, or undoes those that were done" {
	topology | lines
	run -0 inside qbed batch --atomic "$file"
	local whole
	whole=$(everything a b)
	inside ip netns del a
	inside ip netns del b
	inside qbed batch "$file"
	assert_equal "$whole" "$(everything a b)"
	inside ip netns del a
	inside ip netns del b
	sandbox_veth q 1
	inside ip -n q link set lo up
	inside ip -n q link set peer1 up	# which gives it its first qdisc
	inside ip -n q link set peer1 down
	local before
	before=$(everything q)
	{
		topology
		cat <<-'END'
		qdisc add dev q:eth1 root handle 1: htb
		class add dev q:eth1 parent 1: classid 1:1 htb rate 10mbit burst 2k cburst 2k
		class change dev q:eth1 classid 1:1 htb rate 20mbit burst 3k cburst 3k
		filter add dev q:eth1 parent 1: u32 match u32 0 0 flowid 1:1
		filter add dev q:eth1 parent 1: u32 match u32 1 1 flowid 1:1
		-n q addr add 10.0.0.1/24 dev eth1
		-n q link set peer1 up
		-n q link set lo up
		link add eth5 netns q type veth peer name peer5
		-n q link set eth5 netns a
		-n a qdisc del dev eth1 root
		netns add c
		netns del c
		link add eth6 type veth peer name peer6
		link del peer6
		link add eth1 netns q type veth
		END
	} >"$file"
	run -2 inside qbed batch --atomic "$file"
	assert_line --index "$((${#lines[@]} - 1))" \
		"qbed: $file:38: q:eth1: link add: File exists: all that was done before is undone"
	assert_equal "$(everything q)" "$before"
	run -0 inside ip -o link show
	refute_output --regexp 'eth[0-9]|peer[0-9]'
}

@test "--atomic refuses what cannot be undone before anything is done" {
	sandbox_veth q 1
	inside tc -n q qdisc add dev eth1 root handle 1: htb
	local words say before
	before=$(everything q)
	while IFS='|' read -r say words; do
		printf '%s\n' 'netns add a' "$words" >"$file"
		run -1 inside qbed batch --atomic "$file"
		assert_output --partial "qbed: $file:2: $say"
		assert_equal "$(everything q)" "$before"
	done <<-'END'
	qdisc del: cannot be undone|qdisc del dev q:eth1 root
	qdisc change: cannot be undone|qdisc change dev q:eth1 root htb default 2
	qdisc replace: cannot be undone|qdisc replace dev q:eth1 root handle 1: htb
	class del: cannot be undone|class del dev q:eth1 classid 1:1
	filter del: cannot be undone|filter del dev q:eth1 parent 1:
	filter replace: cannot be undone|filter replace dev q:eth1 parent 1: prio 1 u32 match u32 0 0
	link set: cannot be undone|-n q link set eth1 down
	link set: cannot be undone|-n q link set eth1 up mtu 1400
	link set: cannot be undone|-n q link set eth1 netns a
	link del: cannot be undone|-n q link del eth1
	addr del: cannot be undone|-n q addr del 10.0.0.1/24 dev eth1
	netns del: cannot be undone|netns del q
	unknown word "foo"|foo
	END
}

@test "--atomic that is told to end undoes what it did" {
	local i pid
	inside ip link set lo up
	for ((i = 0; i < 60000; i++)); do
		echo "addr add 10.$((i / 65536)).$((i / 256 % 256)).$((i % 256))/32 dev lo"
	done >"$file"
	# shellcheck disable=SC2016 # for the inner shell
	inside bash -c 'echo $$ >"$2"; exec qbed batch --atomic "$1"' batch "$file" \
		"$BATS_TEST_TMPDIR/pid" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		[[ -z $(inside ip -4 -o addr show dev lo to 10.0.0.0/32) ]] || break
		sleep 0.05
	done
	kill -TERM "$(cat "$BATS_TEST_TMPDIR/pid")"
	i=0
	wait "$pid" || i=$?
	assert_equal "$i" 2
	run -0 cat "$BATS_TEST_TMPDIR/err"
	assert_output --partial 'told to end: Interrupted system call: all that was done before is undone'
	run -0 inside ip -4 -o addr show dev lo to 10.0.0.0/8
	assert_output ''
}

@test "wrong use is named: no file, two, --atomic with --force, a file that is not there" {
	run -1 qbed batch
	assert_line --index 0 --partial 'one FILE is needed'
	run -1 qbed batch a b
	assert_line --index 0 --partial 'one FILE is needed'
	run -1 qbed batch --atomic --force a
	assert_line --index 0 --partial 'exclude each other'
	run -2 qbed batch "$file"
	assert_output "qbed: $file: open: No such file or directory"
	run -2 inside qbed batch "$BATS_TEST_TMPDIR"
	assert_output --partial 'Is a directory'
	printf 'qdisc show\0\n' >"$file"
	run -1 inside qbed batch "$file"
	assert_output --partial "$file:1: a zero byte in it"
}

@test "a device of a kind that this kernel lacks is exit 4 with its CONFIG_ name; ip decides whether it does" {
	local kind config
	while read -r kind config; do
		if inside ip link add x1 type "$kind"; then
			inside ip link del x1
			run -0 inside qbed batch - <<<"link add x1 type $kind"
			inside ip link del x1
		else
			run -4 inside qbed batch - <<<"link add x1 type $kind"
			assert_output --partial "this kernel lacks $config"
		fi
	done <<-'END'
	dummy CONFIG_DUMMY
	ifb CONFIG_IFB
	veth CONFIG_VETH
	END
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# netem through qbed, with tc(8) as the oracle: the same words to both, each in a namespace of its
# own, must leave the same state. tc of Debian 12 sends 64 ns ticks, so those words are multiples;
# what is finer or longer than ticks can hold is compared with the figure asked for.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	for ns in t q; do
		ip netns add "$ns"
		ip -n "$ns" link add name eth1 numtxqueues 8 numrxqueues 8 type veth \
			peer name peer1 numtxqueues 8 numrxqueues 8
		ip -n "$ns" link set eth1 up
	done
}

teardown()
{
	ip netns del t
	ip netns del q
}

state()
{
	tc -n "$1" -j qdisc show dev eth1 | jq -S -c 'sort_by(.parent // "", .handle)[]'
}

same()
{
	run tc -n t qdisc "$@"
	local tc_status=$status
	run qbed qdisc -n q "$@"
	assert_equal "$((status == 0)) $*" "$((tc_status == 0)) $*"
	assert_equal "$(state q)" "$(state t)"
}

# same_units VERSION WORD...: bare times in the words mean the same to tc and to qbed
same_units()
{
	local units=$1
	shift
	run -0 tc -n t qdisc "$@"
	run -0 qbed qdisc --tc-units "$units" -n q "$@"
	assert_equal "$(state q)" "$(state t)"
}

# rounded FILE: tc prints six digits
rounded()
{
	jq -S -c '.. |= if type == "number" then . * 1e6 | round / 1e6 else . end | .[]' "$1"
}

# shown WORD...: the netem that these words make, as qbed shows it
shown()
{
	qbed qdisc replace dev q:eth1 root handle 1: netem "$@" &&
		qbed qdisc show dev q:eth1 root
}

@test "limit, delay and jitter leave the state that tc's leave" {
	same add dev eth1 root handle 1: mq
	same add dev eth1 parent 1:1 handle 10: netem
	same add dev eth1 parent 1:2 handle 20: netem limit 70000 delay 6ms
	same add dev eth1 parent 1:3 handle 30: est 1sec 4sec netem delay 20ms 5ms
	same add dev eth1 parent 1:4 handle 40: netem latency 128us limit 5
	same add dev eth1 parent 1:5 handle 50: netem delay 0ms
	same add dev eth1 parent 1:6 handle 60: netem delay 1.5s 0ms
	same change dev eth1 parent 1:2 handle 20: netem limit 80000 delay 8ms
	same replace dev eth1 parent 1:3 handle 30: netem delay 1ms
	same add dev eth1 parent 1:2 handle 21: netem delay 1ms
	same del dev eth1 parent 1:2
}

# Everything that a line of tc can say, in one table: what the kernel is left with, and what is
# shown of it as text and as JSON, is what it is with tc.
@test "every word of netem leaves tc's state, and is shown as tc shows it" {
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same add dev eth1 root handle 1: $words
		assert_equal "$(rounded <(qbed --json qdisc show dev q:eth1))" \
			"$(rounded <(tc -n q -j qdisc show dev eth1))"
		assert_equal "$(qbed qdisc show dev q:eth1)" "$(tc -n q qdisc show dev eth1 | sed 's/ *$//')"
		qbed qdisc del dev q:eth1 root
		tc -n t qdisc del dev eth1 root
	done <<-'END'
	netem loss 60%
	netem loss 100%
	netem loss 0%
	netem loss 1% 25%
	netem loss random 2% 50%
	netem loss state 1%
	netem loss state 5% 90% 10% 80% 1%
	netem loss gemodel 1%
	netem loss gemodel 5% 30% 70% 0.5%
	netem loss gemodel 5% 30% 70% 0.5% ecn
	netem loss state 3% ecn delay 5ms
	netem delay 10ms 3ms 25%
	netem delay 10ms 3ms distribution normal
	netem delay 10ms reorder 25% 50%
	netem delay 10ms reorder 25% gap 5
	netem delay 10ms reorder 25% gap 5 loss 10% ecn
	netem corrupt 0.1%
	netem corrupt 0.1% 2%
	netem duplicate 3%
	netem duplicate 3% 1% loss 4% 5%
	netem rate 1mbit
	netem rate 1mbit 20
	netem rate 1mbit -14 53 5
	netem rate 1mbit 0 48 -3
	netem rate 40gbit
	netem rate 100gbit limit 7 delay 1ms
	netem loss 10% ecn
	netem slot 1ms
	netem slot 800us 1200us packets 5
	netem slot 1ms 2ms bytes 64k
	netem slot distribution normal 5ms 1ms packets 3 bytes 3000
	stab overhead 24 linklayer atm netem delay 1ms
	END
}

@test "size tables are shown by -d as tc shows them" {
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same add dev eth1 root handle 1: stab $words netem delay 1ms
		assert_equal "$(rounded <(qbed --json qdisc show -d dev q:eth1))" \
			"$(rounded <(tc -n q -j -d qdisc show dev eth1))"
		assert_equal "$(qbed qdisc show -d dev q:eth1)" \
			"$(tc -n q -d qdisc show dev eth1 | sed 's/ *$//')"
		assert_equal "$(tc -n q -j -d qdisc show dev eth1)" "$(tc -n t -j -d qdisc show dev eth1)"
		qbed qdisc del dev q:eth1 root
		tc -n t qdisc del dev eth1 root
	done <<-'END'
	overhead 24
	overhead -4
	linklayer atm overhead 10
	linklayer adsl mpu 64
	mtu 9000 tsize 1024 linklayer atm
	linklayer ethernet mpu 84 overhead 38
	END
}

@test "tbf and the fifos leave tc's state, and are shown as tc shows them" {
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same add dev eth1 root handle 1: $words
		assert_equal "$(qbed --json qdisc show dev q:eth1 | jq -S .)" \
			"$(tc -n q -j qdisc show dev eth1 | jq -S .)"
		# tc's text has three digits of a latency
		assert_equal "$(qbed qdisc show dev q:eth1 | sed 's/ lat [^ ]*//')" \
			"$(tc -n q qdisc show dev eth1 | sed 's/ *$//; s/ lat [^ ]*//')"
		qbed qdisc del dev q:eth1 root
		tc -n t qdisc del dev eth1 root
	done <<-'END'
	tbf rate 10mbit burst 3000 latency 20ms
	tbf rate 1mbit burst 2k limit 9000
	tbf rate 1mbit burst 2000/8 latency 50ms peakrate 2mbit mtu 1540/16
	tbf rate 1mbit burst 2000 limit 9000 overhead 20
	tbf rate 1mbit burst 2000 limit 9000 linklayer atm overhead 8 mpu 53
	tbf rate 1mbit burst 20000 limit 9000
	pfifo limit 100
	pfifo limit 0
	bfifo limit 10k
	bfifo limit 12345
	pfifo_head_drop limit 7
	END
}

# Many a tc-script's trap: a table is a file, and without the file the jitter would be uniform.
@test "a distribution is found where Debian keeps it, and goes to the kernel whole" {
	run -0 qbed qdisc add dev q:eth1 root handle 1: netem delay 20ms 5ms distribution normal
	run -0 qbed qdisc show dev q:eth1 root
	assert_output 'qdisc netem 1: root refcnt 9 limit 1000 delay 20ms  5ms'
}

@test "a distribution of 16384 values is taken, one of 16385 is not" {
	seq 1 16384 >"$BATS_TEST_TMPDIR/most"
	seq 1 16385 >"$BATS_TEST_TMPDIR/more"
	run -0 qbed qdisc add dev q:eth1 root netem delay 9ms 1ms distribution "$BATS_TEST_TMPDIR/most"
	qbed qdisc del dev q:eth1 root
	run -1 qbed qdisc add dev q:eth1 root netem delay 9ms 1ms distribution "$BATS_TEST_TMPDIR/more"
	assert_output --partial 'more:16385: more than 16384 values'
	run -0 qbed qdisc show dev q:eth1
	refute_output --partial netem
}

@test "a table that is missing or wrong is an error and leaves all as it was" {
	qbed qdisc add dev q:eth1 root handle 1: netem delay 1ms
	local before
	before=$(state q)
	run -2 qbed qdisc change dev q:eth1 root netem delay 20ms 5ms distribution lognormal
	assert_output --partial 'there is no lognormal.dist in'
	run -2 qbed qdisc change dev q:eth1 root netem delay 20ms 5ms distribution ./nosuch
	assert_output --partial './nosuch: open: No such file or directory'
	printf '# one\n1 2 3x\n' >"$BATS_TEST_TMPDIR/bad"
	run -1 qbed qdisc change dev q:eth1 root netem delay 20ms 5ms distribution "$BATS_TEST_TMPDIR/bad"
	assert_output --partial 'bad:2: "3x": not a whole number'
	TC_LIB_DIR=/nowhere run -2 qbed qdisc change dev q:eth1 root netem delay 20ms 5ms distribution normal
	assert_output --partial '/nowhere/normal.dist: open: No such file'
	assert_equal "$(state q)" "$before"
}

@test "bare times are refused, and read as the tc that is named reads them" {
	local bare='delay 10 5 slot 20 30'
	# shellcheck disable=SC2086 # words
	run -1 qbed qdisc add dev q:eth1 root netem $bare
	assert_output --partial 'delay: "10": a time needs its unit'
	# shellcheck disable=SC2086 # words
	same_units 6.1 add dev eth1 root handle 1: est 500000 2000000 netem delay 64000 6400 slot 20 30
	run -0 qbed qdisc show dev q:eth1
	assert_output --partial 'delay 64ms  6.4ms slot 20ns 30ns'
	run -0 qbed qdisc change --tc-units 6.9 dev q:eth1 root netem delay 64000 6400 slot 20 30
	run -0 qbed qdisc show dev q:eth1
	assert_output --partial 'delay 64us  6.4us slot 20ns 30ns'
	run -1 qbed qdisc change --tc-units 6.5 dev q:eth1 root netem delay 5
	assert_output --partial '"6.5": 6.1 (and what came before 6.9) or 6.9 (and later)'
}

@test "a rate is a share of the link's speed if it says so" {
	same add dev eth1 root handle 1: netem rate 50%
	same change dev eth1 root handle 1: netem rate 12.5%
	run -0 qbed qdisc show dev q:eth1
	assert_output --partial 'rate 1250Mbit'
	run -1 qbed qdisc add dev q:eth1 root handle 1: netem rate 101%
	assert_output --partial 'more than 100%'
	ip -n q link add dummy0 type dummy
	run -2 qbed qdisc add dev q:dummy0 root handle 1: tbf rate 50% burst 2000 latency 1ms
	assert_output --partial 'dummy0: its speed'
}

@test "a share that is asked for is never rounded away" {
	run -0 shown loss 0.00001%
	assert_output --partial 'loss 9.98843e-06%'
}

@test "show prints what tc prints" {
	same add dev eth1 root handle 1: mq
	same add dev eth1 parent 1:1 handle 15: netem delay 1ms reorder 25% 50% loss 1% 3% corrupt 2%
	same add dev eth1 parent 1:5 handle 16: netem rate 1mbit loss 25%
	same add dev eth1 parent 1:2 handle 20: netem limit 70000 delay 6ms
	same add dev eth1 parent 1:3 handle 30: netem delay 20ms 5ms
	same add dev eth1 parent 1:4 handle 40: netem limit 5
	assert_equal "$(rounded <(qbed --json qdisc show dev q:eth1))" \
		"$(rounded <(tc -n q -j qdisc show dev eth1))"
	assert_equal "$(qbed qdisc show dev q:eth1)" \
		"$(tc -n q qdisc show dev eth1 | sed 's/ *$//')"
}

@test "every nanosecond of a delay arrives" {
	local delay
	for delay in 500ns 10us 1ns 147us 275s 300s 274.877906944s 6.000001ms; do
		run -0 shown limit 4000000 delay "$delay"
		assert_output "qdisc netem 1: root refcnt 9 limit 4000000 delay $delay"
	done
	run -0 shown delay 0.5us
	assert_output --partial 'delay 500ns'
	run -0 shown delay 300s 2.147483647s
	assert_output --partial 'delay 300s  2.147483647s'
	run -1 shown delay 300s 2.147483648s
	assert_output --partial 'at most 2.147483647 s'
}

@test "a jitter beyond the delay is taken with a warning and shown" {
	run -0 shown delay 0ms 5ms
	assert_output --partial 'warning: netem: the jitter is larger than the delay'
	assert_output --partial 'delay 0s  5ms'
}

@test "a limit that cannot hold rate times delay is warned of, with the one that can" {
	run -0 shown rate 100mbit delay 1s limit 1000
	assert_output --partial 'warning: netem: limit 1000 drops packets at the full rate: 8257 of'
	run -0 shown rate 100mbit delay 1s limit 8257
	refute_output --partial 'netem: limit'
	run -0 shown delay 1s
	assert_output --partial 'warning: netem: limit 1000 lets no more than 1000 packets per second through with that delay and drops the rest: limit 10000 is for 10000'
	run -0 shown delay 1s limit 10000
	refute_output --partial 'netem: limit'
	run -0 shown delay 80ms 20ms
	refute_output --partial 'netem: limit'
}

@test "offloads that make many frames one packet to netem are warned of" {
	run -0 shown loss 5%
	assert_output --partial 'warning: netem: loss takes what TCP sends at once, up to 64 KiB, for one frame'
	assert_output --partial 'ip link set dev eth1 gso_max_segs 1'
	run -0 shown delay 5ms
	refute_output --partial warning
	run -0 ip -n q link set dev eth1 gso_max_segs 1
	run -0 shown loss 5%
	refute_output --partial warning
}

@test "a delay of several seconds is measured from the words, not from the ticks" {
	qbed qdisc add dev q:eth1 root handle 1: netem delay 300s
	run -0 bash -c 'qbed --json qdisc show dev q:eth1 root | jq ".[0].options.delay.delay"'
	assert_output 300
}

@test "tbf is a kind of its own module: made, or exit 4 with its CONFIG_ name" {
	if tc -n t qdisc add dev eth1 root tbf rate 1mbit burst 2000 limit 9000 2>/dev/null; then
		run -0 qbed qdisc add dev q:eth1 root tbf rate 1mbit burst 2000 limit 9000
	else
		run -4 qbed qdisc add dev q:eth1 root tbf rate 1mbit burst 2000 limit 9000
		assert_output --partial CONFIG_NET_SCH_TBF
	fi
}

# three_netems NS: an mq with a netem at each of three queues
three_netems()
{
	tc -n "$1" qdisc add dev eth1 root handle 1: mq
	for n in 1 2 3; do
		tc -n "$1" qdisc add dev eth1 parent "1:$n" handle "1$n:" netem limit 50 delay "${n}ms" loss 1%
	done
}

# Kernels differ here (6.1.192 refuses, 6.12 does not), so the same request by tc says what is right.
@test "duplicates in a tree with other netems are refused as the kernel has it, and nothing is half done" {
	local before
	three_netems t
	three_netems q
	before=$(state q)
	run qbed qdisc change dev q:eth1 parent 1:2 handle 12: netem limit 7 delay 9ms duplicate 5%
	if tc -n t qdisc change dev eth1 parent 1:2 handle 12: netem limit 7 delay 9ms duplicate 5%; then
		assert_equal "$status" 0
		assert_equal "$(state q)" "$(state t)"
		return
	fi
	assert_equal "$status" 2
	assert_output --partial 'q:eth1: qdisc netem parent 1:2: change: Invalid argument: netem: cannot mix duplicating netems with other netems in tree'
	assert_equal "$(state q)" "$before"
	run -2 qbed qdisc replace dev q:eth1 parent 1:2 netem limit 7 delay 9ms duplicate 5%
	assert_equal "$(state q)" "$before"
	run -2 qbed qdisc add dev q:eth1 parent 1:4 netem duplicate 5%
	assert_output --partial 'cannot mix duplicating netems'
	assert_equal "$(state q)" "$before"
}

@test "duplicates of the only netem are taken by an add and by a change" {
	same add dev eth1 root handle 1: netem duplicate 5%
	same change dev eth1 root handle 1: netem duplicate 6% delay 1ms
	same change dev eth1 root handle 1: netem delay 1ms
	same change dev eth1 root handle 1: netem duplicate 7%
}

@test "a seed is set, or exit 4 where the kernel has none, with all as it was" {
	qbed qdisc add dev q:eth1 root handle 1: netem delay 1ms
	local before
	before=$(state q)
	if [[ $(qbed --json qdisc show dev q:eth1) == *'"seed"'* ]]; then
		run -0 qbed qdisc change dev q:eth1 root netem delay 1ms seed 18446744073709551615
		run -0 qbed qdisc show dev q:eth1
		assert_output --partial 'seed 18446744073709551615'
		qbed qdisc del dev q:eth1 root
		run -0 qbed qdisc add dev q:eth1 root netem loss 5% seed 7
		run -0 qbed qdisc show dev q:eth1
		assert_output --partial 'seed 7'
		return
	fi
	local verb
	for verb in change replace; do
		run -4 qbed qdisc "$verb" dev q:eth1 root handle 1: netem limit 900 delay 9ms seed 5
		assert_line 'qbed: q:eth1: qdisc netem: seed: this kernel does not know it'
		assert_equal "$(state q)" "$before"
	done
	qbed qdisc del dev q:eth1 root
	before=$(state q)
	run -4 qbed qdisc add dev q:eth1 root handle 1: netem seed 5
	assert_output --partial 'seed: this kernel does not know it'
	assert_equal "$(state q)" "$before"
}

# What tc's change leaves behind, qbed's leaves behind: a script must not mean two things.
@test "change and replace keep and forget what tc's keep and forget" {
	local full='netem limit 50 delay 20ms 5ms 5% distribution normal loss gemodel 5% 30% ecn duplicate 1% 7% corrupt 2% 3% reorder 4% 5% gap 3 rate 5mbit 20 48 5 slot 1ms 2ms packets 9'
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same add dev eth1 root handle 1: $full
		# shellcheck disable=SC2086 # words
		same $words
		qbed qdisc del dev q:eth1 root
		tc -n t qdisc del dev eth1 root
	done <<-'END'
	change dev eth1 root handle 1: netem
	replace dev eth1 root handle 1: netem delay 7ms
	replace dev eth1 root netem loss 3%
	replace dev eth1 root handle 2: netem delay 7ms
	change dev eth1 root handle 1: netem rate 0
	change dev eth1 root handle 1: netem corrupt 0% delay 5ms reorder 0%
	change dev eth1 root handle 1: netem slot 0ms
	change dev eth1 root handle 1: netem loss state 2% delay 1ms 1ms 50%
	END
}

# held: packets that the netems of q:eth1 hold and have dropped
held()
{
	tc -n q -s -j qdisc show dev eth1 | jq -c 'map(select(.kind == "netem")) | [(map(.qlen) | add), (map(.drops) | add)]'
}

@test "a change of numbers loses no packet, of that queue or of the others; another kind empties all" {
	local n words verb
	# nothing but the test's packets
	ip netns exec q sysctl -qw net.ipv6.conf.eth1.disable_ipv6=1
	qbed qdisc add dev q:eth1 root handle 1: mq
	for n in {1..8}; do
		qbed qdisc add dev q:eth1 parent 1:$n netem limit 500 delay 1000s
	done
	ip -n q link set peer1 up
	ip -n q addr add 10.9.0.1/24 dev eth1
	ip -n q neigh add 10.9.0.2 lladdr 02:00:00:00:00:09 nud permanent dev eth1
	for n in {1..20}; do
		ip netns exec q bash -c 'echo x >/dev/udp/10.9.0.2/9'
	done
	run -0 held
	assert_output '[20,0]'
	for words in 'delay 900s' 'limit 600 delay 800s' 'delay 700s 1s 25%' 'delay 700s loss 1%' 'delay 600s rate 1gbit'; do
		for verb in change replace; do
			for n in {1..8}; do
				# shellcheck disable=SC2086 # words
				run -0 qbed qdisc $verb dev q:eth1 parent 1:$n netem $words
				refute_output --partial 'empties'
			done
			run -0 held
			assert_output '[20,0]'
		done
	done
	run -0 qbed qdisc replace dev q:eth1 parent 1:1 pfifo limit 9
	assert_output --partial 'the kernel empties the queues of all children'
	run -0 held
	assert_output '[0,0]'
}

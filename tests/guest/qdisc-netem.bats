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

@test "loss, duplicates, corruption, reordering and a rate leave the state that tc's leave" {
	local words
	while read -r words; do
		# shellcheck disable=SC2086 # words
		same replace dev eth1 root handle 1: netem $words
		assert_equal "$(rounded <(qbed --json qdisc show dev q:eth1))" \
			"$(rounded <(tc -n q -j qdisc show dev eth1))"
		qbed qdisc del dev q:eth1 root
		tc -n t qdisc del dev eth1 root
	done <<-'END'
	loss 60%
	loss 100%
	loss 0%
	loss 1% 25%
	delay 10ms 3ms 25%
	delay 10ms reorder 25% 50%
	delay 10ms reorder 25% gap 5
	corrupt 0.1%
	corrupt 0.1% 2%
	duplicate 3%
	duplicate 3% 1% loss 4% 5%
	rate 1mbit
	rate 40gbit
	rate 100gbit limit 7 delay 1ms
	loss 10% ecn
	END
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
		run -0 shown delay "$delay"
		assert_output "qdisc netem 1: root refcnt 9 limit 1000 delay $delay"
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

# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kinds of qdiscs with tc(8) as the oracle: the same words to both, each in a namespace of its own,
# must leave the same state, and qbed must show what tc shows. Times are such as tc's text has room
# for: it rounds to three digits, qbed does not.

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
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown()
{
	ip netns del t
	ip netns del q
}

# table: the words of a root qdisc, a line each, from stdin. Handles alternate, so that each line
# makes a new qdisc and none changes the last one. $without, a sed script, and $without_key name
# what this tc does not know.
table()
{
	local words handle=1
	while read -r words; do
		[[ $words ]] || continue
		handle=$((3 - handle))
		# shellcheck disable=SC2086 # words
		run tc -n t qdisc replace dev eth1 root handle $handle: $words
		printf '%s: %s\n' "$words" "$((status == 0))" >>t.state
		# shellcheck disable=SC2086
		run qbed qdisc replace dev q:eth1 root handle $handle: $words
		printf '%s: %s\n' "$words" "$((status == 0))" >>q.state
		[[ $status == 0 ]] || printf '%s: %s\n' "$words" "$output" >>q.refused
		tc -n t -j qdisc show dev eth1 >>t.state
		tc -n q -j qdisc show dev eth1 >>q.state
		tc -n q -j -s qdisc show dev eth1 >>tc.json
		qbed --json qdisc -s show dev q:eth1 >>qbed.json
		tc -n q -s qdisc show dev eth1 | sed -e 's/[[:space:]]*$//' -e '/^$/d' >>tc.text
		qbed qdisc -s show dev q:eth1 | sed -e 's/[[:space:]]*$//' -e '/^$/d' >>qbed.text
	done
	diff t.state q.state
	diff tc.text <(sed "${without:-}" qbed.text)
	diff <(jq -S -c . tc.json) <(jq -S -c "map(del(.options${without_key:-.none}))" qbed.json)
}

# refused WORD...: both tc and qbed refuse this as a root; qbed says what is in $says
refused()
{
	run ! tc -n t qdisc replace dev eth1 root "$@"
	run ! qbed qdisc replace dev q:eth1 root "$@"
	assert_output --partial "$says"
}

@test "fq: the state that tc leaves, and what tc shows" {
	table <<-'END'
	fq
	fq limit 100 flow_limit 50
	fq quantum 3000 initial_quantum 9000 buckets 1000
	fq buckets 256 nopacing
	fq pacing maxrate 10mbit
	fq maxrate 34gbit low_rate_threshold 1mbit
	fq refill_delay 40ms orphan_mask 255
	fq ce_threshold 500us timer_slack 20us
	fq ce_threshold 0us
	fq horizon 5s horizon_cap
	fq horizon_drop low_rate_threshold 0
	END
}

@test "fq_codel and codel: the state that tc leaves, and what tc shows" {
	# the kernel counts in 1024 ns; multiples of 128 us come back as they went
	table <<-'END'
	fq_codel target 5120us interval 96ms
	fq_codel limit 1000 flows 256 quantum 300 target 5120us interval 96ms
	fq_codel target 1280us interval 32ms noecn
	fq_codel target 1280us interval 32ms ecn ce_threshold 640us
	fq_codel target 1280us interval 32ms ce_threshold 0us ce_threshold_selector 0x02/0x3
	fq_codel target 1280us interval 32ms memory_limit 4mb drop_batch 32
	codel target 5120us interval 96ms
	codel limit 500 target 1280us interval 32ms ecn
	codel target 1280us interval 32ms noecn ce_threshold 640us
	END
}

@test "a time that the kernel cuts is shown as the kernel has it" {
	qbed qdisc add dev q:eth1 root fq_codel target 5ms interval 100ms
	run -0 qbed qdisc show dev q:eth1 root
	assert_output --partial 'target 4.999ms interval 99.999ms'
}

@test "flows of an fq_codel cannot be changed, and the refusal says so" {
	qbed qdisc add dev q:eth1 root handle 1: fq_codel flows 16
	run -2 qbed qdisc change dev q:eth1 root handle 1: fq_codel flows 32
	assert_output --partial 'q:eth1: qdisc fq_codel root: change: Invalid argument: flows is chosen when it is made'
}

@test "words that the kernel would take and not know are said, and nothing stays of an add" {
	local words
	for words in 'weights 16384 16384 16384' 'offload_horizon 1ms' \
		'bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1'; do
		# shellcheck disable=SC2086 # words
		run qbed qdisc add dev q:eth1 root handle 5: fq limit 77 $words
		if ((status == 0)); then	# a newer kernel
			run -0 qbed qdisc show dev q:eth1 root
			assert_output --partial "${words%% *}"
			qbed qdisc del dev q:eth1 root
		else
			((status == 4))
			assert_output --partial "does not know it"
			run -0 qbed qdisc show dev q:eth1 root
			refute_output --partial 'fq 5:'
		fi
	done
}

@test "etf, mqprio and taprio: the state that tc leaves, and what tc shows" {
	table <<-'END'
	etf clockid CLOCK_TAI delta 300000
	etf clockid TAI deadline_mode skip_sock_check
	mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0
	mqprio num_tc 3 map 2 2 1 0 2 2 2 2 2 2 2 2 2 2 2 2 queues 1@0 1@1 2@2 hw 0
	END
	# an old tc does not know of max-sdu, which the kernel tells
	without='/^max-sdu/d' without_key='."max-sdu"' table <<-'END'
	taprio num_tc 2 map 0 1 queues 1@0 1@1 sched-entry S 01 300000 sched-entry S 02 300000 clockid CLOCK_TAI
	taprio num_tc 1 map 0 queues 8@0 base-time 5 cycle-time 900000 cycle-time-extension 7 sched-entry S ff 1000000 clockid CLOCK_MONOTONIC
	taprio num_tc 2 map 0 1 queues 1@0 1@0 sched-entry S 3 300000 flags 0x1 txtime-delay 200000 clockid CLOCK_TAI
	END
}

@test "a schedule that is still to come is shown beside the one that runs" {
	qbed qdisc add dev q:eth1 root handle 1: taprio num_tc 2 map 0 1 queues 1@0 1@1 \
		sched-entry S 3 300us clockid CLOCK_TAI max-sdu 200 0
	qbed qdisc change dev q:eth1 root handle 1: taprio sched-entry S 1 1ms sched-entry S 2 2ms \
		base-time 9000000000000000000 clockid CLOCK_TAI
	run -0 bash -c 'qbed --json qdisc show dev q:eth1 root | jq -c ".[0].options | .cycle_time, .admin.cycle_time, .admin.schedule[1].interval, .\"max-sdu\"[:2]"'
	assert_output $'300000\n3000000\n2000000\n[200,0]'
}

@test "queues that the device has not, or not for itself, are refused with the word" {
	run -2 qbed qdisc add dev q:eth1 root mqprio num_tc 2 map 0 1 queues 4@0 4@6 hw 0
	assert_output --partial 'q:eth1: queues 4@6: the device has 8 transmit queues in use, 0 to 7: Invalid argument'
	run -2 qbed qdisc add dev q:eth1 root taprio num_tc 1 map 0 queues 1@8 sched-entry S 1 300us clockid CLOCK_TAI
	assert_output --partial 'queues 1@8: the device has 8 transmit queues in use'
	run -2 qbed qdisc add dev q:eth1 root mqprio num_tc 2 map 0 1 queues 4@0 4@4
	assert_output --partial 'Invalid argument: with hw 1, which is the default, the device must do the work'
	qbed qdisc add dev q:eth1 root handle 1: mqprio num_tc 2 map 0 1 queues 4@0 4@4 hw 0
	run -2 qbed qdisc add dev q:eth1 parent 1:9 pfifo
	assert_output --partial 'the device has 8 transmit queues, 1:1 to 1:8'
	run -2 qbed qdisc add dev q:eth1 parent 1:ffe0 pfifo
	assert_output --partial 'parent 1:ffe0: a traffic class: what it has are queues, 1:1 to 1:8, and qdiscs go there'
	run -0 qbed qdisc add dev q:eth1 parent 1:8 handle 80: fq_codel
	run -0 qbed qdisc replace dev q:eth1 parent 1:8 handle 81: codel
	assert_output --partial 'the kernel empties the queues of all children of the mqprio'
}

@test "a qdisc below a taprio goes to its queue" {
	qbed qdisc add dev q:eth1 root handle 1: taprio num_tc 2 map 0 1 queues 1@0 1@1 \
		sched-entry S 3 300us clockid CLOCK_TAI
	run qbed qdisc add dev q:eth1 parent 1:2 handle 20: etf clockid CLOCK_TAI delta 200us
	((status == 0)) || assert_output --partial 'say "replace"'
	run -0 qbed qdisc replace dev q:eth1 parent 1:2 handle 20: etf clockid CLOCK_TAI delta 200us
	run -0 qbed qdisc show dev q:eth1 parent 1:2
	assert_output 'qdisc etf 20: parent 1:2 clockid TAI delta 200000 offload off deadline_mode off skip_sock_check off'
}

@test "cake: the state that tc leaves, and what tc shows, tins and all" {
	table <<-'END'
	cake
	cake bandwidth 160mbit rtt 50ms diffserv4 dual-dsthost wash
	cake bandwidth 32mbit autorate-ingress besteffort flows ack-filter no-split-gso ingress
	cake diffserv8 raw
	cake precedence satellite docsis ether-vlan ack-filter-aggressive
	cake unlimited conservative mpu 64 memlimit 4mb fwmark 0xff lan
	END
}

@test "flows that have packets are classes of a cake and of an fq_codel, and shown as tc shows them" {
	ip -n q link set peer1 up
	ip -n q addr add 10.0.0.1/24 dev eth1
	ip -n q neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev eth1
	local kind handle=0
	for kind in 'cake bandwidth 8kbit' 'fq_codel'; do
		# packets wait below a rate that lets nothing through
		qbed qdisc replace dev q:eth1 root handle 1: tbf rate 8kbit burst 1600 limit 100000
		# shellcheck disable=SC2086 # words
		qbed qdisc replace dev q:eth1 parent 1:1 handle "$((handle += 10)):" $kind
		ip netns exec q bash -c 'for i in {1..9}; do printf %1200d 0 >/dev/udp/10.0.0.2/9; done'
		tc -n q -s class show dev eth1 | grep deficit | sed 's/ *$//' >tc.flows
		qbed class -s show dev q:eth1 | grep deficit >qbed.flows
		assert [ -s tc.flows ]
		diff tc.flows qbed.flows
	done
}

@test "cake's nat needs connection tracking, and a kernel without it is told by the option's name" {
	run qbed qdisc add dev q:eth1 root cake nat
	((status == 0)) || {
		((status == 4))
		assert_output --partial 'this kernel lacks CONFIG_NF_CONNTRACK'
	}
}

@test "a cake for each queue is of later kernels" {
	run qbed qdisc add dev q:eth1 root handle 1: cake_mq bandwidth 16mbit
	if ((status == 0)); then
		run -0 qbed qdisc show dev q:eth1 root
		assert_output --partial 'qdisc cake_mq 1: root'
	else
		((status == 4))
		assert_output --partial 'this kernel lacks CONFIG_NET_SCH_CAKE (of a kernel from 7.0 on)'
	fi
}

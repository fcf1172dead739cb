# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed load on a veth of the running kernel: counts, structure, words. No figure of time is
# asserted here; that is for the guest.

bats_load_library bats-support
bats_load_library bats-assert
load link

bats_require_minimum_version 1.5.0

load_words='--from tx:eth1 --to rx:eth1'

setup()
{
	[ "$(nproc)" -ge 2 ] || skip 'needs two CPUs'
}

@test "every planned packet is sent and is on the link" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 200 --cpus 0 --duration 500ms --json
		ip -n rx -j -s link show eth1 | jq '.[0].stats64.rx.packets'"
	assert_equal "$(jq -r '.total.sent' <<<"${lines[0]}")" 100
	assert_equal "$(jq -r '.senders[0].planned' <<<"${lines[0]}")" 100
	assert_equal "${lines[1]}" 100
}

@test "the packets go through the qdisc of the device" {
	run -0 --separate-stderr in_link "tc -n tx qdisc add dev eth1 root handle 5: pfifo limit 1000
		qbed load $load_words --rate 200 --cpus 0 --duration 500ms -o /run/load.json
		tc -n tx -j -s qdisc show dev eth1 | jq -c '.[0] | [.kind, .packets, .bytes, .drops]'"
	assert_output '["pfifo",100,12800,0]'
}

@test "frames have the asked size as tc counts it" {
	run -0 --separate-stderr in_link "tc -n tx qdisc add dev eth1 root handle 5: pfifo limit 1000
		qbed load $load_words --rate 100 --cpus 0 --duration 300ms --size 902 -o /run/load.json
		tc -n tx -j -s qdisc show dev eth1 | jq '.[0].bytes / .[0].packets'"
	assert_output 902
}

@test "bursts keep the rate and send the rest of the last one" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 100 --burst 8 --cpus 0 --duration 500ms --json"
	assert_equal "$(json .total.sent)" 50
	assert_equal "$(json .parameters.burst)" 8
}

@test "a rate that does not divide a second loses no packet" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 333 --cpus 0 --duration 1s --json"
	assert_equal "$(json .total.sent)" 333
}

@test "packets that the qdisc refuses are counted as dropped, not as errors" {
	run -0 --separate-stderr in_link "tc -n tx qdisc add dev eth1 root tbf rate 8kbit burst 200b limit 300b
		qbed load $load_words --rate 500 --cpus 0 --duration 400ms --json"
	assert_equal "$(json '.total.sent + .total.dropped')" 200
	assert_equal "$(json '.total.dropped > 150')" true
	assert_equal "$(json .total.errors)" 0
}

@test "a saturated sender sends more than a paced one could and counts every packet" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate max --cpus 0 --duration 300ms --json
		ip -n tx -j -s link show eth1 | jq '.[0].stats64.tx.packets'
		qbed load $load_words --rate 100 --cpus 0 --duration 300ms --json | jq .total.sent"
	assert_equal "$(jq -r .parameters.saturated <<<"${lines[0]}")" true
	assert_equal "$(jq -r .parameters.rate_pps <<<"${lines[0]}")" null
	assert_equal "$(jq -r .total.sent <<<"${lines[0]}")" "${lines[1]}"
	[ "${lines[1]}" -gt "${lines[2]}" ]
}

@test "the window lies within the run, and within it all senders run" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 100 --cpus 0-1 --duration 500ms --json"
	assert_equal "$(json '.window_ns | length')" 2
	assert_equal "$(json '.window_ns[1] > .window_ns[0]')" true
	assert_equal "$(json '[.senders[].phase_ns] | all(. >= 0 and . < 10000000)')" true
}

@test "the seed decides the phases and nothing else does" {
	run -0 --separate-stderr in_link "
		phases() # SEED CPUS
		{
			qbed load $load_words --rate 100 --cpus \$2 --duration 50ms --seed \$1 --json |
				jq -c '[.senders[] | [.cpu, .phase_ns]]'
		}
		phases 7 0-1
		phases 7 0-1
		phases 8 0-1
		phases 7 1"
	assert_equal "${lines[1]}" "${lines[0]}"
	[ "${lines[2]}" != "${lines[0]}" ]
	# a sender more or less moves no other one
	assert_equal "${lines[3]}" "$(jq -c '[.[1]]' <<<"${lines[0]}")"
}

@test "the document holds neither process ids nor addresses nor wall time" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 100 --cpus 0 --duration 100ms --json"
	refute_output --regexp '10\.0\.|02:00|20[0-9]{2}-|pid'
	assert_equal "$(json .schema)" qbed-load-1
	assert_equal "$(json .complete)" true
	assert_equal "$(json .parameters.size_bytes)" 128
}

@test "a hog has its CPU to itself while the senders run, and senders theirs" {
	run -0 --separate-stderr in_link "
		allowed() # sorted CPU lists of the threads but the first
		{
			for task in /proc/\$1/task/*; do
				[ \"\${task##*/}\" = \$1 ] || sed -n 's/^Cpus_allowed_list:\t//p' \$task/status
			done | sort | paste -sd ' '
		}
		qbed load $load_words --rate 100 --cpus 0 --hog 1 --duration 3s -o /run/load.json &
		seen=
		for i in {1..50}; do
			seen=\$(allowed \$!)
			[ \"\$seen\" != '0 1' ] || break
			sleep 0.05
		done
		wait \$!
		echo \"\$seen\"
		jq -c '[.total.sent, .parameters.hog_cpus]' /run/load.json"
	assert_line --index 0 '0 1'
	assert_line --index 1 '[300,"1"]'
}

@test "without --cpus every CPU but the hogs' sends" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 100 --hog 1 --duration 100ms --json"
	assert_equal "$(json '[.senders[].cpu] | index(1)')" null
	assert_equal "$(json '.senders | length')" "$(($(nproc) - 1))"
}

@test "a CPU that XPS gives no queue of its own is warned about" {
	run -0 --separate-stderr in_link "qbed load $load_words --rate 100 --cpus 0 --duration 50ms --json"
	assert_equal "$(json '.senders[0].queue')" null
	[[ $stderr == *'CPU 0: XPS gives no queue of its own'* ]]
}

@test "a device of one queue needs no XPS" {
	run -0 --separate-stderr in_link "qbed load --from tx:eth2 --to rx:eth2 --rate 100 --cpus 0 --duration 50ms --json"
	assert_equal "$(json '.senders[0].queue')" 0
	assert_equal "$stderr" ''
}

@test "a signal ends the run at once with a partial result that says so" {
	for signal in INT TERM HUP; do
		run --separate-stderr in_link "code=0
			timeout -s $signal 1 qbed load $load_words --rate 5 --cpus 0 --duration 50s -o /run/load.json || code=\$?
			cat /run/load.json
			exit \$code"
		assert_equal "$status" 124 # timeout's: it did send the signal
		assert_equal "$(json .complete)" false
		assert_equal "$(json '.total.sent < 20')" true
		[[ $stderr == *'the result is partial'* ]]
	done
}

@test "a stopped run has exit code 2" {
	run -2 in_link "qbed load $load_words --rate 5 --cpus 0 --duration 50s -o /run/load.json &
		pid=\$!
		for i in {1..100}; do
			[ \$(ls /proc/\$pid/task | wc -l) = 1 ] || break # no sender yet
			sleep 0.05
		done
		kill -TERM \$pid
		wait \$pid"
}

@test "a link that goes down in the middle is an error with the kernel's words, and the counts" {
	run -2 --separate-stderr in_link "(sleep 0.3; ip -n tx link set eth1 down) 3>&- &
		qbed load $load_words --rate 100 --cpus 0 --duration 1s --json"
	assert_equal "$(json '.total.errors > 0 and .total.sent > 0')" true
	[[ $stderr == *'packets could not be sent: Network is '* ]]
}

@test "a full disk is an error" {
	run -2 --separate-stderr in_link "qbed load $load_words --rate 100 --cpus 0 --duration 50ms --json >/dev/full"
	[[ $stderr == *'No space left on device'* ]]
	run -2 --separate-stderr in_link "qbed load $load_words --rate 100 --cpus 0 --duration 50ms -o /dev/full"
	[[ $stderr == *'No space left on device'* ]]
}

@test "wrong words, each with its message and exit code" {
	misused 'qbed load' <<-END
	1||--from NS:DEV is needed
	1|--from tx:eth1 --rate 5|--to NS:DEV is needed
	1|--from tx:eth1 --to rx:eth1|--rate is needed
	1|$load_words --rate 0|"0"
	1|$load_words --rate fast|"fast"
	1|$load_words --rate -5|"-5"
	1|$load_words --rate 5 --duration 4|"4"
	1|$load_words --rate 5 --duration 0s|"0s"
	1|$load_words --rate 1 --duration 100ms|not one packet
	1|$load_words --rate 5 --size 81|"81"
	1|$load_words --rate 5 --size 1515 --duration 1s|more than the device's MTU takes: 1514
	1|$load_words --rate 5 --burst 0|"0"
	1|$load_words --rate 1000 --burst 65536 --duration 50ms|--burst 65536: not one burst
	1|$load_words --rate 5 --cpus 1-|"1-"
	4|$load_words --rate 5 --cpus 0,900|CPU 900 cannot be used
	4|$load_words --rate 5 --cpus 0 --hog 901|CPU 901 cannot be used
	1|$load_words --rate 5 extra|"extra"
	1|$load_words --rate 5 --nonsense|--nonsense
	1|--from tx:eth1 --to tx:eth1 --rate 5|over lo, around the qdisc
	1|--from tx:eth/1 --to rx:eth1 --rate 5|eth/1
	1|--from ../tx:eth1 --to rx:eth1 --rate 5|../tx
	2|--from nowhere:eth1 --to rx:eth1 --rate 5|nowhere
	2|--from tx:eth9 --to rx:eth1 --rate 5|eth9
	2|--from tx:eth1 --to rx:eth9 --rate 5|eth9
	1|--from tx:eth1 --to rx:eth2 --rate 5|tx:eth1 and rx:eth2 are not the ends of one link: the other end of tx:eth1 is rx:eth1
	1|--from tx:eth1 --to rx:lo --rate 5|tx:eth1 and rx:lo are not the ends of one link
	END
}

@test "an end in a third namespace is refused" {
	run -1 in_link "ip netns add far
		ip -n tx link add eth3 type veth peer name eth3 netns far
		qbed load --from tx:eth3 --to rx:eth1 --rate 5"
	assert_output --partial 'the other end of tx:eth3 is in another namespace'
	# and one that has both ends at home
	run -1 in_link "ip -n tx link add eth3 type veth peer name eth4
		qbed load --from tx:eth3 --to rx:eth1 --rate 5"
	assert_output --partial 'the other end of tx:eth3 is tx:eth4'
}

@test "where the kernel does not tell the other end any device is taken" {
	run -0 --separate-stderr in_link "
		for net in tx:1 rx:2; do
			ip -n \${net%:*} link add ifb9 type ifb
			ip -n \${net%:*} addr add 10.0.9.\${net#*:}/24 dev ifb9
			ip -n \${net%:*} link set ifb9 up
		done
		ip -n tx neigh add 10.0.9.2 lladdr 02:00:00:00:09:02 nud permanent dev ifb9
		qbed load --from tx:ifb9 --to rx:ifb9 --rate 100 --cpus 0 --duration 100ms --json"
	assert_equal "$(json .total.sent)" 10
}

@test "an end without an address is named" {
	run -2 in_link "ip -n rx addr flush dev eth1; qbed load $load_words --rate 5"
	assert_output --partial 'rx:eth1: no global IPv4 address'
}

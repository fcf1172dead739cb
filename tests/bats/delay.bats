# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed delay on a veth of the running kernel: the book of probes, structure, words. No figure of
# time is asserted here but by comparison; that is for the guest, which has netem as well.

bats_load_library bats-support
bats_load_library bats-assert
load link

bats_require_minimum_version 1.5.0

delay_words='--from tx:eth1 --to rx:eth1'

setup()
{
	[ "$(nproc)" -ge 2 ] || skip 'needs two CPUs'
}

@test "every probe of every queue arrives once, in order, and not early" {
	run -0 --separate-stderr in_link "qbed delay $delay_words --rate 200 --cpus 0-1 --duration 500ms --json"
	assert_equal "$(json '[.queues[] | [.cpu, .planned, .sent, .received, .beyond.count]] | tostring')" \
		'[[0,100,100,100,100],[1,100,100,100,100]]'
	assert_equal "$(json '.total | [.received, .lost, .duplicates, .inversions, .early, .foreign] | tostring')" \
		'[200,0,0,0,0,0]'
	assert_equal "$(json '.queues[0].beyond | .min_ns > 0 and .min_ns <= .p50_ns and .p50_ns <= .max_ns')" true
	assert_equal "$stderr" ''
}

@test "a percentile that would rest on fewer than ten probes is null" {
	run -0 --separate-stderr in_link "qbed delay $delay_words --rate 200 --cpus 0 --duration 500ms --json"
	assert_equal "$(json '.total.beyond | [.p50_ns, .p90_ns, .p99_ns] | map(type) | tostring')" \
		'["number","number","null"]'
}

@test "probes go through the qdisc, and its loss is in the book" {
	run -0 --separate-stderr in_link "tc -n tx qdisc add dev eth1 root tbf rate 100kbit burst 2000b limit 2000b
		qbed delay $delay_words --rate 500 --cpus 0 --duration 400ms --json
		tc -n tx -j -s qdisc show dev eth1 | jq '.[0].packets'"
	output=${lines[0]}
	assert_equal "$(json '.total.received')" "${lines[1]}"
	assert_equal "$(json '.queues[0] | .sent + .dropped')" 200
	assert_equal "$(json '.queues[0].dropped > 50 and .total.received > 10')" true
	assert_equal "$(json '.total.lost')" 0
	assert_equal "$(json '.queues[0].kind')" tbf
}

@test "what is lost behind the qdisc is lost, and the run ends by itself" {
	run -2 --separate-stderr in_link "ip -n rx neigh flush all
		ip netns exec rx sysctl -qw net.ipv4.conf.eth1.rp_filter=1
		ip -n rx route add blackhole 10.0.0.1/32
		qbed delay $delay_words --rate 100 --cpus 0 --duration 200ms --json"
	assert_equal "$(json '.total | [.sent, .received, .lost] | tostring')" '[20,0,20]'
	assert_equal "$(json '.total.beyond | [.count, .min_ns, .p50_ns] | tostring')" '[0,null,null]'
	[[ $stderr == *'not one probe arrived'* ]]
}

# 9000 bytes a second are offered to 5000: the last probe waits for 0.8 s, the middle one for half of
# that, which no busy host makes of a floor.
@test "a slow qdisc shows: more delay beyond than the floor link beside it" {
	run -0 --separate-stderr in_link "tc -n tx qdisc add dev eth1 root tbf rate 40kbit burst 300b limit 20000b
		qbed delay $delay_words --floor tx:eth2 --rate 90 --size 100 --cpus 0 --duration 1s --json"
	assert_equal "$(json '.total.received')" 90
	assert_equal "$(json '.total.floor.received')" 90
	assert_equal "$(json '.total.beyond.p50_ns > .total.floor.delay.p50_ns')" true
	assert_equal "$(json '.floor_link | tostring')" '{"from":"tx:eth2","to":"rx:eth2"}'
}

@test "the floor's far end may be named" {
	run -0 --separate-stderr in_link "ip -n rx link set eth2 down
		ip -n rx link set eth2 name floor0
		ip -n rx link set floor0 up
		qbed delay $delay_words --floor tx:eth2,rx:floor0 --rate 100 --cpus 0 --duration 100ms --json"
	assert_equal "$(json '.total.floor.received')" 10
}

@test "receivers run on their senders' CPUs or on those that are given" {
	run -0 --separate-stderr in_link "qbed delay $delay_words --rate 100 --cpus 0-1 --duration 50ms --json
		qbed delay $delay_words --rate 100 --cpus 0-1 --duration 50ms --receiver-cpus 1 --json"
	assert_equal "$(jq -c '[.queues[].receiver_cpu]' <<<"${lines[0]}")" '[0,1]'
	assert_equal "$(jq -c '[.queues[].receiver_cpu]' <<<"${lines[1]}")" '[1,1]'
}

@test "datagrams of others are foreign, not probes" {
	run -0 --separate-stderr in_link "
		(while ip netns exec tx bash -c 'echo hello >/dev/udp/10.0.0.2/47000 || :'; do
			sleep 0.02
		done) &
		qbed delay $delay_words --rate 100 --cpus 0 --duration 1s --json
		kill \$!"
	assert_equal "$(json '.total.foreign > 0')" true
	assert_equal "$(json '.total | [.received, .duplicates, .lost] | tostring')" '[100,0,0]'
}

# Neighbour and multicast listener discovery of new addresses goes the same way as the probes.
@test "what IPv6 sends by itself is neither a probe nor foreign" {
	[ -e /proc/net/if_inet6 ] || skip 'no IPv6 here'
	run -0 --separate-stderr in_link "
		for net in tx rx; do
			ip netns exec \$net sysctl -qw net.ipv6.conf.eth1.disable_ipv6=0
		done
		before=\$(ip -n tx -s -j link show eth1 | jq '.[0].stats64.tx.packets')
		(n=1; while ip -n tx addr add fd00::\$n/64 dev eth1 && ip -n rx addr add fd00::1:\$n/64 dev eth1; do
			n=\$((n + 1))
			sleep 0.02
		done) &
		qbed delay $delay_words --rate 100 --cpus 0 --duration 2s --json
		kill \$!
		ip -n tx -s -j link show eth1 | jq \".[0].stats64.tx.packets - \$before\""
	output=${lines[0]}
	assert_equal "$(json '.total | [.received, .duplicates, .lost, .foreign] | tostring')" '[200,0,0,0]'
	((lines[1] > 200)) || fail "IPv6 sent nothing: ${lines[1]} packets"
}

@test "two runs beside each other do not take each other's probes" {
	run -0 --separate-stderr in_link "
		qbed delay $delay_words --rate 100 --cpus 0 --duration 500ms -o /run/a.json &
		qbed delay $delay_words --rate 100 --cpus 1 --duration 500ms -o /run/b.json
		wait \$!
		jq -c '.total | [.received, .lost, .foreign]' /run/a.json /run/b.json"
	assert_line --index 0 '[50,0,0]'
	assert_line --index 1 '[50,0,0]'
}

@test "the table has a line per queue and one for all" {
	run -0 --separate-stderr in_link "qbed delay $delay_words --floor tx:eth2 --rate 100 --cpus 0-1 --duration 100ms"
	assert_line --regexp '^CPU 0 +0s +10 +0 +0 +0 +0 '
	assert_line --regexp '^CPU 1 +0s +10 '
	assert_line --regexp '^all +- +20 '
	assert_equal "$(grep -c '^  floor' <<<"$output")" 3
}

@test "a signal ends the run at once with a partial result that says so" {
	run --separate-stderr in_link "code=0
		timeout -s INT 1 qbed delay $delay_words --rate 5 --cpus 0 --duration 50s -o /run/d.json || code=\$?
		cat /run/d.json
		exit \$code"
	assert_equal "$status" 124 # timeout's: it did send the signal
	assert_equal "$(json .complete)" false
	[[ $stderr == *'the result is partial'* ]]
}

@test "a full disk is an error" {
	run -2 --separate-stderr in_link "qbed delay $delay_words --rate 100 --cpus 0 --duration 50ms >/dev/full"
	[[ $stderr == *'No space left on device'* ]]
	run -2 --separate-stderr in_link "qbed delay $delay_words --rate 100 --cpus 0 --duration 50ms -o /dev/full"
	[[ $stderr == *'No space left on device'* ]]
}

@test "wrong words, each with its message and exit code" {
	misused 'qbed delay' <<-END
	1||--from NS:DEV is needed
	1|$delay_words|--rate is needed
	1|$delay_words --rate max|"max"
	1|$delay_words --rate 5 --floor tx:eth/2|eth/2
	1|$delay_words --rate 5 --floor tx:eth2,|--floor
	1|$delay_words --rate 5 --floor tx:eth2,tx:eth2|over lo, around the qdisc
	2|$delay_words --rate 5 --floor tx:eth7|eth7
	4|$delay_words --rate 5 --receiver-cpus 900|--receiver-cpus: CPU 900 cannot be used
	1|$delay_words --rate 1000000 --duration 24h|"24h"
	1|$delay_words --rate 1000000 --duration 86400s|more than 4294967296 probes
	1|$delay_words --rate 5 extra|"extra"
	2|--from tx:eth1 --to nowhere:eth1 --rate 5|nowhere
	1|--from tx:eth1 --to rx:eth2 --rate 5|tx:eth1 and rx:eth2 are not the ends of one link: the other end of tx:eth1 is rx:eth1
	1|$delay_words --rate 5 --floor tx:eth2,rx:eth1|tx:eth2 and rx:eth1 are not the ends of one link: the other end of tx:eth2 is rx:eth2
	END
}

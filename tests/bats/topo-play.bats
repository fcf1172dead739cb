# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo play: a schedule of changes and traces. What it did and in which order is asserted, not when:
# that is for the virtual clock (tests/guest/topo-netem.bats).

load topo

# rates: of the two tbf, in order of their classes
rates()
{
	inside tc -n tx -j qdisc show dev eth1 |
		jq -c '[.[] | select(.kind == "tbf")] | sort_by(.parent) | map(.options.rate)'
}

schedule()
{
	topology t "${tree[@]}" 'at 20ms qdisc change tx:eth1 parent 1:* tbf rate 2mbit step 1mbit burst 10k latency 10ms' \
		'trace tx:eth1 parent 1:1 rate traces/up' "$@"
	mkdir -p traces
	printf '%s\n' '# a ramp' '0s 3mbit' '10ms 4mbit' '40ms 5mbit' >traces/up
}

@test "a schedule is played in order, and check tells that it has left the declared state" {
	schedule
	inside qbed topo up t
	assert_equal "$(rates)" '[1250000,1250000]'
	run -0 inside qbed topo play --dry-run t
	assert_line --index 0 'at 0s qdisc change tx:eth1 parent 1:1 tbf rate 3mbit burst 10k latency 10ms'
	assert_line --index 2 'at 20ms qdisc change tx:eth1 parent 1:1 tbf rate 2mbit burst 10k latency 10ms'
	assert_line --index 4 'at 40ms qdisc change tx:eth1 parent 1:1 tbf rate 5mbit burst 10k latency 10ms'
	assert_equal "$(rates)" '[1250000,1250000]'
	run -0 inside qbed topo play t
	assert_line --index 0 --regexp '^5 of 5 changes done in [0-9.]+m?s, the latest .* after its time, [0-9]+ later than 1ms$'
	assert_equal "$(rates)" '[625000,375000]'
	run -2 inside qbed topo check t
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# made again'
	assert_equal "$(rates)" '[1250000,1250000]'
}

@test "a play ends at its duration, and a speed divides it" {
	schedule 'at 3600s qdisc change tx:eth1 parent 1:1 tbf rate 9mbit burst 10k latency 10ms'
	inside qbed topo up t
	run -0 inside timeout 60 qbed topo play --json --duration 15ms t
	run -0 jq -c '[.events, .done, .speed, .elapsed_ns >= 15000000]' <<<"$output"
	assert_output '[6,2,1,true]'
	assert_equal "$(rates)" '[500000,1250000]'
	run -0 inside timeout 60 qbed topo play --json --speed 1000000 t
	run -0 jq -c '[.done, .speed, .elapsed_ns >= 3600000]' <<<"$output"
	assert_output '[6,1000000,true]'
	assert_equal "$(rates)" '[1125000,375000]'
}

@test "late changes are told, each with what it was" {
	schedule
	inside qbed topo up t
	run -0 inside qbed topo play --late 0s t
	assert_line --partial '5 later than 0s'
	assert_line --regexp '^late by .*: at 40ms qdisc change tx:eth1 parent 1:1 tbf rate 5mbit'
	run -0 inside qbed topo play --late 0s --json t
	run -0 jq -c '[.schema, .late, (.late_events | length), (.late_events[4].time_ns)]' <<<"$output"
	assert_output '["qbed-play-1",5,5,40000000]'
}

@test "a signal ends a play, and what was done is told" {
	schedule 'at 3600s qdisc change tx:eth1 parent 1:1 tbf rate 9mbit burst 10k latency 10ms'
	inside qbed topo up t
	inside sh -c 'echo $$ >pid; exec qbed topo play t' >out 2>err 3>&- &
	local player=$! code=0
	for _ in {1..200}; do
		[[ $(rates) != '[625000,375000]' ]] || break
		sleep 0.05
	done
	# not INT, which a shell may have its background ignore
	kill -TERM "$(<pid)" 2>/dev/null || inside kill -TERM "$(<pid)"
	wait "$player" || code=$?
	assert_equal "$code" 2
	run -0 cat out err
	assert_line --partial '5 of 6 changes done'
	assert_line --partial 'qbed: play: stopped by signal 15'
}

@test "a schedule that cannot be played is found before the kernel is touched" {
	schedule
	echo '50ms 6' >>traces/up
	echo '30ms 6mbit' >>traces/up
	run -1 inside qbed topo up t
	assert_line 'qbed: traces/up:6:1: "30ms": earlier than the line before'
	sed -i '6d; s/^50ms.*/50ms 6mbits/' traces/up
	run -1 inside qbed topo up t
	assert_line --regexp '^qbed: traces/up:5:6: .*6mbits'
	rm traces/up
	run -2 inside qbed topo up t
	assert_line 'qbed: t:7: traces/up: open: No such file or directory'
	nothing_of_ours
}

@test "only what is up, and of these lines, is played" {
	schedule
	run -2 inside qbed topo play t
	assert_line 'qbed: t: it is not up: "qbed topo up" first'
	inside qbed topo up t
	echo 'at 50ms qdisc change tx:eth1 parent 1:2 tbf rate 9mbit burst 10k latency 10ms' >>t
	run -2 inside qbed topo play t
	assert_line --partial 't: what is up was made from other lines'
	assert_equal "$(rates)" '[1250000,1250000]'
	schedule
	inside ip netns del tx
	inside ip netns add tx
	run -2 inside qbed topo play t
	assert_line 'qbed: t: netns tx is not the one that qbed made'
}

@test "a qdisc that someone has replaced ends the play, and is left alone" {
	schedule
	inside qbed topo up t
	inside tc -n tx qdisc replace dev eth1 parent 1:2 pfifo
	run -2 inside qbed topo play t
	assert_line 'qbed: t:6: the qdisc at 1:2 of eth1 is pfifo, no longer the tbf of the topology'
	assert_line --partial '3 of 5 changes done'
}

@test "a device that is gone ends the play" {
	schedule
	inside qbed topo up t
	inside ip -n tx link del eth1
	run -2 inside qbed topo play t
	assert_line --regexp '^qbed: device eth1: No such device'
	assert_line --partial '0 of 5 changes done'
}

@test "wrong words of play are named" {
	schedule
	topology u
	run -1 inside qbed topo play u
	assert_line --partial 'u: no line "at" or "trace": nothing to play'
	local speed
	for speed in 0 -1 x 1e3 0.0000001 10000000 1.5.5 ''; do
		run -1 inside qbed topo play --speed "$speed" t
		assert_line --partial "\"$speed\": a speed is a number"
	done
	run -1 inside qbed topo play --duration 5 t
	assert_line --partial 'needs its unit'
	run -1 inside qbed topo up --speed 2 t
	assert_line --partial '--duration, --speed and --late are for play'
	run -1 inside qbed topo play --all
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The retire timer of a TPACKET_V3 ring, step by step (tests/tools/ring-play.c). On the arm "next" it is
# parked while no packet waits: here is what could be lost, leaked or fired late by that. What does not
# depend on parking holds on every arm; the rest is skipped there.
#
# arms: next
#
#	in0 02:00:00:00:00:01  ----  ring0 02:00:00:00:00:02: the ring

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	ip link add in0 address 02:00:00:00:00:01 type veth peer name ring0 address 02:00:00:00:00:02
	sysctl -qw net.ipv6.conf.in0.disable_ipv6=1 net.ipv6.conf.ring0.disable_ipv6=1 2>/dev/null || :
	ip link set in0 up
	ip link set ring0 up
	hog=
}

teardown()
{
	[ -z "$hog" ] || kill "$hog"
	echo 1 >/sys/devices/system/cpu/cpu1/online
	ip link del in0
}

# play WORD...: its lines in $output; nothing may fail
play()
{
	run -0 ring-play in0 ring0 "$@"
}

parks()
{
	[ "$QBED_ARM" = next ] || skip "the timer of arm $QBED_ARM does not park"
}

@test "a ring without packets has no expiries; upstream's timer has" {
	play ring 20 4 mark sleep 600 expiries
	if [ "$QBED_ARM" = next ]; then
		assert_output 'expiries 0 0'
	else
		refute_output 'expiries 0 0'
	fi
}

@test "qbed retire counts the expiries of idle rings" {
	run -0 --separate-stderr qbed retire --idle-rings 20 --to ring0 --tov 10ms --duration 500ms --json
	assert_equal "$stderr" ''
	assert_equal "$(jq -c '[.schema, .effective_tov_ns, .packets, .saturated, .parameters.idle_rings]' <<<"$output")" \
		'["qbed-retire-idle-1",10000000,0,false,20]'
	assert_equal "$(jq '([.cpus[].expiries] | add) == .expiries and (.cpus | length) == 2' <<<"$output")" true
	if [ "$QBED_ARM" = next ]; then
		assert_equal "$(jq .expiries <<<"$output")" 0
	else
		assert_equal "$(jq '.expiries > 500' <<<"$output")" true
	fi
	run -0 ls /sys/kernel/tracing/instances
	assert_output ''
}

@test "rings that packets come to are not called idle" {
	ip link set lo up
	qbed retire --idle-rings 1 --to lo --tov 100ms --duration 1s -o idle.json 2>idle.err 3>&- &
	qbed retire --from lo --to lo --tov 10ms --interval 10ms --duration 500ms -o busy.json
	wait $!
	assert_equal "$(jq '.packets > 0 and .expiries > 0' idle.json)" true
	run -0 cat idle.err
	assert_output --partial 'the rings were not idle'
}

@test "a packet is retired by one expiry, and the timer parks again" {
	parks
	play ring 50 4 mark sleep 200 send 1 wait 5000 sleep 500 expiries
	assert_line -n 0 'block 1 timeout'
	assert_line -n 1 --regexp '^expiries (0 1|1 0)$'
	# and once more, out of parking
	play ring 50 4 send 1 wait 5000 take sleep 300 mark send 2 wait 5000 sleep 300 expiries
	assert_line -n 2 'block 2 timeout'
	assert_line -n 3 --regexp '^expiries (0 1|1 0)$'
}

@test "no block is retired before its timeout" {
	parks
	ip netns add rx
	ip link set ring0 netns rx
	ip -n rx link set ring0 up
	run -0 qbed retire --from in0 --to rx:ring0 --tov 4ms --interval 700us --duration 500ms --json
	ip netns exec rx ip link set ring0 netns 1
	ip netns del rx
	assert_equal "$(jq '.retired_early == 0 and .retired_by_timeout > 50 and .received == .sent' <<<"$output")" true
}

@test "a block that fills leaves the next one its own time" {
	play ring 300 4 send 4 wait 5000 take wait 5000 take
	assert_output "$(printf '%s\n' 'block 3 full' 'taken 1' 'block 1 timeout' 'taken 1')"
}

@test "the timer fires where the packet came: an idle CPU does not hand it to a busy one" {
	parks
	# the packets leave the qdisc of in0 by the timer of an idle CPU 1, so the ring's is started there
	tc qdisc add dev in0 root netem limit 1000 delay 20ms
	taskset -c 0 sh -c 'while :; do :; done' 3>&- &
	hog=$!
	play cpu 1 ring 50 64 mark send 1 sleep 200 send 1 sleep 200 send 1 sleep 200 send 1 sleep 200 expiries
	assert_output 'expiries 0 4'
}

@test "a frozen ring parks after one expiry; released, the next packet thaws it and is retired" {
	parks
	# two blocks of three packets, and one that finds no room
	play ring 50 2 send 7 stats sleep 300 mark sleep 500 expiries take sleep 300 expiries \
		send 1 wait 5000 sleep 300 expiries stats
	assert_line -n 0 'packets 7 drops 1 freezes 1'
	assert_line -n 1 'expiries 0 0'
	assert_line -n 2 'taken 2'
	assert_line -n 3 'expiries 0 0'
	assert_line -n 4 'block 1 timeout'
	assert_line -n 5 --regexp '^expiries (0 1|1 0)$'
	assert_line -n 6 'packets 1 drops 0 freezes 0'
}

@test "a ring that freezes while its timer runs has one expiry, and no more" {
	parks
	play ring 400 2 mark send 7 sleep 1500 expiries
	assert_output --regexp '^expiries (0 1|1 0)$'
}

@test "a ring that freezes by an expiry is thawed by the next packet" {
	parks
	play ring 50 2 send 1 sleep 300 send 1 sleep 300 send 1 stats take send 1 wait 5000
	assert_line -n 0 'packets 3 drops 1 freezes 1'
	assert_line -n 1 'taken 2'
	assert_line -n 2 'block 1 timeout'
}

@test "a mapped ring cannot be taken down, and its packet is retired all the same" {
	play ring 500 4 send 1 teardown wait 5000 take send 1 wait 5000
	assert_output "$(printf '%s\n' busy 'block 1 timeout' 'taken 1' 'block 1 timeout')"
}

@test "a ring that goes takes its timer along, armed or not, and packets that come later start none" {
	play ring 300 4 send 1 unmap teardown mark sleep 800 send 5 sleep 800 expiries
	assert_output "$(printf '%s\n' down 'expiries 0 0')"
	play ring 300 4 send 1 close mark sleep 800 send 5 sleep 800 expiries
	assert_output 'expiries 0 0'
	play ring 50 4 send 1 wait 5000 unmap teardown mark send 5 sleep 800 expiries
	assert_line -n 2 'expiries 0 0'
}

@test "a block is retired although its device went down" {
	play ring 500 4 send 1 sh 'ip link set ring0 down' wait 5000
	assert_output 'block 1 timeout'
}

@test "the CPU on which the timer was started goes away: the block comes by another" {
	parks
	play cpu 1 ring 3000 4 mark send 1 cpu 0 sh 'echo 0 >/sys/devices/system/cpu/cpu1/online' \
		expiries wait 20000 expiries
	assert_output "$(printf '%s\n' 'expiries 0 0' 'block 1 timeout' 'expiries 1 0')"
}

@test "a timer that is parked on a CPU that went away starts on another" {
	parks
	play cpu 1 ring 50 4 mark send 1 wait 5000 take sleep 300 expiries \
		cpu 0 sh 'echo 0 >/sys/devices/system/cpu/cpu1/online' send 1 wait 5000 take \
		sh 'echo 1 >/sys/devices/system/cpu/cpu1/online' sleep 300 cpu 1 send 1 wait 5000 expiries
	assert_output "$(printf '%s\n' 'block 1 timeout' 'taken 1' 'expiries 0 1' 'block 1 timeout' 'taken 1' \
		'block 1 timeout' 'expiries 1 2')"
}

@test "rings come and go under a flood, and the last one works" {
	local i words=()
	for ((i = 0; i < 60; i++)); do
		words+=(ring 1 4 sleep $((i % 4)) unmap teardown close ring 1 2 sleep $((i % 3)) close)
	done
	ring-play in0 ring0 cpu 1 send 1000000000 3>&- &
	hog=$!
	play cpu 0 "${words[@]}" ring 1 4 sleep 100 stats
	# there was a flood
	assert_output --regexp 'packets [1-9][0-9]{2,} drops'
	kill $hog
	wait $hog || :
	hog=
	play ring 50 4 sleep 200 take send 1 wait 5000
	assert_output --partial 'block 1 timeout'
	run -0 dmesg
	refute_output --regexp 'BUG|WARNING|Oops'
}

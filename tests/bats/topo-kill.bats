# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo, killed before one or another of the calls that change something outside it.

load topo

setup()
{
	sandbox_start
	cd "$BATS_TEST_TMPDIR" || return
	die=${QBED_BINDIR:-$BATS_TEST_DIRNAME/../..}/tests/tools/die-at.so
	# enough namespaces for two threads, and a link to the caller's
	{
		echo 'netns hub'
		for i in {1..10}; do
			echo "netns leaf$i"
			echo "link leaf$i:eth0 hub:h$i queues 2"
			echo "addr hub:h$i 10.1.$i.1/24"
			printf 'qdisc leaf%d:eth0 %s\n' "$i" 'root handle 1: mq' "$i" \
				'parent 1:* tbf rate 10mbit burst 10k latency 10ms'
		done
		echo 'link hub:out veth9'
		echo 'sysctl hub net.ipv4.ip_forward 1'
	} >t
}

# calls WORD...: how many such calls "topo WORD... t" makes
calls()
{
	inside env LD_PRELOAD="$die" QBED_DIE_COUNT="$PWD/count" qbed topo "$@" t
	cat count
}

# killed N WORD...: killed before the Nth
killed()
{
	run inside env LD_PRELOAD="$die" QBED_DIE_AT="$1" qbed topo "${@:2}" t
	assert_equal "$status" 137
}

# draw MOST: the next number of a sequence that is the same each time, 1 to MOST
draw()
{
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	drawn=$((seed / 65536 % $1 + 1))
}

nothing_at_all()
{
	nothing_of_ours
	run -0 inside ip -j link show
	run -0 jq -r '.[].ifname' <<<"$output"
	refute_line veth9
	run -0 inside sh -c 'grep -c /run/netns/ /proc/self/mounts || :'
	assert_output 0
}

@test "killed before any of 50 calls of an up, the next up or down puts all right" {
	local seed=1 drawn round total fresh
	total=$(calls up)
	fresh=$(inside qbed topo show t)
	inside qbed topo down t
	echo "calls: $total"
	((total > 50))
	for ((round = 0; round < 50; round++)); do
		# the first up makes /run/netns ready, too
		draw "$((total - 5))"
		echo "killed before call $drawn"
		killed "$drawn" up
		if ((round % 2)); then
			run -0 inside qbed topo up t
			assert_output ''
			run -0 inside qbed topo show t
			assert_output "$fresh"
		fi
		run -0 inside qbed topo down t
		assert_output ''
		nothing_at_all
	done
}

@test "killed before any of 20 calls of a down, the next down or up puts all right" {
	local seed=2 drawn round total
	inside qbed topo up t
	total=$(calls down)
	for ((round = 0; round < 20; round++)); do
		draw "$((total - 1))"
		echo "killed before call $drawn of $total"
		inside qbed topo up t
		killed "$drawn" down
		if ((round % 2)); then
			inside qbed topo up t
			run -0 inside qbed topo check t
		fi
		run -0 inside qbed topo down t
		assert_output ''
		nothing_at_all
	done
}

@test "a kill before the very last call of an up leaves what is not taken for complete" {
	local total
	# the first one makes /run/netns ready, too
	inside qbed topo up t
	inside qbed topo down t
	total=$(calls up --threads 1)
	inside qbed topo down t
	killed "$total" up --threads 1
	run -2 inside qbed topo check t
	assert_line --partial 'it was begun and not completed'
	inside qbed topo up t
	run -0 inside qbed topo check t
}

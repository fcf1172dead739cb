# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo at size: 1,000 namespaces with 8 queues each, which are 9,000 qdiscs and more devices than a
# process may have files.

load topo

leaves=1000
queues=8

setup()
{
	sandbox_start
	cd "$BATS_TEST_TMPDIR" || return
	tools=${QBED_BINDIR:-$BATS_TEST_DIRNAME/../..}/tests/tools
	{
		echo 'netns hub'
		for ((i = 1; i <= leaves; i++)); do
			echo "netns leaf$i"
			echo "link hub:h$i leaf$i:eth0 queues $queues"
			echo "addr hub:h$i 10.$((i / 256)).$((i % 256)).1/24"
			echo "addr leaf$i:eth0 10.$((i / 256)).$((i % 256)).2/24"
			echo "qdisc leaf$i:eth0 root handle 1: mq"
			echo "qdisc leaf$i:eth0 parent 1:* tbf rate 10mbit burst 10k latency 10ms"
		done
	} >t
}

# small WORD...: "qbed topo WORD... t" with 1,024 files and 64 MiB
small()
{
	run -0 --separate-stderr inside "$tools/within" 1024 64 qbed topo "$@" t
	assert_equal "$stderr" ''
}

# all_stand: as ip and tc see it; each namespace is looked into by qbed, some by tc
all_stand()
{
	local n
	run -0 inside sh -c 'ls /run/netns | wc -l'
	assert_output "$((leaves + 1))"
	run -0 inside sh -c 'ip -n hub -o link show up | grep -c " h[0-9]*@[^>]*LOWER_UP"'
	assert_output "$leaves"
	for ((n = 1; n <= leaves; n += 111)); do
		run -0 inside tc -n "leaf$n" -j qdisc show dev eth0
		run -0 jq -c 'map(.kind) | group_by(.) | map([.[0], length])' <<<"$output"
		assert_output "[[\"mq\",1],[\"tbf\",$queues]]"
		run -0 inside ip -n "leaf$n" -4 -j addr show dev eth0
		assert_output --partial "\"local\":\"10.$((n / 256)).$((n % 256)).2\""
	done
	run -0 inside sh -c 'qbed topo show t >shown; grep -c "^qdisc leaf[0-9]*:eth0" shown'
	assert_output "$((leaves * (queues + 1)))"
}

# is_told_to_be STATE: what another up says, tens of thousands of lines with -v
is_told_to_be()
{
	run -0 inside "$tools/within" 1024 64 sh -c 'qbed topo up -v t >told; grep "^# " told'
	assert_output "# $1"
}

nothing_at_all()
{
	nothing_of_ours
	run -0 inside sh -c 'grep -c /run/netns/ /proc/self/mounts || :'
	assert_output 0
}

@test "a thousand namespaces of 8 queues come, are looked at, mended and go, with 1024 files and 64 MiB" {
	small up
	assert_output ''
	all_stand
	small check
	is_told_to_be unchanged
	inside tc -n leaf500 qdisc del dev eth0 root
	inside ip netns del leaf700
	run -2 inside "$tools/within" 1024 64 qbed topo check t
	assert_line --regexp '^- qdisc leaf500:eth0 root handle 1: mq'
	is_told_to_be 'made again'
	small check
	small down
	assert_output ''
	nothing_at_all
}

@test "96 files are enough" {
	run -0 --separate-stderr inside "$tools/within" 96 64 qbed topo up t
	assert_equal "$stderr" ''
	all_stand
	run -0 --separate-stderr inside "$tools/within" 96 64 qbed topo down t
	assert_equal "$stderr" ''
	nothing_at_all
}

@test "killed anywhere on its way up or down at that size, the next up or down puts all right" {
	local seed=3 round total down
	inside env LD_PRELOAD="$tools/die-at.so" QBED_DIE_COUNT="$PWD/count" qbed topo up t
	total=$(<count)
	inside env LD_PRELOAD="$tools/die-at.so" QBED_DIE_COUNT="$PWD/count" qbed topo down t
	down=$(<count)
	echo "calls of an up: $total, of a down: $down"
	((total > leaves && down > leaves))
	for ((round = 0; round < 4; round++)); do
		seed=$(((seed * 1103515245 + 12345) % 2147483648))
		# the first up makes /run/netns ready, too
		killed $((seed / 65536 * (total - 5) / 32768 + 1)) up
		if ((round % 2)); then
			small up
			small check
			killed $((seed / 65536 * (down - 5) / 32768 + 1)) down
		fi
		small down
		nothing_at_all
	done
}

# killed N WORD: killed before the Nth call that changes something
killed()
{
	echo "$2 killed before call $1"
	run inside env LD_PRELOAD="$tools/die-at.so" QBED_DIE_AT="$1" qbed topo "$2" t
	assert_equal "$status" 137
}

@test "who sits at a terminal sees how far it is, nothing is left of that, and a pipe gets none of it" {
	local left=$'\r *\r$' verb i
	for ((i = 0; i < 600; i++)); do
		echo "netns n$i"
	done >t
	for verb in up down; do
		run -0 inside script -qec "qbed topo $verb t" /dev/null
		case $verb in
		up) assert_output --regexp $'\rqbed: steps done: [0-9]+ of 600' ;;
		down) assert_output --regexp $'\rqbed: namespaces removed: [0-9]+ of 600' ;;
		esac
		# what was written last are blanks
		assert_output --regexp "$left"
	done
	small up
	assert_output ''
	small down
	assert_output ''
}

@test "what is small is over before it can be read: no word of it on a terminal either" {
	local verb
	topology t "${addresses[@]}" "${tree[@]}"
	for verb in up down; do
		run -0 inside script -qec "qbed topo $verb t" /dev/null
		assert_output ''
	done
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed topo, killed or told to end at every millisecond, and run by several at once.

load topo

# killed MS VERB FILE: topo up or down, killed with no warning after so many milliseconds
killed()
{
	inside timeout -s KILL "$(printf '0.%03d' "$1")" qbed topo "$2" "$3" 3>&- || :
}

@test "killed at any point, the next up or down puts all right" {
	local ms half=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	inside ip netns add theirs
	inside qbed topo up t
	run -0 inside qbed topo show t
	fresh=$output
	inside qbed topo down t
	for ((ms = 1; ms <= 60; ms++)); do
		killed "$ms" up t
		if inside sh -c 'test -e /run/qbed/topo-1 && ! grep -qx up /run/qbed/topo-1'; then
			half=$((half + 1))
		fi
		if ((ms % 2)); then
			run -0 inside qbed topo up t
			assert_output ''
			run -0 inside qbed topo show t
			assert_output "$fresh"
		fi
		run -0 inside qbed topo down t
		assert_output ''
		run -0 inside ip netns list
		assert_output theirs
	done
	# or nothing was tried
	echo "killed half way: $half times"
	((half > 0))
}

@test "a down that was killed is ended by the next" {
	local ms half=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	for ((ms = 2; ms <= 60; ms += 2)); do
		inside qbed topo up t
		killed "$ms" down t
		run inside qbed topo check t
		if inside test -e /run/qbed/topo-1 && ((status)); then
			half=$((half + 1))
		fi
		if ((ms % 4)); then
			inside qbed topo up t
			run -0 inside qbed topo check t
		fi
		run -0 inside qbed topo down t
		assert_output ''
		nothing_of_ours
	done
	echo "killed half way: $half times"
	((half > 0))
}

@test "what a kill left between file and mount is cleared" {
	topology t
	inside qbed topo up t
	# as after a kill when the file was there and not yet mounted on
	# shellcheck disable=SC2016 # sed's dollar
	inside sh -c 'umount /run/netns/rx && sed -i -e /^up/d -e "/^cookie .* rx/,\$d" /run/qbed/topo-1'
	run -0 inside qbed topo up t
	run -0 inside qbed topo check t
	inside qbed topo down t
	nothing_of_ours
}

@test "a signal takes all back, or comes too late and all is done" {
	local ms code gone=0 stands=0
	topology t "${addresses[@]}" "${tree[@]}" 'netns third' 'netns fourth' 'link third:a fourth:b queues 2'
	# the test before shows that a SIGKILL at these times leaves something half made
	for ((ms = 1; ms <= 60; ms++)); do
		code=0
		inside timeout --preserve-status -s TERM "$(printf '0.%03d' "$ms")" qbed topo up t \
			>out 2>&1 3>&- || code=$?
		if inside test -e /run/qbed/topo-1; then
			assert_equal "$code" 0
			run -0 inside qbed topo check t
			inside qbed topo down t
			stands=$((stands + 1))
		else
			assert_equal "$code" 143
			gone=$((gone + 1))
		fi
		nothing_of_ours
	done
	echo "taken back $gone times, done $stands times"
	((gone > 0))
}

@test "signals without end leave all or nothing, and the exit code says which" {
	local ms code gone=0 stands=0
	topology t "${addresses[@]}" "${tree[@]}"
	# from later and later on, so that the first ones find it at every stage and the last ones after its end
	for ((ms = 0; ms < 40; ms++)); do
		code=0
		# shellcheck disable=SC2016 # for the inner shell
		inside bash -c 'qbed topo up -v t >out 2>&1 & p=$!
			sleep "$1"
			# until it is a zombie: that one can be sent signals too
			while kill -TERM $p && [[ $(</proc/$p/stat) != *") Z "* ]]; do :; done
			wait $p' up "$(printf '0.%03d' "$ms")" 3>&- || code=$?
		if inside test -e /run/qbed/topo-1; then
			assert_equal "$code" 0
			run -0 cat out
			assert_line --index 0 '# made'
			stands=$((stands + 1))
		else
			assert_equal "$code" 143
			gone=$((gone + 1))
		fi
		inside qbed topo down t
		nothing_of_ours
	done
	echo "taken back $gone times, done $stands times"
	((gone > 0 && stands > 0))
}

@test "two at once do not meet" {
	local pids=() pid
	topology t "${addresses[@]}" "${tree[@]}"
	for _ in 1 2 3 4; do
		inside qbed topo up t 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	run -0 inside qbed topo check t
	run -0 inside sh -c 'ls /run/qbed/topo-*'
	assert_output /run/qbed/topo-1
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# Figures of the virtual clock are the same bytes whatever else the machine does: the promise that
# everything else rests on. Each test repeats the boot of setup_file under other conditions.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

# eight CPUs and counted contentions: what depends most on who runs when
mq=(run mq-netem --arm before --flavour lockstat --set duration=200ms --limit 900)

setup_file()
{
	first=$BATS_FILE_TMPDIR/first
	export first
	# two boots beside each other
	"$lab" "${mq[@]}" --seeds 2 --jobs 2 --output "$first" 3>&-
}

setup()
{
	again=$BATS_TEST_TMPDIR/again
	name='mq-netem-6.1-before-lockstat-seed1.json'
}

@test "two seeds give two results" {
	run -1 cmp "$first/$name" "$first/${name/seed1/seed2}"
	assert_output --partial differ
}

@test "a boot alone gives the same bytes as one beside another" {
	"$lab" "${mq[@]}" --seed 1 --jobs 1 --output "$again" 3>&-
	cmp "$first/$name" "$again/$name"
}

@test "a machine that is kept busy gives the same bytes" {
	local pids=() cpu
	for cpu in $(seq "$(nproc)"); do
		(while :; do :; done) 3>&- &
		pids+=($!)
	done
	code=0
	"$lab" "${mq[@]}" --seed 1 --output "$again" 3>&- || code=$?
	kill "${pids[@]}"
	assert_equal "$code" 0
	cmp "$first/$name" "$again/$name"
}

@test "a reader of the lab's output that has stopped changes nothing" {
	local tries=9000 lab_pid reader
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 8<>"$BATS_TEST_TMPDIR/pipe"
	# nobody reads, and there is no room for a single byte
	run dd if=/dev/zero of=/dev/fd/8 bs=4096 count=1024 oflag=nonblock status=none
	"$lab" "${mq[@]}" --seed 1 --output "$again" >&8 2>&1 8>&- 3>&- &
	lab_pid=$!
	until [ -e "$again/$name" ]; do
		tries=$((tries - 1))
		((tries > 0)) || fail 'no result in 900 s'
		sleep 0.1
	done
	# it wants to say so, and cannot
	sleep 0.5
	kill -0 "$lab_pid"
	cat <&8 >/dev/null 3>&- &
	reader=$!
	exec 8>&-
	wait "$lab_pid"
	kill "$reader"
	cmp "$first/$name" "$again/$name"
}

@test "retire twice with one seed gives the same bytes" {
	local i
	for i in 1 2; do
		"$lab" run retire --arm after --seed 1 --set tovs='2ms 10ms' --set duration=200ms \
			--output "$BATS_TEST_TMPDIR/$i" 3>&-
	done
	cmp "$BATS_TEST_TMPDIR"/[12]/retire-6.1-after-plain-seed1.json
}

# Each idle moment of a guest is a hand-over between two threads of QEMU, which a busy machine can
# delay at any point: thousands of them, with more guests and loops than CPUs.
@test "a guest that idles all the time gives the same bytes beside more guests than CPUs" {
	local pids=() loops=() i code=0 words=(run retire --arm after --seed 1 --set duration=1s)
	"$lab" "${words[@]}" --output "$BATS_TEST_TMPDIR/alone" 3>&-
	for i in $(seq "$(nproc)"); do
		(while :; do :; done) 3>&- &
		loops+=($!)
	done
	for i in $(seq $((2 * $(nproc)))); do
		"$lab" "${words[@]}" --output "$BATS_TEST_TMPDIR/beside$i" 3>&- &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || code=$?
	done
	kill "${loops[@]}"
	assert_equal "$code" 0
	for i in $(seq ${#pids[@]}); do
		cmp "$BATS_TEST_TMPDIR"/{alone,beside"$i"}/retire-6.1-after-plain-seed1.json
	done
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed called as "tc", beside tc(8): the same lines, each in a namespace of its own, must print the
# same and end with the same exit code.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load sandbox

setup()
{
	sandbox_start
	mkdir "$BATS_TEST_TMPDIR/bin"
	ours=$BATS_TEST_TMPDIR/bin/tc
	ln -s "$(command -v qbed)" "$ours"
	local ns
	for ns in t q; do
		sandbox_veth "$ns" 4
		inside ip -n "$ns" link add ifb0 type ifb
	done
}

teardown()
{
	sandbox_stop
}

# same_line WORD...: to tc in t, to ours in q
same_line()
{
	local theirs_out theirs_err theirs_code=0 code=0
	theirs_out=$(inside tc -n t "$@" 2>"$BATS_TEST_TMPDIR/theirs") || theirs_code=$?
	run --separate-stderr inside "$ours" -n q "$@"
	assert_equal "$* -> $status" "$* -> $theirs_code"
	# tc leaves white space at the ends of lines; newer ones leave one out in htb's bursts
	assert_equal "$*: $output" "$*: $(sed -E 's/ +(\\|$)/\1/g; s#/([0-9]+)mpu#/\1 mpu#g' <<<"$theirs_out")"
	theirs_err=$(grep -E '^(Error: [A-Z]|Warning|RTNETLINK|Cannot|We have|Object|Command|Option|Dump)' \
		"$BATS_TEST_TMPDIR/theirs" || :)
	# of wrong words each has its own
	[[ -z $theirs_err && $theirs_code != 0 ]] || assert_equal "$*: $stderr" "$*: $theirs_err"
}

# of_lines COMMAND: calls it with each line of the standard input
of_lines()
{
	local line words
	while read -r line; do
		read -ra words <<<"$line"
		"$@" "${words[@]}"
	done
}

@test "what is made and shown, with every option that changes it" {
	of_lines same_line <<-'END'
	qdisc
	q s
	-s qdisc show
	qdisc show dev eth1
	qdisc add dev eth1 root handle 1: htb default 1
	class add dev eth1 parent 1: classid 1:1 htb rate 1mbit
	cl a dev eth1 parent 1: classid 1:2 htb rate 1mbit ceil 2mbit burst 3k cburst 4k prio 3 quantum 3000
	c s dev eth1
	-s class show dev eth1
	-stats -det class show dev eth1
	-s qdisc show dev eth1
	-o qdisc show dev eth1
	-o class show dev eth1
	class del dev eth1 classid 1:2
	filter add dev eth1 parent 1: protocol ip prio 3 u32 match ip dst 1.2.3.4 flowid 1:1
	f add dev eth1 parent 1: protocol all prio 4 u32 match u32 0 0 action mirred egress mirror dev ifb0
	filter show dev eth1
	f ls dev eth1
	-s filter list dev eth1 parent 1:
	-o filter show dev eth1
	filter show
	qdisc del dev eth1 root
	qdisc add dev eth1 root handle 1: mq
	qdisc add dev eth1 parent 1:1 handle 11: tbf rate 1mbit burst 3000 latency 20000
	qdisc add dev eth1 parent 1:2 handle 12: tbf rate 1mbit burst 3000 latency 20ms
	qdisc add dev eth1 parent 1:3 handle 13: pfifo limit 5
	qdisc add dev eth1 parent 1:4 handle 14: bfifo
	-s qdisc show dev eth1
	qdisc rep dev eth1 parent 1:4 handle 15: bfifo
	qdisc add dev eth1 ingress
	qdisc show dev eth1 ingress
	qdisc show dev eth1
	END
}

@test "what is refused, by the words, by the kernel or for want of a device, and its exit code" {
	inside tc -n t qdisc add dev eth1 root handle 1: htb
	inside tc -n q qdisc add dev eth1 root handle 1: htb
	of_lines same_line <<-'END'
	qdisc add dev eth1 root handle 1: htb
	qdisc add dev eth1 root foo
	class del dev eth1 classid 1:9
	filter add dev eth1 parent 1: protocol ip nonsense
	filter del dev eth1 parent 1: prio 3
	filter show dev nope
	qdisc show dev nope
	class show dev nope
	qdisc add dev nope root pfifo
	class add dev nope parent 1: classid 1:1 htb rate 1mbit
	filter add dev nope parent 1: u32 match u32 0 0
	qdisc add dev eth1 parent x pfifo
	qdisc add dev eth1 parent 1:10000 pfifo
	foo
	qdisc foo
	class foo
	filter foo
	-foo qdisc
	END
	local line code
	while IFS='|' read -r code line; do
		# shellcheck disable=SC2086 # words
		run "-$code" inside tc -n t $line
		# shellcheck disable=SC2086
		run "-$code" inside "$ours" -n q $line
		assert_line --index 0 --partial 'Error: '
	done <<-'END'
	1|qdisc add dev eth1 root pfifo foo
	1|class add dev eth1 parent 1: classid 1:1 htb foo
	1|filter add dev eth1 parent 1: protocol ip u32 match ip dst
	255|qdisc add dev eth1 root root pfifo
	2|qdisc add dev eth1 root
	END
	run -255 inside "$ours" -n nope qdisc
}

@test "JSON is one document, with -p over several lines" {
	inside "$ours" -n q qdisc add dev eth1 root handle 1: pfifo limit 5
	run -0 inside "$ours" -n q -j qdisc show dev eth1
	assert_equal "${#lines[@]}" 1
	assert_equal "$(jq -c . <<<"$output")" "$(inside tc -n q -j qdisc show dev eth1 | jq -c .)"
	run -0 inside "$ours" -n q -p -json qdisc show dev eth1
	[ "${#lines[@]}" -gt 5 ]
	assert_equal "$(jq -c . <<<"$output")" "$(inside tc -n q -j qdisc show dev eth1 | jq -c .)"
}

@test "times without a unit are those of 6.1 unless an option or the environment says otherwise" {
	local latency
	for latency in '' --tc-units=6.1; do
		run -0 inside "$ours" ${latency:+--tc-units 6.1} -n q qdisc replace dev eth1 root handle 1: \
			tbf rate 1mbit burst 3000 latency 20000
		run -0 inside tc -n q qdisc show dev eth1
		assert_output --partial 'lat 20ms'
	done
	run -255 inside "$ours" --tc-units 7 qdisc
	QBED_TC_UNITS=nonsense run -255 inside "$ours" qdisc
	QBED_TC_UNITS=6.9 run -0 inside "$ours" -n q qdisc
}

@test "-batch ends at the first line that fails, -force goes on; both name it and exit 1" {
	local file=$BATS_TEST_TMPDIR/lines option
	cat >"$file" <<-'END'
	# a comment
	qdisc add dev eth1 root handle 1: htb
	qdisc add dev eth1 root \
		handle 1: htb
	qdisc replace dev "eth1" root handle 2: htb
	foo
	qdisc show dev eth1
	END
	for option in '' -force; do
		same_line $option -batch "$file"
		inside tc -n t qdisc del dev eth1 root
		inside tc -n q qdisc del dev eth1 root
	done
	run -1 inside "$ours" -b /nonexistent/file
	assert_output 'Cannot open file "/nonexistent/file" for reading: No such file or directory'
	run -0 inside "$ours" -n q -b - <<<'qdisc add dev eth1 root handle 5: pfifo'
	run -0 inside "$ours" -n q qdisc show dev eth1
	assert_output --partial 'qdisc pfifo 5:'
}

@test "--help and --version, and what the name tc is not part of" {
	run -0 inside "$ours" -V
	assert_output --partial 'tc utility, '
	run --separate-stderr -0 inside "$ours" -help
	assert_equal "$output" ''
	[[ $stderr == 'Usage: tc '* ]]
	run -0 inside "$ours" qdisc help
	run -0 inside "$ours"
	ln -s "$(command -v qbed)" "$BATS_TEST_TMPDIR/bin/tcx"
	run -0 inside "$BATS_TEST_TMPDIR/bin/tcx" --version
	assert_output --partial 'qbed '
	run -2 inside sh -c "exec '$ours' -n q qdisc >/dev/full"
}

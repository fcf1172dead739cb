# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed's command line: what every command has in common, and what is refused. Nothing in here
# needs a privilege or touches the kernel.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

commands()
{
	qbed --complete-words | sed -n 's/:.*//p' | grep -vx qbed
}

# refused WORD ARG...: exit 1, nothing on stdout, and on stderr one line that has WORD in it and
# one that says where help is
refused()
{
	local word=$1
	shift
	run --separate-stderr -1 qbed "$@"
	assert_equal "$output" ''
	[[ ${stderr_lines[0]} == 'qbed: '*"$word"* ]] || fail "'$word' is not in: $stderr"
	[[ ${stderr_lines[1]} == 'See qbed '*'--help.' ]] || fail "no way to the help in: $stderr"
	assert_equal "${#stderr_lines[@]}" 2
}

@test "--help and --version go to stdout and succeed" {
	local option
	for option in --help -h help --version -V; do
		run --separate-stderr -0 qbed "$option"
		assert_equal "$stderr" ''
		assert_output --partial qbed
	done
	run -0 qbed --version
	assert_output --regexp '^qbed [0-9]+\.[0-9]+'
}

@test "every command is in the help, has its own, and takes the common options" {
	local command
	run -0 qbed help
	local all=$output
	[ "$(commands | wc -l)" -gt 1 ]
	for command in $(commands); do
		[[ $all == *"  $command "* ]] || fail "$command is not in: $all"
		run --separate-stderr -0 qbed "$command" --help
		assert_equal "$stderr" ''
		assert_line --index 0 --regexp "^Usage: qbed $command( |\$)"
		assert_output --partial '--json'
		assert_equal "$(qbed help "$command")" "$output"
		assert_equal "$(qbed "$command" -h)" "$output"
	done
}

@test "unknown words and options are named and exit 1, whatever the command" {
	local command
	refused 'a command is needed'
	refused '"nonsense"' nonsense
	refused '"nonsense"' help nonsense
	refused '"qdis"' qdis show
	refused '"--nonsense"' --nonsense qdisc show
	refused '"--js"' --js qdisc show
	refused '"-x"' -x
	refused 'option --color: "green"' --color=green qdisc show
	refused 'option "-o" needs a value: FILE' -o
	refused 'option --json takes no value' --json=yes qdisc show
	for command in $(commands); do
		refused '"--nonsense"' "$command" --nonsense
		refused '"--nonsense=3"' "$command" --nonsense=3
	done
}

@test "an alias is a whole word, never a beginning" {
	refused '"q"' q show
	refused '"qdi"' qdi show
	run -0 qbed qd --help
	assert_line --index 0 --partial 'Usage: qbed qdisc'
}

@test "the words of a qdisc are judged before any kernel call" {
	local line word
	while IFS='|' read -r word line; do
		# shellcheck disable=SC2086 # words
		refused "$word" qdisc $line
	done <<-'END'
	"10": a time needs its unit|add dev eth1 root netem delay 10
	"-5ms": a time cannot be negative|add dev eth1 root netem delay -5ms
	"nan"|add dev eth1 root netem delay nan
	"inf"|add dev eth1 root netem delay inf
	"0.5ns": finer than 1 ns|add dev eth1 root netem delay 0.5ns
	limit: "0"|add dev eth1 root netem limit 0
	"101%"|add dev eth1 root netem loss 101%
	overtake|add dev eth1 root netem reorder 25%
	"100M"|add dev eth1 root tbf rate 100M burst 2000 latency 1ms
"101%": more than 100%|add dev eth1 root tbf rate 101% burst 2000 latency 1ms
	"nonsense"|add dev eth1 root nonsense
	"nonsense"|add dev eth1 root netem nonsense
	"nonsense"|nonsense dev eth1
	"dev D" is needed|add root pfifo
	a kind of qdisc is needed|add dev eth1 root
	"root" or "parent H" is needed|add dev eth1 pfifo
	handle "10"|add dev eth1 root handle 10 pfifo
	handle "12345:"|add dev eth1 root handle 12345: pfifo
	"1:10000"|add dev eth1 parent 1:10000 pfifo
	parent: "1"|add dev eth1 parent 1 pfifo
	"a/b"|add dev a/b root pfifo
	"abcdefghijklmnop": the name is too long|add dev abcdefghijklmnop root pfifo
	"..": the name|add dev ..:eth1 root pfifo
	"a/b": the name|-n a/b show
	est: "1"|add dev eth1 root est 1 4 pfifo
	can only be the root|add dev eth1 parent 1:1 mq
	END
}

@test "control characters of a word do not reach the terminal" {
	run -1 qbed qdisc $'\033[31mred\nline'
	refute_output --partial $'\033'
	assert_line --index 0 --partial '"?[31mred?line"'
}

@test "what cannot be written is a failure: a full disk, a closed stdout, a path that is not there" {
	local words
	for words in --help --version 'qdisc --help' 'qdisc show' '--json qdisc show'; do
		# shellcheck disable=SC2086 # words
		run -2 sh -c "exec qbed $words >/dev/full"
		assert_output --partial 'standard output: write: No space left on device'
		run -2 sh -c "exec qbed $words >&-"
		assert_output --partial 'standard output: write: Bad file descriptor'
	done
	run -2 qbed qdisc show -o /dev/full
	assert_output 'qbed: /dev/full: write: No space left on device'
	run -2 qbed qdisc show -o /nonexistent/x.json
	assert_output --partial '/nonexistent/x.json: open: No such file or directory'
}

@test "-o writes the JSON document and prints nothing; a failure leaves no file and no change" {
	local file=$BATS_TEST_TMPDIR/out.json
	run -0 qbed qdisc show -o "$file"
	assert_output ''
	run -0 jq -e 'type == "array"' "$file"
	local before
	before=$(cat "$file")
	run -2 qbed qdisc show dev none:eth1 -o "$file"
	assert_equal "$(cat "$file")" "$before"
	run -2 qbed qdisc show dev none:eth1 --output="$file.new"
	[ ! -e "$file.new" ]
	printf '%099999d' 0 >"$file"
	run -0 qbed -o "$file" qdisc show
	assert_equal "$(cat "$file")" "$before"
}

@test "options stand before the command or among its words, and --json means the same there" {
	local before
	before=$(qbed --json qdisc show)
	assert_equal "$(qbed qdisc --json show)" "$before"
	assert_equal "$(qbed qdisc show --json)" "$before"
	run -0 jq -e 'type == "array"' <<<"$before"
}

@test "messages have color when it is asked for or seen by a terminal, never otherwise" {
	run -1 qbed --color=always nonsense
	assert_output --partial $'\033[31mqbed: '
	run -1 qbed nonsense
	refute_output --partial $'\033'
	run -1 script -qec 'qbed nonsense' /dev/null
	assert_output --partial $'\033[31mqbed: '
	NO_COLOR=1 run -1 script -qec 'qbed nonsense' /dev/null
	refute_output --partial $'\033'
	run -1 script -qec 'qbed --color=never nonsense' /dev/null
	refute_output --partial $'\033'
}

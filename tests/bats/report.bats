# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed report on documents with invented figures (tests/data/results/sample).

bats_load_library bats-support
bats_load_library bats-assert

bats_require_minimum_version 1.5.0

setup()
{
	root=${QBED_SRCDIR:-$BATS_TEST_DIRNAME/../..}
	PATH=${QBED_BINDIR:-$root}:$PATH
	sample=$root/tests/data/results/sample
	cd "$BATS_TEST_TMPDIR" || return
}

# change FILE JQ...: a copy of a sample document, changed, on stdout
change()
{
	local file=$1
	shift
	jq "$@" "$sample/$file"
}

# refused WORD ARG...: qbed report ARG... exits with 1, says WORD on stderr and prints nothing
refused()
{
	local word=$1
	shift
	run --separate-stderr -1 qbed report "$@"
	assert_equal "$output" ''
	[[ $stderr == *"$word"* ]] || fail "'$word' is not in: $stderr"
}

@test "the report of the sample is the text that is kept beside it" {
	run -0 qbed report "$sample"
	diff -u "$root/tests/data/results/sample.txt" <(printf '%s\n' "$output")
}

@test "the text is ASCII, at most 75 columns, set in by 4, with nothing at the ends of lines" {
	local option
	for option in '' --seeds-shown; do
		run -0 qbed report "$sample" $option
		refute_line --regexp '^.{76}'
		refute_line --regexp '^ {0,3}[^ ]'
		refute_line --regexp ' $'
		refute_output --regexp $'[^ -~\n]'
	done
}

@test "the order of files, folders and repetitions on the command line change no byte" {
	local json text
	json=$(qbed report "$sample" --json)
	text=$(qbed report "$sample")
	run -0 bash -c 'ls "$1"/*.json | sort -r | xargs qbed report --json' _ "$sample"
	assert_equal "$output" "$json"
	run -0 qbed report "$sample"/*after*.json "$sample" "$sample"/*before*.json
	assert_equal "$output" "$text"
}

@test "the JSON has every figure as it was measured, per arm and seed" {
	qbed report "$sample" --json >report.json
	run -0 jq -c '.schema, (.experiments | length),
		(.experiments[0].metrics[] | select(.name == "p99_ns") |
			.arms.before.value, .arms.after.seeds, .unit),
		(.experiments[0].metrics[] | select(.name == "contentions") |
			.zero_only, .flavour, .arms["migration-off"].value),
		.experiments[0].flavours.plain.arms.after.environment.shift' report.json
	assert_output - <<-'END'
	"qbed-report-1"
	1
	7940000
	[{"seed":1,"value":2010000},{"seed":2,"value":2050000},{"seed":3,"value":1995000}]
	"ns"
	true
	"lockstat"
	null
	2
	END
}

@test "a figure that an arm lacks is n/a, and never 0" {
	mkdir less
	cp --no-preserve=mode "$sample"/plain.before.*.json less
	change plain.after.1.json 'del(.measurements.timers)' >less/a.json
	run -0 qbed report less
	assert_line --regexp '^    sample expiries .* n/a +n/a$'
	refute_line --regexp '^    sample expiries .* 0 '
	# what no arm has shows no unit
	cp --no-preserve=mode "$sample"/plain.before.1.json less.json
	change plain.before.1.json '.measurements.idle.wakeups = null' >less.json
	run -0 qbed report less.json
	assert_line --regexp '^    wakeups of an idle sample +n/a$'
	run -4 qbed report less --expect 'sample.after.away == 0'
	assert_output --partial 'cannot tell'
}

@test "a figure that one seed lacks gives no value for the arm, and a note says so" {
	mkdir less
	cp --no-preserve=mode "$sample"/plain.{before,after}.*.json less
	change plain.after.2.json '.measurements.delay.queues[0].p99_ns = null' >less/plain.after.2.json
	run -0 qbed report less --seeds-shown
	assert_line --regexp 'sample delay, p99 \[1\] \[2\] +ms +7.940 +n/a +n/a$'
	assert_line --partial 'Some seeds have no such figure'
	run -2 qbed report less --expect 'sample.after.p99@every <= 2ms'
	run -4 qbed report less --expect 'sample.after.p99@every <= 9ms'
}

@test "metrics whose paths lead to nothing in any result are named, once" {
	change plain.after.1.json '.metrics[0].path = "timers.typo" | .metrics[1].path = "delays"' >typo.json
	run --separate-stderr -0 qbed report typo.json
	assert_equal "$stderr" 'qbed: warning: sample (base 6.1): no result has what the paths of these metrics lead to: away_percent (timers.typo), p99_ns (delays)'
	# a figure that was not to be had is there all the same
	change plain.after.1.json '.measurements.timers.away_percent = null' >null.json
	run --separate-stderr -0 qbed report null.json
	assert_equal "$stderr" ''
}

@test "each arm's patches are named, arms that have the same together" {
	run -0 qbed report "$sample"
	assert_line '    patches   before, migration-off:'
	assert_line '              - test-aid: sample: unpin what is invented'
	assert_line '              after:'
	assert_line '              - sample: pin what is invented'
	mkdir other
	change plain.before.1.json '.patches = []' >other/before.json
	change plain.after.1.json 'del(.patches)' >other/after.json
	run -0 qbed report other
	assert_line '    patches   before: none, the base as it is'
	refute_line --partial 'after:'
	run -0 qbed report --json "$sample"
	assert_equal "$(jq -c '.experiments[0].flavours.lockstat.arms.before.patches' <<<"$output")" \
		'["test-aid: sample: unpin what is invented"]'
	change plain.before.2.json '.patches = ["another"]' >other/before2.json
	refused 'patches' other
	change plain.before.1.json '.patches = [1]' >bad.json
	refused 'patches[0]: not a string' bad.json
}

@test "what is a detail stands below what is said of all flavours" {
	mkdir detail
	change plain.after.1.json '.metrics[1].better = "lower,detail"' >detail/plain.json
	cp --no-preserve=mode "$sample/lockstat.after.1.json" detail
	run -0 qbed report detail
	assert_equal "$(grep -nE 'sample delay|contentions on|details:|cost:' <<<"$output" | sed 's/^[0-9]*: *//; s/  .*//')" \
		$'plain, cost:\ncontentions on the sample\'s locks [1]\nplain, details:\nsample delay, p99 [2]'
}

@test "a figure of one seed is said to have no spread" {
	run -0 qbed report "$sample"/plain.*.1.json
	assert_line '    One seed: the spread over seeds is not known.'
	run -0 qbed report "$sample"
	assert_line '    One seed of lockstat: the spread over seeds is not known.'
	run -0 qbed report "$sample"/plain.*
	refute_output --partial 'One seed'
}

@test "results of two workloads are not mixed, and the difference is named" {
	change plain.after.1.json '.parameters.rate = "1000"' >other.json
	refused 'parameters.rate: "500" against "1000"' "$sample"/plain.before.1.json other.json
	change plain.after.1.json '.environment.shift = 1' >other.json
	refused 'environment.shift: 2 against 1' "$sample"/plain.before.1.json other.json
	change plain.before.2.json '.environment.kernel_sha256 = "00"' >other.json
	refused 'environment.kernel_sha256' "$sample"/plain.before.1.json other.json
}

@test "one boot with two results breaks the promise of identity and is named" {
	change plain.after.1.json '.measurements.delay.queues[0].p99_ns += 1' >other.json
	refused 'measurements.delay.queues.0.p99_ns: 2010000 against 2010001' \
		"$sample"/plain.after.1.json other.json
}

@test "input that is no result is refused with its name and place" {
	: >empty.json
	head -c 300 "$sample/plain.after.1.json" >cut.json
	printf '{"schema":"qbed-result-1","x":NaN}\n' >nan.json
	change plain.after.1.json '.schema = "qbed-report-1"' >schema.json
	change plain.after.1.json 'del(.arm)' >arm.json
	change plain.after.1.json '.measurements.timers.away_percent = "many"' >text.json
	mkdir none

	refused 'empty.json: empty' empty.json
	refused 'cut.json:11:' cut.json
	refused 'nan.json:1:' nan.json
	refused "schema.json: schema: 'qbed-report-1'" schema.json
	refused 'arm.json: arm: no such string' arm.json
	refused 'text.json: measurements: metric away_percent' text.json
	refused 'none: no results (*.json) in this folder' none
	refused 'nowhere.json: open: No such file' nowhere.json
	refused 'which results?'
}

@test "a report may be written among the results: it is left out, and said so" {
	mkdir -p deep/er
	cp --no-preserve=mode "$sample"/plain.*.json deep/er
	qbed report deep --json >deep/report.json
	qbed report deep -o deep/again.json
	cmp deep/report.json deep/again.json
	rm deep/again.json
	: >deep/notes.txt
	run --separate-stderr -0 qbed report deep --json
	assert_equal "$output" "$(<deep/report.json)"
	[[ $stderr == *'deep/report.json: schema'*'left out'* ]]
	: >deep/er/broken.json
	refused 'deep/er/broken.json: empty' deep
}

@test "links that go round in a folder do not" {
	mkdir loop
	cp --no-preserve=mode "$sample"/plain.after.1.json loop
	ln -s . loop/again
	run -0 timeout 20 qbed report loop
}

@test "a bound that holds exits with 0 and is shown" {
	run -0 qbed report "$sample" --expect 'sample.after.p99_ns <= 2010us' \
		--expect 'sample.after.away_percent@every == 0' --expect '6.1:sample.before.contentions>=100'
	assert_line '    held: sample.after.p99_ns <= 2010us (6.1 plain: 2010000 ns)'
	assert_line '    held: 6.1:sample.before.contentions>=100 (6.1 lockstat: 954'
}

@test "a broken bound exits with 2, names bound and value, and the report is still printed" {
	run --separate-stderr -2 qbed report "$sample" --expect 'sample.after.p99@every <= 2.01ms'
	assert_equal "${stderr_lines[0]}" \
		'qbed: report: sample.after.p99@every <= 2.01ms: broken: 6.1 plain, seed 2: 2050000 ns'
	assert_line --partial 'sample delay, p99'
	run --separate-stderr -2 qbed report "$sample" --expect 'sample.after.p99@every <= 2.01ms' --json
	run -0 jq -r '.expect[0].verdict' <<<"$output"
	assert_output broken
}

@test "a bound on what is not there exits with 4, and a broken one beside it with 2" {
	run --separate-stderr -4 qbed report "$sample" --expect 'sample.next.p99 <= 1ms'
	[[ $stderr == *'cannot tell: no result of that arm'* ]]
	run --separate-stderr -4 qbed report "$sample" --expect 'mq-netem.after.away == 0'
	[[ $stderr == *'no result of that experiment'* ]]
	run --separate-stderr -4 qbed report "$sample" --expect 'sample.migration-off.contentions == 0'
	run --separate-stderr -2 qbed report "$sample" --expect 'sample.next.p99 <= 1ms' \
		--expect 'sample.after.p99 <= 1ms'
	[[ $stderr == *'warning: report: sample.next.p99 <= 1ms: cannot tell'* ]]
}

@test "a bound that cannot be read exits with 1 before any file is opened" {
	refused "--expect 'sample.after.p99 = 1ms': column 18" --expect 'sample.after.p99 = 1ms' /nowhere
	refused 'a time needs its unit' --expect 'sample.after.p99 <= 2' "$sample"
	refused "measured in 'ns', not in '%'" --expect 'sample.after.p99 <= 2%' "$sample"
}

@test "a wall clock is called one, and nothing is said of turns or seeds that were not there" {
	change plain.after.1.json '.environment += {clock: "native", shift: null, qemu: null,
		machine: null, cpu_model: null, kernel_sha256: null, config_sha256: ""}' >native.json
	run -0 qbed report native.json
	assert_line --partial 'wall clock, the running kernel'
	assert_line --partial 'machine   8 CPUs'
	refute_output --partial 'turns'
	refute_output --partial 'medians'
	refute_output --partial 'change'
}

@test "what a document says does not reach the terminal raw" {
	change plain.after.1.json --arg bad $'\e]0;x\a\n---\nDiff' \
		'.title = $bad | .command = $bad | .metrics[0].title = $bad | .parameters = {"a": $bad}' >bad.json
	run -0 qbed report bad.json
	refute_output --regexp $'[\e\a]'
	refute_line --regexp '^[^ ]'
}

@test "a time shows its unit although the title has one too; contentions do not say it twice" {
	change plain.after.1.json '.metrics[1].title = "tov 2 ms: delay"' >ms.json
	run -0 qbed report ms.json "$sample"/lockstat.after.1.json
	assert_line --regexp '^    tov 2 ms: delay .* ms +2.010$'
	assert_line --regexp "^    contentions on the sample's locks .* 0$"
	refute_output --regexp 'contentions .* contentions'
}

@test "many arms with long names are put below each other, within 75 columns" {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		change plain.after.1.json --arg arm "v6.$i-a-branch-with-a-name" '.arm = $arm' >"$i.json"
	done
	run -0 qbed report [1-8].json "$sample"/plain.before.1.json
	refute_line --regexp '^.{76}'
	for i in 1 2 3 4 5 6 7 8; do
		assert_line --regexp "^ +unit .*v6.$i-a-branch-with-a-name"
	done
}

@test "a report that cannot be written is a failure" {
	run -2 bash -c 'qbed report "$1" >/dev/full' _ "$sample"
	run -2 bash -c 'qbed report "$1" --json >/dev/full' _ "$sample"
}

@test "bash completes commands, options and files of qbed" {
	[[ $(qbed --complete-words) == *'report: '* ]] || fail 'qbed tells no words'
	printf '%s\n' "PATH=$PATH PS1=" "source '$root/tc-helpers/qbed.bash-completion'" >rc
	mkdir folder-of-results
	cp --no-preserve=mode "$sample"/plain.after.1.json folder-of-results
	# typed into a terminal: each \t must give the rest of the word
	printf 'qbed rep\t fold\t --seeds-s\t; exit\n' >keys
	run -0 timeout 30 script -qec "bash --noprofile --rcfile rc -i" /dev/null <keys
	assert_output --partial 'sample (base 6.1)'
	assert_output --partial 'seed 1'
}

# completion FILE WORD...: what bash offers for the last word, one a line
completion()
{
	bash -c '
		source "$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		"_${1//-/_}"
		printf "%s\n" "${COMPREPLY[@]}"' _ "$@"
}

@test "the completion of qbed knows a command's own options and leaves wrapped commands alone" {
	run -0 completion "$root/tc-helpers/qbed.bash-completion" qbed report --e
	assert_output -- --expect
	run -0 completion "$root/tc-helpers/qbed.bash-completion" qbed --color al
	assert_output always
	run -0 completion "$root/tc-helpers/qbed.bash-completion" qbed --color always repo
	assert_output report
	run -0 completion "$root/tc-helpers/qbed.bash-completion" qbed help repo
	assert_output report
	run -0 completion "$root/tc-helpers/qbed.bash-completion" qbed locks -- unsh
	assert_line unshare
}

@test "the completion of qbed-lab knows verbs, experiments and options" {
	PATH=$root/testbed:$PATH
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab r
	assert_line run
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab run ret
	assert_line retire
	refute_line --regexp '^mq'
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab run retire --see
	assert_line -- --seed
	assert_line -- --seeds
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab run retire --clock v
	assert_output virtual
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab -v run retire --seed 1 --set t
	assert_output tovs=
	run -0 completion "$root/testbed/qbed-lab.bash-completion" qbed-lab run nonsense --set t
	assert_output ''
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed-lab's command line: what is refused, and how. Nothing in here boots a guest.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup() { lab_setup param.word=hi; }

@test "help and version go to stdout and exit with 0" {
	run --separate-stderr -0 "$lab" --help
	assert_line --partial 'Usage: qbed-lab'
	assert_equal "$stderr" ''
	run --separate-stderr -0 "$lab" --version
	assert_output --regexp '^qbed-lab [0-9]'
}

@test "every verb that the help lists has a help of its own" {
	local verb count=0
	for verb in $("$lab" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		run --separate-stderr -0 "$lab" "$verb" --help
		assert_line --partial "Usage: qbed-lab $verb"
		assert_equal "$stderr" ''
		count=$((count + 1))
	done
	[ "$count" -ge 5 ]
	assert_equal "$count" "$(find "$root/testbed/lib" -name 'cmd-*.bash' | wc -l)"
}

@test "the man page names every verb and every option of each" {
	local verb word
	for verb in $("$lab" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		grep -qF -- "*$verb*" "$root/docs/man/qbed-lab.8.scd" || fail "no verb $verb"
		for word in $("$lab" "$verb" --help | grep -oE -- '--[a-z][a-z-]*' | sort -u); do
			grep -qF -- "*$word*" "$root/docs/man/qbed-lab.8.scd" || fail "$verb: no option $word"
		done
	done
}

@test "no words at all is a usage error that shows the help" {
	run -1 "$lab"
	assert_line --partial 'Usage: qbed-lab'
}

@test "an unknown verb or option is named" {
	refused 1 "'nonsense'" nonsense
	refused 1 "'--nonsense'" --nonsense
	refused 1 "'ru'" ru
	refused 1 "'--nonsense'" run mq-netem --nonsense
	refused 1 "'-x'" shell -x
	refused 1 "'nonsense'" list nonsense
	refused 1 "'nonsense'" clean nonsense
	refused 1 "'../..'" clean ../..
	refused 1 "'nonsense.bats'" test 6.1 after plain -- nonsense.bats
}

@test "a value that is missing or wrong is named" {
	refused 1 '--base' run mq-netem --base
	refused 1 "'0'" run mq-netem --seeds 0
	refused 1 "'-1'" run mq-netem --seed -1
	refused 1 "'eight'" run mq-netem --cpus eight
	refused 1 "'11'" run mq-netem --shift 11
	refused 1 "'moon'" run mq-netem --clock moon
	refused 1 "'a/b'" run mq-netem --arm a/b
	refused 1 "'nothing'" run mq-netem --set nothing
	refused 1 '/nonexistent' run mq-netem --kernel /nonexistent
	refused 1 '/nonexistent' run mq-netem --config /nonexistent
	refused 1 '--report' run mq-netem --report=yes
}

@test "options that do not go together are refused" {
	refused 1 '--tree' run mq-netem --before HEAD
	refused 1 'at a time' run mq-netem --tree . --kernel "$exp/run"
	refused 1 "'second'" run mq-netem second
	refused 1 'which experiment' run
}

@test "an experiment, arm or parameter that does not exist is named" {
	refused 1 "'nonsense'" run nonsense
	refused 1 "'sideways'" run mq-netem --arm sideways
	refused 1 "'speed'" run mq-netem --set speed=9
	rm "$exp/run"
	refused 1 "'run'" run "$exp"
}

@test "a fault in an experiment's files is told with its line" {
	printf 'title=x\nnonsense\n' >"$exp/experiment"
	refused 1 'tiny/experiment:2' run "$exp"
	printf 'title=x\ncolour=red\n' >"$exp/experiment"
	refused 1 "'colour'" run "$exp"
	printf 'title=x\n' >"$exp/experiment"
	printf '# comment\nname path average ns lower Some title\n' >"$exp/metrics"
	refused 1 'tiny/metrics:2' run "$exp"
}

@test "figures that qbed report would refuse are told with their line, before anything is booted" {
	local line
	while read -r line; do
		printf 'a x.n median ns lower A figure\n%s\n' "$line" >"$exp/metrics"
		refused 1 'tiny/metrics:2' run "$exp" --kernel "$exp/run"
	done <<-END
	a x.m median ns lower The same name
	a plain:x.m median ns lower The same name in one flavour
	a.b x.m median ns lower A dot
	b plain: median ns lower No path
	b x.m median ns lower,dear An unknown word
	b x.m median ns lower
	END
	printf '# nothing\n' >"$exp/metrics"
	refused 1 'tiny/metrics: has no figure' run "$exp" --kernel "$exp/run"
	printf 'a plain:x.n median ns lower,zero,cost A\na lockstat:x.n median ns none,detail A\n' >"$exp/metrics"
	fake_guest
	run -0 "$lab" run "$exp" --kernel "$exp/run" --seed 1 --output "$out"
	assert_equal "$(jq -c '[.metrics[].better]' "$out"/*.json)" '["lower,zero,cost"]'
}

@test "a value in an experiment's file that cannot be is told with its line" {
	local line
	while read -r line; do
		printf 'title=x\n%s\n' "$line" >"$exp/experiment"
		refused 1 'tiny/experiment:2' run "$exp" --kernel "$exp/run"
	done <<-END
	arms=
	arms=../../up
	bases=
	flavours=
	seeds=0
	seeds=many
	seeds.plain=0
	limit=0
	cpus=a[\$(touch \$BATS_TEST_TMPDIR/ran)]
	memory=lots
	shift=11
	param.=1
	param.a.b=1
	END
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "an experiment that leaves nothing to run is an error, not a success" {
	printf 'arms=before\narms.plain=after\n' >>"$exp/experiment"
	refused 1 'nothing to run' run "$exp"
}

@test "lines that end in CR LF are told on the host" {
	printf 'exit 0\r\n' >"$exp/run"
	refused 1 'tiny/run: its lines end in CR LF' run "$exp"
	printf 'exit 0\n' >"$exp/run"
	printf 'title=x\r\n' >"$exp/experiment"
	refused 1 'tiny/experiment: its lines end in CR LF' run "$exp"
}

@test "a star in an experiment's title is a star" {
	lab_functions
	cd "$exp"
	assert_equal "$(lab_words '  is  it *  or
		r?n ')" 'is it * or r?n'
	assert_equal "$(lab_words '')" ''
}

@test "a bound that cannot be read is told before anything is booted" {
	run -1 "$lab" run "$exp" --kernel "$exp/run" --expect 'tiny.kernel.x_ns<=1' --expect nonsense
	assert_output --partial "'nonsense'"
	refute_output --partial 'seed1'
	run -128 "$lab" run "$exp" --kernel "$exp/run" --bisect --expect 'tiny.kernel.x_ns<='
}

@test "what is given twice is refused, never quietly dropped" {
	refused 1 '--config is given twice' run "$exp" --config "$exp/run" --config "$exp/run"
	refused 1 '--seed and --seeds' run "$exp" --seed 1 --seeds 2
	refused 1 '--set word is given twice' run "$exp" --set word=a --set word=b
}

@test "git bisect gives up on wrong words and on a machine's faults" {
	refused 128 "'--nonsense'" run "$exp" --bisect --nonsense
	refused 128 "'x'" run --seeds x "$exp" --bisect
	QBED_CACHE=/proc/qbed refused 128 '/proc/qbed' run "$exp" --bisect --kernel "$exp/run"
}

@test "what cannot be printed is a failure" {
	# shellcheck disable=SC2016 # for the inner shell
	run -2 sh -c '"$0" list >/dev/full' "$lab"
	# shellcheck disable=SC2016
	run -2 sh -c '"$0" run --help >/dev/full' "$lab"
	# shellcheck disable=SC2016
	run -2 sh -c '"$0" list >&-' "$lab"
}

@test "without a HOME nothing is made at a made-up place" {
	run -2 env -u HOME -u QBED_CACHE -u XDG_CACHE_HOME -u XDG_STATE_HOME \
		"$lab" run "$exp" --kernel "$exp/run"
	assert_output --partial 'HOME is not set'
	[ ! -e /nonexistent ]
}

@test "colour is for terminals, for --color, and never against NO_COLOR" {
	run -1 "$lab" nonsense
	refute_output --partial $'\033'
	run -1 "$lab" --color=always nonsense
	assert_output --partial $'\033[31m'
	run -1 env TERM=xterm script -qec "$lab nonsense" /dev/null
	assert_output --partial $'\033[31m'
	run -1 env TERM=xterm NO_COLOR=1 script -qec "$lab nonsense" /dev/null
	refute_output --partial $'\033[31m'
}

@test "list shows the experiments and bases of the tree" {
	run -0 "$lab" list experiments
	assert_line --regexp '^mq-netem +.'
	assert_line --regexp '^retire +.'
	run -0 "$lab" list bases
	assert_line 6.1
}

@test "list shows what --set takes, with the defaults" {
	run -0 "$lab" list parameters mq-netem
	assert_line rate=500
	run -0 "$lab" list parameters retire
	assert_line "'tovs=1ms 2ms 4ms 8ms 10ms'"
	run -0 "$lab" list parameters "$exp"
	assert_output word=hi
	run -0 "$lab" list parameters
	assert_line 'mq-netem rate=500'
	assert_line "retire 'tovs=1ms 2ms 4ms 8ms 10ms'"
	run -0 "$lab" list
	assert_line '      --set rate=500'
	refused 1 "list: unknown experiment 'nonsense'" list parameters nonsense
	refused 1 "'mq-netem'" list bases mq-netem
	refused 1 "'more'" list parameters mq-netem more
}

@test "clean removes what the cache holds, and nothing when it is only asked what it would" {
	mkdir -p "$QBED_CACHE/initramfs" "$QBED_CACHE/sources.git"
	touch "$QBED_CACHE/initramfs/x.cpio" "$QBED_CACHE/sources.git/x"
	run -0 "$lab" clean --dry-run
	assert_output "$QBED_CACHE/initramfs"
	[ -e "$QBED_CACHE/initramfs/x.cpio" ]
	run -0 "$lab" clean
	[ ! -e "$QBED_CACHE/initramfs" ]
	[ -e "$QBED_CACHE/sources.git/x" ]
	run -0 "$lab" clean sources.git
	[ ! -e "$QBED_CACHE/sources.git" ]
	mkdir "$QBED_CACHE/sources.git"
	run -0 "$lab" clean all
	[ ! -e "$QBED_CACHE/sources.git" ]
}

@test "an installed lab finds its parts through the link in bin" {
	local prefix=$BATS_TEST_TMPDIR/prefix
	mkdir -p "$prefix/bin" "$prefix/share/qbed"
	cp -R "$root/testbed" "$prefix/share/qbed/"
	chmod -R u+w "$prefix"	# the source of make distcheck is read-only
	ln -s ../share/qbed/testbed/qbed-lab "$prefix/bin/qbed-lab"
	run -0 "$prefix/bin/qbed-lab" list experiments
	assert_line --regexp '^retire +.'
}

@test "a cache that cannot be made is said to be so" {
	export QBED_CACHE=/proc/qbed
	refused 2 '/proc/qbed' run "$exp" --kernel "$exp/run"
}

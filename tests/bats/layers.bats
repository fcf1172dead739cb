# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layers of tc-helpers/ as docs/architecture.md has them: what may include what, who may print,
# who may touch the machine; and that every command is described.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup()
{
	root=${QBED_SRCDIR:-$BATS_TEST_DIRNAME/../..}
	cd "$root/tc-helpers" || return 1
}

# no_match REGEX DIR...: no line of C there matches; comments do not count
no_match()
{
	local regex=$1 file found=
	shift
	while read -r file; do
		found+=$(without_comments "$file" | grep -nE -- "$regex" | sed "s|^|$file:|" || :)
	done < <(find "$@" -name '*.[ch]')
	assert_equal "$found" ''
}

# without_comments FILE: line numbers stay
without_comments()
{
	sed -E -e 's#"([^"\\]|\\.)*"#""#g' -e 's#//.*##' -e 's#/\*.*\*/##' -- "$1" |
		awk '/\/\*/ { sub(/\/\*.*/, ""); print; inside = 1; next }
			/\*\// && inside { sub(/.*\*\//, ""); inside = 0 }
			inside { print ""; next } { print }'
}

# may_include DIR ALLOWED...: files of DIR include with "" only from ALLOWED
may_include()
{
	local dir=$1 allowed found
	shift
	allowed=$(IFS='|'; printf '%s' "$*")
	found=$(grep -rnE '^#include "' "$dir" --include='*.[ch]' |
		grep -vE "#include \"(($allowed)/|[^/]*\"$)" || :)
	assert_equal "$found" ''
}

@test "a layer includes what is below it and nothing else" {
	may_include pure pure
	may_include topo topo pure
	may_include report report pure
	may_include wire wire pure
	may_include kinds kinds wire pure
	may_include filters filters kinds wire pure
	may_include ip ip wire pure
	may_include net net ip filters kinds wire topo pure
	may_include measure measure pure
}

@test "this test sees a layer that includes what it must not" {
	mkdir -p "$BATS_TEST_TMPDIR/pure"
	printf '#include "net/rtnl.h"\n' >"$BATS_TEST_TMPDIR/pure/x.c"
	cd "$BATS_TEST_TMPDIR"
	run ! may_include pure pure
	printf 'int x(void) { printf("x"); }\n' >"$BATS_TEST_TMPDIR/pure/x.c"
	run ! no_match '\bprintf\(' pure
	printf '/* printf(x) */ // printf(y)\nchar *s = "printf(z)";\n' >"$BATS_TEST_TMPDIR/pure/x.c"
	no_match '\bprintf\(' pure
}

@test "no command includes another's file" {
	run grep -nE '^#include "cmd-' -- *.c
	assert_output ''
}

@test "nothing below the edge prints or exits" {
	no_match '(^|[^_[:alnum:]])(printf|puts|putchar|perror|exit|err|errx|warn|warnx)[[:space:]]*\(' \
		pure topo report wire kinds filters ip net measure
	no_match '\b(stdout|stderr)\b' pure topo report wire kinds filters net measure
}

@test "pure code opens nothing, asks no clock and knows no socket" {
	no_match '(^|[^_[:alnum:]])(socket|open|openat|fopen|clock_gettime|time|gettimeofday|getenv|system|popen|fork)[[:space:]]*\(' \
		pure topo report
}

@test "only net/ knows sockets of rtnetlink, and the layers below it none" {
	no_match '(^|[^_[:alnum:]])(socket|open|openat|fopen|nl_connect|nl_send_auto|send|recv)[[:space:]]*\(' \
		wire kinds filters ip
}

@test "the helper never runs ip or tc" {
	run grep -rnE '\b(system|popen)[[:space:]]*\(|exec[lv][pe]*\([^)]*"(/s?bin/|/usr/s?bin/)?(ip|tc)"' . \
		--include='*.c'
	assert_output ''
}

@test "every command has a man page that names each of its options" {
	local line command word page
	run -0 qbed --complete-words
	[ "${#lines[@]}" -gt 2 ]
	for line in "${lines[@]}"; do
		command=${line%%:*}
		page=$root/docs/man/qbed${command:+-$command}.8.scd
		[[ $command != qbed ]] || page=$root/docs/man/qbed.8.scd
		[ -f "$page" ] || fail "no $page"
		for word in ${line#*:}; do
			[[ $word == --* ]] || continue
			# the common ones are in qbed(8)
			if [[ $command != qbed ]] && grep -qF -- "*$word*" "$root/docs/man/qbed.8.scd"; then
				continue
			fi
			grep -qF -- "*$word*" "$page" || fail "$page does not name $word"
		done
	done
}

@test "every classifier and action is described with each of its words" {
	local word words
	words=$(qbed --complete-words | sed -n 's/^filter://p')
	[[ $words == *' u32 '* ]]
	for word in $words; do
		grep -qE -- "\*${word/+/\\+}\*" "$root/docs/man/qbed-filter.8.scd" ||
			[[ $word == --* ]] || fail "qbed-filter.8.scd does not name $word"
	done
}

@test "every kind of qdisc is described with each of its words" {
	local word words
	words=$(qbed --complete-words | sed -n 's/^qdisc://p')
	[[ $words == *' netem '* ]]
	for word in $words; do
		grep -qE -- "\*$word\*" "$root/docs/man/qbed-qdisc.8.scd" ||
			[[ $word == --* ]] || fail "qbed-qdisc.8.scd does not name $word"
	done
}

@test "every kind of class is described with each of its words" {
	local word words
	words=$(qbed --complete-words | sed -n 's/^class://p')
	[[ $words == *' htb '* ]]
	for word in $words; do
		grep -qE -- "\*$word\*" "$root/docs/man/qbed-class.8.scd" ||
			[[ $word == --* ]] || fail "qbed-class.8.scd does not name $word"
	done
}

@test "NEWS begins with this version and its date, which man pages carry" {
	local version
	version=$(sed -n 's/^AC_INIT(\[qbed\], \[\(.*\)\])$/\1/p' "$root/configure.ac")
	run -0 sed -n '/^qbed /{p;q}' "$root/NEWS"
	assert_output --regexp "^qbed ${version//./\\.}, 20[0-9]{2}-[01][0-9]-[0-3][0-9]\$"
	command -v scdoc || skip 'needs scdoc'
	run -0 grep -F "${output##* }" "$QBED_BINDIR/docs/man/qbed.8"
}
